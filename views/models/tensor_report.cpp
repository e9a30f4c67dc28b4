#include "views/models/tensor_report.h"

#include "runner/checkpoint/stored_tensor.h"

#include <algorithm>
#include <utility>

namespace lapidary {
namespace {

constexpr int histogramBins = 48;
constexpr int heatMapRows = 40;
constexpr int heatMapColumns = 64;
constexpr int identityLimit = 8;
constexpr std::size_t constantLimit = 32;

bool hasValue(const Node& node, bool withVariables)
{
    return node.attr("value").kind() == AttrKind::Tensor || (withVariables && isVariable(node));
}

bool passesOn(const Node& node)
{
    return node.op() == "Identity" || node.op() == "ReadVariableOp";
}

// What decides the order of a node's values.
std::int64_t elementsOf(const Node& node)
{
    if (!isVariable(node)) {
        const auto tensor = node.tensor();
        return tensor ? tensor.value().elements() : 0;
    }
    std::int64_t elements = 1;
    for (const std::int64_t dim : node.attr("shape").asShape().value_or(Shape()).dims)
        if (dim < 0 || __builtin_mul_overflow(elements, dim, &elements))
            return 0;
    return elements;
}

// The constant behind an input, through at most a few Identity nodes; invalid where there is none.
NodeId constantBehind(const Graph& graph, Endpoint from, bool withVariables)
{
    for (int i = 0; i < identityLimit && from.node.isValid() && !from.isControl(); ++i) {
        const Node& node = graph.node(from.node);
        if (hasValue(node, withVariables))
            return from.node;
        if (!passesOn(node) || graph.inputs(from.node).empty())
            break;
        from = graph.inputs(from.node).front();
    }
    return {};
}

} // namespace

Result<TensorReport> makeTensorReport(const Graph& graph, NodeId id,
                                      const std::filesystem::path& checkpoint, const Job& job)
{
    const Node& node = graph.node(id);
    auto tensor = storedTensor(graph, id, checkpoint, job);
    if (!tensor)
        return tensor.error();
    TensorReport report;
    report.node = id;
    report.name = node.name();
    report.dtype = tensor.value().dtype();
    report.shape = tensor.value().shape();
    report.elements = tensor.value().elements();
    report.bytes = std::uint64_t(report.elements) * dtypeSize(report.dtype);
    report.hasNumbers = dtypeSize(report.dtype) > 0;
    if (!report.hasNumbers)
        return report;
    auto statistics = tensorStatistics(tensor.value(), histogramBins, job);
    if (!statistics)
        return statistics.error();
    report.statistics = std::move(statistics).value();
    auto grid = tensorGrid(tensor.value(), heatMapRows, heatMapColumns, job);
    if (!grid)
        return grid.error();
    report.grid = std::move(grid).value();
    return report;
}

std::vector<NodeId> constantsOf(const Graph& graph, NodeId id, bool withVariables)
{
    if (hasValue(graph.node(id), withVariables))
        return {id};
    std::vector<std::pair<std::int64_t, NodeId>> found;
    for (const Endpoint& from : graph.inputs(id)) {
        const NodeId constant = constantBehind(graph, from, withVariables);
        if (!constant.isValid() || found.size() >= constantLimit)
            continue;
        found.emplace_back(elementsOf(graph.node(constant)), constant);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<NodeId> constants;
    for (const auto& entry : found)
        if (std::find(constants.begin(), constants.end(), entry.second) == constants.end())
            constants.push_back(entry.second);
    return constants;
}

} // namespace lapidary
