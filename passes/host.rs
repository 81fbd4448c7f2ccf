//! Checks that the host of the plugin uses the libMLIR that the plugin is built for.
//!
//! A host with another copy of MLIR, such as a tool that links MLIR statically, has registries of
//! its own. Passes that the plugin registers in the registry of its libMLIR do not exist for that
//! host, and objects of one copy crash in the other one. The loader cannot tell: it loads the
//! plugin's libMLIR beside the host's copy.
//!
//! The host uses the plugin's libMLIR if that library was loaded before the plugin, or if a loaded
//! object besides the plugin declares that it needs the library. A host that uses it in neither way
//! is refused wrongly; one that opens it with `dlopen` after the plugin would be such a host.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::Path;
use std::sync::OnceLock;

/// The version of LLVM and MLIR that the plugin is built for.
pub const BUILT_FOR: &str = env!("MEM_OPT_LLVM_VERSION");

/// A loaded object: the main program or a shared library.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Object {
    /// The path; empty for the main program.
    path: String,
    /// File names of the libraries that it needs.
    needed: Vec<String>,
}

impl Object {
    fn file_name(&self) -> &str {
        let name = Path::new(&self.path).file_name();
        name.and_then(|name| name.to_str()).unwrap_or_default()
    }
}

/// The file name of the shared library of MLIR of a version, such as `libMLIR.so.22.1`.
fn library(version: &str) -> String {
    let mut parts = version.split('.');
    let (major, minor) = (
        parts.next().unwrap_or_default(),
        parts.next().unwrap_or_default(),
    );
    format!("libMLIR.so.{major}.{minor}")
}

/// Why the plugin cannot work in a process with these objects, in the order of loading; `plugin` is
/// the position of the plugin.
fn complaint(objects: &[Object], plugin: usize, host: &str) -> Option<String> {
    let own = library(BUILT_FOR);
    let is_own = |name: &str| name.starts_with(&own);
    let is_loaded_before = objects.iter().take(plugin).any(|o| is_own(o.file_name()));
    let mut others = objects.iter().enumerate().filter(|(i, _)| *i != plugin);
    let is_needed = others.any(|(_, o)| {
        // Libraries of MLIR that need libMLIR came with the plugin's own copy.
        !o.file_name().starts_with("libMLIR") && o.needed.iter().any(|name| is_own(name))
    });
    if is_loaded_before || is_needed {
        return None;
    }
    let mut names = objects.iter().map(Object::file_name);
    let other = names.find(|name| name.starts_with("libMLIR.so") && !is_own(name));
    let has = match other {
        Some(name) => format!("uses {name}"),
        None => format!("does not use {own}"),
    };
    Some(format!(
        "this plugin is built for MLIR {BUILT_FOR}, but '{host}' {has}: it would not find the \
         plugin's passes; load the plugin into mlir-opt {BUILT_FOR} or another program that links \
         {own}"
    ))
}

/// Whether the host can use the plugin. The first call reports on standard error if not.
pub(crate) fn is_compatible() -> bool {
    static ANSWER: OnceLock<bool> = OnceLock::new();
    *ANSWER.get_or_init(|| {
        let objects = loaded_objects();
        let Some(plugin) = objects.iter().position(|o| o.is_this()) else {
            // The code is in the main program, which links libMLIR.
            return true;
        };
        let objects: Vec<Object> = objects.into_iter().map(|o| o.object).collect();
        let host = std::env::current_exe().unwrap_or_default();
        let complaint = complaint(&objects, plugin, &host.display().to_string());
        if let Some(text) = &complaint {
            eprintln!("mem-opt: error: {text}");
        }
        complaint.is_none()
    })
}

/// An object and the addresses that its code and data occupy.
struct Mapped {
    object: Object,
    segments: Vec<std::ops::Range<usize>>,
}

impl Mapped {
    /// Whether this code is in the object, which is not the main program.
    fn is_this(&self) -> bool {
        let here = is_compatible as *const () as usize;
        !self.object.path.is_empty() && self.segments.iter().any(|range| range.contains(&here))
    }
}

/// An entry of the dynamic section of an ELF file.
#[repr(C)]
#[derive(Clone, Copy)]
struct Dynamic {
    tag: usize,
    value: usize,
}

const END: usize = 0;
const NEEDED: usize = 1;
const STRING_TABLE: usize = 5;

/// The objects of this process in the order of loading.
fn loaded_objects() -> Vec<Mapped> {
    unsafe extern "C" fn collect(
        info: *mut libc::dl_phdr_info,
        _size: usize,
        user: *mut c_void,
    ) -> c_int {
        // SAFETY: the loader passes a description that is valid during the call, and `user` is the
        // vector below.
        let (info, objects) = unsafe { (&*info, &mut *user.cast::<Vec<Mapped>>()) };
        // SAFETY: the description is the loader's own.
        objects.push(unsafe { mapped(info) });
        0
    }
    let mut objects: Vec<Mapped> = Vec::new();
    // SAFETY: the callback does not unwind: it allocates, and reads what the loader has mapped.
    unsafe { libc::dl_iterate_phdr(Some(collect), (&raw mut objects).cast()) };
    objects
}

