//! Writes the levels of placed tensors into types: the memory space of a memref says where its bytes
//! are.
//!
//! Memory spaces start at arenas and follow views, control flow and calls of private functions.
//! Types of storage that was not planned, and signatures that other code relies on, stay as they
//! are. A value that may be in one of several spaces gets the generic space of the hierarchy; where
//! it is made, its sources are cast.

mod graph;

use rustc_hash::FxHashMap as HashMap;

use mem_model::LevelId;

use crate::framework::{Failed, PassResult};
use crate::ir::spaces::{LevelSpaces, Space, SpaceForm, in_space, map_spaces, shown, space_of};
use crate::ir::{Attribute, Builder, Diagnostic, Op, Type, Value, is_valid};
use graph::{Flow, Function, Graph, Node, Origin};

/// Dialects whose operations take memrefs in any memory space. An operation of another dialect may
/// refuse one, which only its verifier knows.
const IN_ANY_SPACE: [&str; 11] = [
    "affine.", "arith.", "async.", "builtin.", "cf.", "func.", "linalg.", "mem.", "memref.",
    "scf.", "vector.",
];

/// Types everything that is placed in arenas by the level of the arena. `home`: where storage without
/// a memory space is that was not planned; `None`: in the slowest level.
///
/// # Errors
/// If a value may be in one of several memory spaces and the hierarchy names no generic one, or if
/// an operation refuses the space of an operand.
pub(crate) fn assign_spaces(
    module: Op,
    hierarchy: Attribute,
    form: SpaceForm,
    home: Option<LevelId>,
) -> PassResult {
    if form == SpaceForm::None {
        return Ok(());
    }
    let spaces = LevelSpaces::new(hierarchy);
    let in_form = spaces.in_form(module.context(), form, home);
    if form != SpaceForm::Keep {
        let other = |space| spaces.level_of(space).map(|level| in_form[level.index()]);
        map_spaces(module, |space| other(space).unwrap_or(space));
    }
    // The types that planning has written are right.
    if in_form.iter().all(Option::is_none) {
        return Ok(());
    }
    let graph = Graph::new(module);
    let assignment = Assignment::new(&graph, &spaces, in_form, home)?;
    let users = assignment.write(&graph)?;
    for function in graph.functions.values() {
        write_signature(function, &assignment);
    }
    // Signatures are right by now, on which some verifiers rely.
    check_users(users)
}

/// The memory space of a class.
#[derive(Clone, Copy)]
enum Known {
    Nothing,
    At {
        space: Space,
        /// The level that the space stands for, if it is one.
        level: Option<LevelId>,
        /// A value that is there.
        source: Value,
    },
    /// One of several: the generic space.
    Generic,
}

struct Assignment<'a> {
    spaces: &'a LevelSpaces,
    /// Indexed by level.
    in_form: Vec<Space>,
    /// The level of storage without a memory space.
    home: Option<LevelId>,
    /// Indexed by node: a representative of the node's class.
    classes: Vec<Node>,
    /// Indexed by representative.
    known: Vec<Known>,
    /// Indexed by representative: the space follows from an origin, not from what flows there.
    has_origin: Vec<bool>,
}

impl<'a> Assignment<'a> {
    /// Finds the space of each class. O(flows) for each class that nothing determines, because other
    /// classes change at most three times.
    fn new(
        graph: &Graph,
        spaces: &'a LevelSpaces,
        in_form: Vec<Space>,
        home: Option<LevelId>,
    ) -> Result<Self, Failed> {
        let slowest = in_form.len().checked_sub(1).map(LevelId::new);
        let classes = graph.classes();
        let mut assignment = Self {
            spaces,
            in_form,
            home: home.or(slowest),
            known: vec![Known::Nothing; classes.len()],
            has_origin: vec![false; classes.len()],
            classes,
        };
        for (node, source, origin) in &graph.origins {
            assignment.start(*node, *source, origin)?;
        }
        let mut has_changed = true;
        while std::mem::take(&mut has_changed) {
            for flow in &graph.flows {
                has_changed |= assignment.propagate(graph, flow)?;
            }
            if !has_changed {
                has_changed = assignment.adopt(graph);
            }
        }
        Ok(assignment)
    }

