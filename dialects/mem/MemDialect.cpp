//! The parts of the mem dialect's attributes and types that ODS cannot express: verifiers, and the
//! assembly format of the hierarchy. No policy.

#include "MemDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

using namespace mlir;
using namespace mlir::mem;

#include "MemDialect.cpp.inc"
#include "MemEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "MemAttrs.cpp.inc"

//===----------------------------------------------------------------------===//
// Dialect
//===----------------------------------------------------------------------===//

namespace {
/// Every operation of the dialect may be inlined anywhere.
struct MemInlinerInterface final : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const override { return true; }
};
} // namespace

void MemDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "MemOps.cpp.inc"
      >();
  addInterfaces<MemInlinerInterface>();
}

void MemDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "MemAttrs.cpp.inc"
      >();
}

/// Reports a reserved attribute that is unknown or misplaced.
static LogicalResult rejectAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == MemDialect::kHierarchyAttrName)
    return op->emitOpError("has attribute 'mem.hierarchy', which belongs on a module");
  if (name == MemDialect::kRoleAttrName || name == MemDialect::kNoAliasAttrName ||
      name == MemDialect::kNameAttrName || name == MemDialect::kArenaAttrName)
    return op->emitOpError("has attribute '") << name << "', which belongs on a function argument";
  return op->emitOpError("has unknown attribute '")
         << name << "'; the mem dialect knows '" << MemDialect::kHierarchyAttrName
         << "' on a module, '" << MemDialect::kRoleAttrName << "', '"
         << MemDialect::kNoAliasAttrName << "', '" << MemDialect::kNameAttrName << "' and '"
         << MemDialect::kArenaAttrName
         << "' on a function argument";
}

/// Annotations are arrays of dictionaries; the consumers interpret the contents.
static LogicalResult verifyAnnotation(Operation *op, NamedAttribute attribute) {
  auto array = dyn_cast<ArrayAttr>(attribute.getValue());
  if (array && llvm::all_of(array, llvm::IsaPred<DictionaryAttr>))
    return success();
  return op->emitOpError("attribute '")
         << attribute.getName().strref() << "' must be an array of dictionaries, got "
         << attribute.getValue();
}

LogicalResult MemDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  bool isJoins = attribute.getName() == kJoinsAttrName && isa<FunctionOpInterface>(op);
  if (attribute.getName() == kAccessesAttrName || isJoins)
    return verifyAnnotation(op, attribute);
  if (attribute.getName() == kRecomputeAttrName) {
    if (isa<UnitAttr>(attribute.getValue()))
      return success();
    return op->emitOpError("attribute 'mem.recompute' must be a unit attribute, got ")
           << attribute.getValue();
  }
  if (attribute.getName() == kGroupAttrName) {
    auto number = dyn_cast<IntegerAttr>(attribute.getValue());
    if (number && number.getType().isInteger(64))
      return success();
    return op->emitOpError("attribute 'mem.group' must be an i64, got ") << attribute.getValue();
  }
  if (attribute.getName() == kUntiledAttrName) {
    auto numbers = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
    if (numbers && numbers.size() == 3 &&
        llvm::all_of(numbers.asArrayRef(), [](int64_t number) { return number >= 0; }))
      return success();
    return op->emitOpError("attribute 'mem.untiled' must be an array of three i64 that are not "
                           "negative, got ")
           << attribute.getValue();
  }
  if (attribute.getName() != kHierarchyAttrName || !op->hasTrait<OpTrait::SymbolTable>())
    return rejectAttribute(op, attribute);
  if (!isa<HierarchyAttr>(attribute.getValue()))
    return op->emitOpError("attribute 'mem.hierarchy' must be a #mem.hierarchy, got ")
           << attribute.getValue();
  return success();
}

/// The name of an argument is a non-empty string, unique in its function. It does not begin with
/// '@', as the names of globals' places do.
static LogicalResult verifyArgumentName(FunctionOpInterface function, unsigned argument,
                                        Attribute value) {
  auto name = dyn_cast<StringAttr>(value);
  if (!name || name.empty())
    return function.emitOpError("attribute 'mem.name' of argument #")
           << argument << " must be a string that is not empty, got " << value;
  if (name.getValue().starts_with("@"))
    return function.emitOpError("attribute 'mem.name' of argument #")
           << argument << " must not begin with '@', which is reserved for globals, got " << value;
  for (unsigned other = 0; other < argument; ++other)
    if (function.getArgAttr(other, MemDialect::kNameAttrName) == value)
      return function.emitOpError("arguments #")
             << other << " and #" << argument << " have the same 'mem.name', " << value;
  return success();
}

