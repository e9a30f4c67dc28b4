// SPDX-License-Identifier: Apache-2.0
#include "runner/setup/required_batch.h"

#include "graph_model/ops/op_traits.h"
#include "runner/shapes/infer_shapes.h"

#include <algorithm>
#include <map>

namespace lapidary {
namespace {

bool leavesBatchOpen(const Shape& shape)
{
    return !shape.unknownRank && !shape.dims.empty() && shape.dims.front() < 0;
}

class BatchSearch {
public:
    BatchSearch(const Graph& graph, std::span<const std::pair<Endpoint, Shape>> inputs,
                const std::vector<bool>& isNeeded, const Job& job)
        : m_graph(graph)
        , m_inputs(inputs)
        , m_isNeeded(isNeeded)
        , m_job(job)
    {
    }

    Result<std::int64_t> run() const
    {
        ASSIGN_OR_RETURN(const auto ofOne, shapesWith(1));
        const std::size_t faults = countFaults(ofOne);
        if (faults == 0)
            return 1;
        ASSIGN_OR_RETURN(const auto ofAny, shapesWith(-1));
        const std::size_t ownFaults = countFaults(ofAny);
        if (faults <= ownFaults)
            return 1;
        for (const std::int64_t batch : firstSizes(ofAny)) {
            ASSIGN_OR_RETURN(const auto shapes, shapesWith(batch));
            if (countFaults(shapes) <= ownFaults)
                return batch;
        }
        return 1;
    }

private:
    Result<InferredShapes> shapesWith(std::int64_t batch) const
    {
        ShapeOptions options;
        for (auto [tensor, shape] : m_inputs) {
            if (leavesBatchOpen(shape))
                shape.dims.front() = batch;
            if (!shape.unknownRank)
                options.given.emplace_back(tensor, std::move(shape));
        }
        return inferShapes(m_graph, options, m_job);
    }

    std::size_t countFaults(const InferredShapes& shapes) const
    {
        return std::size_t(std::ranges::count_if(shapes.conflicts(), [&](const auto& conflict) {
            return m_isNeeded[conflict.node.value];
        }));
    }

    // Returns the first sizes of the tensors that are computed, the most frequent ones first.
    std::vector<std::int64_t> firstSizes(const InferredShapes& shapes) const
    {
        std::map<std::int64_t, int> counts;
        for (std::uint32_t i = 0; i < m_graph.size(); ++i) {
            const std::string_view op = m_graph.node(NodeId{i}).op();
            const TensorLabel* label = shapes.find({NodeId{i}, 0});
            if (!m_isNeeded[i] || isConstant(op) || isVariable(op) || label == nullptr ||
                label->shape.unknownRank || label->shape.dims.empty())
                continue;
            if (const std::int64_t size = label->shape.dims.front(); size > 1)
                ++counts[size];
        }
        std::vector<std::pair<int, std::int64_t>> sorted;
        for (const auto& [size, count] : counts)
            sorted.emplace_back(-count, size);
        std::ranges::sort(sorted);
        constexpr std::size_t mostTried = 8;
        std::vector<std::int64_t> sizes;
        for (std::size_t i = 0; i < std::min(mostTried, sorted.size()); ++i)
            sizes.push_back(sorted[i].second);
        return sizes;
    }

    const Graph& m_graph;
    std::span<const std::pair<Endpoint, Shape>> m_inputs;
    const std::vector<bool>& m_isNeeded;
    const Job& m_job;
};

} // namespace

Result<std::int64_t> requiredBatch(const Graph& graph,
                                   std::span<const std::pair<Endpoint, Shape>> inputs,
                                   const std::vector<bool>& isNeeded, const Job& job)
{
    const auto isOpen = [](const auto& input) { return leavesBatchOpen(input.second); };
    if (std::ranges::none_of(inputs, isOpen))
        return 1;
    return BatchSearch(graph, inputs, isNeeded, job).run();
}

} // namespace lapidary