    fn space(&self, node: Node) -> Option<Space> {
        match self.known[self.classes[node]] {
            Known::Nothing => None,
            Known::At { space, .. } => Some(space),
            Known::Generic => self.spaces.generic,
        }
    }

    /// Gives a class the space of an origin.
    fn start(&mut self, node: Node, source: Value, origin: &Origin) -> PassResult {
        let stated = space_of(source.ty()).flatten();
        let arena = match origin {
            Origin::Arena(Some(name)) => self.spaces.level_named(name),
            _ => None,
        };
        let (space, level) = match (arena, origin) {
            (Some(level), _) => (self.in_form[level.index()], Some(level)),
            (None, Origin::Stored) if stated.is_none() => (None, self.home),
            (None, _) => (stated, self.spaces.level_of(stated)),
        };
        let class = self.classes[node];
        if let Known::At {
            space: other,
            source: of_other,
            ..
        } = self.known[class]
            && other != space
        {
            return several(source, (space, source), (other, of_other)).fail();
        }
        self.has_origin[class] = true;
        self.known[class] = Known::At {
            space,
            level,
            source,
        };
        Ok(())
    }

    /// Lets the space of a value reach the class that the value flows to. Returns whether that class
    /// has changed.
    fn propagate(&mut self, graph: &Graph, flow: &Flow) -> Result<bool, Failed> {
        let (from, to) = (self.classes[flow.from], self.classes[flow.to]);
        let (new, old) = (self.known[from], self.known[to]);
        if self.has_origin[to] {
            return Ok(false);
        }
        self.known[to] = match (new, old) {
            (Known::Nothing, _) | (_, Known::Generic) => return Ok(false),
            (new, Known::Nothing) | (new @ Known::Generic, _) => new,
            (
                Known::At {
                    space,
                    level,
                    source,
                },
                Known::At {
                    space: known,
                    level: of_known,
                    source: other,
                },
            ) => {
                if space == known {
                    return Ok(false);
                }
                let common = level.filter(|_| level == of_known);
                match common.map(|level| self.in_form[level.index()]) {
                    // Both spaces stand for one level, whose own space says it best.
                    Some(own) if own == known => return Ok(false),
                    Some(own) => Known::At {
                        space: own,
                        level,
                        source,
                    },
                    None if self.spaces.generic.is_some() => Known::Generic,
                    None => {
                        let at = graph.values[flow.to].unwrap_or(flow.value);
                        return several(at, (space, source), (known, other)).fail();
                    }
                }
            }
        };
        Ok(true)
    }

    /// Gives a class that nothing determines, such as the parameter of a function that is never
    /// called, the space of a class that it flows to. Returns whether there is such a class.
    fn adopt(&mut self, graph: &Graph) -> bool {
        for flow in &graph.flows {
            let (from, to) = (self.classes[flow.from], self.classes[flow.to]);
            let known = self.known[to];
            if matches!(self.known[from], Known::Nothing) && !matches!(known, Known::Nothing) {
                self.known[from] = known;
                return true;
            }
        }
        false
    }

    /// Changes types, and casts values on their way to another class. Returns the operations with
    /// operands of other types than before.
    fn write(&self, graph: &Graph) -> Result<Vec<Op>, Failed> {
        let casts = self.casts(graph)?;
        let mut users: Vec<Op> = Vec::new();
        for (node, value) in graph.values.iter().enumerate() {
            let (Some(value), Some(space)) = (value, self.space(node)) else {
                continue;
            };
            if space_of(value.ty()) != Some(space) {
                value.set_type(in_space(value.ty(), space));
                users.extend(value.users());
            }
        }
        for (user, value, space) in casts {
            let cast = Builder::new("memref.memory_space_cast", user.location())
                .operands([value])
                .result(in_space(value.ty(), space))
                .before(user)
                .result();
            let replace = |operand| if operand == value { cast } else { operand };
            let operands: Vec<Value> = user.operands().map(replace).collect();
            user.set_operands(&operands);
        }
        Ok(users)
    }

