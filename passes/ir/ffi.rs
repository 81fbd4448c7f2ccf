//! Rust declarations of `Shim.h`. Raw declarations only; the sibling modules provide safe wrappers.

use std::ffi::{c_char, c_void};

use mlir_sys::{
    MlirAttribute, MlirBlock, MlirContext, MlirDiagnosticSeverity, MlirDialectHandle,
    MlirDialectRegistry, MlirLocation, MlirOperation, MlirStringRef, MlirType, MlirValue,
};

#[repr(C)]
pub(crate) struct MemOptionSpec {
    pub name: *const c_char,
    pub about: *const c_char,
    pub default: *const c_char,
    pub kind: u32,
}

#[repr(C)]
pub(crate) struct MemStatisticSpec {
    pub name: *const c_char,
    pub about: *const c_char,
}

#[repr(C)]
pub(crate) struct MemPassRun {
    _opaque: [u8; 0],
}

#[repr(C)]
pub(crate) struct MemKept {
    pub data: *mut c_void,
    pub drop: Option<extern "C" fn(*mut c_void)>,
}

#[repr(C)]
pub(crate) struct MemOptionValues {
    _opaque: [u8; 0],
}

#[repr(C)]
pub(crate) struct MemPassSpec {
    pub argument: *const c_char,
    pub summary: *const c_char,
    pub anchor: *const c_char,
    pub options: *const MemOptionSpec,
    pub n_options: usize,
    pub statistics: *const MemStatisticSpec,
    pub n_statistics: usize,
    pub check: OptionCheck,
    pub run: extern "C" fn(usize, *mut MemPassRun) -> bool,
    pub index: usize,
    pub bufferizes: bool,
}

/// Checks the text of options; calls the sink with the error if the result is false.
pub(crate) type OptionCheck = extern "C" fn(usize, MlirStringRef, Sink, *mut c_void) -> bool;

pub(crate) type Sink = extern "C" fn(MlirStringRef, *mut c_void);

#[repr(C)]
pub(crate) struct MemPipelineSpec {
    pub argument: *const c_char,
    pub summary: *const c_char,
    pub options: *const MemOptionSpec,
    pub n_options: usize,
    pub check: OptionCheck,
    pub build: extern "C" fn(usize, *mut MemOptionValues, Sink, *mut c_void),
    pub index: usize,
}

#[repr(C)]
pub(crate) struct MemRefShape {
    pub element: MlirType,
    pub rank: isize,
    pub shape: *const i64,
    pub is_identity: bool,
    pub is_in_default_space: bool,
}

#[repr(C)]
pub(crate) struct MemNote {
    pub location: MlirLocation,
    pub text: MlirStringRef,
}

#[repr(C)]
pub(crate) struct MemFacts {
    pub flags: u32,
    pub view_source: MlirValue,
}

#[repr(C)]
pub(crate) struct MemLevel {
    pub name: MlirStringRef,
    pub capacity: i64,
    pub alignment: i64,
    pub read_latency: i64,
    pub write_latency: i64,
    pub read_bandwidth: f64,
    pub write_bandwidth: f64,
    pub space: MlirAttribute,
}

#[repr(C)]
pub(crate) struct MemRankLink {
    pub name: MlirStringRef,
    pub latency: i64,
    pub bandwidth: f64,
    pub is_duplex: bool,
}

#[repr(C)]
pub(crate) struct MemIntegers {
    pub data: *const i64,
    pub length: usize,
}

#[repr(C)]
pub(crate) struct MemRoute {
    pub link: MlirStringRef,
    pub kind: MlirStringRef,
    pub node: i64,
    pub distances: MemIntegers,
    pub peers: MemIntegers,
    pub axes: MemIntegers,
}

#[repr(C)]
pub(crate) struct MemRemarkArgument {
    pub key: MlirStringRef,
    pub value: MlirStringRef,
}

#[repr(C)]
pub(crate) struct MemRemark {
    pub location: MlirLocation,
    pub category: MlirStringRef,
    pub name: MlirStringRef,
    pub function: MlirStringRef,
    pub is_missed: bool,
    pub n_arguments: usize,
    pub arguments: *const MemRemarkArgument,
}

