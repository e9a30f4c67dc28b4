// strip_unused_nodes
//
//   before:  queue -> decode -> x -> net -> y, y -> loss        after (inputs x, outputs y):
//            x = Placeholder -> net -> y
//
// Keeps what the outputs need, not looking behind the inputs. An input that is no Placeholder
// becomes one, with the dtype and shape given; where none is given, float and unknown shape as the
// original has it.
#include "transforms/pass/const_node.h"
#include "transforms/pass/dangling_input.h"
#include "transforms/pass/interface_names.h"
#include "transforms/pass/placeholder_types.h"
#include "transforms/passes/passes.h"
#include "transforms/strip/kept_nodes.h"

#include <array>

namespace lapidary {
namespace {

constexpr std::array parameters{
    ParameterSpec{.name = "type",
                  .type = "dtype",
                  .defaultText = "float",
                  .help = "dtype of inputs that become placeholders"},
    ParameterSpec{.name = "shape", .type = "shape", .help = "their shape, as in \"1,224,224,3\""},
    ParameterSpec{.name = "name",
                  .type = "string",
                  .help = "an input with a dtype and shape of its own",
                  .isRepeated = true},
    ParameterSpec{.name = "type_for_name",
                  .type = "dtype",
                  .help = "the dtype of the input named at the same place",
                  .isRepeated = true},
    ParameterSpec{.name = "shape_for_name",
                  .type = "shape",
                  .help = "the shape of the input named at the same place",
                  .isRepeated = true},
};

Result<NodeDraft> placeholder(const Node& node, const PassArgs& args)
{
    const auto type = placeholderType(std::string(node.name()), args.parameters);
    if (!type)
        return type.error();
    NodeDraft draft = newNode(std::string(node.name()), "Placeholder");
    draft.setAttr("dtype", attr::fromType(type.value().dtype));
    draft.setAttr("shape", attr::fromShape(type.value().shape));
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

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    const auto outputs = outputNodes(*graph, args);
    if (!outputs)
        return outputs.error();
    std::vector<NodeId> inputs;
    for (const std::string& input : args.inputs)
        if (const NodeId id = graph->find(nodeOfInput(input)); id.isValid())
            inputs.push_back(id);
    std::vector<bool> kept = keptNodes(*graph, inputs, outputs.value());
    for (const NodeId id : inputs)
        kept[id.value] = true;
    if (const Status fine = checkInputsExist(*graph, kept, inputs); !fine)
        return fine.error();
    GraphEdit edit(graph);
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        if (i % 1024 == 0 && job.cancelled())
            return Error{ErrorCode::Cancelled, "the pass was cancelled"};
        if (!kept[i])
            edit.remove(NodeId{i}, "no output needs it");
    }
    for (const NodeId id : inputs) {
        if (graph->node(id).op() == "Placeholder")
            continue;
        auto draft = placeholder(graph->node(id), args);
        if (!draft)
            return draft.error();
        edit.replace(id, std::move(draft).value());
    }
    return std::move(edit).finish();
}

} // namespace

const Pass passes::stripUnusedNodes{
    .name = "strip_unused_nodes",
    .summary = "Keeps only what the outputs compute from the inputs.",
    .parameters = parameters,
    .run = run,
};

} // namespace lapidary
