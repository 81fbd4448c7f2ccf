//! Properties of nodes that need no comparison: the last change of a storage, the only source of a
//! join, and invariance.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::linear::Linear;
use crate::value::{External, Graph, Node, NodeId, Piece, Region, Sharing};

/// Whether equality of a node's parts is a stronger condition than equality of the compared bytes.
pub(crate) fn is_vague(node: &Node) -> bool {
    matches!(
        node,
        Node::Update { .. }
            | Node::Extract { .. }
            | Node::Gate { .. }
            | Node::Choice(..)
            | Node::WriteElements { .. }
            | Node::Linear(_)
    )
}

/// Whether a node is a memory state.
pub(crate) fn is_memory(node: &Node) -> bool {
    matches!(
        node,
        Node::Memory | Node::Write { .. } | Node::WriteElements { .. } | Node::After(_)
    )
}

/// Maximum number of joins visited to find the only source of a join.
const MAX_JOINS: usize = 1024;

/// Returns the only source of a join and the offset in it: the one node that enters the join.
/// Mutually dependent joins have the source that enters their strongly connected component, if
/// there is only one. If there are several, those of its joins that they enter are sources for the others (Braun et
/// al., "Simple and Efficient Construction of Static Single Assignment Form", CC 2013). `length`: the number of bytes
/// of interest, or -1. `None` if the join has several sources. Joins beyond [`MAX_JOINS`] count as sources, as do those
/// before a loop, if it is known which labels are in one: by label, the outermost loop around it. O(joins visited ·
/// nesting depth of loops).
pub(crate) fn only_source(
    graph: &Graph,
    loops: Option<&HashMap<u32, usize>>,
    (join, offset): (NodeId, i64),
    length: i64,
) -> Option<(NodeId, i64)> {
    let around = |node| match graph.node(node) {
        Node::Join { label, .. } => loops?.get(label),
        _ => None,
    };
    let is_join = |node| matches!(graph.node(node), Node::Join { .. });
    let is_followed = |from, to| match loops {
        None => is_join(to),
        // The joins after a loop have inputs in it.
        Some(_) => around(to).is_some_and(|head| around(from).is_none_or(|own| own == head)),
    };
    let mut within = None;
    loop {
        let mut search = Sources {
            graph,
            is_followed: &is_followed,
            within: within.as_ref(),
            length,
            found: HashMap::default(),
            stack: Vec::new(),
            last: Vec::new(),
        };
        search.visit((join, offset));
        let source = search.found[&(join, offset)].is;
        if source != (join, offset) {
            return Some(source);
        }
        let inner = search.inner();
        if !inner.contains(&(join, offset)) {
            return None;
        }
        within = Some(inner);
    }
}

/// Strongly connected components of joins, and the source of each join, by Tarjan's algorithm. The
/// algorithm completes a component after all components that enter it.
struct Sources<'a> {
    graph: &'a Graph,
    /// Whether an input of a join, the second node, is followed.
    is_followed: &'a dyn Fn(NodeId, NodeId) -> bool,
    /// The parts that are followed, if not all.
    within: Option<&'a HashSet<(NodeId, i64)>>,
    length: i64,
    found: HashMap<(NodeId, i64), Found>,
    /// Visited nodes whose component is incomplete.
    stack: Vec<(NodeId, i64)>,
    /// The component that was completed last.
    last: Vec<(NodeId, i64)>,
}

/// State of a visited part of a node.
struct Found {
    number: usize,
    is_open: bool,
    /// The only source of this part, or the part itself.
    is: (NodeId, i64),
}

