//! Parser: text to programs, by recursive descent over lines. Ids are dense, so the memory that a
//! line allocates is bounded by its length, whatever numbers it contains.

use thin_vec::ThinVec;

use super::lines::{Line, Lines, parse_decimal, parse_range};
use super::print::{aliasing_word, region_word, role_word};
use super::{FORMAT, TextError, VERSION};
use crate::{
    Access, AccessKind, Aliasing, Binding, Block, BlockId, Bound, Buffer, BufferId, Detail, Edge,
    Interval, Literal, Pointer, PointerId, PointerKind, Program, Region, RegionId, RegionKind,
    Role, Rows, Step, StepId, Storage, Subject, Symbol, SymbolId, SymbolicRange, TokenId,
};

/// Parses and validates all programs in `text`. Never panics, whatever the input.
///
/// # Errors
/// The first error, with its line and column.
pub fn parse_programs(text: &str) -> Result<Vec<Program>, TextError> {
    let mut lines = Lines::new(text)?;
    lines.header(FORMAT, VERSION)?;
    let mut programs = Vec::new();
    while let Some(line) = lines.next_starting_with("program") {
        programs.push(parse_program(line, &mut lines)?);
    }
    match lines.next() {
        Some(line) => line.fail("'program'"),
        None => Ok(programs),
    }
}

fn parse_program(mut head: Line, lines: &mut Lines) -> Result<Program, TextError> {
    let mut program = Program {
        name: head.text("the program's name")?,
        ..Program::default()
    };
    let head_line = head.number;
    head.end()?;
    let mut places = Places::default();
    while let Some(line) = lines.next_starting_with("buffer") {
        places.buffers.push(line.number);
        let next = BufferId::new(program.buffers.len());
        program.buffers.push(parse_buffer(line, next)?);
    }
    while let Some(line) = lines.next_starting_with("pointer") {
        places.pointers.push(line.number);
        let next = PointerId::new(program.pointers.len());
        program.pointers.push(parse_pointer(line, next)?);
    }
    while let Some(line) = lines.next_starting_with("symbol") {
        let next = SymbolId::new(program.symbols.len());
        program.symbols.push(parse_symbol(line, next)?);
    }
    while let Some(mut line) = lines.next_starting_with("token") {
        line.id_in_order("t", TokenId::new(program.tokens.len()))?;
        program.tokens.push(line.text("the token's name")?);
        line.end()?;
    }
    while let Some(line) = lines.next_starting_with("region") {
        places.regions.push(line.number);
        let next = RegionId::new(program.regions.len());
        program.regions.push(parse_region(line, next)?);
    }
    while let Some(line) = lines.next_starting_with("block") {
        places.blocks.push(line.number);
        parse_block(line, lines, &mut program, &mut places)?;
    }
    match lines.next_starting_with("end") {
        Some(line) => line.end()?,
        None => return lines.fail("a line that belongs here, in order, or 'end'"),
    }
    match program.validate() {
        Ok(()) => Ok(program),
        Err(error) => Err(TextError {
            line: places.line_of(error.subject()).unwrap_or(head_line),
            column: 1,
            kind: error.into(),
        }),
    }
}

/// Line numbers of the entities of a program, to locate errors found after parsing.
#[derive(Default)]
struct Places {
    buffers: Vec<usize>,
    pointers: Vec<usize>,
    regions: Vec<usize>,
    blocks: Vec<usize>,
    steps: Vec<usize>,
}

impl Places {
    fn line_of(&self, subject: Subject) -> Option<usize> {
        let line = match subject {
            Subject::Program | Subject::Symbol(_) | Subject::Token(_) => None,
            Subject::Buffer(id) => self.buffers.get(id.index()),
            Subject::Pointer(id) => self.pointers.get(id.index()),
            Subject::Region(id) => self.regions.get(id.index()),
            Subject::Block(id) => self.blocks.get(id.index()),
            Subject::Step(id) => self.steps.get(id.index()),
        };
        line.copied()
    }
}

