// SPDX-License-Identifier: Apache-2.0
// Lifts arithmetic of unsigned integers, which TensorFlow's ops lack, to ops on signed integers of
// 64 bits. Sums and products of 64 bits have the same bits in both.
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/onnx/onnx_operands.h"

#include <array>
#include <limits>

namespace lapidary {
namespace {

using steps::both;

struct Unsigned {
    std::string_view op;
    std::string_view tensorFlow;
    bool compares = false; // its result is bool
    bool ordered = false;  // it compares by order
};
constexpr std::array operators = std::to_array<Unsigned>({
    {"Add", "AddV2"},
    {"Div", "Div"},
    {"Equal", "Equal", true},
    {"Greater", "Greater", true, true},
    {"GreaterOrEqual", "GreaterEqual", true, true},
    {"Less", "Less", true, true},
    {"LessOrEqual", "LessEqual", true, true},
    {"Max", "Maximum", false, true},
    {"Min", "Minimum", false, true},
    {"Mul", "Mul"},
    {"Sub", "Sub"},
});

// Flips the first bit, after which signed 64-bit numbers are in the order of unsigned ones.
std::string turned(LiftDraft& d, const std::string& x)
{
    return both(d, "BitwiseXor", x, d.oneInt64(std::numeric_limits<std::int64_t>::min()),
                DType::Int64);
}

} // namespace

bool liftOnnxUnsigned(LiftDraft& d)
{
    const auto found = std::ranges::find(operators, d.node().op(), &Unsigned::op);
    const DType dtype = d.type(0);
    const bool isWide = dtype == DType::UInt64;
    if (found == operators.end() || (!isWide && dtype != DType::UInt32 && dtype != DType::UInt16) ||
        (isWide && found->op == "Div") || (found->compares && d.slots() != 2))
        return false;
    const bool isTurned = isWide && found->ordered;
    const auto in = [&](std::size_t slot) {
        const std::string x = steps::cast(d, d.in(slot), dtype, DType::Int64);
        return isTurned ? turned(d, x) : x;
    };
    std::string made = in(0);
    for (std::size_t slot = 1; slot < d.slots(); ++slot)
        made = both(d, found->tensorFlow, made, in(slot), DType::Int64);
    if (found->compares) {
        d.give({made});
        return true;
    }
    if (isTurned)
        made = turned(d, made);
    if (d.slots() == 1)
        made = steps::one(d, "Identity", made, DType::Int64);
    d.give({steps::cast(d, made, DType::Int64, dtype)});
    return true;
}

} // namespace lapidary
