//! `mem-lower-mpi`: lowers the operations of `mpi` to calls of the MPI library, in the ABI of
//! OpenMPI.
//!
//! A communicator and a request are the 64-bit handles of the library, and a return value is its
//! 32-bit status. Predefined handles are the addresses of variables of the library. Memrefs have to
//! be contiguous, because the library is given an address and a number of elements. Loops and branches
//! that carry requests carry their handles.
//!
//! Upstream's conversion lowers no requests and no barriers. Of the others, it passes the size of
//! the first dimension as the number of elements, loads 32 bits of a communicator's handle, and
//! names variables that the library lacks.

use std::collections::{HashMap, HashSet};

use crate::framework::options::MemLowerMpiOptions as Options;
use crate::framework::{Failed, PassResult, PassRun};
use crate::ir::mpi::{holders, is_request, mpi_op, passed_on, starts_request};
use crate::ir::{
    Attribute, Builder, Diagnostic, Location, Op, Type, Value, constant_index, element_type,
    memref_layout,
};

/// The address that says that the input is where the output is to be.
const IN_PLACE: i64 = 1;

pub(crate) fn run(run: &PassRun, _: &Options) -> PassResult {
    let module = run.operation();
    let mut ops = Vec::new();
    module.walk(&mut |op| ops.extend(mpi_op(op).map(|_| op)));
    if ops.is_empty() {
        run.changed_nothing();
        return Ok(());
    }
    let carried = carried(&ops);
    ops.iter().try_for_each(|op| check(*op, &carried))?;
    for request in &carried {
        check_users(*request, request.location())?;
    }
    for request in &carried {
        request.set_type(Type::parse(module.context(), POINTER));
    }
    let mut lowering = Lowering {
        module,
        values: HashMap::new(),
        slots: HashMap::new(),
        declared: HashSet::new(),
    };
    for op in &ops {
        lowering.lower(*op)?;
    }
    for op in ops.into_iter().rev() {
        op.erase();
    }
    Ok(())
}

/// The requests that branches and loops pass on: arguments of blocks, and results.
fn carried(ops: &[Op]) -> Vec<Value> {
    let starts = ops.iter().filter(|op| starts_request(**op));
    let started = starts
        .flat_map(|op| op.results())
        .filter(|own| is_request(own.ty()));
    let mut held = holders(started);
    // What a start results in is no request that was passed on.
    held.retain(|own| !own.owner().is_some_and(starts_request));
    held
}

/// Fails if anything but operations of the dialect uses a handle, and branches and loops that pass on a
/// request. `location`: that of its definition.
fn check_users(handle: Value, location: Location) -> PassResult {
    let is_known = |user: &Op| {
        mpi_op(*user).is_some() || is_request(handle.ty()) && !passed_on(*user, handle).is_empty()
    };
    let Some(user) = handle.users().into_iter().find(|user| !is_known(user)) else {
        return Ok(());
    };
    let text = format!(
        "mem-lower-mpi: a value of type {} is passed on: expected uses in operations of mpi",
        handle.ty()
    );
    Diagnostic::error(user.location(), text)
        .note(location, "it is defined here")
        .fail()
}

/// Fails if a handle leaves the operations of the dialect, or comes from elsewhere.
fn check(op: Op, carried: &[Value]) -> PassResult {
    for result in op.results().filter(|own| is_handle(own.ty())) {
        check_users(result, op.location())?;
    }
    for operand in op.operands().filter(|own| is_handle(own.ty())) {
        if operand.owner().is_none() && !carried.contains(&operand) {
            let text = format!(
                "mem-lower-mpi: a value of type {} comes from outside: expected a result of an \
                 operation of mpi",
                operand.ty()
            );
            return Diagnostic::error(op.location(), text).fail();
        }
    }
    Ok(())
}

fn is_handle(ty: Type) -> bool {
    ty.to_string().starts_with("!mpi.")
}

