#!/usr/bin/env python3
"""Removes each check of the plan checkers, each condition of the optimizations under which operands may share
bytes with results, and the checks of validation against transfers in flight, one at a time. A test must fail
each time.

    scripts/remove-checks.py [WORDS...]     all checks, or those whose text contains one of the words
    scripts/remove-checks.py --find         only find out whether all checks are in the sources

Works on a copy of the last commit in the target folder. All checks take about half an hour. The exit status
is 1 if no test depends on a check, or if a check is no longer in the sources.
"""

import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
COPY = TARGET / "remove-checks"
LIT = pathlib.Path(os.environ.get("MLIR_SYS_220_PREFIX", "/usr/lib/llvm-22")) / "bin/lit"

VERIFY = "passes/analyze/mem_verify_plan/mod.rs"
COMPARE = "passes/ir/compare/operations.rs"
LEVELS = "crates/mem-check/src/levels.rs"
STATE = "crates/mem-check/src/levels/state.rs"
CONTENT = "crates/mem-check/src/content.rs"
PACKING = "crates/mem-check/src/packing.rs"
CORES = "crates/mem-check/src/cores.rs"
RELATIVE = "crates/mem-check/src/relative.rs"
FLIGHTS = "crates/mem-check/src/levels/flights.rs"
OPERANDS = "crates/mem-check/src/levels/operands.rs"
ALIASES = "crates/mem-check/src/levels/aliases.rs"
REPEAT = "crates/mem-check/src/levels/repeat.rs"
VERIFY_CALLS = "passes/analyze/mem_verify_plan/calls.rs"
VERIFY_LEVELS = "passes/analyze/mem_verify_plan/levels.rs"
VERIFY_SPACES = "passes/analyze/mem_verify_plan/spaces.rs"
MODULES = "passes/ir/compare/mod.rs"
TENSORS = "passes/ir/tensors.rs"
ACCESS = "passes/extract/access.rs"
TRANSFERS = "passes/lower/convert_mem_to_memref/transfers.rs"
DIALECT = "dialects/mem/MemDialect.cpp"
IN_FLIGHT = "crates/mem-equivalence/src/flights.rs"
LAUNCHES = "crates/mem-equivalence/src/flights/launches.rs"
TRANSLATED_LAUNCHES = "passes/analyze/validation/launches.rs"
KERNELS = "passes/ir/kernels.rs"
STEPS = "crates/mem-equivalence/src/steps.rs"
COMPUTE = "crates/mem-equivalence/src/compute.rs"
EVALUATE = "crates/mem-equivalence/src/evaluate.rs"
SWEEPS = "crates/mem-equivalence/src/sweeps.rs"
JOINED = "crates/mem-equivalence/src/joined.rs"
MEET = "crates/mem-equivalence/src/meet.rs"
CHOICE = "crates/mem-equivalence/src/choice.rs"
VIEWS = "crates/mem-equivalence/src/view.rs"
PLACES = "crates/mem-equivalence/src/places.rs"
WRITES = "crates/mem-equivalence/src/access.rs"
JOINS = "crates/mem-equivalence/src/compare/joins.rs"
SLICES = "crates/mem-equivalence/src/compare/slices.rs"
WAITS = "crates/mem-equivalence/src/compare/waits.rs"
WAIT_SEARCH = "passes/extract/waits.rs"
READS = "crates/mem-equivalence/src/compare/reads.rs"
MEMORY = "crates/mem-equivalence/src/compare/memory.rs"
ORDER = "crates/mem-equivalence/src/order.rs"
VERDICTS = "crates/mem-equivalence/src/compare.rs"
VALUE = "crates/mem-equivalence/src/value.rs"
CASES = "crates/mem-equivalence/src/cases.rs"
FREES = "crates/mem-equivalence/src/frees.rs"
EXTENT = "crates/mem-equivalence/src/extent.rs"
PEEL = "crates/mem-equivalence/src/peel.rs"
FACTS = "crates/mem-equivalence/src/facts.rs"
ARITHMETIC = "crates/mem-equivalence/src/arithmetic.rs"
ENDS = "passes/analyze/validation/translate.rs"
OPERATIONS = "passes/analyze/validation/steps.rs"
TRANSLATE = "passes/analyze/validation/transfers.rs"
ROTATION = "passes/analyze/validation/rotation.rs"
SHARING = "passes/extract/sharing.rs"
DEPENDENCE = "passes/extract/dependence.rs"
FORWARD = "passes/optimize/forward.rs"
CSE = "passes/optimize/mem_cse.rs"
DEAD_STORES = "passes/optimize/mem_dead_store_elimination.rs"
LAYOUTS = "passes/ir/types.rs"
REMOVE = "passes/optimize/mem_remove_copies/mod.rs"
CANDIDATE = "passes/optimize/mem_remove_copies/candidate.rs"
SPLIT = "passes/optimize/mem_split_buffers.rs"

