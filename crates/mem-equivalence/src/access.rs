//! Symbolic reads and writes through views, and the effect of a write on storage that may alias the
//! written view.

use std::rc::Rc;

use crate::contents::{along, cut, part};
use crate::evaluate::{Evaluator, State, Target};
use crate::lost::Lost;
use crate::memory::{bytes_of, elements_written, read_runs, write_elements, write_runs};
use crate::rows::Rows;
use crate::value::{External, Node, NodeId, Piece, Region, Sharing};
use crate::view::{Base, View, Within, are_apart};

/// End address assumed for storage whose size is known only at run time, in bytes.
pub(crate) const FAR: i64 = i64::MAX / 4;

impl Evaluator<'_> {
    /// Returns the elements of a view, in order, as one byte string.
    pub(crate) fn read(&mut self, state: &State, view: &View) -> Result<NodeId, Lost> {
        let length = view.bytes();
        match (view.base, view.rows()) {
            (Base::Unknown, _) => self.lost("it is not known which storage is read"),
            (Base::External(of), Some(rows)) => {
                let runs = rows.runs();
                let pieces = read_runs(&mut self.graph, &self.aliasing, state.memory, of, &runs);
                Ok(self.graph.sequence(pieces))
            }
            (Base::External(of), None) => {
                let region = view.region();
                let aliasing = &self.aliasing;
                match elements_written(&self.graph, aliasing, state.memory, of, &region) {
                    Ok(written) => Ok(written),
                    Err(at) => match &view.within {
                        Some(own) => self.read_within(state, own, length),
                        None => {
                            let from = bytes_of(&mut self.graph, at, of);
                            Ok(self.graph.extract(from, region, length))
                        }
                    },
                }
            }
            (Base::Local(storage), Some(rows)) => Ok(self.read_rows(state, storage, &rows)),
            (Base::Local(storage), None) => {
                if let Some(own) = &view.within {
                    return self.read_within(state, own, length);
                }
                let (start, end) = self.limits(storage, view)?;
                let pieces = state
                    .local(storage)
                    .read(&mut self.graph, start, end - start);
                let from = self.graph.sequence(pieces);
                let region = relative(view, start);
                Ok(self.graph.extract(from, region, length))
            }
        }
    }

    fn read_rows(&mut self, state: &State, storage: u32, rows: &Rows) -> NodeId {
        let contents = state.local(storage);
        if let Some(node) = contents.gathered(&mut self.graph, rows) {
            return node;
        }
        let runs = rows.runs();
        let mut pieces = Vec::with_capacity(runs.len());
        for (start, length) in runs {
            contents.read_to(&mut pieces, &mut self.graph, start, length);
        }
        self.graph.sequence(pieces)
    }

    /// Reads elements chosen at run time from a set whose bytes are known.
    fn read_within(
        &mut self,
        state: &State,
        own: &Within,
        length: Option<i64>,
    ) -> Result<NodeId, Lost> {
        let from = self.read(state, &own.all)?;
        if is_whole(own, length) {
            return Ok(from);
        }
        Ok(self.graph.extract(from, own.chosen.region(), length))
    }

    /// Returns the byte range `[start, end)` that an access to local storage stays within.
    fn limits(&self, storage: u32, view: &View) -> Result<(i64, i64), Lost> {
        let own = &self.storages[storage as usize];
        match view.hull().or(view.limits) {
            Some(limits) => Ok(limits),
            None if own.is_arena => self.lost("its place in an arena is known only at run time"),
            None => Ok((0, own.bytes.unwrap_or(FAR))),
        }
    }

    /// Writes a byte string to the elements of a view, in order.
    pub(crate) fn write(
        &mut self,
        state: &mut State,
        view: &View,
        new: NodeId,
    ) -> Result<(), Lost> {
        match (view.base, view.rows(), &view.within) {
            (Base::Unknown, ..) => self.lost("it is not known which storage is written"),
            (Base::External(to), Some(rows), _) => {
                self.write_external_rows(state, to, &rows, new);
                Ok(())
            }
            // Writing back the current content changes nothing.
            (_, None, _) if self.read(state, view)? == new => Ok(()),
            (_, None, Some(own)) => self.write_within(state, own, view.bytes(), new),
            (Base::External(to), None, None) => {
                let (memory, region) = (state.memory, view.region());
                state.memory =
                    write_elements(&mut self.graph, &self.aliasing, memory, to, region, new);
                self.renew_all(state, Some(to));
                Ok(())
            }
            (Base::Local(storage), Some(rows), _) => {
                // Merges may denote what becomes unknown, so it does so first.
                self.conceal(state, view);
                self.write_rows(state, storage, &rows, new);
                Ok(())
            }
            (Base::Local(storage), None, None) => self.write_region(state, storage, view, new),
        }
    }

    fn write_external_rows(&mut self, state: &mut State, to: External, rows: &Rows, new: NodeId) {
        let runs = rows.runs();
        let pieces = self.graph.pieces(new, rows.bytes());
        let memory = state.memory;
        state.memory = write_runs(&mut self.graph, &self.aliasing, memory, to, &runs, &pieces);
        if !state.merges.is_empty() {
            for (start, own) in along(&runs, &pieces) {
                self.write_aliases(state, Base::External(to), start, &[own]);
            }
        }
    }

    /// Writes elements chosen at run time from a set whose bytes are known.
    fn write_within(
        &mut self,
        state: &mut State,
        own: &Within,
        length: Option<i64>,
        new: NodeId,
    ) -> Result<(), Lost> {
        if is_whole(own, length) {
            return self.write(state, &own.all, new);
        }
        // Writing all elements back, with the chosen ones replaced, needs only addresses that are
        // known.
        let old = self.read(state, &own.all)?;
        let bytes = own.all.bytes();
        let node = self.graph.update(old, own.chosen.region(), new, bytes);
        self.write(state, &own.all, node)
    }

    /// Writes elements of local storage whose addresses are known only at run time.
    fn write_region(
        &mut self,
        state: &mut State,
        storage: u32,
        view: &View,
        new: NodeId,
    ) -> Result<(), Lost> {
        let (start, end) = self.limits(storage, view)?;
        let length = end - start;
        let pieces = state.local(storage).read(&mut self.graph, start, length);
        let old = self.graph.sequence(pieces);
        let region = relative(view, start);
        let piece = Piece {
            node: self.graph.update(old, region, new, Some(length)),
            offset: 0,
            length,
        };
        self.conceal(state, view);
        self.write_local(state, storage, &[(start, length)], &[piece]);
        Ok(())
    }

    fn write_rows(&mut self, state: &mut State, storage: u32, rows: &Rows, new: NodeId) {
        if state.merges.is_empty() {
            let contents = state.local_mut(storage);
            if contents.overlay(&mut self.graph, rows, new) {
                return;
            }
        }
        let pieces = self.graph.pieces(new, rows.bytes());
        self.write_local(state, storage, &rows.runs(), &pieces);
    }

    fn write_local(
        &mut self,
        state: &mut State,
        storage: u32,
        runs: &[(i64, i64)],
        pieces: &[Piece],
    ) {
        let new = along(runs, pieces);
        if state.merges.is_empty() {
            state.local_mut(storage).write_all(new);
            return;
        }
        for (start, own) in new {
            state.local_mut(storage).write(start, &[own]);
            self.write_aliases(state, Base::Local(storage), start, &[own]);
        }
    }

    /// Propagates a write to aliases: to the possible targets of the merge that is written, and to
    /// every merge that may denote the written bytes.
    fn write_aliases(&mut self, state: &mut State, base: Base, start: i64, pieces: &[Piece]) {
        let merges = Rc::clone(&state.merges);
        if merges.is_empty() {
            return;
        }
        let length: i64 = pieces.iter().map(|piece| piece.length).sum();
        let own = merges
            .iter()
            .find(|merge| Base::Local(merge.storage) == base);
        let apart: &[u32] = own.map_or(&[], |own| &own.apart);
        // Every place that this write may change.
        let mut written = vec![Target {
            base,
            bytes: (start, start + length),
            gate: None,
        }];
        for target in own.into_iter().flat_map(|own| &own.targets) {
            if target.gate.is_some() {
                self.write_gated(
                    state,
                    target.base,
                    target.bytes.0 + start,
                    target.gate,
                    pieces,
                );
            } else {
                // The merge may denote another target, so these bytes may be unchanged.
                self.blur(state, target.base, target.bytes);
            }
            written.push(target.clone());
        }
        let others = merges
            .iter()
            .filter(|merge| Base::Local(merge.storage) != base);
        for merge in others.filter(|merge| !apart.contains(&merge.storage)) {
            let of_merge = Base::Local(merge.storage);
            for target in &merge.targets {
                let Some(hit) = written.iter().find(|own| self.may_meet(own, target)) else {
                    continue;
                };
                // A direct write to a gated target is visible through the merge exactly if the gate
                // selects that target. If the merge is itself a target of the written merge, the
                // loop above has updated it.
                let is_exact = hit.base == target.base && hit.base == base && own.is_none();
                if is_exact && target.gate.is_some() {
                    let (low, high) = target.bytes;
                    let (from, to) = (start.max(low), (start + length).min(high));
                    let common = part(pieces, from - start, to - from);
                    self.write_gated(state, of_merge, from - low, target.gate, &common);
                } else if !own.is_some_and(|own| own.targets.iter().any(|of| of.base == of_merge)) {
                    self.renew(state, of_merge, target);
                }
            }
        }
    }

    /// Propagates a write of any bytes of an external storage, or of all of them, to every merge
    /// that may denote some of them.
    pub(crate) fn renew_all(&mut self, state: &mut State, written: Option<External>) {
        let merges = Rc::clone(&state.merges);
        for merge in merges.iter() {
            for target in &merge.targets {
                let is_hit = match (target.base, written) {
                    (Base::External(own), Some(of)) => self.aliasing.may_meet(own, of),
                    (Base::External(_), None) => true,
                    _ => false,
                };
                if is_hit {
                    self.renew(state, Base::Local(merge.storage), target);
                }
            }
        }
    }

    /// Updates the content of a merge after one of its targets may have changed: where the gate
    /// selects the target, the merge is the target. Without a gate, the content becomes unknown.
    fn renew(&mut self, state: &mut State, of_merge: Base, target: &Target) {
        let length = target.bytes.1 - target.bytes.0;
        if target.gate.is_none() {
            return self.blur(state, of_merge, (0, length));
        }
        let pieces = self.bytes(state, target.base, target.bytes.0, length);
        self.write_gated(state, of_merge, 0, target.gate, &pieces);
    }

    /// Whether two targets may share a byte.
    fn may_meet(&self, a: &Target, b: &Target) -> bool {
        self.may_touch((a.base, a.bytes), (b.base, b.bytes))
    }

    /// Whether bytes of two storages may be the same.
    pub(crate) fn may_touch(
        &self,
        (a, of_a): (Base, (i64, i64)),
        (b, of_b): (Base, (i64, i64)),
    ) -> bool {
        match (a, b) {
            (Base::Unknown, _) | (_, Base::Unknown) => true,
            _ if a == b => of_a.0 < of_b.1 && of_b.0 < of_a.1,
            (Base::External(a), Base::External(b)) => self.aliasing.may_meet(a, b),
            (Base::Local(a), Base::Local(b)) => self.may_share((a, of_a), (b, of_b)),
            // Local storage is out of reach for callers. The targets of a merge are compared
            // separately.
            _ => false,
        }
    }

    /// Writes bytes to a base without propagating the write to aliases.
    fn put(&mut self, state: &mut State, base: Base, start: i64, pieces: &[Piece]) {
        let length: i64 = pieces.iter().map(|piece| piece.length).sum();
        match base {
            Base::Local(storage) => {
                state.local_mut(storage).write(start, pieces);
                self.conceal_bytes(state, storage, (start, start + length));
            }
            Base::External(to) => {
                let (memory, runs) = (state.memory, [(start, length)]);
                state.memory =
                    write_runs(&mut self.graph, &self.aliasing, memory, to, &runs, pieces);
            }
            Base::Unknown => {}
        }
    }

    /// Applies a write that takes effect only if control last entered the gate's label along the
    /// gate's edge.
    fn write_gated(
        &mut self,
        state: &mut State,
        base: Base,
        low: i64,
        gate: Option<(u32, u32)>,
        pieces: &[Piece],
    ) {
        let Some((label, edge)) = gate else { return };
        let length: i64 = pieces.iter().map(|piece| piece.length).sum();
        let old = self.bytes(state, base, low, length);
        let [new, old] = [pieces, &old].map(|own| self.graph.unpack(own));
        let mut gated = Vec::new();
        for pair in cut(&[&new, &old]).chunks_exact(2) {
            let [new, mut old] = [pair[0], pair[1]].map(|own| (own.node, own.offset));
            // What the same gate has selected before is overwritten.
            while let Node::Gate {
                label: of,
                edge: along,
                old: (below, shift),
                ..
            } = *self.graph.node(old.0)
                && (of, along) == (label, edge)
            {
                old = (below, shift + old.1);
            }
            let node = self.graph.add(Node::Gate {
                label,
                edge,
                new,
                old,
            });
            gated.push(Piece {
                node,
                offset: 0,
                length: pair[0].length,
            });
        }
        self.put(state, base, low, &gated);
    }

    /// Makes bytes that may or may not have been written unknown.
    fn blur(&mut self, state: &mut State, base: Base, bytes: (i64, i64)) {
        let why = "it may have been written through a view that is one of several";
        let node = self.graph.unknown(why);
        let piece = Piece {
            node,
            offset: 0,
            length: bytes.1 - bytes.0,
        };
        self.put(state, base, bytes.0, &[piece]);
    }

    /// Describes how two views overlap; `None` if they are disjoint.
    pub(crate) fn sharing(
        &self,
        state: &State,
        of_a: &View,
        of_b: &View,
    ) -> Result<Option<Sharing>, Lost> {
        let regions = || (of_a.region(), of_b.region());
        match (of_a.base, of_b.base) {
            (Base::Unknown, _) | (_, Base::Unknown) => {
                self.lost("it is not known which storage is accessed")
            }
            (own, other) if own == other => {
                let (a, b) = regions();
                if a == b {
                    return Ok(Some(Sharing::Same));
                }
                let is_apart = are_apart(&a, &b) || ranges_are_apart(of_a, of_b);
                let distance = b.start.minus(&a.start);
                let at_start = |region: Region| Region {
                    start: Default::default(),
                    ..region
                };
                Ok((!is_apart).then(|| Sharing::Within(distance, at_start(a), at_start(b))))
            }
            (Base::External(x), Base::External(y)) => {
                let may_meet = self.aliasing.may_meet(x, y);
                let (a, b) = regions();
                Ok(may_meet.then_some(Sharing::Perhaps((x, a), (y, b))))
            }
            _ => match self.may_be_one(state, of_a, of_b) {
                true => self.lost("an operand may be the storage of a result"),
                false => Ok(None),
            },
        }
    }

    /// Whether two views of different bases may overlap because at least one of them is a merge.
    fn may_be_one(&self, state: &State, a: &View, b: &View) -> bool {
        let merge = |view: &View| {
            let mut merges = state.merges.iter();
            merges.find(|merge| Base::Local(merge.storage) == view.base)
        };
        let is_apart = |a: &View, b: &View| {
            merge(a).is_some_and(|own| own.apart.iter().any(|own| Base::Local(*own) == b.base))
        };
        // Only one of two merges records that they are apart: the one that a rotation chose around
        // the other.
        if is_apart(a, b) || is_apart(b, a) {
            return false;
        }
        let all = |view: &View| {
            let targets = merge(view)
                .map(|own| own.targets.clone())
                .unwrap_or_default();
            let own = Target {
                base: view.base,
                bytes: view.hull().or(view.limits).unwrap_or((0, FAR)),
                gate: None,
            };
            targets.into_iter().chain([own]).collect::<Vec<_>>()
        };
        let (of_a, of_b) = (all(a), all(b));
        of_a.iter()
            .any(|x| of_b.iter().any(|y| self.may_meet(x, y)))
    }
}

/// Whether elements chosen at run time are all there are to choose from, in the same order.
fn is_whole(own: &Within, length: Option<i64>) -> bool {
    let dims = &own.chosen.dims;
    let in_order = || own.chosen.dense().is_some_and(|dense| dense.dims == *dims);
    length.is_some() && own.all.bytes() == length && (dims.is_empty() || in_order())
}

/// Whether two views of one storage are confined to disjoint byte ranges.
fn ranges_are_apart(a: &View, b: &View) -> bool {
    let ranges = [a, b].map(|view| view.hull().or(view.limits));
    matches!(ranges, [Some(a), Some(b)] if a.1 <= b.0 || b.1 <= a.0)
}

/// Returns a view's region relative to byte `start` of its storage.
fn relative(view: &View, start: i64) -> Region {
    let mut region = view.region();
    region.start = region.start.plus(&crate::linear::Linear::constant(-start));
    region
}