LogicalResult MemDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argument,
                                                   NamedAttribute attribute) {
  StringRef name = attribute.getName();
  Attribute value = attribute.getValue();
  bool isFunction = isa<FunctionOpInterface>(op);
  if (isFunction && name == kRoleAttrName) {
    if (isa<RoleAttr>(value))
      return success();
    return op->emitOpError("attribute 'mem.role' of argument #")
           << argument << " must be a #mem.role, got " << value;
  }
  if (isFunction && name == kNoAliasAttrName) {
    if (isa<UnitAttr>(value))
      return success();
    return op->emitOpError("attribute 'mem.noalias' of argument #")
           << argument << " must be a unit attribute, got " << value;
  }
  if (isFunction && name == kNameAttrName)
    return verifyArgumentName(cast<FunctionOpInterface>(op), argument, value);
  if (isFunction && name == kArenaAttrName) {
    auto expected = dyn_cast<DictionaryAttr>(value);
    if (expected && expected.getAs<IntegerAttr>("size") && expected.getAs<IntegerAttr>("alignment"))
      return success();
    return op->emitOpError("attribute 'mem.arena' of argument #")
           << argument << " must be a dictionary with size and alignment, got " << value;
  }
  return rejectAttribute(op, attribute);
}

LogicalResult MemDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned,
                                                      NamedAttribute attribute) {
  return rejectAttribute(op, attribute);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

using EmitError = function_ref<InFlightDiagnostic()>;

LogicalResult SpaceAttr::verify(EmitError emitError, StringRef level) {
  if (level.empty())
    return emitError() << "a memory space must name a level";
  return success();
}

void mlir::mem::printNumber(AsmPrinter &printer, double value) {
  char text[512];
  auto [end, error] =
      std::to_chars(std::begin(text), std::end(text), value, std::chars_format::fixed);
  StringRef digits(text, error == std::errc() ? end - text : 0);
  printer << digits << (digits.contains('.') ? "" : ".0");
}

/// Parses a number with or without a decimal point.
static FailureOr<FloatAttr> parseNumber(AsmParser &parser) {
  SMLoc location = parser.getCurrentLocation();
  Attribute number;
  if (parser.parseAttribute(number))
    return failure();
  Type f64 = Float64Type::get(parser.getContext());
  if (auto integer = dyn_cast<IntegerAttr>(number); integer && integer.getType().isInteger(64))
    return FloatAttr::get(f64, static_cast<double>(integer.getInt()));
  if (auto real = dyn_cast<FloatAttr>(number))
    return FloatAttr::get(f64, real.getValueAsDouble());
  return parser.emitError(location, "expected a number");
}

FailureOr<CostAttr> mlir::mem::parseCostBody(AsmParser &parser) {
  SMLoc location = parser.getCurrentLocation();
  int64_t latency;
  if (parser.parseKeyword("latency") || parser.parseEqual() || parser.parseInteger(latency) ||
      parser.parseComma() || parser.parseKeyword("bandwidth") || parser.parseEqual())
    return failure();
  FailureOr<FloatAttr> bandwidth = parseNumber(parser);
  if (failed(bandwidth))
    return failure();
  auto cost = parser.getChecked<CostAttr>(location, parser.getContext(), latency, *bandwidth);
  if (!cost)
    return failure();
  return cost;
}

void mlir::mem::printCostBody(AsmPrinter &printer, CostAttr cost) {
  printer << "latency = " << cost.getLatency() << ", bandwidth = ";
  printNumber(printer, cost.getBandwidth().getValueAsDouble());
}

Attribute CostAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<CostAttr> cost = parseCostBody(parser);
  if (failed(cost) || parser.parseGreater())
    return {};
  return *cost;
}

void CostAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printCostBody(printer, *this);
  printer << ">";
}

LogicalResult CostAttr::verify(EmitError emitError, int64_t latency, FloatAttr bandwidth) {
  if (latency < 0)
    return emitError() << "latency must not be negative, got " << latency;
  if (!bandwidth || !bandwidth.getType().isF64())
    return emitError() << "bandwidth must be an f64";
  double value = bandwidth.getValueAsDouble();
  if (!std::isfinite(value) || value <= 0)
    return emitError() << "bandwidth must be positive and finite, got " << value;
  return success();
}