# Test folders of the checkers, sources of the optimizations, and test folders of the optimizations.
CHECKERS = ["dialect", "passes/convert-mem-to-memref", "passes/convert-memref-to-mem", "passes/mem-plan",
            "passes/mem-verify-plan", "passes/mem-validate"]
OPTIMIZATIONS = [SHARING, DEPENDENCE, FORWARD, CSE, DEAD_STORES, LAYOUTS, REMOVE, CANDIDATE, SPLIT]
OPTIMIZED = ["cases", "passes/mem-plan", "passes/mem-forward-stores", "passes/mem-cse",
             "passes/mem-dead-store-elimination", "passes/mem-remove-copies", "passes/mem-split-buffers"]

# A file, the text of a check in it, and the replacement that disables the check.
CHECKS = [
    (VERIFY, 'return self.error(op, "its arena cannot be determined".to_owned());', "return;"),
    (VERIFY, "let Some(end) = end.filter(|end| *end <= MAX_ADDRESS) else {", "let Some(end) = end else {"),
    (VERIFY, "available.filter(|available| start + size > *available)", "available.filter(|_| false)"),
    (VERIFY, "if !address.offset.is_multiple_of(wanted) {", "if false {"),
    (VERIFY, "Some(arena) if arena.alignment().unwrap_or(1) < wanted => {", "Some(arena) if arena.alignment() == Some(0) => {"),
    (VERIFY, "arena.proven_bound().filter(|proven| *proven > size)", "arena.proven_bound().filter(|_| false)"),
    (VERIFY, "capacity.filter(|capacity| size > *capacity)", "capacity.filter(|_| false)"),
    (VERIFY_CALLS, "size.filter(|size| *size < need.size)", "size.filter(|_| false)"),
    (VERIFY_CALLS, "if !address.offset.is_multiple_of(alignment) || own.is_some_and(|own| own < alignment) {", "if false {"),
    (VERIFY, "if !made.contains(op) && !is_slot && !is_handed_on {", "if false {"),
    (VERIFY, "for (buffer, refusal) in &extraction.refusals {", "for (buffer, refusal) in extraction.refusals.iter().take(0) {"),
    (VERIFY_CALLS, "if size < need.size || alignment < need.alignment {", "if false {"),
    (VERIFY, "for plan in &plans {", "for plan in plans.iter().take(0) {"),
    (VERIFY, "contents.filter(|_| self.n_errors == 0)", "contents.filter(|_| false)"),
    (COMPARE, "if own.len() != theirs.len() {", "if false {"),
    (COMPARE, "if original.name_id() != planned.name_id() || !self.is_within && is_repetition() {", "if !self.is_within && is_repetition() {"),
    (COMPARE, "&& types(original).zip(types(planned)).all(is_same_type)", ""),
    (COMPARE, "&& self.same_attributes(original, planned)\n            && self.same_successors", "&& self.same_successors"),
    (COMPARE, "&& self.same_successors(original, planned)", ""),
    (COMPARE, ".all(|(a, b)| self.same_value(*a, *b));", ".all(|(a, b)| self.same_value(*a, *b) || true);"),
    (COMPARE, "is_buffer && original.ty() == without_space(planned.ty()) && self.taken.insert(tensor);", "is_buffer && original.ty() == without_space(planned.ty());"),
    (COMPARE, "return *known == tensor;", "return true;"),
    (COMPARE, "&& self.same_attributes(own, theirs);", ";"),
    (COMPARE, "                self.tokens.extend(op.results().filter(|_| is_of_one));\n                is_of_one", "                self.tokens.extend(op.results().filter(|_| is_of_one));\n                true"),
    (COMPARE, "op.operands().all(|token| self.tokens.contains(&token)),", "true,"),
    (COMPARE, "        for other in rest {\n            self.unnumbered.push(other);\n            if !self.is_extra(other) {", "        for other in rest {\n            self.unnumbered.push(other);\n            if false {"),
    (LEVELS, "None => self.report_stale(id, access, state, report),", "None => {}"),
    (LEVELS, "self.report_flying(id, step, state, report);", ""),
    (FLIGHTS, "let locks_source = access.kind == AccessKind::Define || flight.is_swap;", "let locks_source = false;"),
    (FLIGHTS, "(is_named || is_other) && self", "self.is_exact(access) && self"),
    (FLIGHTS, "hit.or_else(|| outside().copied())", "hit"),
    (FLIGHTS, "if is_overlap && !stays {", "if false {"),
    (LEVELS, "                    state.make_stale(*other, &write.may, id);", ""),
    (LEVELS, "flight.outdate(site.tensor, &write.may, &self.sites);", "let _ = flight;"),
    (REPEAT, "        if has_lapsed {", "        if false {"),
    (REPEAT, "&write.must.difference(&replaced)", "&write.must.difference(&replaced).union(&write.must)"),
    (FLIGHTS, "state.make_stale(target, &flight.incoming, id);", ""),
    (FLIGHTS, "false => flight.bytes.clone(),", "false => IntervalSet::new(),"),
    (FLIGHTS, "state.make_stale_where_defined(source, &flight.read, id, &self.sites);", ""),
    (LEVELS, "violations.push(Violation::NeverAwaited { step: flight.step });", ""),
    (LEVELS, "violations.push(Violation::NotWrittenBack { buffer, since });", "let _ = (buffer, since);"),
    (FLIGHTS, "        self.overwrite(flight.step, flight.target, &flight.bytes, state);", ""),
    (LEVELS, "self.write_elsewhere(id, step, state);", ""),
    (STATE, "computation.has_lapsed |= operands.is_some_and(|own| own.overlaps(bytes));\n            if", "let _ = operands;\n            if"),
    (LEVELS, "self.report_overlaps(id, step, state, report);", ""),
    (LEVELS, "            self.report_stale_elsewhere(id, access, state, report);", "            let _ = access;"),
    (OPERANDS, "if self.loses_operand(&source, &target, state) && !is_taken_over() {", "if false && !is_taken_over() {"),
    (OPERANDS, "shares(|a, b| a.memory == b.memory && a.address == b.address)", "shares(|_, _| true)"),
    (OPERANDS, "return common.overlaps(&state.defined(from));", "return false;"),
    (OPERANDS, "!are_home && self.may_be_one(from, to)", "false"),
    (ALIASES, "                state.changed(tensor);\n", ""),
    (ALIASES, "                for site in others.filter(|site| **site != home) {", "                for site in others.filter(|_| false) {"),
    (VERIFY_CALLS, "if let Some(other) = other.filter(|_| !is_slice) {", "if let Some(other) = other.filter(|_| false) {"),
    (VERIFY_LEVELS, "if !layouts.is_some_and(|(from, to)| from.orders_as(&to)) {", "if false {"),
    (VERIFY_LEVELS, "buffer.aliasing != Aliasing::Unknown || op.is_some();", "buffer.aliasing != Aliasing::Unknown;"),
    (VERIFY, "    if function.used {", "    if false {"),
    (VERIFY, "!is_named || !op", "!op"),
    (VERIFY, 'nested.extend((op.name() == "builtin.module").then_some(op))', "nested.extend(Some(op).filter(|_| false))"),
    (COMPARE, "self.tensors.of(from) == self.tensors.of(to) && shows_the_same(from, to);", "self.tensors.of(from) == self.tensors.of(to);"),
    (MODULES, "let is_free = is_private || space_of(*own) != Some(None);", "let is_free = true;"),
    (MODULES, "        && outputs.iter().zip(&planned_outputs).all(same)\n", ""),
    (VERIFY, "let mut result = spaces::check_spaces(module);", "let mut result = Ok(());"),
    (VERIFY_SPACES, "spaces.level_of(space).filter(|other| *other != level);", "None::<LevelId>;"),
    (VERIFY_SPACES, "*other != level && space.is_some() && *of_other == space && !is_shared(*other)", "false"),
    (VERIFY_SPACES, "    if own == arena {\n", "    if true {\n"),
    (VERIFY_LEVELS, '("mem.move", _) if from != to => {', '("mem.move", _) if false => {'),
    (VERIFY_LEVELS, "(_, Some(level)) if from == to => {", "(_, Some(level)) if false => {"),
    (MODULES, "if own != theirs {\n        result = differs", "if false {\n        result = differs"),
    (MODULES, "if !known.contains(&key) && op.name() != \"func.func\" {", "if false {"),
    (MODULES, '"builtin.module" => compare_modules(original, planned, claims),', '"builtin.module" => Ok(()),'),
    (MODULES, "_ if !original.has_equal_attributes(planned) => differs(original, planned),", ""),
    (MODULES, "others[0] == others[1]\n        && ", ""),
    (MODULES, "&& inputs.iter().zip(&planned_inputs).all(same)", ""),
    (MODULES, "    own == theirs\n", "    own == theirs || true\n"),
    (TENSORS, "attributes.entry(ARGUMENT_NAME)?;", "attributes.entry(ARGUMENT_NAME).filter(|_| false)?;"),
    (ACCESS, 'if matches!(op.name(), "mem.swap" | "mem.move") && !self.roots.is_precise() {', "if false {"),
    (TRANSFERS, "if !is_straight || ", "if "),
    (DIALECT, "if (function.getArgAttr(other, MemDialect::kNameAttrName) == value)", "if (false)"),
    (CONTENT, "state.clobber(id, name, &self.hulls, |a, b| self.share_bytes(a, b));", ""),
    (CONTENT, "cores.check(&mut violations);", "let _ = cores;"),
    (CONTENT, "check_rotations(rotations, &ranges, &mut violations);", ""),
    (CONTENT, "if !are_numbered || overlap_each_other(own.iter()) {", "if !are_numbered {"),
    (CONTENT, "                && start(own) == start(theirs)\n", ""),
    (CONTENT, "                && start_alike(step, read, result)\n", ""),
    (SHARING, "        .all(|is_identity| *is_identity)", "        .all(|_| true)"),
    (SHARING, " && has_distinct_elements(**v)", ""),
    (SHARING, " && !pair.others.contains(&operand)", ""),
    (DEPENDENCE, "                        && reads_before_it_writes(self.op(user), operand, storage)", ""),
    (DEPENDENCE, "self.value(written) == Some(storage)\n                        && ", ""),
    (FORWARD, "            && reads_in_order()\n", ""),
    (FORWARD, "            && self.function.reads_before_it_writes(self.dependence, id)\n", ""),
    (FORWARD, "            && self.dependence.is_unchanged(origin.read, origin.step, id.step)\n", ""),
    (FORWARD, "is_unchanged(origin.read, origin.step, id.step)", "is_unchanged(self.read, self.step, id.step)"),
    (CSE, "is_target || self.function.reads_before_it_writes(self.dependence, id)", "is_target || id.index < u32::MAX"),
    (CSE, "                && !self.dependence.may_overlap(first, second)\n", ""),
    (REMOVE, "if same.any(meets) || aliased.any(meets) {", "if false && (same.any(meets) || aliased.any(meets)) {"),
    (CANDIDATE, "!accesses.iter().any(|id| self.overlap(*id, self.copied))", "true"),
    (CANDIDATE, "between.is_kept_until_last(&candidate).then_some(candidate)", "(between.is_kept_until_last(&candidate) || true).then_some(candidate)"),
    (CANDIDATE, "self.onward.iter().all(is_free).then_some(self)", "(self.onward.iter().all(is_free) || true).then_some(self)"),
    (IN_FLIGHT, "!are_blocks_alike(&source, &target) || ", ""),
    (IN_FLIGHT, " || source.bytes() != bytes {", " {"),
    (IN_FLIGHT, "if let Some(Sharing::Same | Sharing::Within(..)) = self.sharing(state, &source, &target)? {", "if let Some(Sharing::Same) = self.sharing(state, &source, &target)? {"),
    (IN_FLIGHT, "if state.flights.iter().any(|own| own.site == site) {", "if false {"),
    (IN_FLIGHT, "if tag.is_some() && state.flights.iter().any(|own| own.tag == tag) {", "if false {"),
    (IN_FLIGHT, "let Some(sites) = self.sites_of(node) else {", "let Some(sites) = self.sites_of(node).or_else(|| Some(BTreeSet::new())) else {"),
    (IN_FLIGHT, "let is_join = matches!(self.graph.node(node), Node::Join { .. });", "let is_join = false;"),
    (IN_FLIGHT, "if !own.next().is_some_and(|own| own.is_sure) {", "if own.next().is_none() {"),
    (IN_FLIGHT, "*is_met && count.is_some_and(|count| count != own.count)", "*is_met && count.is_some_and(|_| own.count < 0)"),
    (IN_FLIGHT, "flight.is_sure = false;", ""),
    (IN_FLIGHT, "flight.after.clear();", ""),
    (LAUNCHES, "*is_only_use && flight.tickets == [node]", "flight.tickets == [node]"),
    (LAUNCHES, "if others.chain(&earlier.over).any(|own| own.site == site) {", "if false {"),
    (TRANSLATED_LAUNCHES, "let fingerprint = self.with_kernel(op, fingerprint);", ""),
    (KERNELS, "VIEWS_OF_ELEMENTS.contains(&op.name()).then_some(())", "Some(())"),
    (KERNELS, "stream != 0 || ", ""),
    (KERNELS, "!is_shape && !facts.is_structured() && !storage.all(|v| has_effect(&v))", "false"),
    (KERNELS, "let hides = facts.has_pointer_result() || facts.has_opaque_result();", "let hides = false;"),
    (KERNELS, "return (!facts.has_unknown_effects()).then_some(());", "return Some(());"),
    (IN_FLIGHT, "says(merge, other) || says(other, merge)", "true || says(merge, other) || says(other, merge)"),
    (IN_FLIGHT, ".filter(|own| !is_defined_here(own))", ".filter(|own| !is_defined_here(own) || true)"),
    (IN_FLIGHT, "self.check_places(flight, &places, &flight.target, [sure, perhaps])?;", "let _ = (sure, perhaps);"),
    (IN_FLIGHT, "self.check_places(flight, &places, &flight.source, [sure, perhaps])?;", "let _ = (sure, perhaps);"),
    (STEPS, "self.check_access(state, &element, Access::Read)?;", ""),
    (STEPS, "self.check_access(state, &element, Access::Write)?;", ""),
    (STEPS, "self.check_access(state, &from, Access::Read)?;", ""),
    (STEPS, "self.check_access(state, &to, Access::Write)?;", ""),
    (COMPUTE, "self.check_access(state, &view, Access::Read)?;", ""),
    (COMPUTE, "if operand.writes {\n                self.check_access(state, &view, Access::Write)?;", "if operand.writes {"),
    (STEPS, "self.check_access(state, &view, Access::Write)?;\n        let element", "let element"),
    (STEPS, "self.check_stored(stored)?;", ""),
    (STEPS, "self.check_stored(filler)?;", ""),
    (STEPS, "self.check_event(state)?;", ""),
    (FREES, "self.check_landed_in(state, freed)?;", ""),
    (FREES, "state.exchanged = self.graph.add(Node::Result(step, 0));", "let _ = step;"),
    (FREES, "alone.find_map(|(own, of, _)| (*own == storage).then_some(*of))", "alone.find_map(|(own, of, _)| (*own == u32::MAX).then_some(*of))"),
    (FREES, "self.check_unmarked(state, view.base, why)?;", "let _ = why;"),
    (FREES, "if outside.is_none() && self.is_given(view.base) {", "if false {"),
    (FREES, "view.start.known() != Some(0)", "view.start.known().is_none()"),
    (FREES, "place.map_or(storage, |place| place.arena)", "place.map_or(storage, |_| storage)"),
    (FREES, "Node::Gate { new, old, .. } => work.extend([new.0, old.0]),", "Node::Gate { old, .. } => work.extend([old.0]),"),
    (FREES, "self.mark_through(state, of, target, freed);", ""),
    (FREES, "self.mark_through(state, merge.storage, target, mark);", "let _ = mark;"),
    (FREES, "Some(mark) if is_same => self.set_mark(state, merge, mark),", "Some(_) if is_same => {}"),
    (FREES, "_ if marks.iter().any(Option::is_some) => {", "_ if false => {"),
    (MEET, "self.meet_marks(meeting, &mut joins, (&bases, states), &mut contents);", "let _ = bases;"),
    (IN_FLIGHT, "        self.check_allocated(state, view)?;\n        if", "        if"),
    (STEPS, "if *is_last {", "if false {"),
    (WAITS, "(Some((_, true)), _) => {}", "(Some(_), _) => {}"),
    (IN_FLIGHT, "if is_once && !met.any(|(own, is_met)| *is_met && own.is_sure) {", "if false {"),
    (WAITS, "(None, true) => {", "(None, true) if false => {"),
    (VERDICTS, "self.compare_waits()", "Ok(())"),
    (TRANSLATE, "let is_plain = !has_used_status(op) && !keeps_waits;", "let is_plain = !keeps_waits;"),
    (TRANSLATE, "let is_plain = !has_used_status(op) && !keeps_waits;", "let is_plain = !has_used_status(op);"),
    (TRANSLATE, "let keeps_waits = self.waits_stay() || is_carried(op);", "let keeps_waits = is_carried(op);"),
    (TRANSLATE, "let keeps_waits = self.waits_stay() || is_carried(op);", "let keeps_waits = self.waits_stay();"),
    (WAIT_SEARCH, "} else if starts_after_tokens(user) {", "} else {"),
    (WAIT_SEARCH, "is_ordered = is_ordered && !(steps.end..end).any(is_access);", ""),
    (WAIT_SEARCH, "let is_later = second.is_none() && ", "let _ = second; let is_later = "),
    (WAIT_SEARCH, "|| op.name() == \"scf.if\" && op.regions().count() == 2 && arms.all(awaits_in)", "|| op.name() == \"scf.if\" && op.regions().count() == 2 && arms.any(awaits_in)"),
    (EVALUATE, "self.check_landed(&state, \"a transfer is in flight when the function returns\")?;", ""),
    (MEET, "state.flights = self.meet_flights(block, label, &edges, &states);", ""),
    (MEET, "Some(head) => storages.extend(&head.changed),", "Some(_) => {}"),
    (SWEEPS, "let is_new = before != after[index]", "let is_new = before.0 == u32::MAX"),
    (JOINED, "if !is_joined && bytes", "if bytes"),
    (VIEWS, "is_dense && of_a == of_b", "of_a == of_b"),
    (VIEWS, "is_dense && of_a == of_b", "is_dense"),
    (CHOICE, "if avoiding.len() >= slots.len() {", "if false {"),
    (CHOICE, "&& hull.1 - hull.0 == bytes", "&& hull.1 - hull.0 >= bytes"),
    (CHOICE, "places.filter(|own| self.are_disjoint(own))", "places.filter(|own| self.are_disjoint(own) || true)"),
    (CHOICE, "(Some(slot), None) => is_around(slot, &own),\n            (Some(_), Some(_)) => false,", "_ => true,"),
    (PLACES, "if !is_fixed(&view.start) || !extent.as_ref().is_none_or(is_fixed) {", "if false {"),
    (PLACES, "precedes(a, b) || precedes(b, a)", "true || precedes(a, b) || precedes(b, a)"),
    (PLACES, "                self.conceal_in(state, other, span);", "                let _ = (&state, span);"),
    (PLACES, "if !self.places_beside(a).contains(&b) {", "if true {"),
    (PLACES, "let all = [&[storage], self.places_beside(storage)].concat();", "let all = [storage];"),
    (PLACES, "size.constant <= factor => Some(node)", "size.constant <= i64::MAX => Some(node)"),
    (PLACES, "_ => None,\n    };\n    dims", "[(node, _), ..] => Some(node),\n        _ => None,\n    };\n    dims"),
    (ORDER, "let is_monotone = self.bound(&factor, 0).is_some_and(|own| own >= 0);", "let is_monotone = true;"),
    (ORDER, "if is_monotone && (!is_exact", "if (!is_exact"),
    (ORDER, "(false, _) => found.min(Some(own?)),", "(false, _) => found.max(Some(own?)),"),
    (ORDER, "[(of, step - 1), (of, 0)]", "[(of, 0), (of, 0)]"),
    (ORDER, "[(of, step - 1), (of, 0)]", "[(of, step - 1), (of, step - 1)]"),
    (ORDER, "            *factor > 0 && (is_assumed", "            *factor != 0 && (is_assumed"),
    (COMPUTE, "self.renew_all(state, None);", ""),
    (WRITES, "self.renew_all(state, Some(to));", ""),
    (WRITES, "self.renew(state, of_merge, target);", ""),
    (WRITES, "&& (of, along) == (label, edge)", "&& (of, along).0 < u32::MAX"),
    (READS, "found.is_none() || visit.known == found;", "true || visit.known == found;"),
    (READS, "(piece.length == length).then_some", "(piece.length <= length).then_some"),
    (READS, "if !aliasing.may_meet(*to, of) =>", "if *to != of =>"),
    (READS, "ranges(pieces).iter().all(is_excepted);", "ranges(pieces).iter().any(|_| true);"),
    (READS, "goal.offsets.0 == goal.offsets.1 && self.external(of, other) {\n                true", "self.external(of, other) {\n                true"),
    (READS, "if goal.offsets.0 != goal.offsets.1 || !self.external(of, other) {", "if !self.external(of, other) {"),
    (JOINS, "&& label == other", "&& (label == other || true)"),
    (SLICES, "goal.offsets.0 == goal.offsets.1;", "true;"),
    (SLICES, "if a.length(x) != Some(length) ||", "if"),
    (SLICES, "if label != other {", "if label == u32::MAX {"),
    (SLICES, "Some(_) => return None,", "Some(((x, _), (y, _))) => next.push((x, y)),"),
    (SLICES, "equal.push((*v, *w));", "let _ = (v, w);"),
    (SLICES, "equal.push((*old, before));", "let _ = old;"),
    (SLICES, "entering.next().is_none() && terms", "terms"),
    (SLICES, "&& terms.all(|(own, _)| is_from_before(a, *own, first_label));", "&& terms.all(|(own, _)| is_from_before(a, *own, first_label) || true);"),
    (SLICES, "let is_same = (start.constant, own.element) == (whole.start.constant, whole.element)", "let is_same = own.element == whole.element"),
    (SLICES, "&& pairs.clone().all(|(x, y)| x.1 == y.1)", ""),
    (SLICES, "if size != 1 && stride.known()? != length {", "if false {"),
    (MEMORY, "reads.is_some() && chain.states.contains(&node)", "reads.is_some() && chain.states.len() > 99"),
    (MEMORY, "&& is_within(own))", ")"),
    (MEMORY, "if !covers(written, &range) || is_excepted {", "if is_excepted || of != External::Argument(0) {"),
    (MEMORY, "own.0 == of && own.2 >= end", "own.0 == of"),
    (MEMORY, "!is_same(&x.0, &y.0) || ranges(&x.1) != ranges(&y.1)", "!is_same(&x.0, &y.0)"),
    (VALUE, "is_in_loop: true,\n                    ..", "number: u32::MAX,\n                    .."),
    (CASES, "[false, true].map(case).to_vec()", "[true].map(case).to_vec()"),
    (CASES, "edges.iter().map(case).collect()", "edges.iter().take(1).map(case).collect()"),
    (CASES, ".filter(|_| !self.is_in_cycle(block))", ""),
    (CASES, "&& !entry.all.contains(&number)", "&& false"),
    (VERDICTS, "for (own, theirs) in a.events.iter().zip(&b.events) {", "for (own, theirs) in a.events.iter().zip(&b.events).take(0) {"),
    (PEEL, "own.outside.is_empty() || self.has_one_exit(own)", "own.outside.is_empty() || true"),
    (EXTENT, "(at, around) = (own.last, own.outer);", "around = own.outer;"),
    (EXTENT, "work.extend(&sources[own]);", ""),
    (PLACES, "        if is_merged {\n", "        if false {\n"),
    (PLACES, "        if is_in_flight {\n", "        if false {\n"),
    (CHOICE, "here <= merge.last || flights", "here <= merge.last || false && flights"),
    (FACTS, "| Node::Site(_)\n        | Node::Induction(..)\n        | Node::Ticket", "| Node::Site(_)\n        | Node::Ticket"),
    (STEPS, "if self.flat.owners.contains_key(&value) && self.is_in_use(storage) {", "if false {"),
    (ARITHMETIC, "&& length <= bytes - start", ""),
    (ENDS, "forwarded.swap_remove(own);", "let _ = own;"),
    (OPERATIONS, '"memref.extract_aligned_pointer_as_index" =>', '"" =>'),
    (TRANSLATE, ".all(|index| index.constant() == Some(0))", ".all(|index| index.constant().is_some())"),
    (TRANSLATE, "if operands.left.next().is_some() {", "if false {"),
    (TRANSLATE, "if self.declaration(callee)? != Type::parse(op.context(), ty) {", "if self.declaration(callee)? == Type::parse(op.context(), \"index\") {"),
    (TRANSLATE, "(stated == offset).then_some(memref)", "(stated <= offset).then_some(memref)"),
    (ROTATION, "if busy.base != slot || ", "if "),
    (ROTATION, " == Some(UNSIGNED_LESS);", ".is_some_and(|own| own <= UNSIGNED_LESS);"),
]


