//! Comparison by cases, for functions in which it matters which of several storages a value
//! denotes.
//!
//! Both programs are compared with iterations peeled off their loops ([`Flat::peeled`]), once in
//! each case. A case assumes the outcomes of conditions, and along which edges control enters
//! blocks that are executed at most once. What is assumed or constant decides which edges are
//! taken; the others are not followed, so that nothing has to be merged where they meet. Cases are
//! divided on demand: where an evaluation finds a value that denotes one of several storages, it
//! asks for what decides. The number of cases may be exponential in the number of such values, so all executions
//! are one case first: loops that begin with the same storages each time leave one of several, which can often be
//! followed without knowing which.
//!
//! The cases cover all executions. Each condition has two outcomes, and a block is entered along
//! one of its edges: if an edge turns out to be taken that was not when its case was divided, the
//! comparison is given up ([`Evaluator::check_cover`]).
//!
//! In each case, both programs take the same edges. The evaluations of all cases add to one graph,
//! so a node means the same in all of them. A condition that depends on neither the path taken nor
//! an address nor undefined bytes ([`dependence`]) is the same condition in both programs if it is
//! the same node. Elsewhere, the planned program follows the edges of the original, and the
//! operands of every decision are compared.
//!
//! A race of the planned program in a case is reported, unless the programs are equal in all cases of another
//! period: it happens in any execution along the edges that the case assumes. Whether some input leads along
//! them is not asked, as it is not for branches elsewhere. A difference between values is not reported: the values may
//! be equal for reasons that the graph does not express, such as what comparisons of addresses imply.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

use crate::Outcome;
use crate::compare::{Verdict, compare};
use crate::evaluate::{Evaluated, Evaluator, Setting, evaluate};
use crate::facts::{Dependence, dependence};
use crate::flatten::{Callees, Flat, Value};
use crate::lost::Lost;
use crate::peel::{has_iteration, n_decisions};
use crate::program::{End, Rule, Step, StepKind};
use crate::value::{Graph, Node, NodeId};

/// Numbers of iterations after which a loop may begin with the same storages again: `n` storages
/// that are exchanged return after at most `n` iterations, and a chain of `n` storages and a new
/// one takes `n + 1` places in turns.
const PERIODS: [usize; 5] = [1, 2, 3, 4, 6];

/// Maximum number of decisions of a function after peeling: at least this many, and this many times those
/// before.
const MAX_PEELED: (usize, usize) = (400, 10);

/// Maximum number of steps that are evaluated in all cases together: at least this many, and this many
/// times those of the function.
const MAX_EVALUATED: (usize, usize) = (200_000, 8);

/// Maximum number of decisions that are followed back to one on which they depend.
const MAX_PATH: usize = 8;

/// Why an evaluation asks for a case.
pub(crate) const ONE_OF_SEVERAL: &str = "a value denotes one of several storages";

/// What is known and assumed in one case.
#[derive(Default)]
pub(crate) struct Cases {
    /// The graph of all evaluations.
    pub graph: Graph,
    assumed: Assumed,
    /// Whether an evaluation may ask for a case.
    is_divided: bool,
    /// Number of steps that may still be evaluated.
    left: usize,
    /// By number of a decision of the original: the edge that it is known to take, once the
    /// original has been evaluated. The planned program takes the same.
    taken: Option<BTreeMap<usize, usize>>,
    /// What would tell which storage a value denotes.
    wanted: Option<Question>,
}

impl Cases {
    /// Counts steps that are evaluated. Returns whether they are still allowed.
    pub(crate) fn pay(&mut self, n_steps: usize) -> bool {
        let left = self.left.checked_sub(n_steps);
        self.left = left.unwrap_or(0);
        left.is_some()
    }
}

/// What distinguishes a case from the others.
#[derive(Clone, Default)]
struct Assumed {
    /// By condition: whether it holds.
    holds: FxHashMap<NodeId, bool>,
    /// By label of a block that is executed at most once: the edge along which control enters it,
    /// if it does.
    entered: BTreeMap<u32, Entry>,
}

/// An edge along which control enters a block, and all those for which there are cases.
#[derive(Clone)]
struct Entry {
    /// Its number among the incoming edges.
    edge: usize,
    all: Rc<Vec<usize>>,
}

/// A question, each answer to which is a case.
enum Question {
    /// Whether a condition holds.
    Holds(NodeId),
    /// Along which of these incoming edges control enters a label.
    Entered(u32, Vec<usize>),
}

