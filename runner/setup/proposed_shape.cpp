// SPDX-License-Identifier: Apache-2.0
#include "runner/setup/proposed_shape.h"

#include "graph_model/ops/op_traits.h"
#include "graph_model/shapes/shape_facts.h"
#include "runner/setup/run_obstacle.h"
#include "runner/shapes/infer_shapes.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>

namespace lapidary {
namespace {

// Sizes in the order in which they are tried.
constexpr std::array<std::int64_t, 12> commonSizes{224, 299, 256, 227, 128, 64,
                                                   32,  28,  16,  8,   3,   1};
constexpr std::array<std::int64_t, 12> commonLengths{16,  32,  64,  128, 8, 28,
                                                     224, 256, 299, 227, 3, 1};

// Returns whether the op reads rows of a table by their numbers: the sizes of the table do not
// depend on the input's.
bool isRowLookup(std::string_view op)
{
    return op.starts_with("Gather") || op == "ResourceGather" || op == "ResourceGatherNd" ||
           op.starts_with("LookupTableFind");
}

// Returns the nodes that read the tensor, directly or through ops that keep its shape; with
// `throughForms` also through ops that only keep its elements.
std::vector<NodeId> readersOf(const Graph& graph, NodeId input, bool throughForms = false)
{
    std::vector<NodeId> readers;
    std::vector<NodeId> open{input};
    std::set<std::uint32_t> seen;
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        for (const Consumer& consumer : graph.consumers(id)) {
            if (consumer.isControl() || !seen.insert(consumer.node.value).second)
                continue;
            const std::string_view op = graph.node(consumer.node).op();
            if (passesInputOn(op) || isActivation(op) || convertsElements(op) || isEnter(op) ||
                (throughForms && keepsElements(op)))
                open.push_back(consumer.node);
            else
                readers.push_back(consumer.node);
        }
    }
    return readers;
}

// Returns whether the input is only computed with single numbers, as settings are: then it is one
// itself.
bool meetsOnlyNumbers(const Graph& graph, NodeId input, const InferredShapes& shapes)
{
    const std::vector<NodeId> readers = readersOf(graph, input);
    return !readers.empty() && std::ranges::all_of(readers, [&](NodeId reader) {
        if (!isPairwise(graph.node(reader).op()))
            return false;
        return std::ranges::all_of(graph.inputs(reader), [&](const Endpoint& from) {
            const TensorLabel* label = shapes.find(from);
            return from.isControl() || from.node == input ||
                   (label != nullptr && !label->shape.unknownRank && label->shape.dims.empty());
        });
    });
}

// Returns sizes of the other inputs of the nodes that read the input, such as the channels of
// filters. If its rank is unknown, also of readers after a reshape: labels are flattened for their
// loss.
std::vector<std::int64_t> metSizes(const Graph& graph, NodeId input, const InferredShapes& shapes,
                                   bool isRankKnown)
{
    std::vector<std::int64_t> sizes;
    for (const NodeId reader : readersOf(graph, input, !isRankKnown)) {
        if (isRowLookup(graph.node(reader).op()))
            continue;
        for (const Endpoint& from : graph.inputs(reader)) {
            const TensorLabel* label =
                from.isControl() || from.node == input ? nullptr : shapes.find(from);
            if (label == nullptr || label->shape.unknownRank)
                continue;
            for (const std::int64_t size : label->shape.dims)
                if (size > 0 && std::ranges::find(sizes, size) == sizes.end())
                    sizes.push_back(size);
        }
    }
    return sizes;
}

// Returns the number of channels of the filters that read the input as a picture; nothing if there
// are none.
std::optional<std::int64_t> channelsOfFilters(const Graph& graph, NodeId input,
                                              const InferredShapes& shapes)
{
    for (const NodeId reader : readersOf(graph, input)) {
        const WorkKind kind = workKind(graph.node(reader).op());
        const auto inputs = graph.inputs(reader);
        if ((kind != WorkKind::Convolution && kind != WorkKind::DepthwiseConvolution) ||
            inputs.size() < 2 || inputs[0].isControl() || inputs[1].isControl())
            continue;
        const TensorLabel* filter = shapes.find(inputs[1]);
        if (filter != nullptr && !filter->shape.unknownRank && filter->shape.dims.size() == 4 &&
            filter->shape.dims[2] > 0)
            return filter->shape.dims[2];
    }
    return std::nullopt;
}

// Returns whether the op takes pictures in the forward half of a network.
bool takesPictures(std::string_view op)
{
    const bool isGradient =
        op.find("Backprop") != std::string_view::npos || op.find("Grad") != std::string_view::npos;
    return !isGradient && (workKind(op) == WorkKind::Convolution ||
                           workKind(op) == WorkKind::DepthwiseConvolution ||
                           op.find("Pool") != std::string_view::npos || op.starts_with("Resize"));
}

// Returns whether the input may be a picture: a label leads only to the gradients of ops that take
// pictures.
bool leadsToPictures(const Graph& graph, NodeId input)
{
    constexpr std::size_t mostFollowed = 100'000;
    std::vector<NodeId> open{input};
    std::set<std::uint32_t> seen{input.value};
    for (std::size_t i = 0; i < open.size() && i < mostFollowed; ++i)
        for (const Consumer& reader : graph.consumers(open[i])) {
            if (reader.isControl() || !seen.insert(reader.node.value).second)
                continue;
            if (takesPictures(graph.node(reader.node).op()))
                return true;
            open.push_back(reader.node);
        }
    return false;
}

class Proposal {
public:
    Proposal(const Graph& graph, const FeedTarget& input,
             const std::vector<std::pair<Endpoint, Shape>>& given, const Job& job)
        : m_graph(graph)
        , m_input(input)
        , m_job(job)
    {
        m_options.given = given;
        const Input tensor = parseInput(input.tensor);
        m_tensor = {graph.find(tensor.node), tensor.port};
    }