fn parse_buffer(mut line: Line, next: BufferId) -> Result<Buffer, TextError> {
    line.id_in_order("b", next)?;
    let name = line.text("the buffer's name")?;
    line.word("size")?;
    let size = line.bytes("a size in bytes")?;
    line.word("align")?;
    let alignment = line.bytes("an alignment in bytes")?;
    let roles = [
        Role::Input,
        Role::Output,
        Role::Constant,
        Role::Intermediate,
    ];
    let role = line.one_of(roles, role_word, "a role")?;
    let storage = if line.take_word("planned") {
        Storage::Planned
    } else if line.take_word("external") {
        Storage::External
    } else {
        line.word("placed")?;
        Storage::Placed {
            level: line.text("the level's name")?,
            offset: line.bytes("an offset in bytes")?,
        }
    };
    let aliasing = if line.take_word("alias") {
        let kinds = [Aliasing::Reachable, Aliasing::Argument, Aliasing::Unknown];
        line.one_of(kinds, aliasing_word, "reachable, argument or unknown")?
    } else {
        Aliasing::Private
    };
    let location = line.location()?;
    line.end()?;
    Ok(Buffer {
        name: name.into(),
        size,
        alignment,
        role,
        storage,
        aliasing,
        location: location.into(),
    })
}

fn parse_pointer(mut line: Line, next: PointerId) -> Result<Pointer, TextError> {
    line.id_in_order("p", next)?;
    let name = line.text("the pointer's name")?;
    let kind = if line.take_word("merge") {
        PointerKind::Merge
    } else {
        line.word("buffer")?;
        PointerKind::Buffer(BufferId::new(line.id("b", "a buffer")?))
    };
    let size = if line.take_word("size") {
        Some(line.bytes("a size in bytes")?)
    } else {
        None
    };
    line.end()?;
    Ok(Pointer {
        name: name.into(),
        kind,
        size,
    })
}

fn parse_symbol(mut line: Line, next: SymbolId) -> Result<Symbol, TextError> {
    line.id_in_order("y", next)?;
    let name = line.text("the symbol's name")?;
    line.word("in")?;
    let mut blocks = Vec::new();
    while !line.is_at_end() {
        blocks.push(BlockId::new(line.id("bb", "a block")?));
    }
    Ok(Symbol { name, blocks })
}

fn parse_region(mut line: Line, next: RegionId) -> Result<Region, TextError> {
    line.id_in_order("r", next)?;
    let kinds = [
        RegionKind::Function,
        RegionKind::Loop,
        RegionKind::Branch,
        RegionKind::Inline,
    ];
    let kind = line.one_of(kinds, region_word, "a kind of region")?;
    let parent = if line.take_word("in") {
        Some(RegionId::new(line.id("r", "a region")?))
    } else {
        None
    };
    line.end()?;
    Ok(Region { kind, parent })
}

fn parse_block(
    mut line: Line,
    lines: &mut Lines,
    program: &mut Program,
    places: &mut Places,
) -> Result<(), TextError> {
    line.id_in_order("bb", BlockId::new(program.blocks.len()))?;
    line.word("in")?;
    let region = RegionId::new(line.id("r", "a region")?);
    line.end()?;
    let start = StepId::new(program.steps.len());
    while let Some(line) = lines.next_starting_with("step") {
        places.steps.push(line.number);
        let next = StepId::new(program.steps.len());
        program.steps.push(parse_step(line, lines, next)?);
    }
    let mut successors = Vec::new();
    while let Some(mut line) = lines.next_starting_with("edge") {
        let target = BlockId::new(line.id("bb", "a block")?);
        line.end()?;
        let bindings = parse_bindings(lines)?;
        successors.push(Edge { target, bindings });
    }
    let steps = Interval::new(start, StepId::new(program.steps.len()));
    program.blocks.push(Block {
        region,
        steps,
        successors,
    });
    Ok(())
}

