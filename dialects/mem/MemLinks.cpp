//! Links between the ranks of a program, and the routes over them: assembly format and verifiers.

#include "MemDialect.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::mem;

using EmitError = function_ref<InFlightDiagnostic()>;

/// The largest number of ranks: routes are looked up for each of them.
static constexpr int64_t kMaxRanks = 65536;

ParseResult mlir::mem::parseIntegers(AsmParser &parser, SmallVectorImpl<int64_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(values.emplace_back());
  });
}

void mlir::mem::printIntegers(AsmPrinter &printer, ArrayRef<int64_t> values) {
  printer << "[";
  llvm::interleaveComma(values, printer, [&](int64_t value) { printer << value; });
  printer << "]";
}

ParseResult mlir::mem::parseLink(AsmParser &parser, std::string &name, CostAttr &cost,
                                 bool &duplex) {
  if (parser.parseLess() || parser.parseString(&name) || parser.parseComma())
    return failure();
  FailureOr<CostAttr> parsed = parseCostBody(parser);
  if (failed(parsed))
    return failure();
  cost = *parsed;
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("duplex"))
      return failure();
    duplex = true;
  }
  return parser.parseGreater();
}

void LinkAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printString(getName());
  printer << ", ";
  printCostBody(printer, getCost());
  if (getDuplex())
    printer << ", duplex";
  printer << ">";
}

LogicalResult LinkAttr::verify(EmitError emitError, StringRef name, CostAttr, bool) {
  if (name.empty())
    return emitError() << "a link must have a name";
  return success();
}

/// Parses one condition of a route.
static ParseResult parseCondition(AsmParser &parser, Conditions &conditions) {
  auto &[kind, node, distances, peers, axes] = conditions;
  SMLoc location = parser.getCurrentLocation();
  StringRef key;
  if (parser.parseKeyword(&key))
    return failure();
  if (kind.empty() && (key == "send" || key == "receive" || key == "collective")) {
    kind = key.str();
    return success();
  }
  if (key == "node" && !node)
    return failure(parser.parseEqual() || parser.parseInteger(node.emplace()));
  SmallVector<int64_t> *list = key == "distances" ? &distances
                               : key == "peers"   ? &peers
                               : key == "axes"    ? &axes
                                                  : nullptr;
  if (!list || !list->empty())
    return parser.emitError(location, "expected one of 'send', 'receive' and 'collective', 'node', "
                                      "'distances', 'peers' or 'axes', each at most once, got '")
           << key << "'";
  if (parser.parseEqual() || parseIntegers(parser, *list))
    return failure();
  // An empty list would be no condition.
  if (list->empty())
    return parser.emitError(location, "expected at least one number");
  return success();
}

ParseResult mlir::mem::parseRoute(AsmParser &parser, std::string &link, Conditions &conditions) {
  if (parser.parseLess() || parser.parseString(&link))
    return failure();
  while (succeeded(parser.parseOptionalComma()))
    if (parseCondition(parser, conditions))
      return failure();
  return parser.parseGreater();
}

void RouteAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printString(getLink());
  if (!getKind().empty())
    printer << ", " << getKind();
  if (getNode())
    printer << ", node = " << *getNode();
  auto printList = [&](StringRef key, ArrayRef<int64_t> values) {
    if (values.empty())
      return;
    printer << ", " << key << " = ";
    printIntegers(printer, values);
  };
  printList("distances", getDistances());
  printList("peers", getPeers());
  printList("axes", getAxes());
  printer << ">";
}

LogicalResult RouteAttr::verify(EmitError emitError, StringRef link, StringRef kind,
                                std::optional<int64_t> node, ArrayRef<int64_t> distances,
                                ArrayRef<int64_t> peers, ArrayRef<int64_t> axes) {
  if (node && *node <= 0)
    return emitError() << "a node must have at least one rank, got " << *node;
  if (llvm::is_contained(distances, 0))
    return emitError() << "a rank has no message for the one at distance 0";
  for (ArrayRef<int64_t> list : {peers, axes})
    for (int64_t value : list)
      if (value < 0)
        return emitError() << "ranks and axes are numbered from 0, got " << value;
  if (kind == "collective" && (!peers.empty() || !distances.empty()))
    return emitError() << "a collective over link '" << link
                       << "' has neither a peer nor a distance";
  return success();
}

/// Whether a route carries whatever no other one does.
static bool isDefault(RouteAttr route) {
  return route.getKind().empty() && !route.getNode() && route.getDistances().empty() &&
         route.getPeers().empty() && route.getAxes().empty();
}

/// Verifies one route of a hierarchy.
static LogicalResult verifyRoute(EmitError emitError, RouteAttr route, ArrayRef<int64_t> ranks,
                                 int64_t numRanks) {
  bool needsRanks = route.getNode() || !route.getDistances().empty() || !route.getAxes().empty();
  if (needsRanks && ranks.empty())
    return emitError() << "the route over link '" << route.getLink()
                       << "' is by node, distance or axis, which needs the number of ranks: "
                          "expected 'ranks'";
  for (int64_t axis : route.getAxes())
    if (axis >= static_cast<int64_t>(ranks.size()))
      return emitError() << "the route over link '" << route.getLink() << "' is along axis " << axis
                         << ", which the grid of ranks does not have";
  for (int64_t peer : route.getPeers())
    if (!ranks.empty() && peer >= numRanks)
      return emitError() << "the route over link '" << route.getLink() << "' is to rank " << peer
                         << ", which does not exist";
  return success();
}

LogicalResult mlir::mem::verifyLinks(EmitError emitError, bool hasSingleLink,
                                     ArrayRef<LinkAttr> links, ArrayRef<RouteAttr> routes,
                                     ArrayRef<int64_t> ranks) {
  if (hasSingleLink && !links.empty())
    return emitError() << "a hierarchy must not have both 'link' and 'links'";
  if (links.empty() && !routes.empty())
    return emitError() << "routes need the links that they lead over: expected 'links'";
  int64_t numRanks = 1;
  for (int64_t extent : ranks) {
    if (extent <= 0 || numRanks * extent > kMaxRanks)
      return emitError() << "the grid of ranks must have from 1 to " << kMaxRanks << " ranks";
    numRanks *= extent;
  }
  llvm::StringSet<> names, carrying;
  for (LinkAttr link : links)
    if (!names.insert(link.getName()).second)
      return emitError() << "a hierarchy must not have two links named '" << link.getName() << "'";
  bool hasDefault = false;
  for (RouteAttr route : routes) {
    if (!names.contains(route.getLink()))
      return emitError() << "a route leads over link '" << route.getLink()
                         << "', which the hierarchy does not have";
    if (failed(verifyRoute(emitError, route, ranks, numRanks)))
      return failure();
    if (hasDefault && isDefault(route))
      return emitError() << "a hierarchy must not have two routes without conditions";
    hasDefault |= isDefault(route);
    carrying.insert(route.getLink());
  }
  if (routes.empty() && links.size() < 2)
    return success();
  if (!hasDefault)
    return emitError() << "one route must have no conditions: that of all other messages";
  for (LinkAttr link : links)
    if (!carrying.contains(link.getName()))
      return emitError() << "no route leads over link '" << link.getName() << "'";
  return success();
}