def run(command, **options):
    return subprocess.run(command, cwd=COPY, capture_output=True, text=True, **options)


def is_noticed(file):
    """Rebuilds the dependents of a file and runs its tests. Returns whether a test fails."""
    environment = os.environ | {"CARGO_TARGET_DIR": str(TARGET / "remove-checks-target")}
    own = [crate for crate in ("mem-check", "mem-equivalence") if file.startswith(f"crates/{crate}")]
    for crate in own:
        test = ["cargo", "test", "--release", "-p", crate, "--quiet"]
        done = run(test, env=environment)
        assert "could not compile" not in done.stderr, done.stderr[:2000]
        if done.returncode:
            return True
    built = run(["cargo", "build", "--release", "--workspace", "--quiet"], env=environment)
    assert built.returncode == 0, built.stderr[:2000]
    folders = OPTIMIZED if file in OPTIMIZATIONS else CHECKERS
    tests = [LIT, "-s", "-Dvia=mem-opt", *(f"lit-tests/{folder}" for folder in folders)]
    return run(tests, env=environment).returncode != 0


def find():
    """Reports the checks that do not occur exactly once in the sources."""
    missing = 0
    for file, text, _ in CHECKS:
        count = (ROOT / file).read_text().count(text)
        if count != 1:
            print(f"{file}: found {count} times instead of once: {text}")
            missing += 1
    return 1 if missing else 0