    Result<std::optional<Shape>> run()
    {
        ASSIGN_OR_RETURN(const auto shapes, inferShapes(m_graph, m_options, m_job));
        m_faults = shapes.conflicts().size();
        m_met = metSizes(m_graph, m_tensor.node, shapes, !m_input.shape.unknownRank);
        m_leadsToPictures = leadsToPictures(m_graph, m_tensor.node);
        m_isNumber = meetsOnlyNumbers(m_graph, m_tensor.node, shapes);
        if (const auto channels = channelsOfFilters(m_graph, m_tensor.node, shapes))
            m_channels.insert(m_channels.begin(), *channels);
        for (const Shape& open : ranks()) {
            ASSIGN_OR_RETURN(auto closed, closedShape(open));
            if (closed)
                return closed;
        }
        return std::optional<Shape>();
    }

private:
    // Returns the input's shape; if its rank is unknown, shapes of the usual ranks.
    std::vector<Shape> ranks() const
    {
        if (!m_input.shape.unknownRank)
            return {m_input.shape};
        std::vector<Shape> shapes;
        for (const std::size_t rank : usualRanks())
            shapes.push_back({std::vector<std::int64_t>(rank, -1), false});
        return shapes;
    }

    // Whole numbers without a shape are settings and lengths rather than pictures.
    std::vector<std::size_t> usualRanks() const
    {
        if (m_isNumber)
            return {0};
        switch (m_input.dtype) {
        case DType::String: return {0, 1};
        case DType::Bool:
        case DType::Int32:
        case DType::Int64: return {0, 1, 2, 3, 4};
        default: break;
        }
        if (inputUse(m_graph, m_input) == InputUse::SteersLoop)
            return {0, 4, 2, 1, 3};
        if (m_leadsToPictures)
            return {4, 2, 1, 0, 3};
        return {2, 4, 1, 0, 3}; // a label, the input of a product, or scores
    }

    Result<bool> fits(const Shape& shape) const
    {
        ShapeOptions options = m_options;
        options.given.emplace_back(m_tensor, shape);
        ASSIGN_OR_RETURN(const auto shapes, inferShapes(m_graph, options, m_job));
        return shapes.conflicts().size() <= m_faults;
    }

