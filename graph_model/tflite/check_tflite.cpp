// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tflite/check_tflite.h"

#include <algorithm>

namespace lapidary {
namespace {

Error differs(const std::string& what)
{
    return {ErrorCode::Internal,
            "the written file does not read back correctly: " + what + "; it is not written"};
}

bool sameScales(const TfliteScales& a, const TfliteScales& b)
{
    return a.scales == b.scales && a.zeros == b.zeros && (a.scales.empty() || a.axis == b.axis);
}

bool sameTensor(const TfliteTensor& a, const TfliteTensor& b)
{
    return a.name == b.name && a.type == b.type && a.shape == b.shape &&
           a.openShape == b.openShape && a.isVariable == b.isVariable &&
           sameScales(a.quantized, b.quantized) && a.bytes == b.bytes;
}

// Options that are absent have their default value.
bool sameOptions(const TfliteOperator& meant, const TfliteOperator& read)
{
    return std::ranges::all_of(read.options, [&](const TfliteOption& option) {
        const auto found = std::ranges::find(meant.options, option.field, &TfliteOption::field);
        if (found == meant.options.end())
            return option.number == option.standard && option.real == 0 && option.list.empty();
        return found->number == option.number && found->real == option.real &&
               found->list == option.list;
    });
}

bool sameOperator(const TfliteOperator& meant, const TfliteOperator& read)
{
    return meant.code == read.code && meant.customCode == read.customCode &&
           meant.version == read.version && meant.optionsType == read.optionsType &&
           meant.inputs == read.inputs && meant.outputs == read.outputs && sameOptions(meant, read);
}

Status compare(const TfliteGraph& meant, const TfliteGraph& read)
{
    if (meant.name != read.name || meant.inputs != read.inputs || meant.outputs != read.outputs)
        return differs("the ends of the graph " + meant.name);
    if (meant.tensors.size() != read.tensors.size() ||
        meant.operators.size() != read.operators.size())
        return differs("the number of tensors or operators of " + meant.name);
    for (std::size_t i = 0; i < meant.tensors.size(); ++i)
        if (!sameTensor(meant.tensors[i], read.tensors[i]))
            return differs("the tensor " + meant.tensors[i].name);
    for (std::size_t i = 0; i < meant.operators.size(); ++i)
        if (!sameOperator(meant.operators[i], read.operators[i]))
            return differs("operator " + std::to_string(i) + ", " +
                           std::string(tfliteOperatorName(meant.operators[i].code)));
    return Done{};
}

Status checkTensors(const TfliteGraph& graph)
{
    for (const TfliteTensor& tensor : graph.tensors) {
        const TfliteScales& scales = tensor.quantized;
        if (std::ranges::any_of(scales.scales, [](float scale) { return !(scale > 0); }))
            return differs("the tensor " + tensor.name + " has a scale that is not positive");
        if (scales.scales.size() != scales.zeros.size())
            return differs("the tensor " + tensor.name + " has not one zero for each scale");
    }
    return Done{};
}

// Checks that operators are in order, as runtimes execute them.
Status checkOrder(const TfliteGraph& graph)
{
    std::vector<bool> isMade;
    for (const TfliteTensor& tensor : graph.tensors)
        isMade.push_back(tensor.isConstant || tensor.isVariable ||
                         std::ranges::find(tensor.shape, 0) != tensor.shape.end());
    const auto nameOf = [&](std::int32_t index) { return graph.tensors[std::size_t(index)].name; };
    for (const std::int32_t input : graph.inputs)
        isMade[std::size_t(input)] = true;
    for (const TfliteOperator& op : graph.operators) {
        for (const std::int32_t input : op.inputs)
            if (input >= 0 && !isMade[std::size_t(input)])
                return differs("the tensor " + nameOf(input) + " is read before it is made");
        for (const std::int32_t output : op.outputs) {
            const TfliteTensor& tensor = graph.tensors[std::size_t(output)];
            if (isMade[std::size_t(output)] && !tensor.isVariable &&
                std::ranges::find(tensor.shape, 0) == tensor.shape.end())
                return differs("the tensor " + tensor.name + " is made twice");
            isMade[std::size_t(output)] = true;
        }
    }
    for (const std::int32_t output : graph.outputs)
        if (!isMade[std::size_t(output)])
            return differs("nothing makes the output " + nameOf(output));
    return Done{};
}

} // namespace

Status checkTflite(const TfliteModel& meant, const EncodedModel& file)
{
    auto read = decodeTflite(file.frame());
    if (!read)
        return differs("it " + read.error().message);
    for (TfliteGraph& graph : read->graphs)
        for (TfliteTensor& tensor : graph.tensors)
            tensor.bytes = file.filledIn(tensor.bytes);
    if (read->graphs.size() != meant.graphs.size())
        return differs("the number of graphs");
    for (std::size_t i = 0; i < meant.graphs.size(); ++i) {
        RETURN_IF_ERROR(compare(meant.graphs[i], read->graphs[i]));
        RETURN_IF_ERROR(checkTensors(read->graphs[i]));
        RETURN_IF_ERROR(checkOrder(read->graphs[i]));
    }
    return Done{};
}

} // namespace lapidary
