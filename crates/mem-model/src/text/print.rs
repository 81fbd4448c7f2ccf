//! Printer: programs to text.

use std::fmt::{Display, Write as _};

use super::VERSION;
use crate::{
    Access, AccessKind, Aliasing, Binding, BlockId, Bound, Buffer, BufferId, Bytes, Detail,
    Interval, PointerId, PointerKind, Program, RegionId, RegionKind, Role, StepId, Storage,
    SymbolId, TokenId,
};

/// Prints `programs` in the text form, header included.
#[must_use]
pub fn print_programs(programs: &[Program]) -> String {
    let mut out = format!("mem-program {VERSION}\n");
    for program in programs {
        print_program(&mut out, program);
    }
    out
}

fn print_program(out: &mut String, program: &Program) {
    line(out, format_args!("program {}", Quoted(&program.name)));
    for (index, buffer) in program.buffers.iter().enumerate() {
        print_buffer(out, BufferId::new(index), buffer);
    }
    for (index, pointer) in program.pointers.iter().enumerate() {
        let (id, name) = (PointerId::new(index), Quoted(&pointer.name));
        let kind = match pointer.kind {
            PointerKind::Buffer(buffer) => format!("buffer {buffer}"),
            PointerKind::Merge => "merge".to_owned(),
        };
        let size = Optional(" size ", pointer.size);
        line(out, format_args!("pointer {id} {name} {kind}{size}"));
    }
    for (index, symbol) in program.symbols.iter().enumerate() {
        let (id, name) = (SymbolId::new(index), Quoted(&symbol.name));
        let blocks = symbol.blocks.iter().map(|block| format!(" {block}"));
        let blocks: String = blocks.collect();
        line(out, format_args!("symbol {id} {name} in{blocks}"));
    }
    for (index, name) in program.tokens.iter().enumerate() {
        let (id, name) = (TokenId::new(index), Quoted(name));
        line(out, format_args!("token {id} {name}"));
    }
    for (index, region) in program.regions.iter().enumerate() {
        let (id, kind) = (RegionId::new(index), region_word(region.kind));
        let parent = Optional(" in ", region.parent);
        line(out, format_args!("region {id} {kind}{parent}"));
    }
    print_blocks(out, program);
    line(out, format_args!("end"));
}

fn print_buffer(out: &mut String, id: BufferId, buffer: &Buffer) {
    let storage = match &buffer.storage {
        Storage::Planned => "planned".to_owned(),
        Storage::External => "external".to_owned(),
        Storage::Placed { level, offset } => format!("placed {} {offset}", Quoted(level)),
    };
    let aliasing = Some(buffer.aliasing).filter(|a| *a != Aliasing::Private);
    line(
        out,
        format_args!(
            "buffer {id} {} size {} align {} {} {storage}{}{}",
            Quoted(&buffer.name),
            buffer.size,
            buffer.alignment,
            role_word(buffer.role),
            Optional(" alias ", aliasing.map(aliasing_word)),
            Location(&buffer.location),
        ),
    );
}

fn print_blocks(out: &mut String, program: &Program) {
    for (index, block) in program.blocks.iter().enumerate() {
        let id = BlockId::new(index);
        line(out, format_args!("block {id} in {}", block.region));
        for step in block.steps.start.index()..block.steps.end.index() {
            print_step(out, program, StepId::new(step));
        }
        for edge in &block.successors {
            line(out, format_args!("  edge {}", edge.target));
            print_bindings(out, &edge.bindings);
        }
    }
}