/// Reads the description of an object.
///
/// # Safety
/// `info` has to be the loader's description of an object that is loaded.
unsafe fn mapped(info: &libc::dl_phdr_info) -> Mapped {
    let base = info.dlpi_addr as usize;
    // SAFETY: the loader states the number of headers that follow the pointer.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
    let address = |header: &libc::Elf64_Phdr| base.wrapping_add(header.p_vaddr as usize);
    let loaded = headers.iter().filter(|h| h.p_type == libc::PT_LOAD);
    let segments = loaded.map(|h| address(h)..address(h).wrapping_add(h.p_memsz as usize));
    let segments: Vec<_> = segments.collect();
    // SAFETY: names are NUL-terminated.
    let path = unsafe { text(info.dlpi_name) };
    let dynamic = headers.iter().find(|h| h.p_type == libc::PT_DYNAMIC);
    let is_inside = |at: usize| segments.iter().any(|range| range.contains(&at));
    let needed = dynamic.map(|header| {
        // SAFETY: the dynamic section of a loaded object is mapped.
        unsafe { needed(address(header), base, is_inside) }
    });
    let needed = needed.unwrap_or_default();
    Mapped {
        object: Object { path, needed },
        segments,
    }
}

/// The names of the libraries in the dynamic section at an address.
///
/// # Safety
/// The section must be mapped.
unsafe fn needed(section: usize, base: usize, is_inside: impl Fn(usize) -> bool) -> Vec<String> {
    let mut entry = section as *const Dynamic;
    let (mut offsets, mut strings) = (Vec::new(), None);
    loop {
        // SAFETY: the section ends with an entry `END`, which is not passed.
        let Dynamic { tag, value } = unsafe { *entry };
        match tag {
            END => break,
            NEEDED => offsets.push(value),
            // Loaders relocate the address of the table, except in objects that they cannot write.
            STRING_TABLE if is_inside(value) => strings = Some(value),
            STRING_TABLE => strings = Some(base.wrapping_add(value)),
            _ => {}
        }
        // SAFETY: as above.
        entry = unsafe { entry.add(1) };
    }
    let Some(strings) = strings.filter(|at| is_inside(*at)) else {
        return Vec::new();
    };
    let name = |offset: &usize| {
        // SAFETY: offsets of names are inside the table, which consists of NUL-terminated strings.
        unsafe { text((strings + offset) as *const c_char) }
    };
    offsets.iter().map(name).collect()
}

/// Copies a string.
///
/// # Safety
/// The pointer must be null or that of a NUL-terminated string.
unsafe fn text(raw: *const c_char) -> String {
    if raw.is_null() {
        return String::new();
    }
    // SAFETY: as the caller guarantees.
    unsafe { CStr::from_ptr(raw) }
        .to_string_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(path: &str, needed: &[&str]) -> Object {
        Object {
            path: path.to_owned(),
            needed: needed.iter().map(|name| (*name).to_owned()).collect(),
        }
    }

    fn own() -> String {
        format!("/usr/lib/{}", library(BUILT_FOR))
    }

    #[test]
    fn the_library_has_two_parts_of_the_version() {
        assert_eq!(library("22.1.8"), "libMLIR.so.22.1");
    }

    #[test]
    fn a_host_that_needs_the_library_is_compatible() {
        let name = library(BUILT_FOR);
        let host = object("", &["libc.so.6", &name]);
        let plugin = object("/x/libmem_opt.so", &[&name]);
        // The host links the plugin itself, which is therefore loaded before the library.
        let objects = [host, plugin.clone(), object(&own(), &[])];
        assert_eq!(complaint(&objects, 1, "host"), None);
        // The host is a library of a program that knows nothing of MLIR.
        let library = object("/y/bindings.so", &[&name]);
        let objects = [object("", &[]), plugin, library, object(&own(), &[])];
        assert_eq!(complaint(&objects, 1, "host"), None);
    }

    #[test]
    fn a_host_that_opened_the_library_is_compatible() {
        let plugin = object("/x/libmem_opt.so", &[&library(BUILT_FOR)]);
        let objects = [object("", &[]), object(&own(), &[]), plugin];
        assert_eq!(complaint(&objects, 2, "host"), None);
    }

    #[test]
    fn a_host_with_mlir_of_its_own_is_refused() {
        let name = library(BUILT_FOR);
        let plugin = object("/x/libmem_opt.so", &[&name]);
        // Libraries that come with the plugin's copy prove nothing about the host.
        let engine = object("/usr/lib/libMLIRExecutionEngineShared.so", &[&name]);
        let objects = [object("", &[]), plugin.clone(), object(&own(), &[]), engine];
        let text = complaint(&objects, 1, "iree-opt").unwrap();
        assert!(
            text.contains(&format!("'iree-opt' does not use {name}")),
            "{text}"
        );
        let other = object("/z/libMLIR.so.7.0", &[]);
        let objects = [
            object("", &["libMLIR.so.7.0"]),
            other,
            plugin,
            object(&own(), &[]),
        ];
        let text = complaint(&objects, 2, "mlir-opt").unwrap();
        assert!(text.contains("'mlir-opt' uses libMLIR.so.7.0"), "{text}");
    }

    #[test]
    fn the_objects_of_this_process_are_found() {
        let objects = loaded_objects();
        let needed = objects.iter().flat_map(|o| &o.object.needed);
        assert!(needed.into_iter().any(|name| name.starts_with("libc.so")));
    }
}
