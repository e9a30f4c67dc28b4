// SPDX-License-Identifier: Apache-2.0
// A call becomes the function's body. Its control inputs hold the body, and its results wait for
// the effects of the body, as with the call. Within branches and loops, where a call runs only if
// all of its inputs arrive, the inputs meet in an IdentityN first.
#include "graph_model/graph/attr_value.h"
#include "graph_model/ops/op_traits.h"
#include "transforms/functions/body_copy.h"
#include "transforms/functions/control_depth.h"
#include "transforms/functions/expansions.h"
#include "transforms/functions/list_attrs.h"

namespace lapidary {
namespace {

std::string countFault(const char* what, std::size_t wanted, std::size_t given)
{
    return "the function has " + std::to_string(wanted) + " " + what + ", but the node has " +
           std::to_string(given);
}

// Returns a fault if a result may belong to a branch that is not taken: a call gives an empty
// tensor for it, but without the call all its readers would be skipped.
std::string deadResultFault(const BoundFunction& function)
{
    const std::vector<bool> inTurn = nodesInTurns(*function.graph);
    for (const Endpoint& result : function.results)
        if (inTurn[result.node.value])
            return "its result " + std::string(function.graph->node(result.node).name()) +
                   " is of a branch that may not be taken";
    return {};
}

// Joins the arguments of the body, except handles of resources, so that these can be followed.
void joinArguments(Expander& expander, const ExpansionSite& site, const std::vector<DType>& types,
                   BodySite& body)
{
    NodeDraft join;
    join.name = expander.uniqueName(site.node.name + "/arguments");
    join.device = site.node.device;
    std::vector<DType> joined;
    for (std::size_t i = 0; i < types.size(); ++i) {
        BodySite::Argument& argument = body.arguments[i];
        if (types[i] == DType::Resource)
            continue;
        join.inputs.push_back(argument.text);
        argument = {outputText(join.name, std::int32_t(joined.size())), Effects::None, true};
        joined.push_back(types[i]);
    }
    if (joined.empty() && !types.empty()) {
        join.inputs.push_back(body.arguments.front().text);
        joined.push_back(types.front());
    }
    addOnce(join.inputs, body.holds);
    if (joined.empty() && body.holds.empty())
        return;
    join.op = joined.empty() ? "NoOp" : joined.size() == 1 ? "Identity" : "IdentityN";
    if (joined.size() == 1)
        join.setAttr("T", attr::fromType(joined.front()));
    else if (!joined.empty())
        join.setAttr("T", typesAttr(joined));
    body.holds = {"^" + join.name};
    expander.add(std::move(join));
}

} // namespace

std::string callFault(const Node& node, const std::vector<BoundFunction>& called)
{
    const BoundFunction& function = called.front();
    std::size_t inputs = 0;
    for (const Input& input : node.inputs())
        inputs += input.isControl() ? 0 : 1;
    if (inputs != function.arguments.size())
        return countFault("arguments", function.arguments.size(), inputs);
    if (node.hasAttr("Tout") && callKind(node.op()) == CallKind::Call &&
        node.attr("Tout").types() != function.resultTypes)
        return "the function's results have other types than the node's outputs";
    if (node.hasAttr("Tin") && callKind(node.op()) == CallKind::Call &&
        node.attr("Tin").types() != function.argumentTypes)
        return "the function's arguments have other types than the node's inputs";
    return deadResultFault(function);
}

Status expandCall(Expander& expander, const ExpansionSite& site)
{
    const NodePtr node = site.node.finish();
    ASSIGN_OR_RETURN(const auto called, expander.bind(*node));
    const BoundFunction& function = called.front();
    BodySite body;
    body.prefix = site.node.name;
    body.device = site.node.device;
    body.holds = controlInputs(site.node);
    body.inTurn = site.inTurn;
    body.prunes = callKind(site.node.op) == CallKind::Call;
    const std::vector<std::string> inputs = dataInputs(site.node);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        body.arguments.push_back({inputs[i], site.inputEffects[i], false});
    if (site.inTurn)
        joinArguments(expander, site, function.argumentTypes, body);
    ASSIGN_OR_RETURN(const CopiedBody copied, copyBody(expander, function, body));
    expander.finish(site, copied.results, function.resultTypes, copied.waits);
    return Done{};
}

} // namespace lapidary
