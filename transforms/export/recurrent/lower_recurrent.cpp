// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/recurrent/lower_recurrent.h"

#include "graph_model/graph/function.h"
#include "graph_model/ops/op_traits.h"
#include "transforms/export/recurrent/recognize_chains.h"
#include "transforms/export/recurrent/recognize_recurrent.h"

#include <algorithm>

namespace lapidary {
namespace {

// Returns whether a node of that kind is in the graph or in functions that it may call.
template <class Test>
bool hasNode(const Graph& graph, const Test& test)
{
    const auto fits = [&](const NodePtr& node) { return test(node->op()); };
    const FunctionLibrary* functions = graph.functions();
    return std::ranges::any_of(graph.nodes(), fits) ||
           (functions != nullptr &&
            std::ranges::any_of(functions->functions, [&](const FunctionPtr& function) {
                return std::ranges::any_of(function->body->nodes(), fits);
            }));
}

bool isLoop(std::string_view op)
{
    return isLoopCond(op) || callKind(op) == CallKind::Loop;
}

bool isBranch(std::string_view op)
{
    return callKind(op) == CallKind::Branch;
}

bool hasKind(const PortableModel& model, PortableKind kind)
{
    return std::ranges::any_of(model.operations, [kind](const PortableOperation& operation) {
        return operation.kind == kind ||
               std::ranges::any_of(operation.parts,
                                   [kind](const auto& part) { return hasKind(*part, kind); });
    });
}

void addReasons(const RecognizedLayers& layers, std::vector<std::string>& notes)
{
    for (const auto& [loop, reason] : layers.reasons)
        notes.push_back(loop + " does not become a recurrent layer: " + reason);
}

// Returns the model with the layers that were found in it; nothing if it cannot be exported with
// them.
std::optional<LoweredModel> withLayers(Result<LoweredModel> lowered, ExportTarget target,
                                       RecognizedLayers& layers)
{
    if (!lowered)
        return std::nullopt;
    layers = recognizeRecurrentLayers(lowered->model, target);
    if (!lowered->refused.empty())
        return std::nullopt;
    lowered->notes.insert(lowered->notes.end(), layers.notes.begin(), layers.notes.end());
    addReasons(layers, lowered->notes);
    return *std::move(lowered);
}

// Finds layers among steps that are unrolled, in the graph itself or from a loop.
void recognizeChains(Result<LoweredModel>& lowered, ExportTarget target)
{
    if (!lowered || !lowered->refused.empty())
        return;
    for (std::string& note : recognizeRecurrentChains(lowered->model, target))
        lowered->notes.push_back(std::move(note));
}

// Adds a note if unrolled loops are many operations.
void noteWrittenOut(LoweredModel& lowered)
{
    constexpr std::size_t many = 1000; // operations
    if (!hasKind(lowered.model, PortableKind::While) && lowered.model.operations.size() > many)
        lowered.notes.push_back("its loops are written out, step after step, as " +
                                std::to_string(lowered.model.operations.size()) +
                                " operations; as operators that run a body they are a few");
}

// Lowers first with all loops as operators, and looks for cells in them; then, if other loops are
// left, with the loops that became layers kept, and the others as usual.
Result<LoweredModel> lowerLoops(const GraphPtr& graph, const ExportInterface& interface,
                                ExportTarget target, const Job& job)
{
    if (!hasNode(*graph, isLoop))
        return lowerAsItIs(graph, interface, target, job);
    ExportInterface changed = interface;
    changed.loops = LoopForm::Operators;
    RecognizedLayers layers;
    auto first = withLayers(lowerAsItIs(graph, changed, target, job), target, layers);
    if (first && !layers.loops.empty() && !hasKind(first->model, PortableKind::While))
        return *std::move(first);
    const RecognizedLayers found = layers;
    if (!found.loops.empty()) {
        changed = interface;
        changed.keptLoops = found.loops;
        auto second = withLayers(lowerAsItIs(graph, changed, target, job), target, layers);
        if (second && layers.loops == found.loops) {
            addReasons({.reasons = found.reasons}, second->notes);
            return *std::move(second);
        }
    }
    ASSIGN_OR_RETURN(LoweredModel plain, lowerAsItIs(graph, interface, target, job));
    addReasons(found, plain.notes);
    return plain;
}

} // namespace

Result<LoweredModel> lowerAsItIs(const GraphPtr& graph, const ExportInterface& interface,
                                 ExportTarget target, const Job& job)
{
    ASSIGN_OR_RETURN(const PreparedGraph prepared, prepareExport(graph, interface, job));
    return lowerGraph(prepared, target, job);
}

// If branches cannot be operators, both sides are computed.
Result<LoweredModel> lowerWithLayers(const GraphPtr& graph, const ExportInterface& interface,
                                     ExportTarget target, const Job& job)
{
    const auto lower = [&](const ExportInterface& form) {
        if (form.loops != LoopForm::Auto)
            return lowerAsItIs(graph, form, target, job);
        auto lowered = lowerLoops(graph, form, target, job);
        recognizeChains(lowered, target);
        if (lowered && hasNode(*graph, isLoop))
            noteWrittenOut(*lowered);
        return lowered;
    };
    if (!hasNode(*graph, isBranch))
        return lower(interface);
    ExportInterface changed = interface;
    changed.keepsBranches = true;
    auto kept = lower(changed);
    const bool isKept = kept && kept->refused.empty();
    if (isKept && hasKind(kept->model, PortableKind::If))
        return kept;
    ASSIGN_OR_RETURN(LoweredModel plain, lower(interface));
    if (!isKept && plain.refused.empty())
        plain.notes.push_back(
            "both sides of branches are computed: " +
            (kept ? kept->refused.front().node + ": " + kept->refused.front().reason
                  : kept.error().message));
    return plain;
}

} // namespace lapidary
