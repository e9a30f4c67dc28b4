// SPDX-License-Identifier: Apache-2.0
// Finds contradictory shapes, by shape inference over the whole graph.
#include "graph_model/binding/node_signature.h"
#include "graph_model/check/check_context.h"
#include "graph_model/shapes/inferred_shapes.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

namespace lapidary {
namespace {

// Returns the shapes of the data inputs, the first few of many: "[2,3] and [4]".
std::string inputShapes(const CheckContext& context, const InferredShapes& shapes, NodeId id)
{
    constexpr std::size_t mostNamed = 4;
    std::string text;
    std::size_t count = 0;
    for (const Endpoint& from : context.graph.inputs(id)) {
        if (from.isControl())
            continue;
        if (++count > mostNamed)
            return text + ", ...";
        const TensorLabel* label = shapes.find(from);
        text += count > 1 ? ", " : "";
        text += label == nullptr ? "?" : shapeText(label->shape);
    }
    return text;
}

// Returns whether the node has as many inputs as its op; if not, that was reported already.
bool isWired(const CheckContext& context, NodeId id)
{
    const OpSpec* spec = context.specs[id.value];
    const auto inputs = context.graph.inputs(id);
    const auto isData = [](const Endpoint& from) { return !from.isControl(); };
    return spec != nullptr && inputLength(context.graph.node(id), *spec).value_or(-1) ==
                                  std::int64_t(std::ranges::count_if(inputs, isData));
}

// _output_shapes that contradict only our own inference are harmless, because the session does not
// read them. The import trusts them, and may then find other contradictions.
class ShapeChecker {
public:
    explicit ShapeChecker(CheckContext& context)
        : m_context(context)
    {
    }

    void run()
    {
        const auto shapes = propagateShapes(m_context.graph, {}, {}, m_context.job);
        if (!shapes.ok())
            return;
        std::unordered_set<NodeId> known;
        for (const ShapeConflict& conflict : shapes->conflicts()) {
            report(*shapes, conflict, severityOf(conflict));
            known.insert(conflict.node);
        }
        if (!m_imported)
            return;
        for (const ShapeConflict& conflict : m_imported->conflicts())
            if (!known.contains(conflict.node) && conflict.cause != ConflictCause::CalledLater)
                report(*m_imported, conflict, m_context.againstRegistry());
    }

private:
    Severity severityOf(const ShapeConflict& conflict)
    {
        switch (conflict.cause) {
        case ConflictCause::Node: return m_context.againstRegistry();
        case ConflictCause::OutputShapes:
            return isSeenByImport(conflict.node) ? m_context.againstSignature(conflict.node)
                                                 : Severity::Warning;
        case ConflictCause::Called:
            return isSeenByImport(conflict.node) ? m_context.againstRegistry() : Severity::Warning;
        case ConflictCause::CalledLater: break;
        }
        return Severity::Warning;
    }

    bool isSeenByImport(NodeId node)
    {
        if (!m_imported) {
            ShapeOptions options;
            options.asImported = true;
            auto shapes = propagateShapes(m_context.graph, options, {}, m_context.job);
            if (!shapes.ok())
                return false;
            m_imported = *std::move(shapes);
            for (const ShapeConflict& conflict : m_imported->conflicts())
                m_seen.insert(conflict.node);
        }
        return m_seen.contains(node);
    }

    void report(const InferredShapes& shapes, const ShapeConflict& conflict, Severity severity)
    {
        if (!isWired(m_context, conflict.node) || m_context.isFaulty[conflict.node.value])
            return;
        const std::string inputs = inputShapes(m_context, shapes, conflict.node);
        m_context.report("shape_mismatch", severity, conflict.node,
                         "Shapes contradict each other: " + conflict.message +
                             (inputs.empty() ? "" : " (its inputs are " + inputs + ")"));
    }

    CheckContext& m_context;
    std::optional<InferredShapes> m_imported; // inferred on demand
    std::unordered_set<NodeId> m_seen;        // nodes with conflicts in it
};

} // namespace

void checkShapes(CheckContext& context)
{
    if (!context.place.isBody)
        ShapeChecker(context).run();
}

} // namespace lapidary
