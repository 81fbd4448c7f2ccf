//! Memory spaces: those of types, and those that a hierarchy gives its levels.

use std::ffi::c_void;

use mem_model::{LevelId, UnknownName};
use mlir_sys::MlirAttribute;

use super::ffi::{
    MemLevel, memShimHierarchyGeneric, memShimHierarchyLevels, memShimMapSpaces,
    memShimMapTypeSpaces, memShimTypeSpace,
};
use super::handles::text;
use super::{Attribute, Context, Op, Type};

/// A memory space; `None` is the default one.
pub(crate) type Space = Option<Attribute>;

/// The memory space of the storage that a type denotes or, like `!async.value`, contains; `None` if
/// there is no storage in it.
pub(crate) fn space_of(ty: Type) -> Option<Space> {
    let mut space = c!(mlir_sys::mlirAttributeGetNull());
    c!(memShimTypeSpace(ty.0, &raw mut space)).then(|| Attribute::new(space))
}

/// A type with all storage in it in the given memory space.
pub(crate) fn in_space(ty: Type, space: Space) -> Type {
    map_type(ty, |_| space)
}

/// A type with all storage in it in the default memory space.
pub(crate) fn without_space(ty: Type) -> Type {
    match space_of(ty) {
        // Most types have none, and making a type takes time.
        None | Some(None) => ty,
        Some(Some(_)) => in_space(ty, None),
    }
}

/// Calls the closure that `user` points to.
extern "C" fn call<F: FnMut(Space) -> Space>(
    user: *mut c_void,
    space: MlirAttribute,
) -> MlirAttribute {
    // SAFETY: `user` is the closure of `map_type` or `map_spaces`, which outlives the call.
    let map = unsafe { &mut *user.cast::<F>() };
    match map(Attribute::new(space)) {
        Some(space) => space.0,
        None => c!(mlir_sys::mlirAttributeGetNull()),
    }
}

fn map_type<F: FnMut(Space) -> Space>(ty: Type, mut map: F) -> Type {
    let user: *mut c_void = (&raw mut map).cast();
    Type(c!(memShimMapTypeSpaces(ty.0, call::<F>, user)))
}

/// Maps the memory spaces of all types in an operation and in the operations nested in it. Erases
/// the casts between memory spaces that become casts of a type to itself. O(operations).
pub(crate) fn map_spaces<F: FnMut(Space) -> Space>(op: Op, mut map: F) {
    let user: *mut c_void = (&raw mut map).cast();
    c!(memShimMapSpaces(op.0, call::<F>, user));
    let mut casts = Vec::new();
    op.walk(&mut |op| {
        if op.name() == "memref.memory_space_cast" && op.operand(0).ty() == op.result().ty() {
            casts.push(op);
        }
    });
    for cast in casts {
        cast.result().replace_with(cast.operand(0));
        cast.erase();
    }
}

/// What the types of placed tensors say about their level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpaceForm {
    /// Nothing.
    None,
    /// The memory space that the hierarchy gives the level.
    Keep,
    /// An integer.
    Number,
    /// `#mem.space` with the name of the level.
    Name,
}

impl std::str::FromStr for SpaceForm {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let name_of = |form| match form {
            Self::None => "none",
            Self::Keep => "keep",
            Self::Number => "number",
            Self::Name => "name",
        };
        let all = [Self::None, Self::Keep, Self::Number, Self::Name];
        mem_model::named("form of memory spaces", &all, name_of, name)
    }
}

/// The memory spaces of the levels of a hierarchy.
#[derive(Clone, Debug)]
pub(crate) struct LevelSpaces {
    /// Indexed by level: the name and the memory space that the hierarchy states.
    stated: Vec<(String, Space)>,
    /// The memory space that every other one can be cast to; the outer `None` if there is none.
    pub generic: Option<Space>,
}

impl LevelSpaces {
    /// The memory spaces of a `#mem.hierarchy`.
    pub(crate) fn new(hierarchy: Attribute) -> Self {
        extern "C" fn add(user: *mut c_void, level: MemLevel) {
            // SAFETY: `user` is the vector below, which outlives the call.
            let stated = unsafe { &mut *user.cast::<Vec<(String, Space)>>() };
            let name = text(level.name, &level).to_owned();
            stated.push((name, not_zero(Attribute::new(level.space))));
        }
        let mut stated: Vec<(String, Space)> = Vec::new();
        c!(memShimHierarchyLevels(
            hierarchy.0,
            add,
            (&raw mut stated).cast()
        ));
        let generic = Attribute::new(c!(memShimHierarchyGeneric(hierarchy.0)));
        Self {
            stated,
            generic: generic.map(|space| not_zero(Some(space))),
        }
    }