    // Returns whether the shape has height, width and one or three colors, without a batch.
    static bool isPictureAlone(const Shape& shape)
    {
        return shape.dims.size() == 3 && shape.dims[0] < 0 && shape.dims[1] < 0 &&
               (shape.dims[2] == 3 || shape.dims[2] == 1);
    }

    // Fills the open sizes between batch and channels with one size, as for a square picture.
    static Shape filled(Shape shape, std::int64_t size, std::int64_t channels)
    {
        const bool isPicture = shape.dims.size() == 4;
        const bool isAlone = isPictureAlone(shape);
        for (std::size_t i = 0; i < shape.dims.size(); ++i)
            if (shape.dims[i] < 0)
                shape.dims[i] = i == 0 && shape.dims.size() > 1 && !isAlone ? 1
                                : isPicture && i == 3                       ? channels
                                                                            : size;
        return shape;
    }

    Result<std::optional<Shape>> closedShape(const Shape& open) const
    {
        std::vector<std::int64_t> sizes(m_met);
        const bool isPicture = open.dims.size() == 4 || isPictureAlone(open);
        const bool isBatch = open.dims.size() == 1 && m_input.dtype == DType::String;
        const auto& common = isPicture ? commonSizes : commonLengths;
        sizes.insert(isPicture ? sizes.begin() : sizes.end(), common.begin(), common.end());
        if (isBatch) // a batch of examples, or of sentences
            sizes.insert(sizes.begin(), 1);
        constexpr std::size_t mostTried = 24;
        sizes.resize(std::min(sizes.size(), mostTried));
        ASSIGN_OR_RETURN(auto closed, firstThatFits(open, sizes));
        if (closed || !isPicture || !m_leadsToPictures)
            return closed;
        return firstThatFits(open, roundSizes());
    }

    Result<std::optional<Shape>> firstThatFits(const Shape& open,
                                               std::span<const std::int64_t> sizes) const
    {
        const bool opensChannels = open.dims.size() == 4 && open.dims[3] < 0;
        for (const std::int64_t channels : m_channels) {
            for (const std::int64_t size : sizes) {
                const Shape shape = filled(open, size, channels);
                ASSIGN_OR_RETURN(const bool isRight, fits(shape));
                if (isRight)
                    return std::optional(shape);
            }
            if (!opensChannels)
                break;
        }
        return std::optional<Shape>();
    }

    // Returns all sizes that pictures have, the rounder ones first: the weights of a product after
    // convolutions fit only some of them. For a large graph there are fewer.
    std::vector<std::int64_t> roundSizes() const
    {
        constexpr std::int64_t largest = 640;
        std::vector<std::int64_t> sizes;
        for (const std::int64_t step : {32, 16, 10, 8, 4, 2, 1})
            for (std::int64_t size = step; size <= largest; size += step)
                if (std::ranges::find(sizes, size) == sizes.end())
                    sizes.push_back(size);
        sizes.resize(std::min(sizes.size(), mostProposals(m_graph)));
        return sizes;
    }

    const Graph& m_graph;
    const FeedTarget& m_input;
    const Job& m_job;
    ShapeOptions m_options;
    Endpoint m_tensor;
    std::size_t m_faults = 0; // conflicts without a proposal
    std::vector<std::int64_t> m_met;
    std::vector<std::int64_t> m_channels{3,
                                         1}; // of a picture, in the order in which they are tried
    bool m_isNumber = false;
    bool m_leadsToPictures = false;
};

} // namespace

std::size_t mostProposals(const Graph& graph)
{
    constexpr std::size_t allowance = 1U << 19U; // nodes, over all proposals
    return std::max<std::size_t>(allowance / std::max<std::size_t>(graph.size(), 1), 1);
}

Result<std::optional<Shape>> proposedShape(const Graph& graph, const FeedTarget& input,
                                           const std::vector<std::pair<Endpoint, Shape>>& given,
                                           const Job& job)
{
    if (isFullyKnown(input.shape))
        return std::optional(input.shape);
    Proposal proposal(graph, input, given, job);
    return proposal.run();
}

} // namespace lapidary