struct Lowering {
    module: Op,
    /// The handle or status that replaces each value.
    values: HashMap<Value, Value>,
    /// Per function and element type: memory that the library writes a handle or a number to.
    slots: HashMap<(Op, &'static str), Value>,
    declared: HashSet<String>,
}

/// The types of arguments.
const POINTER: &str = "i64";
const NUMBER: &str = "i32";

impl Lowering {
    fn lower(&mut self, op: Op) -> PassResult {
        match op.name() {
            "mpi.init" => {
                let nothing = self.constant(op, POINTER, 0);
                self.call(op, "MPI_Init", &[(POINTER, nothing), (POINTER, nothing)]);
            }
            "mpi.finalize" => self.call(op, "MPI_Finalize", &[]),
            "mpi.comm_world" => {
                let handle = self.variable(op, "ompi_mpi_comm_world");
                self.values.insert(op.result(), handle);
            }
            "mpi.comm_rank" => self.query(op, "MPI_Comm_rank"),
            "mpi.comm_size" => self.query(op, "MPI_Comm_size"),
            "mpi.comm_split" => self.split(op),
            "mpi.send" => self.message(op, "MPI_Send")?,
            "mpi.recv" => self.message(op, "MPI_Recv")?,
            "mpi.isend" => self.message(op, "MPI_Isend")?,
            "mpi.irecv" => self.message(op, "MPI_Irecv")?,
            "mpi.allreduce" => self.reduce(op)?,
            "mpi.barrier" => {
                let comm = self.handle(op.operand(0));
                self.call(op, "MPI_Barrier", &[(POINTER, comm)]);
            }
            "mpi.wait" => self.wait(op),
            "mpi.retval_check" => self.check_status(op)?,
            _ => {
                let text = format!("mem-lower-mpi: '{}' cannot be lowered", op.name());
                return Diagnostic::error(op.location(), text).fail();
            }
        }
        Ok(())
    }

    fn handle(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }

    fn constant(&self, before: Op, ty: &str, value: i64) -> Value {
        let context = before.context();
        let value = Attribute::parse(context, &format!("{value} : {ty}"));
        let constant = Builder::new("arith.constant", before.location())
            .attribute("value", value)
            .result(Type::parse(context, ty));
        constant.before(before).result()
    }

    /// Calls a function of the library, whose status replaces the return value of `op`.
    fn call(&mut self, op: Op, name: &str, arguments: &[(&str, Value)]) {
        let types: Vec<&str> = arguments.iter().map(|(ty, _)| *ty).collect();
        let text = format!("func.func private @{name}({}) -> i32", types.join(", "));
        self.declare(name, &text);
        let context = op.context();
        let call = Builder::new("func.call", op.location())
            .attribute("callee", Attribute::parse(context, &format!("@{name}")))
            .operands(arguments.iter().map(|(_, value)| *value))
            .result(Type::parse(context, NUMBER));
        let status = call.before(op).result();
        let mut results = op.results();
        if let Some(value) = results.find(|own| own.ty().to_string() == "!mpi.retval") {
            self.values.insert(value, status);
        }
    }

    fn declare(&mut self, name: &str, text: &str) {
        let is_known = |op: Op| op.symbol().as_deref() == Some(name);
        if self.declared.insert(name.to_owned())
            && !self.module.direct_ops().any(is_known)
            && let Some(first) = self.module.direct_ops().next()
        {
            Op::parse(self.module.context(), text).insert_before(first);
        }
    }

    /// The address of a variable of the library.
    fn variable(&mut self, op: Op, name: &str) -> Value {
        // The type does not matter, since only the address is used.
        let ty = "memref<1xi8>";
        self.declare(name, &format!("memref.global @{name} : {ty}"));
        let context = op.context();
        let global = Builder::new("memref.get_global", op.location())
            .attribute("name", Attribute::parse(context, &format!("@{name}")))
            .result(Type::parse(context, ty));
        let global = global.before(op).result();
        self.pointer_to(op, global)
    }

    /// The aligned pointer of a memref, as a number.
    fn pointer_to(&self, op: Op, memref: Value) -> Value {
        let context = op.context();
        let pointer = Builder::new("memref.extract_aligned_pointer_as_index", op.location())
            .operands([memref])
            .result(Type::parse(context, "index"));
        self.cast(op, pointer.before(op).result(), POINTER)
    }

    fn cast(&self, op: Op, value: Value, ty: &str) -> Value {
        let cast = Builder::new("arith.index_cast", op.location())
            .operands([value])
            .result(Type::parse(op.context(), ty));
        cast.before(op).result()
    }

    /// Memory on the stack of the function, for one handle or number at a time.
    fn slot(&mut self, op: Op, element: &'static str) -> Value {
        let mut around = std::iter::successors(op.parent(), |op| op.parent());
        let function = around.find(|op| op.name() == "func.func");
        let function = function.unwrap_or(self.module);
        if let Some(known) = self.slots.get(&(function, element)) {
            return *known;
        }
        let context = op.context();
        let entry = function.regions().next().and_then(|own| own.first_block());
        let first = entry.and_then(|block| block.first_op()).unwrap_or(op);
        let slot = Builder::new("memref.alloca", op.location())
            .segments(context, &[0, 0])
            .result(Type::parse(context, &format!("memref<1x{element}>")));
        let slot = slot.before(first).result();
        self.slots.insert((function, element), slot);
        slot
    }