impl Sources<'_> {
    /// Returns the lowest number of an open part reached.
    fn visit(&mut self, at: (NodeId, i64)) -> usize {
        let number = self.found.len();
        let own = Found {
            number,
            is_open: true,
            is: at,
        };
        self.found.insert(at, own);
        self.stack.push(at);
        let mut low = number;
        // What comes from a part that is not followed comes from there, whatever that depends on.
        let inputs = match number > MAX_JOINS {
            true => Vec::new(),
            false => sources(self.graph, at, self.length),
        };
        let (is_followed, within) = (self.is_followed, self.within);
        let is_followed = |to: &(NodeId, i64)| {
            is_followed(at.0, to.0) && within.is_none_or(|own| own.contains(to))
        };
        for next in inputs.into_iter().filter(is_followed) {
            let reached = match self.found.get(&next) {
                Some(known) if known.is_open => known.number,
                Some(_) => continue,
                None => self.visit(next),
            };
            low = low.min(reached);
        }
        if low == number {
            self.close(at);
            return usize::MAX;
        }
        low
    }

    /// Returns the only source of a part that is complete; any other part itself.
    fn resolved(&self, part: (NodeId, i64)) -> (NodeId, i64) {
        let source = |part| self.found.get(&part).map_or(part, |own| own.is);
        // A source may have been visited only after the part that comes from it.
        source(source(part))
    }

    /// Completes the component with root `first`.
    fn close(&mut self, first: (NodeId, i64)) {
        let start = self.stack.iter().rposition(|own| *own == first);
        let group = self.stack.split_off(start.unwrap_or(0));
        let members: HashSet<(NodeId, i64)> = group.iter().copied().collect();
        let nodes: HashSet<NodeId> = group.iter().map(|own| own.0).collect();
        let followed = group
            .iter()
            .filter(|own| self.found[own].number <= MAX_JOINS);
        let inputs = followed.flat_map(|own| sources(self.graph, *own, self.length));
        let mut entering = inputs
            .filter(|input| !members.contains(input))
            .map(|input| self.resolved(input));
        let first = entering.next();
        // If a node occurs at two offsets, every iteration selects another part of it.
        let is_one = nodes.len() == group.len() && entering.all(|own| Some(own) == first);
        let source = first.filter(|_| is_one);
        for own in &group {
            if let Some(found) = self.found.get_mut(own) {
                found.is_open = false;
                found.is = source.unwrap_or(*own);
            }
        }
        self.last = group;
    }

    /// The parts of the component that was completed last which nothing enters from outside. If nothing enters any
    /// of them, there is no smaller component.
    fn inner(&self) -> HashSet<(NodeId, i64)> {
        let members: HashSet<(NodeId, i64)> = self.last.iter().copied().collect();
        let is_inner = |own: &&(NodeId, i64)| {
            let inputs = sources(self.graph, **own, self.length);
            self.found[*own].number <= MAX_JOINS
                && inputs.iter().all(|input| members.contains(input))
        };
        let inner: HashSet<(NodeId, i64)> = self.last.iter().filter(is_inner).copied().collect();
        match inner.len() < self.last.len() {
            true => inner,
            false => HashSet::default(),
        }
    }
}

/// Returns the inputs of a join, resolved to the piece of a sequence where possible. Empty for any
/// other node.
fn sources(graph: &Graph, (node, offset): (NodeId, i64), length: i64) -> Vec<(NodeId, i64)> {
    let Node::Join { number, .. } = graph.node(node) else {
        return Vec::new();
    };
    let inputs = graph.joins[*number as usize].iter().flatten();
    let source = |(own, shift): &(NodeId, i64)| {
        let offset = shift + offset;
        let is_list = matches!(graph.node(*own), Node::Sequence(_)) || graph.is_packed(*own);
        if is_list
            && length >= 0
            && let [only] = graph.part(*own, offset, length).as_slice()
            && only.length == length
        {
            return (only.node, only.offset);
        }
        (*own, offset)
    };
    inputs.map(source).collect()
}

/// Whether any byte of a string is undefined.
pub(crate) fn has_undefined(graph: &Graph, node: NodeId) -> bool {
    let is_undefined = |node: NodeId| *graph.node(node) == Node::Undefined;
    let is_undefined = |own: &Piece| match graph.unpacked(own.node) {
        Some(_) => {
            let mut parts = graph.part(own.node, own.offset, own.length).into_iter();
            parts.any(|piece| is_undefined(piece.node))
        }
        None => is_undefined(own.node),
    };
    let length = graph.length(node).unwrap_or(0);
    graph.pieces(node, length).iter().any(is_undefined)
}

/// Returns the number of an unknown node that enters a join, directly or through other joins.
pub(crate) fn unknown_source(graph: &Graph, join: NodeId) -> Option<u32> {
    let mut seen = HashSet::from_iter([join]);
    let mut work = vec![join];
    while let Some(at) = work.pop() {
        match graph.node(at) {
            Node::Unknown(number) => return Some(*number),
            Node::Join { .. } | Node::Sequence(_) | Node::Overlay { .. } | Node::Gather { .. }
                if seen.len() <= MAX_JOINS =>
            {
                let inputs = inputs(graph, at).into_iter();
                work.extend(inputs.filter(|own| seen.insert(*own)));
            }
            _ => {}
        }
    }
    None
}