/// Parses one `key = value` property of a level.
static ParseResult parseLevelProperty(AsmParser &parser, std::optional<int64_t> &capacity,
                                      std::optional<int64_t> &alignment, CostAttr &read,
                                      CostAttr &write, Attribute &space) {
  SMLoc location = parser.getCurrentLocation();
  StringRef key;
  if (parser.parseKeyword(&key) || parser.parseEqual())
    return failure();
  if ((key == "capacity" && !capacity) || (key == "alignment" && !alignment))
    return parser.parseInteger((key == "capacity" ? capacity : alignment).emplace());
  if ((key == "read" && !read) || (key == "write" && !write)) {
    if (parser.parseLParen())
      return failure();
    FailureOr<CostAttr> cost = parseCostBody(parser);
    if (failed(cost))
      return failure();
    (key == "read" ? read : write) = *cost;
    return parser.parseRParen();
  }
  if (key == "space" && !space)
    return parser.parseAttribute(space);
  return parser.emitError(location, "expected 'capacity', 'alignment', 'read', 'write' or 'space', "
                                    "each at most once, got '")
         << key << "'";
}

Attribute LevelAttr::parse(AsmParser &parser, Type) {
  SMLoc location = parser.getCurrentLocation();
  std::string name;
  std::optional<int64_t> capacity, alignment;
  CostAttr read, write;
  Attribute space;
  if (parser.parseLess() || parser.parseString(&name))
    return {};
  while (succeeded(parser.parseOptionalComma()))
    if (parseLevelProperty(parser, capacity, alignment, read, write, space))
      return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<LevelAttr>(location, parser.getContext(), name, capacity, alignment,
                                      read, write, space);
}

void LevelAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printString(getName());
  if (getCapacity())
    printer << ", capacity = " << *getCapacity();
  if (getAlignment())
    printer << ", alignment = " << *getAlignment();
  auto printCost = [&](StringRef key, CostAttr cost) {
    if (!cost)
      return;
    printer << ", " << key << " = (";
    printCostBody(printer, cost);
    printer << ")";
  };
  printCost("read", getRead());
  printCost("write", getWrite());
  if (getSpace()) {
    printer << ", space = ";
    printSpace(printer, getSpace());
  }
  printer << ">";
}

LogicalResult LevelAttr::verify(EmitError emitError, StringRef name,
                                std::optional<int64_t> capacity, std::optional<int64_t> alignment,
                                CostAttr, CostAttr, Attribute space) {
  if (name.empty())
    return emitError() << "a level must have a name";
  if (capacity && *capacity <= 0)
    return emitError() << "capacity of level '" << name << "' must be positive, got " << *capacity;
  if (alignment && (*alignment > MemDialect::kMaxAlignment || *alignment <= 0 ||
                    !llvm::isPowerOf2_64(static_cast<uint64_t>(*alignment))))
    return emitError() << "alignment of level '" << name << "' must be a power of two of at most "
                       << MemDialect::kMaxAlignment << " bytes, got " << *alignment;
  if (auto named = dyn_cast_if_present<SpaceAttr>(space); named && named.getLevel() != name)
    return emitError() << "level '" << name << "' must not be in memory space '"
                       << named.getLevel() << "', which names another level";
  return verifySpace(emitError, space);
}

Attribute EngineAttr::parse(AsmParser &parser, Type) {
  SMLoc location = parser.getCurrentLocation();
  std::string name;
  SmallVector<StringAttr> sources, targets;
  if (parser.parseLess() || parser.parseString(&name))
    return {};
  while (succeeded(parser.parseOptionalComma()))
    if (parser.parseAttribute(sources.emplace_back()) || parser.parseKeyword("to") ||
        parser.parseAttribute(targets.emplace_back()))
      return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<EngineAttr>(location, parser.getContext(), name, sources, targets);
}

void EngineAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printString(getName());
  for (auto [source, target] : llvm::zip(getSources(), getTargets()))
    printer << ", " << source << " to " << target;
  printer << ">";
}

