//! Comparison of byte ranges whose bounds are known only at run time, and of conditions.
//!
//! Two ranges or conditions can be compared only if a name in them denotes the same value on both
//! sides. `scope` decides that, and [`Context::enter`] drops names whose value may have changed.

use mem_model::{Access, BlockId, Bound, Literal, PointerId};

use super::scope::{Home, Scope};
use crate::graph::Graph;

/// A bound above all others.
const FAR: Bound = Bound {
    symbol: None,
    offset: i64::MAX,
};

/// The lower bound of all bytes.
const START: Bound = Bound {
    symbol: None,
    offset: 0,
};

/// Bytes `[start, end)` relative to the target of a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct View {
    pub pointer: PointerId,
    pub start: Bound,
    pub end: Bound,
}

impl View {
    /// A view that contains all bytes that an access may touch.
    pub(super) fn of(access: &Access) -> Self {
        if let Some(range) = access.symbolic() {
            return Self {
                pointer: access.pointer,
                start: range.start,
                end: range.end,
            };
        }
        let (start, end) = match access.may {
            Some(may) => (constant(may.start.get()), constant(may.end.get())),
            None => (START, FAR),
        };
        let pointer = access.pointer;
        Self {
            pointer,
            start,
            end,
        }
    }

    /// Views of which an access is guaranteed to touch every byte when it takes place.
    pub(super) fn touched(access: &Access) -> impl Iterator<Item = Self> {
        let pointer = access.pointer;
        let symbolic = access.symbolic().filter(|range| range.all);
        let symbolic = symbolic.map(|range| (range.start, range.end));
        let must = access.must.filter(|must| !must.is_empty());
        let must = must.map(|must| (constant(must.start.get()), constant(must.end.get())));
        let views = [symbolic, must].into_iter().flatten();
        views.map(move |(start, end)| Self {
            pointer,
            start,
            end,
        })
    }

    /// Whether the two are known to share no byte.
    pub(super) fn is_disjoint(&self, other: &Self) -> bool {
        self.pointer == other.pointer
            && (at_most(self.end, other.start) || at_most(other.end, self.start))
    }

    /// Whether `self` is known to contain all of `other`.
    pub(super) fn covers(&self, other: &Self) -> bool {
        self.pointer == other.pointer
            // No byte lies below zero, so this holds even if the other start is a run-time value.
            && (at_most(self.start, other.start) || at_most(self.start, START))
            && at_most(other.end, self.end)
    }

    /// A superset of `self` minus `other`, for constant bounds of `self` and run-time bounds of
    /// `other`; `None` if nothing is known to be removed.
    pub(super) fn without(&self, other: &Self) -> Option<Self> {
        if self.pointer != other.pointer || !is_constant(self) || is_constant(other) {
            return None;
        }
        if at_most(other.start, self.start) || at_most(other.start, START) {
            let start = other.end;
            return Some(Self { start, ..*self });
        }
        if at_most(self.end, other.end) {
            let end = other.start;
            return Some(Self { end, ..*self });
        }
        None
    }

    /// The view reduced to known names: an unknown bound is widened. `None` if the pointer is
    /// unknown.
    pub(super) fn known(&self, scope: &Scope, knows: impl Fn(Home) -> bool) -> Option<Self> {
        let knows_symbol = |bound: Bound| bound.symbol.is_none_or(|s| knows(scope.symbol(s)));
        knows(scope.pointer(self.pointer)).then(|| Self {
            pointer: self.pointer,
            start: if knows_symbol(self.start) {
                self.start
            } else {
                START
            },
            end: if knows_symbol(self.end) {
                self.end
            } else {
                FAR
            },
        })
    }

    /// Whether the view says no more than its pointer does.
    fn is_everything(&self) -> bool {
        self.start == START && self.end == FAR
    }
}

fn constant(bytes: u64) -> Bound {
    Bound {
        symbol: None,
        offset: i64::try_from(bytes).unwrap_or(i64::MAX),
    }
}

/// Whether `a <= b` can be proved.
fn at_most(a: Bound, b: Bound) -> bool {
    a.symbol == b.symbol && a.offset <= b.offset
}

/// Knowledge of a search: the bytes it still looks for, the conditions under which it looks for
/// them, and the views overwritten since.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Context {
    /// A view that contains the bytes searched for.
    pub view: Option<View>,
    /// Conditions that hold in the executions searched for; sorted.
    pub known: Vec<Literal>,
    /// Views guaranteed to have been overwritten on the way, in the order in which the search met
    /// them.
    pub killed: Vec<View>,
}

