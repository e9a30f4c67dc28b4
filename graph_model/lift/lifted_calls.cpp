// SPDX-License-Identifier: Apache-2.0
#include "graph_model/lift/lifted_calls.h"

#include "graph_model/graph/attr_lists.h"

namespace lapidary {

std::vector<DType> typesOf(const std::vector<FunctionArgument>& ends)
{
    std::vector<DType> types;
    for (const FunctionArgument& end : ends)
        types.push_back(end.dtype);
    return types;
}

LiftedFunctions::Called calledBody(LiftDraft& d, std::string_view attribute,
                                   const std::vector<TensorState>& given)
{
    const auto name = d.node().attr(attribute).asFunctionName();
    const FunctionPtr source = name ? d.functions().find(*name) : nullptr;
    if (source == nullptr)
        return {};
    // A body with many results may be called by many operators without output names.
    constexpr std::size_t numbersOfEnd = 64;
    const std::size_t named = d.node().attr("_output_types").types().size();
    const std::size_t results = source->results.size();
    if (results > named && !d.functions().takeRoom(std::int64_t((results - named) * numbersOfEnd)))
        return {};
    return d.functions().call(*name, given);
}

TensorState inEveryTurn(const TensorState& state)
{
    TensorState kept;
    kept.dtype = state.dtype;
    if (!state.shape.unknownRank)
        kept.shape = unknownDims(state.shape.dims.size());
    return kept;
}

std::vector<TensorState> statesFrom(const LiftDraft& d, std::size_t first)
{
    std::vector<TensorState> states;
    for (std::size_t slot = first; slot < d.slots(); ++slot)
        if (d.has(slot))
            states.push_back(d.state(slot));
    return states;
}

std::vector<std::string> inputsFrom(LiftDraft& d, std::size_t first)
{
    std::vector<std::string> inputs;
    for (std::size_t slot = first; slot < d.slots(); ++slot)
        if (d.has(slot))
            inputs.push_back(d.stored(slot));
    return inputs;
}

std::vector<std::string> portsFrom(const std::string& made, std::size_t first, std::size_t count)
{
    std::vector<std::string> ports;
    for (std::size_t port = 0; port < count; ++port)
        ports.push_back(outputText(made, std::int32_t(first + port)));
    return ports;
}

std::pair<std::string, AttrBytes> calls(std::string name, const FunctionPtr& function)
{
    return {std::move(name), attr::fromFunctionName(function->name)};
}

} // namespace lapidary