def main(words):
    if words == ["--find"]:
        return find()
    shutil.rmtree(COPY, ignore_errors=True)
    COPY.mkdir(parents=True)
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True)
    # With the time of now: otherwise, what an interrupted run has built from a changed file would pass for up to date.
    subprocess.run(["tar", "xm", "-C", COPY], input=archive.stdout, check=True)
    chosen = [check for check in CHECKS if not words or any(word in " ".join(check) for word in words)]
    # Otherwise a test that fails for another reason would hide every missing test.
    assert not is_noticed("crates/mem-check"), "a test fails with all checks in place"
    assert not is_noticed("crates/mem-equivalence"), "a test fails with all checks in place"
    assert not is_noticed(SHARING), "a test fails with all checks in place"
    missed = 0
    for number, (file, text, without) in enumerate(chosen):
        path = COPY / file
        source = path.read_text()
        if source.count(text) != 1:
            print(f"{file}: found {source.count(text)} times instead of once: {text}", flush=True)
            missed += 1
            continue
        path.write_text(source.replace(text, without))
        if not is_noticed(file):
            print(f"{file}: no test depends on: {text}", flush=True)
            missed += 1
        path.write_text(source)
        if sys.stderr.isatty():
            print(f"{number + 1} of {len(chosen)}", end="\r", file=sys.stderr)
    print(f"{len(chosen)} checks, {missed} without a test that depends on them")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