    /// The operands to cast: the user, the value and its new space.
    fn casts(&self, graph: &Graph) -> Result<Vec<(Op, Value, Space)>, Failed> {
        let mut casts: Vec<(Op, Value, Space)> = Vec::new();
        let mut wanted: HashMap<(Op, Value), Space> = HashMap::default();
        for flow in &graph.flows {
            let (Some(from), Some(to)) = (self.space(flow.from), self.space(flow.to)) else {
                continue;
            };
            let known = wanted.insert((flow.user, flow.value), to);
            if known.is_some_and(|known| known != to) {
                return several_uses(flow, known.flatten(), to).fail();
            }
            if from == to || known.is_some() {
                continue;
            }
            let is_memref = crate::ir::memref_layout(flow.value.ty()).is_some();
            let of = |node: Node| match self.known[self.classes[node]] {
                Known::At { level, .. } => level,
                _ => None,
            };
            let is_one_level = of(flow.from).is_some() && of(flow.from) == of(flow.to);
            if !is_memref || !is_one_level && self.spaces.generic != Some(to) {
                return refused(flow, from, to).fail();
            }
            casts.push((flow.user, flow.value, to));
        }
        Ok(casts)
    }
}

/// Gives a function the types of its arguments and, if all callers are known, of its results.
fn write_signature(function: &Function, assignment: &Assignment<'_>) {
    let attribute = function.op.attribute("function_type");
    let Some(old) = attribute.and_then(|attribute| attribute.type_value()) else {
        return;
    };
    let arguments = function.arguments.iter().map(|argument| argument.ty());
    let n_inputs = old.inputs().len();
    // A declaration has no block arguments.
    let inputs: Vec<Type> = match function.arguments.len() == n_inputs {
        true => arguments.collect(),
        false => old.inputs(),
    };
    let outputs = old.outputs();
    let outputs = outputs.iter().zip(&function.results).map(|(ty, node)| {
        let space = node.and_then(|node| assignment.space(node));
        space.map_or(*ty, |space| in_space(*ty, space))
    });
    let types: Vec<Type> = inputs.into_iter().chain(outputs).collect();
    let mut types = types.into_iter();
    let new = old.map_signature(|ty| types.next().unwrap_or(ty));
    if new != old {
        function
            .op
            .set_attribute("function_type", Attribute::type_attribute(new));
    }
}

/// Lets the verifiers of operations that may refuse a memory space see their operands.
fn check_users(mut users: Vec<Op>) -> PassResult {
    users.retain(|op| !IN_ANY_SPACE.iter().any(|own| op.name().starts_with(own)));
    for user in users {
        if !is_valid(user) {
            let text = format!(
                "'{}' refuses the memory space of an operand; '#mem.operand' can state the levels in \
                 which it accepts the operand",
                user.name()
            );
            return Diagnostic::error(user.location(), text).fail();
        }
    }
    Ok(())
}

/// The error for a value whose sources are in two memory spaces.
fn several(at: Value, own: (Space, Value), other: (Space, Value)) -> Diagnostic {
    let text = format!(
        "this value may be in {} or in {}, and the hierarchy names no generic memory space",
        shown(own.0),
        shown(other.0)
    );
    let mut error = Diagnostic::error(at.location(), text);
    for (space, source) in [own, other] {
        error = error.note(source.location(), format!("in {}: this", shown(space)));
    }
    error
}

/// The error for an operand that is handed on to values in two memory spaces.
fn several_uses(flow: &Flow, known: Space, to: Space) -> Diagnostic {
    let (known, to) = (shown(known), shown(to));
    operand_error(
        flow,
        &format!("hands an operand on to a value in {known} and to one in {to}"),
    )
}

/// The error for an operand in a memory space that its user does not accept.
fn refused(flow: &Flow, from: Space, to: Space) -> Diagnostic {
    let (from, to) = (shown(from), shown(to));
    operand_error(
        flow,
        &format!("needs an operand in {to}, but it is in {from}"),
    )
}

fn operand_error(flow: &Flow, what: &str) -> Diagnostic {
    let text = format!("'{}' {what}", flow.user.name());
    let error = Diagnostic::error(flow.user.location(), text);
    error.note(flow.value.location(), "this operand".to_owned())
}
