// SPDX-License-Identifier: Apache-2.0
// strip_unused_nodes
//
// Keeps what the outputs need, not looking past the inputs. An input that is not a Placeholder
// becomes one, with the dtype and shape given; if none is given, it is a float scalar as in the
// original. Nodes computed from it lose their _output_shapes, which would contradict that. A
// placeholder has one output: an input with another output that is read is kept, with the nodes
// that it needs.
#include "transforms/constants/const_node.h"
#include "transforms/edits/dangling_input.h"
#include "transforms/edits/kept_nodes.h"
#include "transforms/edits/placeholder_types.h"
#include "transforms/pass/chosen_nodes.h"
#include "transforms/pass/interface_names.h"
#include "transforms/passes/passes.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "type",
                  .type = ParameterType::Dtype,
                  .defaultText = "float",
                  .help = "dtype of the new placeholders"},
    ParameterSpec{.name = "shape",
                  .type = ParameterType::Shape,
                  .help = "their shape, such as \"1,224,224,3\""},
    ParameterSpec{.name = "name",
                  .type = ParameterType::String,
                  .role = ParameterRole::Node,
                  .help = "an input with its own dtype and shape",
                  .isRepeated = true},
    ParameterSpec{.name = "type_for_name",
                  .type = ParameterType::Dtype,
                  .help = "dtype of the input with the same position",
                  .isRepeated = true},
    ParameterSpec{.name = "shape_for_name",
                  .type = ParameterType::Shape,
                  .help = "shape of the input with the same position",
                  .isRepeated = true},
};

Result<NodeDraft> placeholder(const Node& node, const PassArgs& args)
{
    ASSIGN_OR_RETURN(const auto type, placeholderType(std::string(node.name()), args.parameters));
    NodeDraft draft = newNode(std::string(node.name()), "Placeholder");
    draft.setAttr("dtype", attr::fromType(type.dtype));
    draft.setAttr("shape", attr::fromShape(type.shape));
    return draft;
}

Result<std::vector<NodeId>> outputNodes(const Graph& graph, const PassArgs& args)
{
    std::vector<NodeId> ids;
    for (const std::string& output : args.outputs) {
        const NodeId id = graph.find(nodeOfInput(output));
        if (!id.isValid())
            return Error{ErrorCode::InvalidArgument, "the graph has no node " +
                                                         std::string(nodeOfInput(output)) +
                                                         ", which is given as an output"};
        ids.push_back(id);
    }
    return ids;
}

Status checkInputsExist(const Graph& graph, const std::vector<bool>& kept,
                        const std::vector<NodeId>& inputs)
{
    std::vector<bool> isInput(graph.size(), false);
    for (const NodeId id : inputs)
        isInput[id.value] = true;
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        if (!kept[i] || isInput[i])
            continue;
        if (std::string fault = danglingInput(graph, NodeId{i}); !fault.empty())
            return Error{ErrorCode::InvalidArgument, std::move(fault)};
    }
    return Done{};
}

struct Strip {
    std::vector<NodeId> unused;
    std::vector<NodeId> inputs; // inputs that become placeholders
    std::vector<NodeId> left;   // inputs that cannot become placeholders
};

// Returns whether a kept node reads another output of the node than the first.
bool isReadBeyondFirst(const Graph& graph, NodeId id, const std::vector<bool>& kept)
{
    return std::ranges::any_of(graph.consumers(id), [&](const Consumer& reader) {
        return reader.port > 0 && kept[reader.node.value];
    });
}

// Removes inputs that no placeholder can replace from `inputs`; each may be kept for readers of
// another one. Returns them.
std::vector<NodeId> takeUnfit(const Graph& graph, std::vector<NodeId>& inputs,
                              std::span<const NodeId> outputs)
{
    std::vector<NodeId> left;
    for (bool isDone = false; !isDone;) {
        const std::vector<bool> kept = keptNodes(graph, inputs, outputs);
        const std::size_t before = left.size();
        std::erase_if(inputs, [&](NodeId id) {
            const bool isUnfit = isReadBeyondFirst(graph, id, kept);
            if (isUnfit)
                left.push_back(id);
            return isUnfit;
        });
        isDone = left.size() == before;
    }
    return left;
}