impl Assumed {
    /// Returns the cases that a question divides this one into.
    fn divided(&self, question: &Question) -> Vec<Self> {
        match question {
            Question::Holds(condition) => {
                let case = |outcome| {
                    let mut case = self.clone();
                    case.holds.insert(*condition, outcome);
                    case
                };
                [false, true].map(case).to_vec()
            }
            Question::Entered(label, edges) => {
                let all = Rc::new(edges.clone());
                let case = |edge: &usize| {
                    let mut case = self.clone();
                    let entry = Entry {
                        edge: *edge,
                        all: Rc::clone(&all),
                    };
                    case.entered.insert(*label, entry);
                    case
                };
                edges.iter().map(case).collect()
            }
        }
    }
}

/// Compares two functions in all cases. Equal if they are in every case; otherwise a race in one of them, or
/// `None` if there is none. Evaluates at most [`MAX_EVALUATED`] steps for each of [`PERIODS`]; none if the functions
/// are large and no value denotes one of several storages, so that cases would hardly tell more.
pub(crate) fn compare_in_cases(
    sides: [&Flat<'_>; 2],
    callees: &[Callees<'_>; 2],
    setting: &Setting,
) -> Option<Outcome> {
    let at_most = |(least, times): (usize, usize), n: usize| least.max(n.saturating_mul(times));
    // Both programs have the same decisions, and about as many steps.
    let blocks = &sides[0].blocks;
    let n_steps = blocks.iter().map(|block| block.steps.len() + 1).sum();
    let n_decisions = n_decisions(blocks);
    let budget = at_most(MAX_PEELED, n_decisions);
    let left = at_most(MAX_EVALUATED, n_steps);
    let is_small = n_decisions <= MAX_PEELED.0 && left == MAX_EVALUATED.0;
    if !is_small && !sides.iter().any(|own| own.has_choices()) {
        return None;
    }
    let mut wrong = None;
    for period in PERIODS {
        let peeled = [0, 1].map(|side: usize| sides[side].peeled(&callees[side], budget, period));
        // The period only matters for loops that are unrolled. Without any, this would be the
        // comparison of period 1 again.
        if period > 1 && !peeled.iter().all(|own| own.is_unrolled) {
            break;
        }
        // The number of cases may be exponential, so all executions are one case if that suffices.
        if let Some(Outcome::Equal) = compare_cases(&peeled, setting, false, left) {
            return Some(Outcome::Equal);
        }
        match compare_cases(&peeled, setting, true, left) {
            Some(Outcome::Equal) => return Some(Outcome::Equal),
            found => wrong = wrong.or(found),
        }
    }
    wrong
}

impl Flat<'_> {
    /// Whether a value may denote one of several storages: a choice, or an argument of a block that control may enter
    /// from several others.
    fn has_choices(&self) -> bool {
        self.order.iter().any(|index| {
            let block = &self.blocks[*index];
            let entering = self.predecessors[*index].iter();
            let mut passed =
                entering.flat_map(|(from, edge)| &self.blocks[*from].edges[*edge].values);
            let is_choice = |step: &Step| matches!(step.kind, StepKind::Choice(_));
            block.steps.iter().any(is_choice)
                || self.predecessors[*index].len() > 1 && passed.any(|(_, to)| self.is_storage(*to))
        })
    }
}

/// Compares two functions in each case, until they are not proven equal in one. `is_divided`: whether there is
/// more than one case. `left`: number of steps that may be evaluated.
fn compare_cases(
    peeled: &[Flat<'_>; 2],
    setting: &Setting,
    is_divided: bool,
    mut left: usize,
) -> Option<Outcome> {
    let mut graph = Graph::default();
    let mut work = vec![Assumed::default()];
    while let Some(assumed) = work.pop() {
        let mut cases = Cases {
            graph: std::mem::take(&mut graph),
            assumed,
            is_divided,
            left,
            ..Cases::default()
        };
        let mut evaluated: Vec<Evaluated> = Vec::new();
        let mut undefined = None;
        for flat in peeled {
            let is_original = evaluated.is_empty();
            match evaluate(flat, setting, is_original, Some(&mut cases)) {
                Ok(own) => {
                    // The original is evaluated first, and the planned program follows its edges.
                    cases.taken.get_or_insert_with(|| own.taken.clone());
                    evaluated.push(own);
                }
                Err(lost) => {
                    // If the original is not defined, that is no error of the planned program.
                    undefined = Some(lost).filter(|_| !is_original);
                    break;
                }
            }
        }
        (graph, left) = (cases.graph, cases.left);
        match (evaluated.as_mut_slice(), cases.wanted) {
            ([a, b], _) => {
                let both = Rc::new(std::mem::take(&mut graph));
                for own in [&mut *a, b] {
                    own.graph = Rc::clone(&both);
                }
                if !matches!(compare(a, b, &setting.aliasing), Verdict::Equal) {
                    return None;
                }
                // This drops the other references to the graph, so that it is taken back without a
                // copy.
                evaluated.clear();
                graph = Rc::try_unwrap(both).unwrap_or_default();
            }
            (_, Some(question)) => work.extend(cases.assumed.divided(&question)),
            _ => {
                return undefined?.undefined();
            }
        }
    }
    Some(Outcome::Equal)
}

impl Evaluator<'_> {
    /// Returns whether a condition holds, if that is constant or assumed.
    pub(crate) fn holds(&self, condition: NodeId) -> Option<bool> {
        let cases = self.cases.as_ref()?;
        match self.graph.node(condition) {
            Node::Integer(value) => Some(*value != 0),
            _ => cases.assumed.holds.get(&condition).copied(),
        }
    }

    /// Demands that a condition is decided, or the path that it depends on. Returns whether it can
    /// be.
    pub(crate) fn want(&mut self, condition: NodeId) -> bool {
        self.want_within(condition, MAX_PATH)
    }

    fn want_within(&mut self, condition: NodeId, depth: usize) -> bool {
        // A condition that is decided already does not distinguish any cases.
        if !self.is_divided() || self.holds(condition).is_some() {
            return false;
        }
        match (dependence(&self.graph, condition), depth.checked_sub(1)) {
            (Dependence::Fixed, _) => self.ask(Question::Holds(condition)),
            (Dependence::Path(label), Some(depth)) => {
                let mut labels = self.flat.labels.iter();
                let block = labels.position(|own| *own == Some(label));
                block.is_some_and(|block| self.want_decision_within(block, depth))
            }
            _ => false,
        }
    }

    fn ask(&mut self, question: Question) -> bool {
        let cases = self.cases.as_mut();
        cases.map(|own| own.wanted = Some(question)).is_some()
    }

    /// Returns the only edge that control takes at the end of a block, if it is known.
    pub(crate) fn taken_edge(&mut self, block: usize, end: &End) -> Option<usize> {
        self.cases.as_ref()?;
        let own = self.decided_edge(block, end);
        let taken = self.cases.as_ref()?.taken.as_ref();
        // If the planned program does not decide this, it follows the original. The operands of all
        // decisions are compared in any case.
        own.or_else(|| taken?.get(&self.end_numbers[block]).copied())
    }

    /// Demands that the decision is known which makes a value denote one of several storages at the
    /// start of a block. Returns whether it can be.
    pub(crate) fn want_decision(&mut self, block: usize) -> bool {
        self.is_divided() && self.want_decision_within(block, MAX_PATH)
    }

    /// Whether the function may be evaluated in several cases.
    pub(crate) fn is_divided(&self) -> bool {
        self.cases.as_ref().is_some_and(|own| own.is_divided)
    }

    fn want_decision_within(&mut self, block: usize, depth: usize) -> bool {
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        let nodes: Vec<NodeIndex> = self
            .flat
            .blocks
            .iter()
            .map(|_| graph.add_node(()))
            .collect();
        for (from, own) in self.flat.blocks.iter().enumerate() {
            for (index, edge) in own.edges.iter().enumerate() {
                if self.is_taken(from, index) {
                    graph.add_edge(nodes[from], nodes[edge.to], ());
                }
            }
        }
        let dominators = simple_fast(&graph, nodes[0]);
        // All paths to the block pass through its immediate dominator, so the decision there is the
        // first that can separate them.
        let Some(at) = dominators.immediate_dominator(nodes[block]) else {
            return false;
        };
        if self.want_end(at.index(), depth) {
            return true;
        }
        // Control may enter a block in a cycle along another edge each time, so no case can assume
        // one.
        let Some(label) = self.flat.labels[block].filter(|_| !self.is_in_cycle(block)) else {
            return false;
        };
        let entered = self.cases.as_ref().map(|own| &own.assumed.entered);
        if entered.is_some_and(|own| own.contains_key(&label)) {
            return false;
        }
        let entering = self.flat.predecessors[block].iter().enumerate();
        let live = entering.filter(|(_, (from, edge))| self.is_taken(*from, *edge));
        let live = live.map(|own| own.0).collect();
        self.ask(Question::Entered(label, live))
    }

    /// Demands that the condition at the end of a block is decided.
    fn want_end(&mut self, block: usize, depth: usize) -> bool {
        let own = &self.flat.blocks[block];
        let is_condition = |end: &&End| matches!(end.rule, Rule::Condition { .. });
        let end = own.end.filter(is_condition);
        end.and_then(|end| end.operands.first())
            .is_some_and(|own_value| {
                let node = self.scalar(own.frame.value(*own_value));
                self.want_within(node, depth)
            })
    }

    /// Whether control may reach a block again. Edges that are not taken in this case count,
    /// because they may turn out to be taken while the evaluation has not reached a fixed point.
    fn is_in_cycle(&self, block: usize) -> bool {
        let after = |of: usize| self.flat.blocks[of].edges.iter().map(|edge| edge.to);
        let mut seen: BTreeSet<usize> = after(block).collect();
        let mut work: Vec<usize> = seen.iter().copied().collect();
        while let Some(at) = work.pop() {
            work.extend(after(at).filter(|to| seen.insert(*to)));
        }
        seen.contains(&block)
    }

    /// Whether control may enter a block along an edge in this case.
    pub(crate) fn may_enter(&self, block: usize, edge: (usize, usize)) -> bool {
        let assumed = self.cases.as_ref().map(|own| &own.assumed);
        let entered = assumed
            .filter(|own| !own.entered.is_empty())
            .and_then(|own| {
                let label = self.flat.labels[block]?;
                own.entered.get(&label)
            });
        entered.is_none_or(|own| self.flat.predecessors[block].get(own.edge) == Some(&edge))
    }

    /// Fails if control may enter a block along an edge for which there is no case. Control has not
    /// been in the block before, so this does not depend on what is assumed about the block.
    pub(crate) fn check_cover(&self) -> Result<(), Lost> {
        let assumed = self.cases.as_ref().map(|own| &own.assumed);
        for (label, entry) in assumed.into_iter().flat_map(|own| &own.entered) {
            let mut labels = self.flat.labels.iter();
            let Some(block) = labels.position(|own| own == &Some(*label)) else {
                return self.lost("a label is missing");
            };
            let mut entering = self.flat.predecessors[block].iter().enumerate();
            let is_open = |(number, (from, edge)): (usize, &(usize, usize))| {
                self.is_left_along(*from, *edge) && !entry.all.contains(&number)
            };
            if entering.any(is_open) {
                return self.lost("a case is missing");
            }
        }
        Ok(())
    }

    fn decided_edge(&mut self, block: usize, end: &End) -> Option<usize> {
        let own = &self.flat.blocks[block];
        match end.rule {
            Rule::Condition { yes } => {
                let condition = self.scalar(own.frame.value(*end.operands.first()?));
                match self.holds(condition)? {
                    true => Some(yes),
                    false => Some(1 - yes),
                }
            }
            Rule::Count(count) => {
                let mut known = |value| {
                    let node = self.scalar(own.frame.value(value));
                    self.graph.linear(node).known()
                };
                let [lower, upper, step] = [count.lower, count.upper, count.step].map(&mut known);
                let done = match count.is_first {
                    true => 0,
                    // The decision at the end of iteration `i` follows `i + 1` iterations.
                    false => usize::try_from(own.iteration? + 1).ok()?,
                };
                match has_iteration(lower?, upper?, step?, done)? {
                    true => Some(count.body),
                    false => Some(1 - count.body),
                }
            }
            Rule::Unknown => None,
        }
    }

    /// Returns the value of an argument of a block that no edge defines, if it is the index of a
    /// counted loop in an iteration that was peeled off.
    pub(crate) fn known_index(&mut self, block: usize, argument: Value) -> Option<NodeId> {
        let own = self.flat.blocks[block].index.as_ref()?;
        if own.value != argument || self.cases.is_none() {
            return None;
        }
        let [lower, step] = [own.lower, own.step].map(|value| {
            let node = self.scalar(value);
            self.graph.linear(node)
        });
        let index = lower.plus(&step.times(own.iteration));
        Some(self.graph.number(&index))
    }
}
