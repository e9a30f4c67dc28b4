// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/runner/kernels/one_node.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lapidary {

using Codes = std::vector<std::int64_t>;

// A tensor of codes of a quantized type; elements that are missing repeat the last one.
Value coded(DType dtype, Dims dims, const Codes& codes);
// The codes 0, 1, ... with `step` between them, modulo 256.
Value codedRamp(Dims dims, std::int64_t first = 0, std::int64_t step = 1);
Codes codesOf(const Value& value);

// Returns `tensors` followed by a scalar for each limit of a range.
std::vector<Value> withEnds(std::vector<Value> tensors, const std::vector<float>& ends);

// The result of an op with the outputs codes, min, max.
struct CodedResult {
    Codes codes;
    float min = 0;
    float max = 0;
    Dims dims;
    DType dtype = DType::Invalid;
    std::string error;
};

CodedResult runCoded(std::string_view op, const std::vector<Value>& inputs,
                     const NodeAttrs& attrs = {});

// The code of 0 in a range of quint8 codes.
std::int64_t zeroCode(float min, float max);

} // namespace lapidary