pub(crate) type SpaceCallback = extern "C" fn(*mut c_void, MlirAttribute) -> MlirAttribute;
pub(crate) type SymbolCallback = extern "C" fn(*mut c_void, MlirOperation, MlirStringRef);
pub(crate) type FunctionCallback = extern "C" fn(*mut c_void, MlirOperation) -> bool;
pub(crate) type AttributeCallback = extern "C" fn(*mut c_void, MlirStringRef, MlirAttribute);
pub(crate) type CallCallback = extern "C" fn(*mut c_void, MlirOperation);
pub(crate) type LevelCallback = extern "C" fn(*mut c_void, MemLevel);
pub(crate) type LinkCallback =
    extern "C" fn(*mut c_void, MlirStringRef, MlirStringRef, MlirStringRef);
pub(crate) type OperandCallback = extern "C" fn(*mut c_void, MlirStringRef, i64, MlirStringRef);
pub(crate) type RankLinkCallback = extern "C" fn(*mut c_void, MemRankLink);
pub(crate) type RouteCallback = extern "C" fn(*mut c_void, MemRoute);
pub(crate) type IntegersCallback = extern "C" fn(*mut c_void, MemIntegers);
pub(crate) type EffectCallback = extern "C" fn(*mut c_void, MlirValue, u32, bool);
pub(crate) type BranchCallback =
    extern "C" fn(*mut c_void, MlirBlock, usize, *const MlirValue, *const MlirValue);
pub(crate) type RegionCallback =
    extern "C" fn(*mut c_void, MlirOperation, isize, usize, *const MlirValue, *const MlirValue);