LogicalResult EngineAttr::verify(EmitError emitError, StringRef name, ArrayRef<StringAttr> sources,
                                 ArrayRef<StringAttr> targets) {
  if (name.empty())
    return emitError() << "an engine must have a name";
  if (sources.empty() || sources.size() != targets.size())
    return emitError() << "engine '" << name << "' must copy from at least one level to another";
  for (auto [source, target] : llvm::zip(sources, targets))
    if (source == target)
      return emitError() << "engine '" << name << "' must not copy from level " << source
                         << " to itself";
  return success();
}

Attribute LinkAttr::parse(AsmParser &parser, Type) {
  SMLoc at = parser.getCurrentLocation();
  std::string name;
  CostAttr cost;
  bool duplex = false;
  if (parseLink(parser, name, cost, duplex))
    return {};
  return parser.getChecked<LinkAttr>(at, parser.getContext(), name, cost, duplex);
}

Attribute RouteAttr::parse(AsmParser &parser, Type) {
  SMLoc at = parser.getCurrentLocation();
  std::string link;
  Conditions own;
  if (parseRoute(parser, link, own))
    return {};
  return parser.getChecked<RouteAttr>(at, parser.getContext(), link, own.kind, own.node,
                                      own.distances, own.peers, own.axes);
}

Attribute OperandAttr::parse(AsmParser &parser, Type) {
  SMLoc location = parser.getCurrentLocation();
  std::string operation;
  int64_t index = 0;
  SmallVector<StringAttr> levels;
  if (parser.parseLess() || parser.parseString(&operation) || parser.parseComma() ||
      parser.parseInteger(index))
    return {};
  while (succeeded(parser.parseOptionalComma()))
    if (parser.parseAttribute(levels.emplace_back()))
      return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<OperandAttr>(location, parser.getContext(), operation, index, levels);
}

void OperandAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printString(getOperation());
  printer << ", " << getIndex();
  for (StringAttr level : getLevels())
    printer << ", " << level;
  printer << ">";
}

LogicalResult OperandAttr::verify(EmitError emitError, StringRef operation, int64_t index,
                                  ArrayRef<StringAttr> levels) {
  if (operation.empty() || index < 0 || levels.empty())
    return emitError() << "an operand must be of an operation, have a number from 0, and be "
                          "accepted in at least one level";
  return success();
}

/// Parses one property after the levels of a hierarchy: `preloaded` or `key = value`.
static ParseResult parseHierarchyProperty(AsmParser &parser, StringRef key,
                                          SmallVector<EngineAttr> &engines,
                                          SmallVector<OperandAttr> &operands, FloatAttr &compute,
                                          bool &preloaded, Attribute &generic, CostAttr &link,
                                          SmallVector<LinkAttr> &links,
                                          SmallVector<RouteAttr> &routes,
                                          SmallVector<int64_t> &ranks) {
  SMLoc location = parser.getCurrentLocation();
  if (key == "preloaded" && !preloaded) {
    preloaded = true;
    return success();
  }
  if (key == "compute" && !compute) {
    if (parser.parseEqual())
      return failure();
    FailureOr<FloatAttr> number = parseNumber(parser);
    if (failed(number))
      return failure();
    compute = *number;
    return success();
  }
  auto parseList = [&](auto &list) {
    return failure(parser.parseEqual() ||
                   parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
                     return parser.parseAttribute(list.emplace_back());
                   }));
  };
  if (key == "engines" && engines.empty())
    return parseList(engines);
  if (key == "operands" && operands.empty())
    return parseList(operands);
  if (key == "generic" && !generic)
    return failure(parser.parseEqual() || parser.parseAttribute(generic));
  if (key == "link" && !link) {
    if (parser.parseEqual() || parser.parseLParen())
      return failure();
    FailureOr<CostAttr> cost = parseCostBody(parser);
    if (failed(cost))
      return failure();
    link = *cost;
    return parser.parseRParen();
  }
  if (key == "links" && links.empty())
    return parseList(links);
  if (key == "routes" && routes.empty())
    return parseList(routes);
  if (key == "ranks" && ranks.empty())
    return failure(parser.parseEqual() || parseIntegers(parser, ranks));
  return parser.emitError(location,
                          "expected 'engines', 'operands', 'compute', 'preloaded', 'generic', "
                          "'link', 'links', 'routes' or 'ranks', each at most once, got '")
         << key << "'";
}

