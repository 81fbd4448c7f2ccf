//! Backjumping: a search that places blocks in ascending order of their offsets switches between parts of the
//! problem that have nothing to do with each other. Where a branch fails in one part, other placements in
//! another part do not help, but chronological backtracking tries them all. Instead, the search returns
//! to the last placement that concerns the sections in which it failed.
//!
//! Related work: Prosser, "Hybrid algorithms for the constraint satisfaction problem", 1993. A conflict set
//! holds sections here, not the reasons of each offset. A jump may therefore pass over a placement that would
//! have helped: it finds plans, and proves nothing.

use super::super::shape::Shape;

/// A set of sections; as it has few bits, one bit stands for several sections of a long problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sections(u128);

impl Sections {
    fn of(section: u32, n_sections: usize) -> Self {
        let n_bits = u128::BITS as usize;
        Self(1 << (section as usize * n_bits / n_sections.max(n_bits)))
    }

    pub(super) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// What a search remembers of failures.
pub(super) struct Backjump {
    n_sections: usize,
    /// Per block: the sections in which it is live.
    live: Vec<Sections>,
    /// The sections to which the last failure is due.
    pub failed: Sections,
    /// Whether placements were passed over, so that a failure of the whole search is no proof.
    pub has_jumped: bool,
}

impl Backjump {
    pub(super) fn new(shape: &Shape) -> Self {
        let n_sections = shape.n_sections;
        let live = shape.items.iter().map(|item| {
            let sections = item.live.iter().flat_map(|range| range.start..range.end);
            sections.fold(Sections::default(), |set, section| {
                set.with(Sections::of(section, n_sections))
            })
        });
        Self {
            n_sections,
            live: live.collect(),
            failed: Sections::default(),
            has_jumped: false,
        }
    }

    /// A section is full.
    pub(super) fn fail_in(&mut self, section: u32) {
        self.failed = Sections::of(section, self.n_sections);
    }

    /// A block fits nowhere.
    pub(super) fn fail_of(&mut self, block: u32) {
        self.failed = self.live[block as usize];
    }

    /// No placement was possible, for whatever reason.
    pub(super) fn fail_everywhere(&mut self) {
        self.failed = Sections(u128::MAX);
    }

    /// Whether the placement of `block`, which raised others, concerns the last failure.
    pub(super) fn concerns(&self, block: u32, raised: &[(u32, u64)]) -> bool {
        let meets = |block: u32| self.live[block as usize].meets(self.failed);
        meets(block) || raised.iter().any(|(other, _)| meets(*other))
    }
}

#[cfg(test)]
mod tests {
    use mem_testkit::{Rng, cut_rectangle};

    use super::super::super::descent::Descent;
    use super::super::{Answer, Search};
    use super::*;
    use crate::arena::limits::Clock;

    #[test]
    fn a_bit_stands_for_several_sections_of_a_long_problem() {
        assert_eq!(Sections::of(127, 128), Sections(1 << 127));
        assert_eq!(Sections::of(2, 3), Sections(1 << 2));
        assert_eq!(Sections::of(999, 1000), Sections(1 << 127));
        assert_eq!(Sections::of(0, 1000), Sections::of(7, 1000));
    }

    /// Jumps save work, and a search that jumped never claims that a problem does not fit: some that it
    /// gives up do fit.
    #[test]
    fn jumps_save_work_and_prove_nothing() {
        let mut rng = Rng::new(1);
        let (mut complete, mut jumping) = (0, 0);
        let mut n_missed = 0;
        for case in 0..5000 {
            let problem = cut_rectangle(&mut rng, 10 + case % 20, 40, 64);
            let alignments: Vec<_> = problem.items.iter().map(|item| item.alignment).collect();
            let shape = Shape::new(&problem, &alignments).expect("blocks");
            let ranks = Descent::for_ranks(&shape).ranks_of_attempt(case);
            let capacity = 64 - case as u64 % 2;
            let search = || Search::new(&shape, capacity, ranks.clone(), 200_000, Clock::default());
            let (mut all, mut some) = (search(), search().with_backjumping());
            let (answer, with_jumps) = (all.run(), some.run());
            complete += all.work();
            jumping += some.work();
            match with_jumps {
                Answer::Fits => assert_ne!(answer, Answer::DoesNotFit),
                Answer::DoesNotFit => assert_eq!(answer, Answer::DoesNotFit),
                Answer::Exhausted => n_missed += usize::from(answer == Answer::Fits),
                Answer::OutOfBudget => assert_eq!(answer, Answer::OutOfBudget),
            }
        }
        assert!(jumping < complete * 2 / 3, "{jumping} of {complete}");
        assert!(n_missed > 0);
    }
}
