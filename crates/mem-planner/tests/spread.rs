//! Random plans whose items move apart: the checker accepts the result, fixed items stay, the peak grows
//! by no more than is allowed, and the cost falls. The cost is computed here a second time.

use mem_check::check_plan;
use mem_model::{Bytes, Contact, Interval, Part, Partner, Plan, Problem};
use mem_planner::{PlanOptions, Spread, Strategy, plan, spread};
use mem_testkit::{Rng, add_demands, number, random_problem};

/// Factor by which random items, of up to 300 bytes, grow: items of several pages.
const SCALE: u64 = 64;

/// A random problem with items of up to five pages, without what `spread` refuses.
fn problem_of(rng: &mut Rng) -> Problem {
    let mut problem = random_problem(rng, 24, 12);
    if rng.chance(50) {
        add_demands(rng, &mut problem, 600);
    }
    problem.reserved.clear();
    problem.penalties.clear();
    let scaled = |bytes: Bytes| Bytes::new(bytes.get() * SCALE);
    for item in &mut problem.items {
        item.size = scaled(item.size);
        item.fixed = item.fixed.map(scaled);
        let part = |part: &Part| Part {
            bytes: Interval::new(scaled(part.bytes.start), scaled(part.bytes.end)),
            live: part.live.clone(),
        };
        item.parts = item.parts.iter().map(part).collect();
    }
    problem
}

fn contacts_of(rng: &mut Rng, n: usize) -> Vec<Contact> {
    let mut contacts = Vec::new();
    while rng.chance(90) {
        let (item, other) = (rng.below(n), rng.below(n + 1));
        let other = match other {
            other if other < n && other != item => Partner::Item(other),
            _ => Partner::Outside,
        };
        let weight = 1 + rng.below(9) as u64;
        contacts.push(Contact {
            item,
            other,
            weight,
        });
    }
    contacts
}

/// As documented: the weight counts four times within a line, and once within four lines, except in place.
fn cost_of(contacts: &[Contact], plan: &Plan) -> u64 {
    let start = |item: usize| plan.placements[item].offset.get() % 4096;
    let mut cost = 0;
    for contact in contacts {
        let offset = plan.placements[contact.item].offset;
        if let Partner::Item(other) = contact.other
            && plan.placements[other].offset == offset
        {
            continue;
        }
        let own = start(contact.item);
        let other = match contact.other {
            Partner::Item(other) => start(other),
            Partner::Outside => 0,
        };
        let distance = own.abs_diff(other);
        cost += match distance.min(4096 - distance) {
            0..64 => 4 * contact.weight,
            64..256 => contact.weight,
            _ => 0,
        };
    }
    cost
}

#[test]
fn plans_stay_plans_and_cost_less() {
    let n_cases = number("SPREAD_CASES", 2000);
    let (mut n_moved, mut n_without_cost, mut n_paid, mut n_planned) = (0, 0, 0, 0);
    for seed in 0..n_cases {
        let mut rng = Rng::new(seed);
        let problem = problem_of(&mut rng);
        if problem.items.is_empty() {
            continue;
        }
        let contacts = contacts_of(&mut rng, problem.items.len());
        let options = PlanOptions::default().with_effort(1000);
        let Ok(packed) = plan(&problem, Strategy::Auto, &options) else {
            continue;
        };
        n_planned += 1;
        let before = cost_of(&contacts, &packed);
        let allowed = [0, 64, 1024, 100_000][rng.below(4)];
        let found = spread(
            &problem,
            &contacts,
            &packed,
            Spread::Within(Bytes::new(allowed)),
        );
        let Some(found) = found else { continue };
        let after = cost_of(&contacts, &found);
        check_plan(&problem, &found).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert!(after < before, "seed {seed}: cost {before}, then {after}");
        assert!(
            found.peak.get() <= packed.peak.get() + allowed,
            "seed {seed}: peak {}, then {}",
            packed.peak,
            found.peak
        );
        if found.peak > packed.peak {
            n_paid += 1;
            let free = spread(&problem, &contacts, &packed, Spread::default());
            let free = free.map_or(before, |free| cost_of(&contacts, &free));
            assert!(after < free, "seed {seed}: {after}, and {free} at no price");
        }
        n_moved += 1;
        n_without_cost += u64::from(after == 0);
    }
    assert!(n_planned > n_cases / 2, "{n_planned}");
    assert!(n_moved > n_cases / 4, "{n_moved}");
    assert!(n_without_cost > n_cases / 20, "{n_without_cost}");
    assert!(n_paid > n_cases / 20, "{n_paid}");
}