/// Whether a join may depend on itself: whether it is in the header of a loop.
pub(crate) fn is_cyclic(graph: &Graph, join: NodeId) -> bool {
    let mut seen = HashSet::default();
    let mut work = vec![join];
    while let Some(at) = work.pop() {
        let inputs = inputs(graph, at);
        if inputs.contains(&join) || seen.len() > MAX_JOINS {
            return true;
        }
        work.extend(inputs.into_iter().filter(|own| seen.insert(*own)));
    }
    false
}

/// Returns the nodes of a linear form.
fn linear(form: &Linear) -> Vec<NodeId> {
    form.terms.iter().map(|own| own.0).collect()
}

/// Returns the nodes that a region depends on.
fn region(own: &Region) -> Vec<NodeId> {
    let sizes = own.dims.iter().flat_map(|(size, stride)| [size, stride]);
    let forms = std::iter::once(&own.start).chain(sizes);
    forms.flat_map(linear).collect()
}

/// Returns the nodes that the address of a storage depends on.
fn external(own: &External) -> Vec<NodeId> {
    match own {
        External::Pointer(node) => vec![*node],
        _ => Vec::new(),
    }
}

/// Returns the nodes that decide which bytes two operands of a step share.
fn sharing(own: &Sharing) -> Vec<NodeId> {
    match own {
        Sharing::Same => Vec::new(),
        Sharing::Within(start, a, b) => [linear(start), region(a), region(b)].concat(),
        Sharing::Perhaps(a, b) => {
            let nodes = [a, b].map(|(of, own)| [external(of), region(own)].concat());
            nodes.concat()
        }
    }
}

/// Returns the operands of a node.
fn inputs(graph: &Graph, node: NodeId) -> Vec<NodeId> {
    let mut found = Vec::new();
    match graph.node(node) {
        Node::Integer(_)
        | Node::Argument(..)
        | Node::Induction(..)
        | Node::Undefined
        | Node::Place(_)
        | Node::Site(_)
        | Node::Memory
        | Node::Ticket(_)
        | Node::Unknown(_) => {}
        Node::Initial(of) => found = external(of),
        Node::Linear(form) => found = linear(form),
        Node::Address(of, form) => found = [linear(form), external(of)].concat(),
        Node::Splat { value, .. } => found.push(*value),
        Node::Step { inputs, shared, .. } => {
            found.extend(inputs);
            found.extend(shared.iter().flat_map(|(_, _, own)| sharing(own)));
        }
        Node::Result(step, _) | Node::After(step) => found.push(*step),
        Node::Sequence(pieces) => found.extend(pieces.iter().map(|piece| piece.node)),
        Node::Overlay { base, new, .. } => found.extend([base, new]),
        Node::Gather { from, .. } => found.push(*from),
        Node::Join { number, .. } => {
            let inputs = graph.joins[*number as usize].iter().flatten();
            found.extend(inputs.map(|own| own.0));
        }
        Node::Gate { new, old, .. } => found.extend([new.0, old.0]),
        Node::Choice(condition, x, y) => found.extend([condition, x, y]),
        Node::Update {
            old,
            region: own,
            new,
        } => {
            found = [region(own), vec![*old, *new]].concat();
        }
        Node::Extract { from, region: own } => found = [region(own), vec![*from]].concat(),
        Node::Write { memory, to, pieces } => {
            found = external(to);
            found.push(*memory);
            found.extend(pieces.iter().map(|own| own.1.node));
        }
        Node::WriteElements {
            memory,
            to,
            region: own,
            new,
        } => {
            found = [region(own), external(to), vec![*memory, *new]].concat();
        }
        Node::Read { memory, of } => found = [external(of), vec![*memory]].concat(),
    }
    found
}

/// Maximum number of nodes visited to decide whether a node is fixed.
const MAX_FIXED: usize = 10_000;