fn parse_step(mut line: Line, lines: &mut Lines, next: StepId) -> Result<Step, TextError> {
    line.id_in_order("s", next)?;
    let name = line.text("the step's name")?;
    let cycles = if line.take_word("cycles") {
        Some(line.number("a number of cycles")?)
    } else {
        None
    };
    let core = match line.take_word("core") {
        true => {
            let core = |word: &str| u32::try_from(parse_decimal(word)?).ok();
            Some(line.read("the number of a core, below 2^32", core)?)
        }
        false => None,
    };
    let location = line.location()?;
    line.end()?;
    let mut allocates = ThinVec::new();
    while let Some(mut line) = lines.next_starting_with("allocates") {
        allocates.push(BufferId::new(line.id("b", "a buffer")?));
        line.end()?;
    }
    let bindings = parse_bindings(lines)?;
    let mut in_place = ThinVec::new();
    while let Some(mut line) = lines.next_starting_with("in-place") {
        let operand = PointerId::new(line.id("p", "a pointer")?);
        let result = PointerId::new(line.id("p", "a pointer")?);
        in_place.push((operand, result));
        line.end()?;
    }
    let mut waits = ThinVec::new();
    while let Some(mut line) = lines.next_starting_with("waits") {
        waits.push(TokenId::new(line.id("t", "a token")?));
        line.end()?;
    }
    Ok(Step {
        name: name.into(),
        location: location.into(),
        allocates,
        bindings: bindings.into(),
        accesses: parse_accesses(lines)?,
        waits,
        cycles,
        core,
        in_place,
    })
}

fn parse_bindings(lines: &mut Lines) -> Result<Vec<Binding>, TextError> {
    let mut bindings = Vec::new();
    while let Some(mut line) = lines.next_starting_with("bind") {
        let target = PointerId::new(line.id("p", "a pointer")?);
        line.word("=")?;
        let mut sources = Vec::new();
        while !line.is_at_end() {
            sources.push(PointerId::new(line.id("p", "a pointer")?));
        }
        bindings.push(Binding { target, sources });
    }
    Ok(bindings)
}

fn parse_accesses(lines: &mut Lines) -> Result<Vec<Access>, TextError> {
    let mut accesses = Vec::new();
    loop {
        let (mut line, kind) = if let Some(line) = lines.next_starting_with("use") {
            (line, AccessKind::Use)
        } else if let Some(line) = lines.next_starting_with("define") {
            (line, AccessKind::Define)
        } else {
            return Ok(accesses);
        };
        let pointer = PointerId::new(line.id("p", "a pointer")?);
        let may = line.optional_range("may")?;
        let must = line.optional_range("must")?;
        let detail = parse_detail(&mut line)?;
        line.end()?;
        accesses.push(Access {
            pointer,
            kind,
            may,
            must,
            detail,
        });
    }
}

fn parse_detail(line: &mut Line) -> Result<Option<Box<Detail>>, TextError> {
    let mut detail = Detail::default();
    if line.take_word("rows") {
        let all = line.take_word("all");
        let mut rows = Vec::new();
        while let Some(row) = line.take(parse_range) {
            rows.push(row);
        }
        let bytes = rows.into_iter().collect();
        detail.rows = Some(Rows { bytes, all });
    }
    if line.take_word("between") {
        let all = line.take_word("all");
        let (start, end) = (parse_bound(line)?, parse_bound(line)?);
        detail.symbolic = Some(SymbolicRange { start, end, all });
    }
    if line.take_word("if") {
        detail.predicate.push(parse_literal(line)?);
        while !line.is_at_end() && line.peek_word() != Some("async") {
            detail.predicate.push(parse_literal(line)?);
        }
    }
    if line.take_word("async") {
        detail.token = Some(TokenId::new(line.id("t", "a token")?));
    }
    Ok((detail != Detail::default()).then(|| Box::new(detail)))
}

fn parse_bound(line: &mut Line) -> Result<Bound, TextError> {
    line.read("a bound, as in 4, y0+4 or y0-4", |word| {
        let Some(rest) = word.strip_prefix('y') else {
            let offset = word.parse().ok()?;
            let symbol = None;
            return Some(Bound { symbol, offset });
        };
        let sign = rest.find(['+', '-'])?;
        let symbol = u32::try_from(parse_decimal(&rest[..sign])?).ok()?;
        let symbol = Some(SymbolId::new(symbol as usize));
        let offset = rest[sign..].parse().ok()?;
        Some(Bound { symbol, offset })
    })
}

fn parse_literal(line: &mut Line) -> Result<Literal, TextError> {
    line.read("a condition, as in y0 or !y0", |word| {
        let holds = !word.starts_with('!');
        let symbol = word.strip_prefix('!').unwrap_or(word).strip_prefix('y')?;
        let symbol = u32::try_from(parse_decimal(symbol)?).ok()?;
        let symbol = SymbolId::new(symbol as usize);
        Some(Literal { symbol, holds })
    })
}
