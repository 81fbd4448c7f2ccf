//! Plans over several levels, and within a budget, as `mem-view` draws them: a problem becomes a
//! program whose buffers are its tensors.

use mem_cost::{Decision, decisions};
use mem_model::{
    Access, AccessKind, Aliasing, Buffer, BufferId, Bytes, FunctionLevelPlan, FunctionLevels,
    LevelPlan, LevelProblem, LevelStep, Pointer, PointerId, PointerKind, Program, Repetition, Role,
    Step, Storage, Tensor, TensorUse,
};
use mem_planner::{Replays, execution_order, plan_for_comparison, repeatable_again};
use mem_view::LevelView;

/// A checked plan, ready to be drawn.
#[derive(Clone, Debug)]
pub struct LevelsDrawing<'a> {
    function: &'a FunctionLevels,
    problem: &'a LevelProblem,
    plan: &'a FunctionLevelPlan,
    program: Program,
    buffers: Vec<BufferId>,
    /// The plan that the page compares with.
    before: Option<LevelPlan>,
    decisions: Vec<Decision>,
    steps: Vec<Repetition>,
}

impl<'a> LevelsDrawing<'a> {
    /// Prepares a plan. `problem` is what [`check_function`](super::check_function) returns for it.
    /// Plans the problem anew, for comparison.
    #[must_use]
    pub fn new(
        function: &'a FunctionLevels,
        problem: &'a LevelProblem,
        plan: &'a FunctionLevelPlan,
    ) -> Self {
        let steps = execution_order(function.problem.steps.len(), &plan.repetitions);
        Self {
            program: program(function),
            buffers: (0..problem.tensors.len()).map(BufferId::new).collect(),
            before: plan_for_comparison(problem),
            decisions: decided(function, problem, plan, &steps),
            steps,
            function,
            problem,
            plan,
        }
    }

    /// Returns what to draw.
    #[must_use]
    pub fn view(&self) -> LevelView<'_> {
        // With a budget, the bound is on the makespan.
        let is_of_cost = self.function.offload.is_none();
        LevelView {
            name: &self.function.function,
            program: &self.program,
            problem: self.problem,
            buffers: &self.buffers,
            plan: &self.plan.plan,
            strategy: &self.plan.strategy,
            before: self.before.as_ref(),
            lower_bound: if is_of_cost { self.plan.lower_bound } else { 0 },
            decisions: &self.decisions,
            steps: &self.steps,
            types: &[],
            groups: &[],
            untiled: &[],
        }
    }
}

/// The decisions of a plan within a budget; none of any other plan.
fn decided(
    function: &FunctionLevels,
    problem: &LevelProblem,
    plan: &FunctionLevelPlan,
    steps: &[Repetition],
) -> Vec<Decision> {
    let Some(input) = &function.offload else {
        return Vec::new();
    };
    let repeatable = repeatable_again(&input.repeatable, &plan.repetitions);
    let replays = Replays::new(problem, &repeatable);
    let is_again: Vec<bool> = steps.iter().map(|own| own.is_again()).collect();
    decisions(problem, &plan.plan, &is_again, |tensor, before| {
        replays.cycles(tensor, before)
    })
}

/// The program that a problem states: what its steps read and write.
fn program(function: &FunctionLevels) -> Program {
    let FunctionLevels {
        function: name,
        problem,
        ..
    } = function;
    Program {
        name: name.clone(),
        buffers: problem.tensors.iter().map(buffer).collect(),
        pointers: problem.tensors.iter().enumerate().map(pointer).collect(),
        steps: problem.steps.iter().map(step).collect(),
        ..Program::default()
    }
}

fn buffer(tensor: &Tensor) -> Buffer {
    let role = match (tensor.home, tensor.is_result, tensor.is_preloaded) {
        (None, ..) => Role::Intermediate,
        (Some(_), true, _) => Role::Output,
        (Some(_), false, true) => Role::Constant,
        (Some(_), false, false) => Role::Input,
    };
    Buffer {
        name: tensor.name.as_str().into(),
        size: tensor.size,
        alignment: tensor.alignment,
        role,
        storage: match tensor.home {
            Some(_) => Storage::External,
            None => Storage::Planned,
        },
        aliasing: Aliasing::Private,
        location: Default::default(),
    }
}

fn pointer((index, tensor): (usize, &Tensor)) -> Pointer {
    Pointer {
        name: tensor.name.as_str().into(),
        kind: PointerKind::Buffer(BufferId::new(index)),
        size: Some(tensor.size),
    }
}

fn step(own: &LevelStep) -> Step {
    Step {
        name: own.name.as_str().into(),
        accesses: own.uses.iter().flat_map(accesses).collect(),
        cycles: Some(own.cycles),
        ..Step::default()
    }
}

fn accesses(used: &TensorUse) -> impl Iterator<Item = Access> {
    let pointer = PointerId::new(used.tensor.index());
    let kinds = [
        (AccessKind::Use, used.reads),
        (AccessKind::Define, used.writes),
    ];
    let done = kinds.into_iter().filter(|(_, bytes)| *bytes > Bytes::ZERO);
    done.map(move |(kind, _)| Access {
        pointer,
        kind,
        may: None,
        must: None,
        detail: None,
    })
}