/// What the value of a node depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dependence {
    /// Only on what a function is given: the node has one value during the execution of the
    /// function.
    Fixed,
    /// Also on the edge along which control enters this label, and perhaps others.
    Path(u32),
    /// Also on an address, an iteration, or bytes that were never written; or on too much.
    Unknown,
}

/// Returns what a node depends on.
pub(crate) fn dependence(graph: &Graph, node: NodeId) -> Dependence {
    let mut found = Dependence::Fixed;
    let is_known = all_inputs(graph, node, MAX_FIXED, |own| match own {
        Node::Undefined
        | Node::Place(_)
        | Node::Site(_)
        | Node::Induction(..)
        | Node::Ticket(_)
        | Node::Unknown(_) => None,
        Node::Join { label, .. } | Node::Gate { label, .. } => {
            found = Dependence::Path(*label);
            Some(true)
        }
        _ => Some(true),
    });
    if is_known { found } else { Dependence::Unknown }
}

/// Whether a node and everything that it is computed from have a property. `has`: whether a node may have it; if so,
/// whether that depends on what the node is computed from. `false` if that is more than `max` nodes.
fn all_inputs(
    graph: &Graph,
    node: NodeId,
    max: usize,
    mut has: impl FnMut(&Node) -> Option<bool>,
) -> bool {
    let mut seen = HashSet::from_iter([node]);
    let mut work = vec![node];
    while let Some(at) = work.pop() {
        let Some(is_followed) = has(graph.node(at)) else {
            return false;
        };
        if is_followed {
            let inputs = inputs(graph, at).into_iter();
            work.extend(inputs.filter(|input| seen.insert(*input)));
        }
        if seen.len() > max {
            return false;
        }
    }
    true
}

/// Maximum number of nodes visited to decide whether a node is invariant.
const MAX_INVARIANT: usize = 64;

/// Whether a node is known to have the same value whenever control reaches it: nothing that it is
/// computed from depends on the path taken or on memory.
pub(crate) fn is_invariant(graph: &Graph, node: NodeId) -> bool {
    all_inputs(graph, node, MAX_INVARIANT, |own| match own {
        Node::Step { shared, .. } => shared.is_empty().then_some(true),
        Node::Integer(_)
        | Node::Argument(..)
        | Node::Undefined
        | Node::Initial(_)
        | Node::Splat { .. }
        | Node::Result(..)
        | Node::Sequence(_)
        | Node::Overlay { .. }
        | Node::Gather { .. } => Some(true),
        _ => None,
    })
}

/// Whether a scalar is known not to change from a label on. Labels are numbered in reverse post-order, so those in a
/// loop come after that of its head.
pub(crate) fn is_from_before(graph: &Graph, scalar: NodeId, label: u32) -> bool {
    all_inputs(graph, scalar, MAX_INVARIANT, |own| match own {
        Node::Step { shared, .. } => shared.is_empty().then_some(true),
        Node::Integer(_) | Node::Argument(..) | Node::Linear(_) | Node::Result(..) => Some(true),
        Node::Join { label: own, .. } | Node::Induction(own, _) => (*own < label).then_some(false),
        _ => None,
    })
}

