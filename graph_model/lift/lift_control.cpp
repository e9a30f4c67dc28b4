// SPDX-License-Identifier: Apache-2.0
// Operators that run other graphs of the file.
#include "graph_model/graph/attr_lists.h"
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lifted_calls.h"
#include "graph_model/lift/lifted_functions.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>

namespace lapidary {
namespace {

// Makes a scalar of a condition of one element. For other shapes, TensorFlow checks whether there
// are elements at all.
std::string conditionOf(LiftDraft& d)
{
    const std::string condition = d.in(0);
    const auto shape = d.shape(0);
    return shape && shape->dims.empty()
               ? condition
               : d.step("Squeeze", {condition}, {typeAttr("T", d.type(0))});
}

// Both branches get the same tensors, which follow the condition.
bool liftIf(LiftDraft& d, std::string_view thenName, std::string_view elseName)
{
    const LiftedFunctions::Called ifTrue = calledBody(d, thenName, statesFrom(d, 1));
    const LiftedFunctions::Called ifFalse = calledBody(d, elseName, statesFrom(d, 1));
    const FunctionPtr& thenBody = ifTrue.function;
    const FunctionPtr& elseBody = ifFalse.function;
    if (thenBody == nullptr || elseBody == nullptr || d.slots() == 0)
        return false;
    std::vector<std::string> inputs{conditionOf(d)};
    for (std::string& input : inputsFrom(d, 1))
        inputs.push_back(std::move(input));
    const std::string made = d.step("If", std::move(inputs),
                                    {typeAttr("Tcond", DType::Bool),
                                     {"Tin", attr::fromTypes(typesOf(thenBody->arguments))},
                                     {"Tout", attr::fromTypes(typesOf(thenBody->results))},
                                     calls("then_branch", thenBody),
                                     calls("else_branch", elseBody)});
    d.giveStored(portsFrom(made, 0, thenBody->results.size()));
    for (std::size_t i = 0; i < std::min(ifTrue.results.size(), ifFalse.results.size()); ++i) {
        TensorState either;
        either.dtype = ifTrue.results[i].dtype;
        either.shape = commonShape(ifTrue.results[i].shape, ifFalse.results[i].shape);
        d.describe(i, either);
    }
    return true;
}

bool liftWhile(LiftDraft& d)
{
    std::vector<TensorState> variables;
    for (const TensorState& state : statesFrom(d, 0))
        variables.push_back(inEveryTurn(state));
    const LiftedFunctions::Called goesOn = calledBody(d, "cond_subgraph_index", variables);
    const FunctionPtr& condition = goesOn.function;
    const FunctionPtr body = calledBody(d, "body_subgraph_index", variables).function;
    if (condition == nullptr || body == nullptr || goesOn.results.size() != 1 ||
        (!goesOn.results[0].shape.unknownRank && !goesOn.results[0].shape.dims.empty()))
        return false; // While regards a non-empty list as true, and would never end
    const std::string made = d.step("While", inputsFrom(d, 0),
                                    {{"T", attr::fromTypes(typesOf(body->arguments))},
                                     calls("cond", condition),
                                     calls("body", body)});
    d.giveStored(portsFrom(made, 0, body->results.size()));
    for (std::size_t i = 0; i < std::min(variables.size(), body->results.size()); ++i)
        d.describe(i, variables[i]);
    return true;
}

// Lifts an operator that is defined by a graph.
bool liftComposite(LiftDraft& d)
{
    const LiftedFunctions::Called body =
        calledBody(d, "decomposition_subgraph_index", statesFrom(d, 0));
    if (body.function == nullptr)
        return false;
    const std::string made = d.step("PartitionedCall", inputsFrom(d, 0),
                                    {{"Tin", attr::fromTypes(typesOf(body.function->arguments))},
                                     {"Tout", attr::fromTypes(typesOf(body.function->results))},
                                     calls("f", body.function)});
    d.giveStored(portsFrom(made, 0, body.function->results.size()));
    for (std::size_t i = 0; i < body.results.size(); ++i)
        d.describe(i, body.results[i]);
    return true;
}

} // namespace

bool liftTfliteControl(LiftDraft& draft)
{
    if (draft.node().op() == "IF")
        return liftIf(draft, "then_subgraph_index", "else_subgraph_index");
    if (draft.node().op() == "STABLEHLO_COMPOSITE")
        return liftComposite(draft);
    return draft.node().op() == "WHILE" && liftWhile(draft);
}

bool liftOnnxControl(LiftDraft& draft)
{
    if (draft.node().op() == "If")
        return liftIf(draft, "then_branch", "else_branch");
    return liftOnnxLoop(draft);
}

} // namespace lapidary
