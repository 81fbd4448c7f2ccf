//! `mem-erase-spaces`: moves all memrefs to the default memory space.

use crate::framework::options::MemEraseSpacesOptions as Options;
use crate::framework::{PassResult, PassRun};
use crate::ir::spaces::{map_spaces, named_level};

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let stays = |space| options.named_only && named_level(space).is_none();
    map_spaces(run.operation(), |space| space.filter(|own| stays(*own)));
    Ok(())
}
