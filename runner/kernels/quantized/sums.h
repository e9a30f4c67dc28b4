// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/quantized/codes.h"

#include <array>

namespace lapidary {

// Tables of QuantizedAdd (spec: kernels, B9): the int32 code, in the range of the sums, of each
// 8-bit code of the two operands.
struct SumTables {
    using Table = std::array<std::int32_t, 256>;

    CodeRange range;
    Table x{};
    Table y{};

    // `xAlone`, `yAlone`: the operand is a single number beside a tensor, which is requantized with
    // more precision than a tensor.
    SumTables(CodeRange xRange, CodeRange yRange, bool xAlone, bool yAlone);
};

} // namespace lapidary
