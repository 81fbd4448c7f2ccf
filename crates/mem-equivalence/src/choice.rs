//! Views with several possible targets: the result of a select, or a slot of a rotation.

use std::rc::Rc;

use crate::contents::{Contents, along};
use crate::evaluate::{Binding, Evaluator, Lost, Merge, State, Target};
use crate::flatten::Value;
use crate::linear::Linear;
use crate::value::{External, Node, NodeId};
use crate::view::{Base, View};

impl Evaluator<'_> {
    pub(crate) fn select(
        &mut self,
        condition: NodeId,
        yes: Value,
        no: Value,
        result: Value,
        state: &mut State,
    ) -> Result<Binding, Lost> {
        let views = [self.view(yes), self.view(no)];
        if views[0] == views[1] {
            return Ok(Binding::View(Rc::clone(&views[0])));
        }
        let same_shape = views[0].dims == views[1].dims && views[0].element == views[1].element;
        let hulls = [0, 1].map(|index| views[index].hull());
        match [views[0].base, views[1].base] {
            _ if !same_shape => Ok(Binding::View(Rc::new(View::unknown()))),
            [Base::External(a), Base::External(b)] => {
                let [a, b] = [(a, 0), (b, 1)].map(|(own, index)| {
                    let start = views[index].start.clone();
                    self.graph.add(Node::Address(own, start))
                });
                let node = self.graph.add(Node::Choice(condition, a, b));
                Ok(Binding::View(Rc::new(View {
                    base: Base::External(External::Pointer(node)),
                    limits: None,
                    aligned: Linear::default(),
                    start: Linear::default(),
                    ..(*views[0]).clone()
                })))
            }
            [Base::Unknown, _] | [_, Base::Unknown] => Ok(Binding::View(Rc::new(View::unknown()))),
            [a, b] => {
                let [Some(of_a), Some(of_b)] = hulls else {
                    return Ok(Binding::View(Rc::new(View::unknown())));
                };
                let [x, y] = [self.read(state, &views[0])?, self.read(state, &views[1])?];
                let content = match x == y {
                    true => x,
                    false => self
                        .graph
                        .add_sized(Node::Choice(condition, x, y), views[0].bytes()),
                };
                let places = [(a, of_a), (b, of_b)];
                let view = self.one_of(result, &places, &views[0], &[], state);
                self.write_content(&view, content, state);
                Ok(Binding::View(Rc::new(view)))
            }
        }
    }

    /// Initializes the content of a new merge. The program writes nothing here, so no alias
    /// changes.
    pub(crate) fn write_content(&mut self, view: &View, content: NodeId, state: &mut State) {
        let (Base::Local(storage), Some(runs)) = (view.base, view.runs()) else {
            return;
        };
        let length = runs.iter().map(|(_, length)| length).sum();
        let pieces = self.graph.pieces(content, length);
        state.local_mut(storage).write_all(along(&runs, &pieces));
    }

    /// Creates a merge that denotes one of `places` and is known not to denote the storages in
    /// `apart`.
    pub(crate) fn one_of(
        &mut self,
        result: Value,
        places: &[(Base, (i64, i64))],
        like: &View,
        apart: &[u32],
        state: &mut State,
    ) -> View {
        let (low, high) = places[0].1;
        let storage = self.storage(result, Some(high - low), false);
        *state.local_mut(storage) = Contents::default();
        let mut targets = Vec::new();
        for (own, bytes) in places {
            let merge = state
                .merges
                .iter()
                .find(|merge| Base::Local(merge.storage) == *own);
            let further = merge.map(|merge| merge.targets.clone()).unwrap_or_default();
            if *own != Base::Local(storage) {
                targets.push(Target {
                    base: *own,
                    bytes: *bytes,
                    gate: None,
                });
            }
            targets.extend(further.into_iter().map(|own| Target { gate: None, ..own }));
        }
        let merges = Rc::make_mut(&mut state.merges);
        merges.retain(|merge| merge.storage != storage);
        for merge in merges.iter_mut() {
            merge.targets.retain(|own| own.base != Base::Local(storage));
            merge.apart.retain(|own| *own != storage);
        }
        merges.push(Merge {
            storage,
            targets,
            apart: apart.to_vec(),
        });
        merges.sort_by_key(|merge| merge.storage);
        let mut view = like.clone();
        view.base = Base::Local(storage);
        view.limits = None;
        view.start = like.start.plus(&Linear::constant(-low));
        view.aligned = like.aligned.plus(&Linear::constant(-low));
        view
    }

    pub(crate) fn rotate(
        &mut self,
        slots: &[Value],
        avoiding: &[Value],
        result: Value,
        state: &mut State,
    ) -> Result<(), Lost> {
        let views: Vec<Rc<View>> = slots.iter().map(|slot| self.view(*slot)).collect();
        let mut places = Vec::new();
        for view in &views {
            match (view.base, view.hull()) {
                (base @ Base::Local(_), Some(hull)) => places.push((base, hull)),
                _ => return self.lost("a rotation of slots of unknown size"),
            }
        }
        let Some(like) = views.first() else {
            return self.lost("a rotation of no slots");
        };
        let mut apart = Vec::new();
        for view in avoiding.iter().map(|value| self.view(*value)) {
            match view.base {
                Base::Local(storage) => apart.push(storage),
                Base::External(_) => {}
                Base::Unknown => return self.lost("a rotation around storage that is not known"),
            }
        }
        let view = self.one_of(result, &places, like, &apart, state);
        self.set(result, Binding::View(Rc::new(view)));
        Ok(())
    }
}
