// SPDX-License-Identifier: Apache-2.0
// replace_rare_ops
//
// Replaces ops without a kernel on phones by ops that have one: Ceil(x) = -Floor(-x), exactly, and
// L2Loss(x) as half the sum of the squares.
#include "transforms/constants/const_node.h"
#include "transforms/pass/interface_names.h"
#include "transforms/passes/passes.h"

#include <algorithm>

namespace lapidary {
namespace {

std::string reasonToStay(const Graph& graph, NodeId id, const PassArgs& args)
{
    const Node& node = graph.node(id);
    for (const std::string& input : args.inputs)
        if (nodeOfInput(input) == node.name())
            return "it is an input of the model";
    if (node.inputs().empty() || node.inputs()[0].isControl())
        return "it has no input";
    if (node.op() == "L2Loss" && node.attr("T").asType() != DType::Float)
        return "it is not float";
    for (const std::string_view part :
         {"neg", "floor", "square", "flat", "minus_one", "zero", "half", "sum"})
        if (graph.find(std::string(node.name()) + "/" + std::string(part)).isValid())
            return "a name that is needed is taken";
    return "";
}

NodeDraft typed(const Node& like, std::string name, std::string_view op,
                std::vector<std::string> inputs)
{
    NodeDraft draft = newNode(std::move(name), op, std::move(inputs));
    draft.device = like.device();
    copyAttr(like, "T", draft);
    return draft;
}

void replaceCeil(GraphEdit& edit, NodeId id, const Node& node)
{
    const std::string name(node.name());
    edit.addAt(id, typed(node, name + "/neg", "Neg", {std::string(node.inputs()[0].text)}), {id});
    edit.addAt(id, typed(node, name + "/floor", "Floor", {name + "/neg"}), {id});
    NodeDraft last = typed(node, name, "Neg", {name + "/floor"});
    for (const Input& input : node.inputs())
        if (input.isControl())
            last.inputs.emplace_back(input.text);
    edit.replace(id, std::move(last));
}

void replaceLoss(GraphEdit& edit, NodeId id, const Node& node)
{
    const std::string name(node.name());
    const std::int32_t minusOne[] = {-1};
    const std::int32_t zero[] = {0};
    edit.addAt(id, intConst(name + "/minus_one", {1}, minusOne), {id});
    NodeDraft flat = typed(node, name + "/flat", "Reshape",
                           {std::string(node.inputs()[0].text), name + "/minus_one"});
    flat.setAttr("Tshape", attr::fromType(DType::Int32));
    edit.addAt(id, std::move(flat), {id});
    edit.addAt(id, typed(node, name + "/square", "Square", {name + "/flat"}), {id});
    edit.addAt(id, intConst(name + "/zero", {1}, zero), {id});
    NodeDraft sum = typed(node, name + "/sum", "Sum", {name + "/square", name + "/zero"});
    sum.setAttr("Tidx", attr::fromType(DType::Int32));
    sum.setAttr("keep_dims", attr::fromBool(false));
    edit.addAt(id, std::move(sum), {id});
    edit.addAt(id, floatScalar(name + "/half", 0.5F), {id});
    NodeDraft last = typed(node, name, "Mul", {name + "/sum", name + "/half"});
    for (const Input& input : node.inputs())
        if (input.isControl())
            last.inputs.emplace_back(input.text);
    edit.replace(id, std::move(last));
}

Result<Findings> find(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    Findings findings;
    for (std::uint32_t i = 0; i < graph->size(); ++i) {
        if (i % 1024 == 0 && job.cancelled())
            return cancelledError();
        const std::string_view op = graph->node(NodeId{i}).op();
        if (op == "Ceil" || op == "L2Loss")
            findings.push_back({{NodeId{i}}, reasonToStay(*graph, NodeId{i}, args)});
    }
    return findings;
}

Result<EditResult> run(const GraphPtr& graph, const PassArgs& args, const Job& job)
{
    ASSIGN_OR_RETURN(const auto findings, find(graph, args, job));
    GraphEdit edit(graph);
    for (const Finding& finding : findings) {
        if (!finding.why.empty())
            continue;
        const NodeId id = finding.nodes[0];
        const Node& node = graph->node(id);
        node.op() == "Ceil" ? replaceCeil(edit, id, node) : replaceLoss(edit, id, node);
    }
    edit.countPlaces(matchesOf(findings));
    return std::move(edit).finish();
}

} // namespace

const Pass passes::replaceRareOps{
    .name = "replace_rare_ops",
    .summary = "Replaces Ceil and L2Loss, which phones lack, by ops that phones have.",
    .before = "y = Ceil(x)",
    .after = "y/neg = Neg(x)\n"
             "y/floor = Floor(y/neg)\n"
             "y = Neg(y/floor)",
    .declines = "Inputs of the model, L2Loss of other types than float, and nodes below whose name "
                "there is a node of a name that is needed.",
    .differences = notOriginal,
    .find = find,
    .run = run,
};

} // namespace lapidary