#[allow(non_snake_case, reason = "the names of Shim.h")]
unsafe extern "C" {
    pub(crate) fn memShimRegisterPass(spec: *const MemPassSpec);
    pub(crate) fn memShimRunOperation(run: *mut MemPassRun) -> MlirOperation;
    pub(crate) fn memShimRunString(run: *mut MemPassRun, option: usize) -> MlirStringRef;
    pub(crate) fn memShimRunInteger(run: *mut MemPassRun, option: usize) -> i64;
    pub(crate) fn memShimRunBoolean(run: *mut MemPassRun, option: usize) -> bool;
    pub(crate) fn memShimRunSetStatistic(run: *mut MemPassRun, statistic: usize, value: u64);
    pub(crate) fn memShimRunKept(run: *mut MemPassRun) -> *mut MemKept;
    pub(crate) fn memShimRunPreserve(run: *mut MemPassRun, all: bool);
    pub(crate) fn memShimRunSetVerified(run: *mut MemPassRun, is_verified: bool);
    pub(crate) fn memShimVerifyDuring(
        op: MlirOperation,
        work: extern "C" fn(*mut c_void),
        user: *mut c_void,
    ) -> bool;
    pub(crate) fn memShimRunPasses(
        run: *mut MemPassRun,
        op: MlirOperation,
        passes: MlirStringRef,
        sink: Sink,
        user: *mut c_void,
    ) -> bool;
    pub(crate) fn memShimStatisticsAreLost() -> bool;
    pub(crate) fn memShimPipelineText() -> MlirStringRef;
    pub(crate) fn memShimVerifiesDiagnostics() -> bool;
    pub(crate) fn memShimFirstWith(scope: MlirOperation, kind: u32) -> MlirOperation;
    pub(crate) fn memShimIsBufferizable(op: MlirOperation) -> bool;
    pub(crate) fn memShimLowerPads(op: MlirOperation) -> bool;
    pub(crate) fn memShimDropEquivalentResults(module: MlirOperation) -> bool;
    pub(crate) fn memShimResultsToArguments(
        module: MlirOperation,
        filter: FunctionCallback,
        user: *mut c_void,
    ) -> bool;
    pub(crate) fn memShimOptionString(values: *mut MemOptionValues, option: usize)
    -> MlirStringRef;
    pub(crate) fn memShimOptionInteger(values: *mut MemOptionValues, option: usize) -> i64;
    pub(crate) fn memShimOptionBoolean(values: *mut MemOptionValues, option: usize) -> bool;
    pub(crate) fn memShimRegisterPipeline(spec: *const MemPipelineSpec);
    pub(crate) fn memShimRegisterDialect(registry: MlirDialectRegistry);
    pub(crate) fn memShimDialectHandle() -> MlirDialectHandle;
    pub(crate) fn memShimEmit(
        location: MlirLocation,
        severity: MlirDiagnosticSeverity,
        text: MlirStringRef,
        n_notes: usize,
        notes: *const MemNote,
    );
    pub(crate) fn memShimWantsRemarks(
        context: MlirContext,
        category: MlirStringRef,
        is_missed: bool,
    ) -> bool;
    pub(crate) fn memShimEmitRemark(remark: *const MemRemark);
    pub(crate) fn memShimSymbolUses(
        scope: MlirOperation,
        callback: SymbolCallback,
        user: *mut c_void,
    ) -> bool;
    pub(crate) fn memShimInlineCall(
        call: MlirOperation,
        callee: MlirOperation,
        callback: CallCallback,
        user: *mut c_void,
    ) -> bool;
    pub(crate) fn memShimIndexBits(op: MlirOperation) -> u64;
    pub(crate) fn memShimTypeKind(ty: MlirType, size: *mut i64) -> u32;
    pub(crate) fn memShimTypeSpace(ty: MlirType, space: *mut MlirAttribute) -> bool;
    pub(crate) fn memShimMapTypeSpaces(
        ty: MlirType,
        map: SpaceCallback,
        user: *mut c_void,
    ) -> MlirType;
    pub(crate) fn memShimMapSpaces(op: MlirOperation, map: SpaceCallback, user: *mut c_void);
    pub(crate) fn memShimHierarchyGeneric(hierarchy: MlirAttribute) -> MlirAttribute;
    pub(crate) fn memShimUpperBound(value: MlirValue, max_values: usize) -> i64;
    pub(crate) fn memShimIterations(op: MlirOperation) -> i64;
    pub(crate) fn memShimNumInits(op: MlirOperation) -> isize;
    pub(crate) fn memShimMemRefShape(ty: MlirType, shape: *mut MemRefShape) -> bool;
    pub(crate) fn memShimRole(attribute: MlirAttribute) -> i32;
    pub(crate) fn memShimIsPure(op: MlirOperation) -> bool;
    pub(crate) fn memShimHierarchyLevels(
        hierarchy: MlirAttribute,
        callback: LevelCallback,
        user: *mut c_void,
    );
    pub(crate) fn memShimHierarchyLinks(
        hierarchy: MlirAttribute,
        callback: LinkCallback,
        user: *mut c_void,
    );
    pub(crate) fn memShimHierarchyOperands(
        hierarchy: MlirAttribute,
        callback: OperandCallback,
        user: *mut c_void,
    );
    pub(crate) fn memShimHierarchyCompute(hierarchy: MlirAttribute) -> f64;
    pub(crate) fn memShimHierarchyIsPreloaded(hierarchy: MlirAttribute) -> bool;
    pub(crate) fn memShimHierarchyRankLinks(
        hierarchy: MlirAttribute,
        callback: RankLinkCallback,
        user: *mut c_void,
    );
    pub(crate) fn memShimHierarchyRoutes(
        hierarchy: MlirAttribute,
        callback: RouteCallback,
        user: *mut c_void,
    );
    pub(crate) fn memShimHierarchyRanks(
        hierarchy: MlirAttribute,
        callback: IntegersCallback,
        user: *mut c_void,
    );
    pub(crate) fn memShimDescribe(
        op: MlirOperation,
        callback: EffectCallback,
        user: *mut c_void,
    ) -> MemFacts;
    pub(crate) fn memShimViewSource(op: MlirOperation) -> MlirValue;
    pub(crate) fn memShimIsStructured(op: MlirOperation) -> bool;
    pub(crate) fn memShimIsElementwise(op: MlirOperation) -> bool;
    pub(crate) fn memShimAttributes(
        op: MlirOperation,
        callback: AttributeCallback,
        user: *mut c_void,
    );
    pub(crate) fn memShimClone(op: MlirOperation) -> MlirOperation;
    pub(crate) fn memShimHasEqualAttributes(a: MlirOperation, b: MlirOperation) -> bool;
    pub(crate) fn memShimBranchEdges(
        op: MlirOperation,
        callback: BranchCallback,
        user: *mut c_void,
    );
    pub(crate) fn memShimIsEquivalent(a: MlirOperation, b: MlirOperation, except: isize) -> bool;
    pub(crate) fn memShimRegionEdges(
        op: MlirOperation,
        callback: RegionCallback,
        user: *mut c_void,
    );
}