/// Maximum number of killed views in a context.
const MAX_KILLED: usize = 16;

impl Context {
    /// The initial context of a search for the definitions that `access` sees, or for the uses that
    /// see it.
    pub(super) fn of(access: &Access, scope: &Scope) -> Self {
        // A name that violates SSA form may denote another value elsewhere.
        let exists = |home| home != Home::Nowhere;
        let known = access.predicate().iter().copied();
        let mut known: Vec<_> = known.filter(|l| exists(scope.symbol(l.symbol))).collect();
        known.sort_unstable();
        known.dedup();
        Self {
            view: View::of(access).known(scope, exists),
            known,
            killed: Vec::new(),
        }
    }

    /// Whether the context knows nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.view.is_none() && self.known.is_empty() && self.killed.is_empty()
    }

    /// The context after crossing the start of `block` in either direction: knowledge about values
    /// that are recomputed there is dropped.
    pub(super) fn enter(&self, block: BlockId, scope: &Scope, graph: &Graph) -> Self {
        let knows = |home: Home| home.survives(block, graph);
        let known = self.known.iter().copied();
        let killed = self.killed.iter().filter_map(|view| {
            let kept = view.known(scope, knows)?;
            // A killed view must not be widened: the added bytes were not overwritten.
            (kept == *view).then_some(kept)
        });
        Self {
            view: self.view.and_then(|view| view.known(scope, knows)),
            known: known.filter(|l| knows(scope.symbol(l.symbol))).collect(),
            killed: killed.collect(),
        }
    }

    /// Whether `access` is known not to affect the bytes searched for.
    pub(super) fn excludes(&self, access: &Access) -> bool {
        let contradicts = |literal: &Literal| self.known.contains(&negated(*literal));
        if access.predicate().iter().any(contradicts) {
            return true;
        }
        let view = View::of(access);
        self.view.is_some_and(|own| own.is_disjoint(&view))
            || self.killed.iter().any(|killed| killed.covers(&view))
    }

    /// The only condition of `access` that is not known to hold. `Ok(None)` if all of them hold.
    ///
    /// # Errors
    /// If more than one condition is not known to hold.
    pub(super) fn open_condition(&self, access: &Access) -> Result<Option<Literal>, ()> {
        let mut open = access
            .predicate()
            .iter()
            .filter(|literal| !self.known.contains(literal));
        match (open.next(), open.next()) {
            (None, _) => Ok(None),
            (Some(literal), None) => Ok(Some(*literal)),
            _ => Err(()),
        }
    }

    /// Whether `access`, whenever it takes place, touches all of the bytes searched for.
    pub(super) fn is_covered_by(&self, access: &Access) -> bool {
        let Some(view) = self.view else { return false };
        View::touched(access).any(|touched| touched.covers(&view))
    }

    /// Adds the knowledge that `literal` does not hold.
    pub(super) fn assuming_not(&self, literal: Literal, scope: &Scope) -> Self {
        let mut context = self.clone();
        let negated = negated(literal);
        if scope.symbol(literal.symbol) != Home::Nowhere && !context.known.contains(&negated) {
            context.known.push(negated);
            context.known.sort_unstable();
        }
        context
    }

    /// Adds the knowledge that `access` overwrites the bytes it is guaranteed to touch.
    pub(super) fn after_overwriting(&self, access: &Access, scope: &Scope) -> Self {
        let mut context = self.clone();
        for touched in View::touched(access) {
            let exists = |home| home != Home::Nowhere;
            if touched.known(scope, exists) != Some(touched) {
                continue;
            }
            if let Some(rest) = context.view.and_then(|view| view.without(&touched)) {
                context.view = Some(rest);
            }
            // Forgetting a kill adds sources, but loses none.
            if context.killed.len() < MAX_KILLED {
                context.killed.push(touched);
            }
        }
        context
    }

    /// Drops a view that says nothing, so that the context equals one without a view.
    pub(super) fn normalized(mut self) -> Self {
        self.view = self.view.filter(|view| !view.is_everything());
        self
    }
}

fn is_constant(view: &View) -> bool {
    view.start.symbol.is_none() && view.end.symbol.is_none()
}

fn negated(literal: Literal) -> Literal {
    Literal {
        holds: !literal.holds,
        ..literal
    }
}
