// Shapes that contradict each other, as far as constants and placeholders make them known.
#include "graph_model/check/check_context.h"
#include "graph_model/check/shape_rules.h"
#include "graph_model/tensor/tensor_layout.h"

#include <algorithm>

namespace lapidary {
namespace {

constexpr std::int64_t maxValues = 64; // of a constant that says a shape or an axis
// Up to this graph version a placeholder's shape without sizes meant that nothing is known.
constexpr std::int32_t lastVersionOfShapelessPlaceholders = 21;

class ShapeWalk {
public:
    explicit ShapeWalk(CheckContext& context)
        : m_context(context)
        , m_outputs(context.graph.size())
    {
    }

    void run()
    {
        std::size_t steps = 0;
        for (const NodeId id : topologicalOrder(m_context.graph)) {
            if ((++steps & 0xFFF) == 0 && m_context.job.cancelled())
                return;
            visit(id);
        }
    }

private:
    void visit(NodeId id)
    {
        const Node& node = m_context.graph.node(id);
        if (!hasShapeRule(node.op())) {
            m_outputs[id.value] = sourceShape(node);
            return;
        }
        m_inputs.clear();
        for (const Endpoint& from : m_context.graph.inputs(id))
            if (!from.isControl())
                m_inputs.push_back({shapeOf(from), valuesOf(from)});
        ShapeVerdict verdict = applyShapeRule(node, m_inputs);
        if (!verdict.conflict.empty())
            m_context.report("shape_mismatch", Severity::Error, id,
                             "Shapes contradict each other: " + verdict.conflict);
        m_outputs[id.value] = std::move(verdict.output);
    }

    KnownShape shapeOf(const Endpoint& from) const
    {
        return from.node.isValid() && from.port == 0 ? m_outputs[from.node.value] : KnownShape();
    }

    // Values of a constant of integers, also behind Identity.
    std::optional<std::vector<std::int64_t>> valuesOf(Endpoint from) const
    {
        const Graph& graph = m_context.graph;
        for (int hop = 0; hop < 4 && from.node.isValid() && from.port == 0; ++hop) {
            const Node& node = graph.node(from.node);
            if (node.op() == "Const")
                return constantValues(node);
            const auto inputs = graph.inputs(from.node);
            if (node.op() != "Identity" || inputs.empty())
                break;
            from = inputs[0];
        }
        return std::nullopt;
    }

    static std::optional<std::vector<std::int64_t>> constantValues(const Node& node)
    {
        const auto dtype = node.attr("dtype").asType();
        if (dtype != DType::Int32 && dtype != DType::Int64)
            return std::nullopt;
        const Result<Tensor> tensor = node.tensor();
        if (!tensor.ok() || tensor.value().elements() > maxValues)
            return std::nullopt;
        const auto numbers = tensor.value().numbers(0, tensor.value().elements());
        if (!numbers.ok())
            return std::nullopt;
        return std::vector<std::int64_t>(numbers.value().begin(), numbers.value().end());
    }

    // Shapes that a node has by itself.
    KnownShape sourceShape(const Node& node) const
    {
        if (node.op() == "Const") {
            const auto proto = node.attr("value").asTensorProto();
            const Shape shape = proto ? tensorProtoShape(*proto) : Shape{};
            return proto && fullShapeFault(shape).empty() ? KnownShape(shape.dims) : std::nullopt;
        }
        if (node.op() != "Placeholder" && node.op() != "VariableV2")
            return std::nullopt;
        const auto shape = node.attr("shape").asShape();
        if (!shape || shape->unknownRank || !partialShapeFault(*shape).empty())
            return std::nullopt;
        const bool saysNothing = shape->dims.empty() && node.op() == "Placeholder" &&
                                 m_context.place.producer <= lastVersionOfShapelessPlaceholders;
        return saysNothing ? KnownShape() : KnownShape(shape->dims);
    }

    CheckContext& m_context;
    std::vector<KnownShape> m_outputs; // of port 0
    std::vector<ShapeInput> m_inputs;
};

} // namespace

void checkShapes(CheckContext& context)
{
    if (!context.place.isBody)
        ShapeWalk(context).run();
}

} // namespace lapidary