/// Whether two regions, one in each graph, are known to consist of the same elements, at least one.
/// All that is not constant must be an argument or an induction value, so no computed values need
/// to be compared.
pub(crate) fn is_certain(graphs: [&Graph; 2], regions: [&Region; 2]) -> bool {
    let node = |side: usize, at: NodeId| graphs[side].node(at);
    let is_given = |(x, y): (&(NodeId, i64), &(NodeId, i64))| {
        let (own, theirs) = (node(0, x.0), node(1, y.0));
        x.1 == y.1 && own == theirs && matches!(own, Node::Argument(..) | Node::Induction(..))
    };
    let is_same = |x: &Linear, y: &Linear| {
        let mut terms = x.terms.iter().zip(&y.terms);
        x.constant == y.constant && x.terms.len() == y.terms.len() && terms.all(is_given)
    };
    let [a, b] = regions;
    let mut dims = a.dims.iter().zip(&b.dims);
    (a.element, a.dims.len()) == (b.element, b.dims.len())
        && is_same(&a.start, &b.start)
        && dims.all(|(x, y)| {
            let (own, theirs) = (x.0.known(), y.0.known());
            own == theirs && own.is_some_and(|size| size > 0) && is_same(&x.1, &y.1)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Piece;

    fn join(graph: &mut Graph, label: u32, inputs: &[(NodeId, i64)]) -> NodeId {
        let number = u32::try_from(graph.joins.len()).expect("a few");
        graph
            .joins
            .push(inputs.iter().map(|own| Some(*own)).collect());
        graph.add(Node::Join { label, number })
    }

    /// An inner loop nested in an outer loop, and a value that neither of them changes.
    #[test]
    fn joins_with_one_source() {
        let mut graph = Graph::default();
        let [value, other] = [0, 1].map(|number| graph.add(Node::Argument(number, 0)));
        let outer = join(&mut graph, 0, &[]);
        let inner = join(&mut graph, 1, &[(outer, 4)]);
        graph.joins[1].push(Some((inner, 0)));
        graph.joins[0] = vec![Some((value, 8)), Some((inner, -4))];
        assert_eq!(only_source(&graph, None, (inner, 0), 4), Some((value, 12)));
        assert_eq!(only_source(&graph, None, (outer, 16), 4), Some((value, 24)));
        // A piece of a sequence. Without a length, the piece cannot be determined.
        let piece = |node, length| Piece {
            node,
            offset: 0,
            length,
        };
        let string = graph.add(Node::Sequence(vec![piece(other, 8), piece(value, 4)]));
        let part = join(&mut graph, 2, &[(string, 8), (value, 0)]);
        assert_eq!(only_source(&graph, None, (part, 0), 4), Some((value, 0)));
        assert_eq!(only_source(&graph, None, (part, 0), -1), None);
        // A join of two joins.
        let both = join(&mut graph, 3, &[(inner, 0), (outer, 4)]);
        assert_eq!(only_source(&graph, None, (both, 0), 4), Some((value, 12)));
        // What is before the loop is not followed.
        let loops = HashMap::from_iter([(0, 0), (1, 0)]);
        let [within, after] =
            [inner, both].map(|own| only_source(&graph, Some(&loops), (own, 0), 4));
        assert_eq!([within, after], [Some((value, 12)); 2]);
        let loops = HashMap::from_iter([(1, 1)]);
        assert_eq!(
            only_source(&graph, Some(&loops), (inner, 0), 4),
            Some((outer, 4))
        );
        // Two sources enter.
        graph.joins[1][1] = Some((other, 0));
        assert_eq!(only_source(&graph, None, (inner, 0), 4), None);
        // Every iteration selects another part.
        graph.joins[0] = vec![Some((value, 0)), Some((outer, 4))];
        assert_eq!(only_source(&graph, None, (outer, 0), 4), None);
        assert!(!is_invariant(&graph, inner) && !is_invariant(&graph, part));
        assert!(is_invariant(&graph, string));
    }

    /// Two loops in a loop that changes the value between them: the joins of a loop that does not change it have that
    /// of the loop around it for their source, although all of them depend on each other.
    #[test]
    fn joins_that_depend_on_a_change_elsewhere() {
        let mut graph = Graph::default();
        let [value, change] = [0, 1].map(|number| graph.add(Node::Argument(number, 0)));
        let outer = join(&mut graph, 0, &[]);
        let inner = join(&mut graph, 1, &[(outer, 0)]);
        let innermost = join(&mut graph, 2, &[(inner, 0)]);
        let changed = join(&mut graph, 3, &[(innermost, 0), (change, 0)]);
        let passed = join(&mut graph, 4, &[(changed, 0)]);
        graph.joins[0] = vec![Some((value, 0)), Some((passed, 0))];
        graph.joins[1].push(Some((innermost, 0)));
        graph.joins[2].push(Some((innermost, 0)));
        graph.joins[4].push(Some((passed, 0)));
        let source = |join| only_source(&graph, None, (join, 0), 4);
        assert_eq!(source(innermost), Some((outer, 0)));
        assert_eq!(source(inner), Some((outer, 0)));
        assert_eq!(source(passed), Some((changed, 0)));
        assert_eq!([outer, changed].map(source), [None; 2]);
        // A change in the innermost loop is one of all loops around it.
        graph.joins[2].push(Some((change, 0)));
        let source = |join| only_source(&graph, None, (join, 0), 4);
        assert_eq!([inner, innermost].map(source), [None; 2]);
    }
}
