// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/quantized/codes.h"

#include <array>

namespace lapidary {

// QuantizedAdd (spec: kernels, B9): the int32 code of each code of 8 bits of the two operands in
// the range of their sums.
struct SumTables {
    using Table = std::array<std::int32_t, 256>;

    CodeRange range;
    Table x{};
    Table y{};

    // A single number beside a tensor is moved by itself, with more precision than a tensor.
    SumTables(CodeRange xRange, CodeRange yRange, bool xAlone, bool yAlone);
};

} // namespace lapidary
