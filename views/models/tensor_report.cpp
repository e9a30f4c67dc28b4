// SPDX-License-Identifier: Apache-2.0
#include "views/models/tensor_report.h"

#include "graph_model/ops/op_traits.h"
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
    return node.attr("value").kind() == AttrKind::Tensor ||
           (withVariables && isStoredVariable(node.op()));
}

bool passesOn(const Node& node)
{
    return copiesInput(node.op()) || isVariableRead(node.op());
}

// Returns the number of elements of a node's value, which nodes are sorted by.
std::int64_t elementsOf(const Node& node)
{
    if (!isStoredVariable(node.op())) {
        const auto tensor = node.tensor();
        return tensor ? tensor.value().elements() : 0;
    }
    std::int64_t elements = 1;
    for (const std::int64_t dim : node.attr("shape").asShape().value_or(Shape()).dims)
        if (dim < 0 || __builtin_mul_overflow(elements, dim, &elements))
            return 0;
    return elements;
}

// Returns the constant that feeds an input, directly or through a few Identity nodes; invalid if
// there is none.
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

Result<TensorReport> makeTensorReport(const Graph& graph, NodeId id, const VariableStore& store,
                                      const Job& job)
{
    ASSIGN_OR_RETURN(const auto tensor, storedTensor(graph, id, store, job));
    ASSIGN_OR_RETURN(auto report, reportOf(tensor, job));
    report.node = id;
    report.name = graph.node(id).name();
    return report;
}

Result<TensorReport> reportOf(const Tensor& tensor, const Job& job)
{
    TensorReport report;
    report.dtype = tensor.dtype();
    report.shape = tensor.shape();
    report.elements = tensor.elements();
    report.bytes = std::uint64_t(report.elements) * dtypeSize(report.dtype);
    report.hasNumbers = dtypeSize(report.dtype) > 0;
    if (!report.hasNumbers)
        return report;
    ASSIGN_OR_RETURN(auto statistics, tensorStatistics(tensor, histogramBins, job));
    report.statistics = std::move(statistics);
    ASSIGN_OR_RETURN(auto grid, tensorGrid(tensor, heatMapRows, heatMapColumns, job));
    report.grid = std::move(grid);
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