    fn load(&self, op: Op, slot: Value, element: &str) -> Value {
        let load = Builder::new("memref.load", op.location())
            .operands([slot, constant_index(op, 0)])
            .result(Type::parse(op.context(), element));
        load.before(op).result()
    }

    /// A call that writes a number, such as the rank.
    fn query(&mut self, op: Op, name: &str) {
        let slot = self.slot(op, NUMBER);
        let to = self.pointer_to(op, slot);
        let comm = self.handle(op.operand(0));
        self.call(op, name, &[(POINTER, comm), (POINTER, to)]);
        let number = self.load(op, slot, NUMBER);
        if let Some(result) = op.results().last() {
            result.replace_with(number);
        }
    }

    fn split(&mut self, op: Op) {
        let slot = self.slot(op, POINTER);
        let to = self.pointer_to(op, slot);
        let comm = self.handle(op.operand(0));
        let (color, key) = (op.operand(1), op.operand(2));
        let arguments = [
            (POINTER, comm),
            (NUMBER, color),
            (NUMBER, key),
            (POINTER, to),
        ];
        self.call(op, "MPI_Comm_split", &arguments);
        let handle = self.load(op, slot, POINTER);
        if let Some(result) = op.results().last() {
            self.values.insert(result, handle);
        }
    }

    fn message(&mut self, op: Op, name: &str) -> PassResult {
        let bytes = self.buffer(op, op.operand(0), true)?;
        let datatype = self.variable(op, &bytes.datatype);
        let comm = self.handle(op.operand(3));
        let mut arguments = vec![
            (POINTER, bytes.address),
            (NUMBER, bytes.count),
            (POINTER, datatype),
            // The rank at the other end, and then the tag: `mpi` has them the other way round.
            (NUMBER, op.operand(2)),
            (NUMBER, op.operand(1)),
            (POINTER, comm),
        ];
        let slot = match name {
            "MPI_Isend" | "MPI_Irecv" => Some(self.slot(op, POINTER)),
            _ => None,
        };
        match slot {
            Some(slot) => arguments.push((POINTER, self.pointer_to(op, slot))),
            // The status of a receive is ignored.
            None if name == "MPI_Recv" => arguments.push((POINTER, self.constant(op, POINTER, 0))),
            None => {}
        }
        self.call(op, name, &arguments);
        if let (Some(slot), Some(request)) = (slot, op.results().last()) {
            // Its waits may come first in the text, and branches may pass it on.
            request.replace_with(self.load(op, slot, POINTER));
        }
        Ok(())
    }

    fn wait(&mut self, op: Op) {
        let request = self.handle(op.operand(0));
        let slot = self.slot(op, POINTER);
        let operands = [request, slot, constant_index(op, 0)];
        let store = Builder::new("memref.store", op.location()).operands(operands);
        store.before(op);
        let (from, nothing) = (self.pointer_to(op, slot), self.constant(op, POINTER, 0));
        self.call(op, "MPI_Wait", &[(POINTER, from), (POINTER, nothing)]);
    }

    fn reduce(&mut self, op: Op) -> PassResult {
        let [from, to] = [0, 1].map(|index| self.buffer(op, op.operand(index), false));
        let (from, to) = (from?, to?);
        if (from.n, &from.datatype) != (to.n, &to.datatype) {
            let text = "mem-lower-mpi: the operands of a reduction have different elements";
            return Diagnostic::error(op.location(), text).fail();
        }
        let operator = op.attribute("op").and_then(Attribute::integer);
        let operator = operator.and_then(reduction);
        let Some(operator) = operator else {
            let text = "mem-lower-mpi: this reduction cannot be lowered";
            return Diagnostic::error(op.location(), text).fail();
        };
        // The library refuses operands that share bytes, unless it is told that they are one.
        let context = op.context();
        let is_one = Builder::new("arith.cmpi", op.location())
            .attribute("predicate", Attribute::integer_attribute(context, 0))
            .operands([from.address, to.address])
            .result(Type::parse(context, "i1"));
        let is_one = is_one.before(op).result();
        let in_place = self.constant(op, POINTER, IN_PLACE);
        let source = Builder::new("arith.select", op.location())
            .operands([is_one, in_place, from.address])
            .result(Type::parse(context, POINTER));
        let source = source.before(op).result();
        let datatype = self.variable(op, &to.datatype);
        let operator = self.variable(op, operator);
        let comm = self.handle(op.operand(2));
        let arguments = [
            (POINTER, source),
            (POINTER, to.address),
            (NUMBER, to.count),
            (POINTER, datatype),
            (POINTER, operator),
            (POINTER, comm),
        ];
        self.call(op, "MPI_Allreduce", &arguments);
        Ok(())
    }