Attribute HierarchyAttr::parse(AsmParser &parser, Type) {
  SMLoc location = parser.getCurrentLocation();
  SmallVector<LevelAttr> levels;
  SmallVector<EngineAttr> engines;
  SmallVector<OperandAttr> operands;
  FloatAttr compute;
  Attribute generic;
  CostAttr link;
  SmallVector<LinkAttr> links;
  SmallVector<RouteAttr> routes;
  SmallVector<int64_t> ranks;
  bool preloaded = false, hasProperties = false;
  auto parseElement = [&]() -> ParseResult {
    StringRef key;
    if (succeeded(parser.parseOptionalKeyword(&key))) {
      hasProperties = true;
      return parseHierarchyProperty(parser, key, engines, operands, compute, preloaded, generic,
                                    link, links, routes, ranks);
    }
    if (hasProperties)
      return parser.emitError(parser.getCurrentLocation(), "expected levels to come first");
    return parser.parseAttribute(levels.emplace_back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseElement))
    return {};
  return parser.getChecked<HierarchyAttr>(location, parser.getContext(), levels, engines, operands,
                                          compute, preloaded, generic, link, links, routes, ranks);
}

void HierarchyAttr::print(AsmPrinter &printer) const {
  printer << "<";
  auto print = [&](Attribute attribute) { printer.printAttribute(attribute); };
  llvm::interleaveComma(getLevels(), printer, print);
  auto printList = [&](StringRef name, auto list) {
    if (list.empty())
      return;
    printer << ", " << name << " = [";
    llvm::interleaveComma(list, printer, print);
    printer << "]";
  };
  printList("engines", getEngines());
  printList("operands", getOperands());
  if (getCompute()) {
    printer << ", compute = ";
    printNumber(printer, getCompute().getValueAsDouble());
  }
  if (getPreloaded())
    printer << ", preloaded";
  if (getGeneric()) {
    printer << ", generic = ";
    printSpace(printer, getGeneric());
  }
  if (getLink()) {
    printer << ", link = (";
    printCostBody(printer, getLink());
    printer << ")";
  }
  if (!getRanks().empty()) {
    printer << ", ranks = ";
    printIntegers(printer, getRanks());
  }
  printList("links", getLinks());
  printList("routes", getRoutes());
  printer << ">";
}

LogicalResult HierarchyAttr::verify(EmitError emitError, ArrayRef<LevelAttr> levels,
                                    ArrayRef<EngineAttr> engines, ArrayRef<OperandAttr> operands,
                                    FloatAttr compute, bool, Attribute generic, CostAttr link,
                                    ArrayRef<LinkAttr> links, ArrayRef<RouteAttr> routes,
                                    ArrayRef<int64_t> ranks) {
  if (levels.empty())
    return emitError() << "a hierarchy must have at least one level";
  llvm::DenseSet<StringRef> names, connected;
  for (LevelAttr level : levels)
    if (!names.insert(level.getName()).second)
      return emitError() << "a hierarchy must not have two levels named '" << level.getName()
                         << "'";
  llvm::DenseSet<StringRef> engineNames;
  for (EngineAttr engine : engines) {
    if (!engineNames.insert(engine.getName()).second)
      return emitError() << "a hierarchy must not have two engines named '" << engine.getName()
                         << "'";
    for (ArrayRef<StringAttr> ends : {engine.getSources(), engine.getTargets()})
      for (StringAttr end : ends) {
        if (!names.contains(end.getValue()))
          return emitError() << "engine '" << engine.getName() << "' copies from or to level "
                             << end << ", which the hierarchy does not have";
        connected.insert(end.getValue());
      }
  }
  for (LevelAttr level : levels)
    if (!engines.empty() && levels.size() > 1 && !connected.contains(level.getName()))
      return emitError() << "no engine reaches level '" << level.getName() << "'";
  for (OperandAttr operand : operands)
    for (StringAttr level : operand.getLevels())
      if (!names.contains(level.getValue()))
        return emitError() << "operand " << operand.getIndex() << " of '" << operand.getOperation()
                           << "' is accepted in level " << level
                           << ", which the hierarchy does not have";
  if (failed(verifyLinks(emitError, static_cast<bool>(link), links, routes, ranks)))
    return failure();
  if (!compute)
    return verifySpace(emitError, generic);
  if (!compute.getType().isF64())
    return emitError() << "compute must be an f64";
  double rate = compute.getValueAsDouble();
  if (!std::isfinite(rate) || rate <= 0)
    return emitError() << "compute must be positive and finite, got " << rate;
  return verifySpace(emitError, generic);
}
