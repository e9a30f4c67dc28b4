// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/runner/kernels/one_node.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lapidary {

using Codes = std::vector<std::int64_t>;

// Makes a tensor of a quantized type from codes; the last one is repeated if some are missing.
Value coded(DType dtype, Dims dims, const Codes& codes);
// Makes a tensor of the codes `first`, `first + step`, ..., modulo 256.
Value codedRamp(Dims dims, std::int64_t first = 0, std::int64_t step = 1);
Codes codesOf(const Value& value);

// Returns `tensors` followed by a scalar for each limit of a range.
std::vector<Value> withEnds(std::vector<Value> tensors, const std::vector<float>& ends);

// The result of an op with the outputs codes, min and max.
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

// Returns the code of 0 in a range of quint8 codes.
std::int64_t zeroCode(float min, float max);

} // namespace lapidary
