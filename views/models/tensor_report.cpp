#include "views/models/tensor_report.h"

#include <algorithm>
#include <utility>

namespace lapidary {
namespace {

constexpr int histogramBins = 48;
constexpr int heatMapRows = 40;
constexpr int heatMapColumns = 64;
constexpr int identityLimit = 8;
constexpr std::size_t constantLimit = 32;

bool isConstant(const Node& node)
{
    return node.attr("value").kind() == AttrKind::Tensor;
}

// The constant behind an input, through at most a few Identity nodes; invalid where there is none.
NodeId constantBehind(const Graph& graph, Endpoint from)
{
    for (int i = 0; i < identityLimit && from.node.isValid() && !from.isControl(); ++i) {
        const Node& node = graph.node(from.node);
        if (isConstant(node))
            return from.node;
        if (node.op() != "Identity" || graph.inputs(from.node).empty())
            break;
        from = graph.inputs(from.node).front();
    }
    return {};
}

} // namespace

Result<TensorReport> makeTensorReport(const Graph& graph, NodeId id, const Job& job)
{
    const Node& node = graph.node(id);
    auto tensor = node.tensor();
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

std::vector<NodeId> constantsOf(const Graph& graph, NodeId id)
{
    if (isConstant(graph.node(id)))
        return {id};
    std::vector<std::pair<std::int64_t, NodeId>> found;
    for (const Endpoint& from : graph.inputs(id)) {
        const NodeId constant = constantBehind(graph, from);
        if (!constant.isValid() || found.size() >= constantLimit)
            continue;
        const auto tensor = graph.node(constant).tensor();
        found.emplace_back(tensor ? tensor.value().elements() : 0, constant);
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
