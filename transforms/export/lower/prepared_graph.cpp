// SPDX-License-Identifier: Apache-2.0
#include "transforms/export/lower/prepared_graph.h"

#include "graph_model/graph/dialect.h"
#include "graph_model/graph/function.h"
#include "graph_model/graph/graph_edit.h"
#include "graph_model/interface/flow.h"
#include "graph_model/ops/later_ops.h"
#include "graph_model/ops/op_traits.h"
#include "runner/shapes/infer_shapes.h"
#include "transforms/constants/const_node.h"
#include "transforms/export/int8/store_codes.h"
#include "transforms/export/loops/array_elements.h"
#include "transforms/export/loops/array_tensors.h"
#include "transforms/export/loops/lists_as_arrays.h"
#include "transforms/export/loops/loop_frame.h"
#include "transforms/export/loops/resolve_arrays.h"
#include "transforms/export/loops/select_branches.h"
#include "transforms/export/loops/unroll_loops.h"
#include "transforms/export/lower/cut_to_interface.h"
#include "transforms/export/lower/halves_as_floats.h"
#include "transforms/export/lower/lowering.h"
#include "transforms/export/lower/settle_switches.h"
#include "transforms/fold/fold_leniently.h"
#include "transforms/functions/expand_nodes.h"
#include "transforms/pass/pass.h"

#include <algorithm>
#include <set>
#include <utility>

