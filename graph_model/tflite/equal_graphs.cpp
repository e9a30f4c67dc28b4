// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tflite/equal_graphs.h"

#include <algorithm>

namespace lapidary {
namespace {

bool isEqualOperator(const TfliteOperator& a, const TfliteOperator& b)
{
    return a.code == b.code && a.version == b.version && a.optionsType == b.optionsType &&
           a.options == b.options && a.inputs == b.inputs && a.outputs == b.outputs &&
           a.customCode.empty() && b.customCode.empty();
}

bool isEqualType(const TfliteTensor& a, const TfliteTensor& b)
{
    return a.type == b.type && a.shape == b.shape && a.openShape == b.openShape &&
           a.isConstant == b.isConstant && !a.isVariable && !b.isVariable &&
           a.quantized.scales == b.quantized.scales && a.quantized.zeros == b.quantized.zeros &&
           a.quantized.axis == b.quantized.axis;
}

bool hasEqualBytes(const TfliteTensor& a, const TfliteTensor& b)
{
    return a.bytes == b.bytes;
}

} // namespace

bool isEqualButForNames(const TfliteGraph& a, const TfliteGraph& b)
{
    // Bytes are compared last: they may be computed.
    return a.inputs == b.inputs && a.outputs == b.outputs &&
           std::ranges::equal(a.operators, b.operators, isEqualOperator) &&
           std::ranges::equal(a.tensors, b.tensors, isEqualType) &&
           std::ranges::equal(a.tensors, b.tensors, hasEqualBytes);
}

} // namespace lapidary
