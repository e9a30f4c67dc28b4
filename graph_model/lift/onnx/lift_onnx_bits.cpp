// SPDX-License-Identifier: Apache-2.0
// Lifts operators on the bits of numbers.
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/onnx/onnx_operands.h"
#include "graph_model/onnx/onnx_model.h"

#include <algorithm>
#include <array>

namespace lapidary {
namespace {

// A shift by at least as many bits as the type has, or by less than 0, leaves only the sign.
bool liftShift(LiftDraft& d)
{
    const bool isLeft = d.textAttr("direction") == "LEFT";
    const std::string_view op = isLeft ? "LeftShift" : "RightShift";
    const DType dtype = d.type(0);
    const auto bits = std::int64_t(8 * dtypeSize(dtype));
    const auto known = d.ints(1);
    const bool fits = known && std::ranges::all_of(*known, [bits](std::int64_t places) {
                          return places >= 0 && places < bits;
                      });
    const std::string x = d.in(0);
    const std::string places = d.in(1);
    if (fits || dtype == DType::UInt32 || dtype == DType::UInt64) {
        d.give({steps::both(d, op, x, places, dtype)});
        return true;
    }
    const std::string wide = steps::cast(d, places, dtype, DType::Int64);
    const std::string isBelow = steps::both(d, "Less", wide, d.oneInt64(0), DType::Int64);
    const std::string isMore = steps::both(d, "GreaterEqual", wide, d.oneInt64(bits), DType::Int64);
    const std::string isOut = d.step("LogicalOr", {isBelow, isMore});
    const std::string zeros = steps::one(d, "ZerosLike", places, dtype);
    const std::string within = steps::select(d, isOut, zeros, places, dtype);
    const std::string made = steps::both(d, op, x, within, dtype);
    const bool hasSign = dtype != DType::UInt8 && dtype != DType::UInt16;
    std::string rest = steps::one(d, "ZerosLike", made, dtype);
    if (!isLeft && hasSign)
        rest = steps::both(d, op, x, steps::scalar(d, dtype, double(bits - 1)), dtype);
    d.give({steps::select(d, isOut, rest, made, dtype)});
    return true;
}

// Reinterprets the bits as another type of the same size.
bool liftBitCast(LiftDraft& d)
{
    const DType from = d.type(0);
    const DType to = dtypeOfOnnx(std::int32_t(d.intAttr("to", 0)));
    if (from == DType::Invalid || to == DType::Invalid || dtypeSize(from) != dtypeSize(to))
        return false;
    const bool isTruth = from == DType::Bool || to == DType::Bool; // one byte, 0 or 1
    d.give({isTruth || from == to
                ? steps::cast(d, steps::one(d, "Identity", d.in(0), from), from, to)
                : d.step("Bitcast", {d.in(0)}, {typeAttr("T", from), typeAttr("type", to)})});
    return true;
}

constexpr std::array bits = std::to_array<OnnxLift>({
    {"BitCast", liftBitCast},
    {"BitShift", liftShift},
});

} // namespace

bool liftOnnxBits(LiftDraft& draft)
{
    return liftFrom(bits, draft);
}

} // namespace lapidary