namespace lapidary {
namespace {

// Replaces the graph by one whose inputs and outputs have the same names.
void moveEnds(PreparedGraph& prepared, GraphPtr next)
{
    for (auto* ends : {&prepared.inputs, &prepared.outputs})
        for (PreparedGraph::End& end : *ends)
            if (end.tensor.node.isValid())
                end.tensor.node = next->find(prepared.graph->node(end.tensor.node).name());
    prepared.graph = std::move(next);
}

// Returns the nodes whose values may differ between runs: those that are computed from inputs.
NodeFlags fedNodes(const Graph& graph)
{
    NodeFlags fed(graph.size(), false);
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        fed[i] = isPlaceholder(graph.node(NodeId{i}).op());
    flowToReaders(graph, fed, [](NodeId) { return true; });
    return fed;
}

// Returns whether an op is exported as an operation that takes codes of 8 bits as a constant
// operand.
bool becomesReaderOfCodes(std::string_view op)
{
    const LowerRow* row = findLowerRow(op);
    for (std::size_t kind = 0; row != nullptr && kind < portableKindCount; ++kind)
        if (portableKindName(PortableKind(kind)) == row->becomes)
            return readsCodes(PortableKind(kind));
    return false;
}

// Returns whether all readers of a node are exported with codes, directly or after its elements
// were moved.
bool isReadAsCodes(const Graph& graph, NodeId id, int steps)
{
    return std::ranges::all_of(graph.consumers(id), [&](const Consumer& reader) {
        const std::string_view op = graph.node(reader.node).op();
        const bool isMoved = op == "Transpose" || op == "Reshape" || op == "ExpandDims";
        return becomesReaderOfCodes(op) ||
               (isMoved && steps > 0 && isReadAsCodes(graph, reader.node, steps - 1));
    });
}

// Excludes constants from folding if all their readers are exported with codes.
void keepCodes(const Graph& graph, PassArgs& args)
{
    constexpr int mostSteps = 3; // steps to the order of a layer's weights
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        if (const Node& node = graph.node(NodeId{i});
            node.op() == "_Tflite_DEQUANTIZE" && isReadAsCodes(graph, NodeId{i}, mostSteps))
            args.parameters.add("exclude_node", std::string(node.name()));
}

Status foldOnce(PreparedGraph& prepared, const std::set<std::string>& kept, const Job& job)
{
    PassArgs args;
    for (const PreparedGraph::End& input : prepared.inputs)
        if (input.tensor.node.isValid())
            args.inputs.push_back(tensorName(*prepared.graph, input.tensor));
    std::set<std::string> outputs;
    for (const PreparedGraph::End& output : prepared.outputs)
        outputs.insert(tensorName(*prepared.graph, output.tensor));
    args.outputs.assign(outputs.begin(), outputs.end());
    args.parameters.add("max_constant_size_in_bytes", "-1");
    args.parameters.add("clear_output_shapes", "true");
    for (const std::string& node : kept)
        args.parameters.add("exclude_node", node);
    keepCodes(*prepared.graph, args);
    ASSIGN_OR_RETURN(EditResult folded, foldLeniently(prepared.graph, args, job));
    moveEnds(prepared, std::move(folded.graph));
    return Done{};
}

bool hasLoopNode(const PreparedGraph& prepared)
{
    return std::ranges::any_of(prepared.graph->nodes(), [&](const NodePtr& node) {
        return outlinedLoop(*node, prepared.loops) != nullptr;
    });
}

// Returns whether an output could be computed now, but is still a node.
bool isUnfoldedOutput(const Graph& graph, const NodeFlags& fed, const PreparedGraph::End& output)
{
    return !isConstant(graph.node(output.tensor.node).op()) && !fed[output.tensor.node.value];
}

struct SetApart {
    std::set<std::string> outputs; // the nodes that the outputs are now
    std::set<std::string> made;    // those that were added
};

// Puts an Identity after each of these outputs, which takes the place of the output: the pass that
// folds keeps outputs.
Result<SetApart> setOutputsApart(PreparedGraph& prepared, const NodeFlags& fed)
{
    SetApart apart;
    GraphEdit edit(prepared.graph);
    std::vector<std::pair<PreparedGraph::End*, std::string>> moved;
    for (PreparedGraph::End& output : prepared.outputs) {
        if (!isUnfoldedOutput(*prepared.graph, fed, output))
            continue;
        const Node& node = prepared.graph->node(output.tensor.node);
        const TensorLabel* label = prepared.shapes.find(output.tensor);
        if (node.op() == "Identity" || label == nullptr || label->dtype == DType::Invalid) {
            apart.outputs.insert(std::string(node.name()));
            continue;
        }
        std::string name = std::string(node.name()) + "/output";
        while (prepared.graph->find(name).isValid() || apart.outputs.contains(name))
            name += '_';
        NodeDraft draft = newNode(name, "Identity", {outputText(*prepared.graph, output.tensor)});
        draft.setAttr("T", attr::fromType(withoutReference(label->dtype)));
        edit.add(std::move(draft));
        apart.outputs.insert(name);
        apart.made.insert(name);
        moved.emplace_back(&output, std::move(name));
    }
    ASSIGN_OR_RETURN(EditResult made, std::move(edit).finish());
    moveEnds(prepared, std::move(made.graph));
    for (const auto& [output, name] : moved)
        output->tensor = {prepared.graph->find(name), 0};
    return apart;
}

// Removes added nodes whose outputs could not be computed, such as values inside a loop.
Status takeOutputsBack(PreparedGraph& prepared, const std::set<std::string>& made)
{
    GraphEdit edit(prepared.graph);
    for (PreparedGraph::End& output : prepared.outputs) {
        const Node& node = prepared.graph->node(output.tensor.node);
        if (!made.contains(std::string(node.name())) || node.op() != "Identity")
            continue;
        edit.remove(output.tensor.node, "not constant");
        output.tensor = prepared.graph->inputs(output.tensor.node)[0];
    }
    ASSIGN_OR_RETURN(EditResult left, std::move(edit).finish());
    moveEnds(prepared, std::move(left.graph));
    return Done{};
}

// Computes nodes that do not depend on the inputs, and those that ask for known sizes. Outputs are
// set apart for a second round if they are constant themselves.
Status foldPrepared(PreparedGraph& prepared, const Job& job)
{
    if (hasLoopNode(prepared))
        return Done{}; // the body of a loop is not a function of the graph
    RETURN_IF_ERROR(foldOnce(prepared, {}, job));
    const NodeFlags fed = fedNodes(*prepared.graph);
    const bool isDone = std::ranges::none_of(prepared.outputs, [&](const auto& output) {
        return isUnfoldedOutput(*prepared.graph, fed, output);
    });
    if (isDone)
        return Done{};
    ASSIGN_OR_RETURN(prepared.shapes, inferShapes(*prepared.graph, {}, job));
    ASSIGN_OR_RETURN(const SetApart apart, setOutputsApart(prepared, fed));
    RETURN_IF_ERROR(foldOnce(prepared, apart.outputs, job));
    return takeOutputsBack(prepared, apart.made);
}

Status goOnWith(PreparedGraph& prepared, Result<GraphPtr> rewritten, const Job& job)
{
    if (!rewritten)
        return rewritten.error();
    if (*rewritten == prepared.graph)
        return Done{};
    moveEnds(prepared, *std::move(rewritten));
    for (const PreparedGraph::End& output : prepared.outputs)
        if (!output.tensor.node.isValid())
            return Error{
                ErrorCode::Unsupported,
                "the output " + output.name +
                    " is part of an array or of a loop, which is not a tensor of the file; "
                    "choose another output"};
    return foldPrepared(prepared, job);
}

// Settles conditions until nothing changes: the side that one takes may determine sizes for the
// next one.
Status settleAll(PreparedGraph& prepared, const Job& job)
{
    for (GraphPtr before; before != prepared.graph;) {
        before = prepared.graph;
        RETURN_IF_ERROR(goOnWith(prepared, settleSwitches(prepared.graph), job));
    }
    return Done{};
}

// Replaces nodes that call functions by the functions' bodies.
Result<GraphPtr> withoutCalls(const GraphPtr& graph, const ExportInterface& interface,
                              const Job& job)
{
    if (graph->functions() == nullptr)
        return graph;
    PassArgs args;
    args.inputs = interface.inputs;
    args.outputs = interface.outputs;
    GraphPtr current = graph;
    constexpr int mostLevels = 16; // nested branches and loops with calls
    for (int level = 0; level < mostLevels; ++level) {
        const GraphPtr before = current;
        for (const bool isCall : {true, false}) {
            const Expander::Kinds kinds{
                .calls = isCall, .branches = !isCall && !interface.keepsBranches, .loops = !isCall};
            auto expanded = expandNodes(current, args, kinds, job);
            if (!expanded && job.cancelled())
                return expanded.error();
            if (!expanded)
                return graph; // lowering then refuses each call by its node
            current = expanded->graph;
        }
        if (current == before)
            break;
    }
    return current;
}

// Turns the remaining loops into nodes.
Status outlineRest(PreparedGraph& prepared, LoopForm form, const Job& job)
{
    if (form == LoopForm::Unrolled || !findInnermostLoop(*prepared.graph).frame)
        return Done{};
    std::vector<Endpoint> outputs;
    for (const PreparedGraph::End& output : prepared.outputs)
        outputs.push_back(output.tensor);
    RETURN_IF_ERROR(goOnWith(prepared, arraysAsTensors(prepared.graph, outputs, job), job));
    auto outlined = outlineLoops(prepared.graph, prepared.loops, job);
    return goOnWith(prepared, std::move(outlined), job);
}

// Converts halves to floats, for which the runtimes have kernels.
void widenHalves(PreparedGraph& prepared, bool keepsEnds)
{
    GraphPtr wide = halvesAsFloats(prepared.graph);
    const bool isWider = wide != prepared.graph;
    if (isWider) {
        moveEnds(prepared, std::move(wide));
        prepared.notes.emplace_back("halves are computed as floats, which are more exact; with "
                                    "weights in float16 the file is as large as with halves");
    }
    for (auto* ends : {&prepared.inputs, &prepared.outputs})
        for (PreparedGraph::End& end : *ends)
            end.isHalf = end.isHalf && isWider && keepsEnds;
}

// Infers the shapes. Error: shapes that contradict each other, because such a graph would not run;
// an assumption may be the reason.
Status inferAll(PreparedGraph& prepared, const Job& job)
{
    ASSIGN_OR_RETURN(prepared.shapes, inferShapes(*prepared.graph, {}, job));
    if (prepared.shapes.conflicts().empty() || hasLoopNode(prepared))
        return Done{};
    const ShapeConflict& conflict = prepared.shapes.conflicts().front();
    std::string message =
        std::string(prepared.graph->node(conflict.node).name()) + ": " + conflict.message;
    for (const std::string& assumption : prepared.notes)
        message += "; " + assumption;
    return Error{ErrorCode::InvalidArgument, std::move(message)};
}

} // namespace

Result<PreparedGraph> prepareExport(const GraphPtr& graph, const ExportInterface& interface,
                                    const Job& job)
{
    RETURN_IF_ERROR(requireTensorFlow(*graph, "is not exported"));
    ASSIGN_OR_RETURN(const GraphPtr flat, withoutCalls(graph, interface, job));
    ASSIGN_OR_RETURN(PreparedGraph prepared, cutToInterface(*flat, interface, job));
    prepared.computesCodes = interface.computesCodes;
    widenHalves(prepared, interface.keepsHalfEnds);
    RETURN_IF_ERROR(goOnWith(prepared, listsAsArrays(prepared.graph), job)); // lists are not folded
    RETURN_IF_ERROR(foldPrepared(prepared, job));
    RETURN_IF_ERROR(settleAll(prepared, job));
    // The length of one loop may decide that of the next one.
    for (GraphPtr before; before != prepared.graph;) {
        before = prepared.graph;
        RETURN_IF_ERROR(goOnWith(prepared, settleArraySizes(prepared.graph), job));
        RETURN_IF_ERROR(goOnWith(prepared, settleArrayElements(prepared.graph, job), job));
    }
    if (interface.loops != LoopForm::Operators)
        RETURN_IF_ERROR(
            goOnWith(prepared, unrollLoops(prepared.graph, interface.keptLoops, job), job));
    RETURN_IF_ERROR(settleAll(prepared, job));
    RETURN_IF_ERROR(goOnWith(prepared, selectBranches(prepared.graph), job));
    for (GraphPtr before; before != prepared.graph;) {
        before = prepared.graph;
        RETURN_IF_ERROR(goOnWith(prepared, resolveArrays(prepared.graph), job));
    }
    RETURN_IF_ERROR(outlineRest(prepared, interface.loops, job));
    RETURN_IF_ERROR(inferAll(prepared, job));
    return prepared;
}

Result<PreparedGraph> prepareLoopPart(const GraphPtr& graph, const ExportInterface& interface,
                                      const OutlinedLoops& loops, const Job& job)
{
    ASSIGN_OR_RETURN(PreparedGraph prepared, cutToInterface(*graph, interface, job));
    prepared.loops = loops;
    RETURN_IF_ERROR(foldPrepared(prepared, job));
    RETURN_IF_ERROR(inferAll(prepared, job));
    return prepared;
}

} // namespace lapidary
