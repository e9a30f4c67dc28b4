// SPDX-License-Identifier: Apache-2.0
#include "transforms/layers/layer_readers.h"

#include "transforms/constants/const_node.h"
#include "transforms/layers/channel_op.h"

#include <algorithm>

namespace lapidary {
namespace {

class ReaderWalk {
public:
    ReaderWalk(const Graph& graph, const Layer& layer, const NodeNames& kept)
        : m_graph(graph)
        , m_layer(layer)
        , m_kept(kept)
    {
    }

    Result<LayerReaders> run()
    {
        for (const NodeId id : {m_layer.product, m_layer.weights, m_layer.sum, m_layer.bias})
            if (id.isValid())
                RETURN_IF_ERROR(checkFree(id));
        m_open.push_back({m_layer.end(), m_graph.node(m_layer.product).op() == "MatMul", false});
        while (!m_open.empty()) {
            const Place place = m_open.back();
            m_open.pop_back();
            RETURN_IF_ERROR(followAll(place));
        }
        return std::move(m_found);
    }

private:
    struct Place {
        NodeId node;
        bool isFlat = false;
        bool isReshaped = false; // value i of a row may no longer belong to channel i
    };

    Error decline(std::string why) const { return {ErrorCode::InvalidArgument, std::move(why)}; }
    std::string name(NodeId id) const { return std::string(m_graph.node(id).name()); }

    Status checkFree(NodeId id) const
    {
        if (m_kept.contains(m_graph.node(id).name()))
            return decline(name(id) + " is an input or output of the model");
        return Done{};
    }

    Status followAll(const Place& place)
    {
        const std::vector<NodeId> readers = dataReaders(m_graph, place.node);
        if (readers.empty())
            return decline("nothing reads " + name(place.node));
        for (const NodeId reader : readers)
            RETURN_IF_ERROR(follow(place, reader));
        return Done{};
    }

    Status follow(const Place& place, NodeId reader)
    {
        const Node& node = m_graph.node(reader);
        if (isLayerOp(node.op()))
            return addLayer(place, reader);
        const auto op = channelOpAt(m_graph, reader, place.isFlat);
        // A tensor that is read as a shape, an axis or a second operand has no channels.
        if (!op || op->tensor != place.node || readsElsewhere(place.node, reader, op->limits))
            return decline("also read by " + name(reader) + " (" + std::string(node.op()) + ")");
        RETURN_IF_ERROR(checkFree(reader));
        using Kind = ChannelOp::Kind;
        if (op->kind == Kind::Relu6 || op->limits.isValid())
            RETURN_IF_ERROR(addClip(place, reader, *op));
        m_open.push_back({reader, op->isFlat, place.isReshaped || node.op() == "Reshape"});
        return Done{};
    }

    // Returns whether the reader reads the tensor more than once, or another output than the first.
    bool readsElsewhere(NodeId from, NodeId reader, NodeId limits) const
    {
        std::size_t count = 0;
        for (const Endpoint& input : m_graph.inputs(reader))
            if (input.node == from && !input.isControl())
                count += input.port == 0 ? 1 : 2;
        return count != 1 || limits == from;
    }

    Status addLayer(const Place& place, NodeId product)
    {
        const auto layer = layerAt(m_graph, product);
        if (!layer)
            return decline("read by " + name(product) + ": " + layer.error().message);
        if (readsElsewhere(place.node, product, {}) || layer->inputs % m_layer.outputs != 0)
            return decline("read by " + name(product) + ", whose channels are others");
        RETURN_IF_ERROR(checkFree(layer->weights));
        m_found.layers.push_back(*layer);
        return Done{};
    }

    Status addClip(const Place& place, NodeId id, const ChannelOp& op)
    {
        if (place.isReshaped)
            return decline(name(id) + " clips behind a Reshape");
        if (op.limits.isValid()) {
            RETURN_IF_ERROR(checkFree(op.limits));
            if (dataReaders(m_graph, op.limits).size() != 1)
                return decline("the limits " + name(op.limits) + " are also read elsewhere");
            const std::vector<std::int64_t> dims = constDims(m_graph.node(op.limits));
            if (!dims.empty() && dims[0] != m_layer.outputs)
                return decline("the limits " + name(op.limits) + " are not one value per channel");
        }
        m_found.clips.push_back(id);
        return Done{};
    }

    const Graph& m_graph;
    const Layer& m_layer;
    const NodeNames& m_kept;
    std::vector<Place> m_open;
    LayerReaders m_found;
};

} // namespace

Result<LayerReaders> layerReaders(const Graph& graph, const Layer& layer, const NodeNames& kept)
{
    return ReaderWalk(graph, layer, kept).run();
}

} // namespace lapidary
