#include "runner/shapes/declared_shapes.h"

namespace lapidary {
namespace {

std::optional<Shape> outputShape(const Node& node, std::int32_t port)
{
    const std::vector<Shape> shapes = node.attr("_output_shapes").shapes();
    if (port >= 0 && std::size_t(port) < shapes.size())
        return shapes[std::size_t(port)];
    return port == 0 ? node.attr("shape").asShape() : std::nullopt;
}

} // namespace

TensorFacts declaredFacts(const Graph& graph, Endpoint tensor)
{
    const Node& node = graph.node(tensor.node);
    TensorFacts facts;
    facts.shape = outputShape(node, tensor.port);
    if (const auto dtype = node.attr("dtype").asType())
        facts.dtype = *dtype;
    return facts;
}

} // namespace lapidary