    /// All levels, fastest first.
    pub(crate) fn levels(&self) -> impl Iterator<Item = LevelId> + use<> {
        (0..self.stated.len()).map(LevelId::new)
    }

    /// The memory space that the hierarchy states for a level.
    pub(crate) fn stated(&self, level: LevelId) -> Space {
        self.stated[level.index()].1
    }

    /// Indexed by level: its memory space in the given form. `home`: the level of storage without a
    /// memory space; `None`: the slowest.
    pub(crate) fn in_form(
        &self,
        context: Context,
        form: SpaceForm,
        home: Option<LevelId>,
    ) -> Vec<Space> {
        match form {
            SpaceForm::None => vec![None; self.stated.len()],
            SpaceForm::Keep => self.stated.iter().map(|(_, space)| *space).collect(),
            SpaceForm::Number => self.numbers(context, home),
            SpaceForm::Name => {
                let name = |(name, _): &(String, Space)| {
                    Some(Attribute::parse(context, &format!("#mem.space<{name:?}>")))
                };
                self.stated.iter().map(name).collect()
            }
        }
    }

    /// The integers of levels that state one, or a space of `gpu` that has one by convention if no
    /// level states it. Other levels get the smallest integers that are left, in order, and `home`
    /// gets the default memory space. Levels that state one memory space share an integer.
    fn numbers(&self, context: Context, home: Option<LevelId>) -> Vec<Space> {
        let stated = |own: &(String, Space)| own.1.and_then(Attribute::integer);
        let mut numbers: Vec<Option<i64>> = self.stated.iter().map(stated).collect();
        let home = home.map_or(numbers.len().saturating_sub(1), LevelId::index);
        for level in 0..numbers.len() {
            let own = self.stated[level].1;
            let mut before = self.stated[..level].iter();
            let same = before.position(|other| own.is_some() && other.1 == own);
            let convention = own.and_then(convention);
            let is_free = |number: &i64| !numbers.contains(&Some(*number));
            let number = match numbers[level].or_else(|| numbers[same?]) {
                Some(number) => number,
                None => match convention.filter(is_free) {
                    Some(number) => number,
                    None if level == home => 0,
                    None => (1..).find(is_free).unwrap_or(0),
                },
            };
            numbers[level] = Some(number);
        }
        let space = |number| Some(Attribute::integer_attribute(context, number));
        let numbers = numbers.into_iter().flatten();
        numbers.map(|number| not_zero(space(number))).collect()
    }

    /// The name of a level.
    pub(crate) fn name(&self, level: LevelId) -> &str {
        &self.stated[level.index()].0
    }

    /// The level with a name.
    pub(crate) fn level_named(&self, name: &str) -> Option<LevelId> {
        let mut levels = self.stated.iter();
        levels.position(|(own, _)| own == name).map(LevelId::new)
    }

    /// The level that a memory space names, or the first one that states it.
    pub(crate) fn first_of(&self, space: Space) -> Option<LevelId> {
        let mut levels = self.levels().filter(|level| self.stated(*level) == space);
        self.level_of(space)
            .or_else(|| levels.next().filter(|_| space.is_some()))
    }

    /// The level that a memory space stands for: by name, or because it is the only one that states
    /// this space. `None` for the default space and for a space of no level.
    pub(crate) fn level_of(&self, space: Space) -> Option<LevelId> {
        if let Some(name) = named_level(space?) {
            return self.level_named(&name);
        }
        let mut levels = self.levels().filter(|level| self.stated(*level) == space);
        levels.next().filter(|_| levels.next().is_none())
    }
}

/// The integer that NVVM, ROCDL and SPIR-V give a space of the `gpu` dialect.
fn convention(space: Attribute) -> Option<i64> {
    match space.to_string().as_str() {
        "#gpu.address_space<global>" => Some(1),
        "#gpu.address_space<workgroup>" => Some(3),
        "#gpu.address_space<private>" => Some(5),
        _ => None,
    }
}

/// The level that `#mem.space` names; `None` for other attributes.
pub(crate) fn named_level(space: Attribute) -> Option<String> {
    let text = space.to_string();
    let name = text.strip_prefix("#mem.space<\"")?.strip_suffix("\">")?;
    Some(name.to_owned())
}

/// A memory space in a diagnostic.
pub(crate) fn shown(space: Space) -> String {
    space.map_or_else(
        || "the default memory space".to_owned(),
        |space| match space.integer() {
            Some(number) => format!("memory space {number}"),
            None => format!("memory space {space}"),
        },
    )
}

/// As MLIR's types do it, the integer 0 stands for the default memory space.
fn not_zero(space: Space) -> Space {
    space.filter(|space| space.integer() != Some(0))
}
