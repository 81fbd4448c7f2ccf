//! The memory hierarchy of a module.

use std::ffi::c_void;

use mem_model::{
    AcceptedOperand, Bytes, CopyEngine, Hierarchy, Level, LevelId, Link, LinkId, MessageKind, Port,
    Route,
};
use mlir_sys::MlirStringRef;

use super::ffi::{
    MemIntegers, MemLevel, MemRankLink, MemRoute, memShimHierarchyCompute,
    memShimHierarchyIsPreloaded, memShimHierarchyLevels, memShimHierarchyLinks,
    memShimHierarchyOperands, memShimHierarchyRankLinks, memShimHierarchyRanks,
    memShimHierarchyRoutes,
};
use super::handles::text;
use super::{Attribute, Op};

/// The module attribute that holds the hierarchy.
pub const HIERARCHY: &str = "mem.hierarchy";

/// The hierarchy of a module, if it has one.
pub fn hierarchy_of(module: Op) -> Option<Hierarchy> {
    module.attribute(HIERARCHY).map(hierarchy)
}

/// Converts a `#mem.hierarchy` attribute.
pub fn hierarchy(attribute: Attribute) -> Hierarchy {
    let mut hierarchy = Hierarchy {
        compute: c!(memShimHierarchyCompute(attribute.0)),
        is_preloaded: c!(memShimHierarchyIsPreloaded(attribute.0)),
        ..Hierarchy::default()
    };
    let user: *mut c_void = (&raw mut hierarchy).cast();
    c!(memShimHierarchyLevels(attribute.0, add_level, user));
    c!(memShimHierarchyLinks(attribute.0, add_link, user));
    c!(memShimHierarchyOperands(attribute.0, add_operand, user));
    c!(memShimHierarchyRankLinks(attribute.0, add_rank_link, user));
    c!(memShimHierarchyRoutes(attribute.0, add_route, user));
    c!(memShimHierarchyRanks(attribute.0, add_ranks, user));
    hierarchy
}

/// Adds a link between ranks.
extern "C" fn add_rank_link(user: *mut c_void, link: MemRankLink) {
    let name = text(link.name, &link);
    let link = Link {
        name: Some(name.to_owned()).filter(|name| !name.is_empty()),
        port: Port {
            latency: u64::try_from(link.latency).unwrap_or(0),
            bandwidth: link.bandwidth,
        },
        is_duplex: link.is_duplex,
    };
    // SAFETY: `user` is the hierarchy of `hierarchy`, which outlives the call.
    unsafe { &mut *user.cast::<Hierarchy>() }.links.push(link);
}

/// Copies numbers that are valid during a callback. The verifier has checked their range.
fn numbers<T: TryFrom<i64> + Default>(values: &MemIntegers) -> Vec<T> {
    if values.length == 0 {
        return Vec::new();
    }
    // SAFETY: the shim passes `length` numbers.
    let values = unsafe { std::slice::from_raw_parts(values.data, values.length) };
    let converted = values.iter().map(|own| T::try_from(*own));
    converted.map(Result::unwrap_or_default).collect()
}

/// Adds messages that travel over a link; all links are known.
extern "C" fn add_route(user: *mut c_void, route: MemRoute) {
    // SAFETY: as above.
    let hierarchy = unsafe { &mut *user.cast::<Hierarchy>() };
    let name = text(route.link, &route);
    let mut links = hierarchy.links.iter();
    // The verifier has checked that the link exists.
    let link = links.position(|own| own.name.as_deref() == Some(name));
    let own = Route {
        link: LinkId::new(link.unwrap_or(0)),
        kind: match text(route.kind, &route) {
            "send" => Some(MessageKind::Send),
            "receive" => Some(MessageKind::Receive),
            "collective" => Some(MessageKind::Collective),
            _ => None,
        },
        node: u64::try_from(route.node).ok().filter(|node| *node > 0),
        distances: numbers(&route.distances),
        peers: numbers(&route.peers),
        axes: numbers(&route.axes),
    };
    hierarchy.routes.push(own);
}

/// Sets the shape of the grid of ranks.
extern "C" fn add_ranks(user: *mut c_void, shape: MemIntegers) {
    // SAFETY: as above.
    unsafe { &mut *user.cast::<Hierarchy>() }.ranks = numbers(&shape);
}

/// Adds a level; `user` is the hierarchy.
extern "C" fn add_level(user: *mut c_void, level: MemLevel) {
    let port = |latency: i64, bandwidth: f64| Port {
        latency: u64::try_from(latency).unwrap_or(0),
        bandwidth,
    };
    let level = Level {
        name: text(level.name, &level).to_owned(),
        capacity: u64::try_from(level.capacity).ok().map(Bytes::new),
        alignment: Bytes::new(u64::try_from(level.alignment).unwrap_or(1)),
        read: port(level.read_latency, level.read_bandwidth),
        write: port(level.write_latency, level.write_bandwidth),
    };
    // SAFETY: `user` is the hierarchy of `hierarchy`, which outlives the call.
    unsafe { &mut *user.cast::<Hierarchy>() }.levels.push(level);
}

/// Adds a link of an engine; the links of one engine follow each other.
extern "C" fn add_link(
    user: *mut c_void,
    engine: MlirStringRef,
    source: MlirStringRef,
    target: MlirStringRef,
) {
    // SAFETY: as above.
    let hierarchy = unsafe { &mut *user.cast::<Hierarchy>() };
    let ends = [source, target].map(|name| hierarchy.find(text(name, &name)));
    // The verifier has checked that all names exist.
    let link = (
        ends[0].unwrap_or(LevelId::new(0)),
        ends[1].unwrap_or(LevelId::new(0)),
    );
    let name = text(engine, &engine);
    let engines = &mut hierarchy.engines;
    match engines.last_mut().filter(|engine| engine.name == name) {
        Some(engine) => engine.links.push(link),
        None => engines.push(CopyEngine {
            name: name.to_owned(),
            links: vec![link],
        }),
    }
}

/// Adds a level in which an operation accepts an operand.
extern "C" fn add_operand(
    user: *mut c_void,
    operation: MlirStringRef,
    index: i64,
    level: MlirStringRef,
) {
    // SAFETY: as above.
    let hierarchy = unsafe { &mut *user.cast::<Hierarchy>() };
    let (operation, index) = (
        text(operation, &operation),
        usize::try_from(index).unwrap_or(0),
    );
    let Some(level) = hierarchy.find(text(level, &level)) else {
        return;
    };
    let operands = &mut hierarchy.operands;
    let known = operands
        .iter_mut()
        .find(|known| known.operation == operation && known.index == index);
    match known {
        Some(known) => known.levels.push(level),
        None => operands.push(AcceptedOperand {
            operation: operation.to_owned(),
            index,
            levels: vec![level],
        }),
    }
}
