//! `mem-number-spaces`: replaces memory spaces of levels that are no integers by integers.

use crate::framework::options::MemNumberSpacesOptions as Options;
use crate::framework::{PassResult, PassRun};
use crate::ir::HIERARCHY;
use crate::ir::spaces::{LevelSpaces, SpaceForm, map_spaces};

pub(crate) fn run(run: &PassRun, _: &Options) -> PassResult {
    let module = run.operation();
    let Some(hierarchy) = module.attribute(HIERARCHY) else {
        return Ok(());
    };
    let spaces = LevelSpaces::new(hierarchy);
    let numbers = spaces.in_form(module.context(), SpaceForm::Number, None);
    map_spaces(module, |space| {
        let level = spaces.first_of(space);
        level.map_or(space, |level| numbers[level.index()])
    });
    Ok(())
}
