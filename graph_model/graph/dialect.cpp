// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/dialect.h"

#include "graph_model/base/wire.h"
#include "graph_model/ops/op_traits.h"

namespace lapidary {
namespace {

// Far from the numbers that GraphDef uses.
constexpr std::uint32_t markField = 19'001;

} // namespace

std::string_view dialectName(Dialect dialect)
{
    switch (dialect) {
    case Dialect::TensorFlow: return "TensorFlow";
    case Dialect::Tflite: return "TFLite";
    case Dialect::Onnx: return "ONNX";
    }
    return "TensorFlow";
}

Dialect dialectOf(const Graph& graph)
{
    WireReader reader(graph.unknownFields());
    while (reader.next())
        for (const Dialect dialect : {Dialect::Tflite, Dialect::Onnx})
            if (reader.field() == markField && reader.bytes() == dialectName(dialect))
                return dialect;
    return Dialect::TensorFlow;
}

const OpSpec* registeredOp(const Graph& graph, NodeId id)
{
    const std::string_view op = graph.node(id).op();
    const bool isOurs =
        isPlaceholder(op) || isConstant(op) || dialectOf(graph) == Dialect::TensorFlow;
    return isOurs ? findOp(op) : nullptr;
}

std::string dialectField(Dialect dialect)
{
    std::string field;
    if (dialect != Dialect::TensorFlow)
        WireWriter(field).bytes(markField, dialectName(dialect));
    return field;
}

Status requireTensorFlow(const Graph& graph, std::string_view deed)
{
    const Dialect dialect = dialectOf(graph);
    if (dialect == Dialect::TensorFlow)
        return Done{};
    return Error{ErrorCode::Unsupported,
                 std::string(dialect == Dialect::Onnx ? "an " : "a ") +
                     std::string(dialectName(dialect)) + " model " + std::string(deed) +
                     ": its operators are not TensorFlow's; take the graph that it was made from"};
}

} // namespace lapidary