Result<Strip> stripOf(const Graph& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto outputs, outputNodes(graph, args));
    std::vector<NodeId> inputs;
    for (const std::string& input : args.inputs)
        if (const NodeId id = graph.find(nodeOfInput(input));
            id.isValid() && std::ranges::find(inputs, id) == inputs.end())
            inputs.push_back(id);
    Strip strip;
    strip.left = takeUnfit(graph, inputs, outputs);
    std::vector<bool> kept = keptNodes(graph, inputs, outputs);
    for (const NodeId id : inputs)
        kept[id.value] = true;
    RETURN_IF_ERROR(checkInputsExist(graph, kept, inputs));
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        if (i % 1024 == 0 && job.cancelled())
            return cancelledError();
        if (!kept[i])
            strip.unused.push_back(NodeId{i});
    }
    std::ranges::copy_if(inputs, std::back_inserter(strip.inputs),
                         [&](NodeId id) { return graph.node(id).op() != "Placeholder"; });
    return strip;
}

// Returns nodes with _output_shapes that are computed from inputs that become placeholders.
// TensorFlow does not import a graph in which these contradict the shapes of the new inputs.
std::vector<NodeId> staleShapes(const Graph& graph, const Strip& strip)
{
    const auto isComputed =
        reachedNodes(graph.size(), strip.inputs, [&](NodeId id, std::vector<NodeId>& open) {
            for (const Consumer& consumer : graph.consumers(id))
                if (!consumer.isControl())
                    open.push_back(consumer.node);
        });
    std::vector<bool> isLeft(graph.size(), true);
    for (const auto* gone : {&strip.unused, &strip.inputs})
        for (const NodeId id : *gone)
            isLeft[id.value] = false;
    std::vector<NodeId> stale;
    for (std::uint32_t i = 0; i < graph.size(); ++i)
        if (isComputed[i] && isLeft[i] && graph.node(NodeId{i}).hasAttr("_output_shapes"))
            stale.push_back(NodeId{i});
    return stale;
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto strip, stripOf(*graph, args, job));
    Findings findings = findingsOf(strip.unused);
    for (const NodeId id : strip.inputs) {
        RETURN_IF_ERROR(placeholder(graph->node(id), args));
        findings.push_back({{id}, ""});
    }
    for (const NodeId id : strip.left)
        findings.push_back({{id},
                            "another output than the first is read, which a placeholder "
                            "does not have"});
    return findings;
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto strip, stripOf(*graph, args, job));
    GraphEdit edit(graph);
    for (const NodeId id : strip.unused)
        edit.remove(id, "no output needs it");
    for (const NodeId id : strip.inputs) {
        ASSIGN_OR_RETURN(auto draft, placeholder(graph->node(id), args));
        edit.replace(id, std::move(draft));
    }
    for (const NodeId id : staleShapes(*graph, strip))
        edit.setFields(id, {.oldAttr = "_output_shapes"});
    edit.countPlaces(strip.unused.size() + strip.inputs.size());
    return std::move(edit).finish();
}

} // namespace

const Pass passes::stripUnusedNodes{
    .name = "strip_unused_nodes",
    .summary = "Keeps only the nodes between the inputs and the outputs.",
    .before = "q = Queue()\n"
              "x = Decode(q)\n"
              "y = Net(x)\n"
              "loss = Loss(y)",
    .after = "x = Placeholder()\n"
             "y = Net(x), with input x and output y",
    .declines =
        "An input that is a Placeholder stays as it is, and so does one of which another "
        "output than the first is read, with what it needs. Without a given type and shape, "
        "inputs become float scalars, as in the original.",
    .parameters = parameters,
    .find = find,
    .run = run,
};

} // namespace lapidary
