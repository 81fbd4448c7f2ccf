//! Which link a message travels over.
//!
//! All ranks have one plan, so a message has one link in the model. A route carries it if the conditions
//! of the route hold on every rank that starts the message: one that leaves a node on some ranks is
//! modeled as one that leaves it on all, since the other ranks would wait for those.

use mem_model::{Carrier, Hierarchy, Lanes, LinkId, MessageKind, Route};

/// A message, as far as routes ask for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traffic {
    /// What the message is for the rank that starts it.
    pub kind: MessageKind,
    /// The ends of the message for each rank that starts it: the rank itself, and the other one; of a
    /// collective, the rank, and another one that takes part, such that all that take part are connected.
    /// Ranks are those of the whole program. `None`: unknown.
    pub ends: Option<Vec<(u64, u64)>>,
    /// The other rank, if it is the same on all ranks; known even if the number of ranks is not.
    pub peer: Option<u64>,
}

impl Traffic {
    /// Whether a condition holds on every rank that starts the message; no rank fulfils none.
    fn all(&self, condition: impl Fn(u64, u64) -> bool) -> bool {
        let ends = self.ends.as_ref().filter(|own| !own.is_empty());
        ends.is_some_and(|own| own.iter().all(|(rank, other)| condition(*rank, *other)))
    }

    /// Whether all conditions of a route hold. Linear in the ranks, times the numbers of the route.
    fn fulfils(&self, route: &Route, shape: &[u64]) -> bool {
        let n_ranks = shape.iter().product::<u64>().max(1);
        let is_collective = self.kind == MessageKind::Collective;
        let has_distance = |rank: u64, other: u64| {
            let distance = (other + n_ranks - rank) % n_ranks;
            let mut of_route = route.distances.iter();
            of_route.any(|own| own.rem_euclid(n_ranks.cast_signed()).cast_unsigned() == distance)
        };
        let has_peer = || match self.peer {
            Some(peer) => route.peers.contains(&peer),
            None => self.all(|_, other| route.peers.contains(&other)),
        };
        route.kind.is_none_or(|kind| kind == self.kind)
            && route
                .node
                .is_none_or(|node| self.all(|rank, other| rank / node == other / node))
            && (route.distances.is_empty() || !is_collective && self.all(has_distance))
            && (route.peers.is_empty() || !is_collective && has_peer())
            && (route.axes.is_empty()
                || self.all(|rank, other| differs_along(&route.axes, shape, rank, other)))
    }
}

/// Whether the coordinates of two ranks differ along some axes only.
fn differs_along(axes: &[usize], shape: &[u64], mut a: u64, mut b: u64) -> bool {
    let last_first = shape.iter().enumerate().rev();
    let mut differing = last_first.filter(|(_, extent)| {
        let own = [a % **extent, b % **extent];
        (a, b) = (a / **extent, b / **extent);
        own[0] != own[1]
    });
    differing.all(|(axis, _)| axes.contains(&axis))
}

/// Where a message travels on a machine that has links. Linear in ranks and routes.
#[must_use]
pub fn carrier(hierarchy: &Hierarchy, message: &Traffic) -> Carrier {
    let fits = |route: &&Route| !route.is_default() && message.fulfils(route, &hierarchy.ranks);
    let routes = || hierarchy.routes.iter();
    let chosen = routes().find(fits);
    let chosen = chosen.or_else(|| routes().find(|route| route.is_default()));
    let link = chosen.map_or(LinkId::new(0), |route| route.link);
    let is_duplex = hierarchy
        .links
        .get(link.index())
        .is_some_and(|own| own.is_duplex);
    let lanes = match (is_duplex, message.kind) {
        (true, MessageKind::Send) => Lanes::Out,
        (true, MessageKind::Receive) => Lanes::In,
        _ => Lanes::Both,
    };
    Carrier { link, lanes }
}

#[cfg(test)]
mod tests {
    use mem_model::{Link, Port};

    use super::*;

    fn link(name: &str, is_duplex: bool) -> Link {
        Link {
            name: Some(name.to_owned()),
            port: Port::default(),
            is_duplex,
        }
    }

    fn route(link: usize) -> Route {
        Route {
            link: LinkId::new(link),
            kind: None,
            node: None,
            distances: Vec::new(),
            peers: Vec::new(),
            axes: Vec::new(),
        }
    }