fn print_step(out: &mut String, program: &Program, id: StepId) {
    let step = &program.steps[id.index()];
    let (name, cycles) = (Quoted(&step.name), Optional(" cycles ", step.cycles));
    let location = Location(&step.location);
    let core = Optional(" core ", step.core);
    line(
        out,
        format_args!("  step {id} {name}{cycles}{core}{location}"),
    );
    for buffer in &step.allocates {
        line(out, format_args!("    allocates {buffer}"));
    }
    print_bindings(out, &step.bindings);
    for (operand, result) in &step.in_place {
        line(out, format_args!("    in-place {operand} {result}"));
    }
    for token in &step.waits {
        line(out, format_args!("    waits {token}"));
    }
    for access in &step.accesses {
        print_access(out, access);
    }
}

fn print_bindings(out: &mut String, bindings: &[Binding]) {
    for Binding { target, sources } in bindings {
        let sources: Vec<String> = sources.iter().map(ToString::to_string).collect();
        line(
            out,
            format_args!("    bind {target} = {}", sources.join(" ")),
        );
    }
}

fn print_access(out: &mut String, access: &Access) {
    let kind = match access.kind {
        AccessKind::Use => "use",
        AccessKind::Define => "define",
    };
    let may = Optional(" may ", access.may.map(range));
    let must = Optional(" must ", access.must.map(range));
    let detail = access.detail.as_deref().map(Details);
    let detail = Optional("", detail);
    line(
        out,
        format_args!("    {kind} {}{may}{must}{detail}", access.pointer),
    );
}

fn range(range: Interval<Bytes>) -> String {
    format!("{}..{}", range.start, range.end)
}

struct Details<'a>(&'a Detail);

impl Display for Details<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let all = |all| if all { " all" } else { "" };
        if let Some(rows) = &self.0.rows {
            write!(f, " rows{}", all(rows.all))?;
            for row in rows.bytes.iter() {
                write!(f, " {}", range(row))?;
            }
        }
        if let Some(symbolic) = self.0.symbolic {
            let (start, end) = (ShownBound(symbolic.start), ShownBound(symbolic.end));
            write!(f, " between{} {start} {end}", all(symbolic.all))?;
        }
        for (index, literal) in self.0.predicate.iter().enumerate() {
            let word = if index == 0 { " if" } else { "" };
            let not = if literal.holds { "" } else { "!" };
            write!(f, "{word} {not}{}", literal.symbol)?;
        }
        match self.0.token {
            Some(token) => write!(f, " async {token}"),
            None => Ok(()),
        }
    }
}

/// Displays a bound as `4`, `y0+4` or `y0-4`.
struct ShownBound(Bound);

impl Display for ShownBound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.0.symbol, self.0.offset) {
            (None, offset) => write!(f, "{offset}"),
            (Some(symbol), offset) => write!(f, "{symbol}{offset:+}"),
        }
    }
}

pub(super) fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a `String` is infallible.
    let _ = writeln!(out, "{text}");
}

pub(super) const fn region_word(kind: RegionKind) -> &'static str {
    match kind {
        RegionKind::Function => "function",
        RegionKind::Loop => "loop",
        RegionKind::Branch => "branch",
        RegionKind::Inline => "inline",
    }
}

pub(super) const fn role_word(role: Role) -> &'static str {
    match role {
        Role::Input => "input",
        Role::Output => "output",
        Role::Constant => "constant",
        Role::Intermediate => "intermediate",
    }
}

pub(super) const fn aliasing_word(aliasing: Aliasing) -> &'static str {
    match aliasing {
        Aliasing::Private => "private",
        Aliasing::Reachable => "reachable",
        Aliasing::Argument => "argument",
        Aliasing::Unknown => "unknown",
    }
}

pub(super) struct Quoted<'a>(pub(super) &'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                c if c.is_control() => write!(f, "\\u{{{:x}}}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

struct Location<'a>(&'a str);

impl Display for Location<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        write!(f, " loc {}", Quoted(self.0))
    }
}

pub(super) struct Optional<T>(pub(super) &'static str, pub(super) Option<T>);

impl<T: Display> Display for Optional<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.1 {
            Some(value) => write!(f, "{}{value}", self.0),
            None => Ok(()),
        }
    }
}