    /// What the library needs to know of a memref. Elements that it has no type for can be sent as
    /// bytes, if `as_bytes`.
    fn buffer(&self, op: Op, memref: Value, as_bytes: bool) -> Result<Buffer, Failed> {
        let refuse = |why: &str| {
            let text = format!("mem-lower-mpi: an operand of type {} {why}", memref.ty());
            Diagnostic::error(op.location(), text).fail()
        };
        let layout = memref_layout(memref.ty());
        let known = layout.and_then(|own| Some((own.static_shape()?, own)));
        let Some((shape, layout)) = known else {
            return refuse("has a size known only at run time");
        };
        let count: i64 = shape.iter().product();
        if layout.span() != layout.element.checked_mul(count) {
            return refuse("is not contiguous");
        }
        let mut row = 1;
        let is_in_order = layout
            .strides
            .iter()
            .zip(&shape)
            .rev()
            .all(|(stride, size)| {
                let is_next = *size == 1 || *stride == Some(row);
                row *= size;
                is_next
            });
        if !is_in_order {
            return refuse("is not in row-major order");
        }
        let Some(offset) = layout.offset else {
            return refuse("starts at an offset known only at run time");
        };
        let element = element_type(memref.ty()).map(|ty| ty.to_string());
        let (datatype, factor) = match element.as_deref().and_then(datatype) {
            Some(name) => (name, 1),
            None if as_bytes => ("ompi_mpi_byte", layout.element),
            None => return refuse("has elements that cannot be reduced"),
        };
        let total = count
            .checked_mul(factor)
            .filter(|n| i32::try_from(*n).is_ok());
        let Some(total) = total else {
            return refuse("has too many elements for one message");
        };
        let mut address = self.pointer_to(op, memref);
        if offset != 0 {
            let bytes = self.constant(op, POINTER, offset * layout.element);
            let sum = Builder::new("arith.addi", op.location())
                .operands([address, bytes])
                .result(Type::parse(op.context(), POINTER));
            address = sum.before(op).result();
        }
        Ok(Buffer {
            address,
            n: total,
            count: self.constant(op, NUMBER, total),
            datatype: datatype.to_owned(),
        })
    }

    /// Compares a status with an error class.
    fn check_status(&mut self, op: Op) -> PassResult {
        let class = op.attribute("errclass").map(|own| own.to_string());
        if class.is_none_or(|class| !class.contains("MPI_SUCCESS")) {
            let text = "mem-lower-mpi: this error class cannot be lowered: expected MPI_SUCCESS";
            return Diagnostic::error(op.location(), text).fail();
        }
        let context = op.context();
        let status = self.handle(op.operand(0));
        let success = self.constant(op, NUMBER, 0);
        let is_equal = Builder::new("arith.cmpi", op.location())
            .attribute("predicate", Attribute::integer_attribute(context, 0))
            .operands([status, success])
            .result(Type::parse(context, "i1"));
        op.result().replace_with(is_equal.before(op).result());
        Ok(())
    }
}

/// A memref as the library sees it.
struct Buffer {
    address: Value,
    /// The number of elements, and the same as a value.
    n: i64,
    count: Value,
    /// The variable that stands for the type of an element.
    datatype: String,
}

/// The library's name for an element type.
fn datatype(element: &str) -> Option<&'static str> {
    Some(match element {
        "f32" => "ompi_mpi_float",
        "f64" => "ompi_mpi_double",
        "i8" => "ompi_mpi_int8_t",
        "i16" => "ompi_mpi_int16_t",
        "i32" => "ompi_mpi_int32_t",
        "i64" => "ompi_mpi_int64_t",
        _ => return None,
    })
}

/// The library's name for a reduction, by its number in the dialect.
fn reduction(number: i64) -> Option<&'static str> {
    // 0 is no operation; those after the last one work on pairs or on windows.
    const NAMES: [&str; 10] = [
        "ompi_mpi_op_max",
        "ompi_mpi_op_min",
        "ompi_mpi_op_sum",
        "ompi_mpi_op_prod",
        "ompi_mpi_op_land",
        "ompi_mpi_op_band",
        "ompi_mpi_op_lor",
        "ompi_mpi_op_bor",
        "ompi_mpi_op_lxor",
        "ompi_mpi_op_bxor",
    ];
    let index = usize::try_from(number.checked_sub(1)?).ok()?;
    NAMES.get(index).copied()
}