    /// Two nodes of four ranks, as a grid; link 0 carries what nothing else does.
    fn machine(own: Route) -> Hierarchy {
        Hierarchy {
            links: vec![link("others", false), link("own", true)],
            routes: vec![route(0), own],
            ranks: vec![2, 4],
            ..Hierarchy::default()
        }
    }

    fn send(ends: &[(u64, u64)]) -> Traffic {
        Traffic {
            kind: MessageKind::Send,
            ends: Some(ends.to_vec()),
            peer: None,
        }
    }

    fn uses_own(own: &Route, message: &Traffic) -> bool {
        carrier(&machine(own.clone()), message).link == LinkId::new(1)
    }

    #[test]
    fn nodes_are_consecutive_ranks() {
        let own = Route {
            node: Some(4),
            ..route(1)
        };
        assert!(uses_own(&own, &send(&[(0, 3), (5, 4)])));
        assert!(!uses_own(&own, &send(&[(0, 1), (3, 4)])));
    }

    #[test]
    fn distances_wrap_around() {
        let own = Route {
            distances: vec![1, -1],
            ..route(1)
        };
        assert!(uses_own(&own, &send(&[(0, 1), (7, 0), (0, 7)])));
        assert!(!uses_own(&own, &send(&[(0, 2)])));
    }

    #[test]
    fn axes_are_those_along_which_the_ends_differ() {
        let own = |axes: &[usize]| Route {
            axes: axes.to_vec(),
            ..route(1)
        };
        let group: Vec<(u64, u64)> = (0..8).map(|rank| (rank, rank / 4 * 4)).collect();
        let message = Traffic {
            kind: MessageKind::Collective,
            ..send(&group)
        };
        assert!(uses_own(&own(&[1]), &message));
        assert!(!uses_own(&own(&[0]), &message));
        assert!(uses_own(&own(&[0, 1]), &send(&[(0, 7)])));
        assert!(!uses_own(&own(&[1]), &send(&[(0, 7)])));
    }

    #[test]
    fn peers_may_be_constant_or_computed() {
        let own = Route {
            peers: vec![0, 2],
            ..route(1)
        };
        assert!(uses_own(&own, &send(&[(1, 0), (3, 2)])));
        assert!(!uses_own(&own, &send(&[(1, 0), (3, 4)])));
        let constant = |peer| Traffic {
            ends: None,
            peer: Some(peer),
            ..send(&[])
        };
        assert!(uses_own(&own, &constant(2)));
        assert!(!uses_own(&own, &constant(1)));
    }

    /// All conditions of a route have to hold, and nothing is known of unknown ends.
    #[test]
    fn conditions_hold_together() {
        let own = Route {
            kind: Some(MessageKind::Send),
            node: Some(4),
            ..route(1)
        };
        let message = send(&[(0, 1)]);
        assert!(uses_own(&own, &message));
        let received = Traffic {
            kind: MessageKind::Receive,
            ..message.clone()
        };
        assert!(!uses_own(&own, &received));
        assert!(!uses_own(&own, &send(&[])));
        assert!(!uses_own(
            &own,
            &Traffic {
                ends: None,
                ..message
            }
        ));
    }

    /// The first route wins, and one without conditions is the last, wherever it is.
    #[test]
    fn the_first_route_carries_a_message() {
        let near = |link: usize| Route {
            distances: vec![1],
            ..route(link)
        };
        let mut machine = machine(near(1));
        machine.routes.push(near(0));
        let chosen = carrier(&machine, &send(&[(0, 1)]));
        assert_eq!((chosen.link, chosen.lanes), (LinkId::new(1), Lanes::Out));
    }

    /// Without routes, the only link carries everything; a collective needs both of its directions.
    #[test]
    fn one_link_needs_no_routes() {
        let mut machine = machine(route(1));
        machine.routes.clear();
        machine.links.remove(0);
        assert_eq!(carrier(&machine, &send(&[(0, 1)])).lanes, Lanes::Out);
        let all = Traffic {
            kind: MessageKind::Collective,
            ..send(&[(0, 1)])
        };
        assert_eq!(carrier(&machine, &all), Carrier::default());
    }
}
