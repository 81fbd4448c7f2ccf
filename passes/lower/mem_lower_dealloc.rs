//! `mem-lower-dealloc`: casts what is freed to the default memory space, in which `free` expects its
//! argument.

use crate::framework::options::MemLowerDeallocOptions as Options;
use crate::framework::{PassResult, PassRun};
use crate::ir::Builder;
use crate::ir::spaces::without_space;

pub(crate) fn run(run: &PassRun, _: &Options) -> PassResult {
    let mut frees = Vec::new();
    run.operation().walk(&mut |op| {
        if op.name() == "memref.dealloc" {
            frees.push(op);
        }
    });
    for free in frees {
        let freed = free.operand(0);
        let plain = without_space(freed.ty());
        if plain != freed.ty() {
            let cast = Builder::new("memref.memory_space_cast", free.location())
                .operands([freed])
                .result(plain);
            free.set_operands(&[cast.before(free).result()]);
        }
    }
    Ok(())
}
