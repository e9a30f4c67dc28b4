// SPDX-License-Identifier: Apache-2.0
// Ops on numbers of 8 bits.
#include "graph_model/base/clamped_cast.h"
#include "graph_model/graph/attr_lists.h"
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/onnx/onnx_codes.h"
#include "graph_model/lift/onnx/onnx_operands.h"
#include "graph_model/ops/op_traits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

// Returns scales or zero points of one axis in a shape that broadcasts over a tensor of that rank.
std::string alongAxis(LiftDraft& d, std::size_t slot, const std::string& values, DType dtype)
{
    const auto own = d.dims(slot);
    const auto shape = d.shape(0);
    if (!own || own->size() != 1 || (*own)[0] == 1 || !shape)
        return values;
    const auto rank = std::int64_t(shape->dims.size());
    std::int64_t axis = d.intAttr("axis", 1);
    axis += axis < 0 ? rank : 0;
    Ints dims(std::size_t(rank), 1);
    if (axis >= 0 && axis < rank)
        dims[std::size_t(axis)] = (*own)[0];
    return reshaped(d, values, dtype, dims);
}

// Returns the codes together with their numbers, if the file has one constant scale.
std::string withScale(LiftDraft& d, const std::string& made, DType codes)
{
    const auto scale = d.numbers(1);
    const auto zero = d.has(2) ? d.numbers(2) : std::vector<double>{0};
    if (!scale || !zero || scale->size() != 1 || zero->size() != 1)
        return made;
    return d.step("Identity", {made},
                  {typeAttr("T", codes),
                   {"_scale", attr::fromFloats(std::vector{float(scale->front())})},
                   {"_zero_point", attr::fromInts({clampedTo<std::int64_t>(zero->front())})}});
}

// Returns the scales of a pair's codes, if they are constants: one scale, or one for each slice of
// an axis of codes that are read.
std::optional<StoredScales> pairScales(const LiftDraft& d)
{
    const auto scale = d.numbers(1);
    const auto zero = d.has(2) ? d.numbers(2) : std::vector<double>(scale ? scale->size() : 0);
    const auto shape = d.shape(0);
    if (d.coded() != CodedOperators::AsPairs || d.type(1) != DType::Float || !scale || !zero ||
        scale->empty() || zero->size() != scale->size() ||
        !std::ranges::all_of(*scale, [](double s) { return std::isfinite(s) && s > 0; }))
        return std::nullopt;
    StoredScales scales;
    if (scale->size() > 1) {
        const auto rank = std::int64_t(shape ? shape->dims.size() : 0);
        const std::int64_t axis = d.intAttr("axis", 1);
        scales.axis = axis < 0 ? axis + rank : axis;
        if (scales.axis < 0 || scales.axis >= rank ||
            shape->dims[std::size_t(scales.axis)] != std::int64_t(scale->size()))
            return std::nullopt;
    }
    scales.scales.assign(scale->begin(), scale->end());
    scales.zeroPoints.assign(zero->begin(), zero->end());
    scales.encodedScales = attr::fromFloats(scales.scales);
    scales.encodedZeroPoints = attr::fromInts(scales.zeroPoints);
    return scales;
}

// Quantizes numbers of a run to codes; constants are rounded as in ONNX.
bool quantizePair(LiftDraft& d, DType codes)
{
    const Endpoint from = d.source().inputs(d.id())[0];
    const auto scales = pairScales(d);
    if (!scales || scales->scales.size() != 1 || d.type(0) != DType::Float ||
        !from.node.isValid() || isConstant(d.source().node(from.node).op()))
        return false;
    LiftDraft::Attrs attrs{typeAttr("T", DType::Float), typeAttr("out_codes", codes)};
    addOperandScales(attrs, "out", *scales);
    d.give({d.step("_Tflite_QUANTIZE", {d.in(0)}, std::move(attrs))});
    return true;
}

// Limits codes to the range of their type; they are still floats.
std::string limited(LiftDraft& d, const std::string& scaled, const std::string& zero, DType codes)
{
    const bool isWide = codes == DType::Int16 || codes == DType::UInt16;
    const float most = isWide ? 65535 : 255;
    const float low = codes == DType::Int8 ? -128 : codes == DType::Int16 ? -32768 : 0;
    std::string made = steps::one(d, "Round", scaled);
    if (!zero.empty())
        made = steps::both(d, "AddV2", made, zero);
    made = steps::both(d, "Minimum", made, d.oneFloat(low + most));
    return steps::both(d, "Maximum", made, d.oneFloat(low));
}

// Returns whether codes of 16 bits are only converted back to numbers: the runtimes for which files
// are written compute in int32, not in these codes.
bool isBetweenPair(const LiftDraft& d)
{
    const auto& readers = d.source().consumers(d.id());
    return d.isWritten() && !readers.empty() &&
           std::ranges::all_of(readers, [&](const Consumer& reader) {
               return !reader.isControl() && reader.slot == 0 &&
                      d.source().node(reader.node).op().ends_with("DequantizeLinear");
           });
}

bool liftQuantize(LiftDraft& d)
{
    if (d.intAttr("block_size", 0) != 0)
        return false;
    const DType codes = d.has(2) ? d.type(2) : DType::UInt8;
    const bool isWide = codes == DType::Int16 || codes == DType::UInt16;
    if (!isByte(codes) && !isWide)
        return false;
    if (!isWide && quantizePair(d, codes))
        return true;
    const std::string scale = alongAxis(d, 1, d.in(1), DType::Float);
    const std::string zero = d.has(2) ? alongAxis(d, 2, asFloat(d, 2), DType::Float) : "";
    const std::string scaled = steps::both(d, "Div", asFloat(d, 0), scale);
    if (isWide)
        d.give({steps::cast(d, limited(d, scaled, zero, codes), DType::Float,
                            isBetweenPair(d) ? DType::Int32 : codes)});
    else
        d.give({withScale(d, rounded(d, scaled, zero, codes), codes)});
    return true;
}

bool liftDequantize(LiftDraft& d)
{
    if (d.intAttr("block_size", 0) != 0)
        return false;
    if (const auto scales = pairScales(d); scales && isByte(d.type(0))) {
        d.give({dequantized(d, d.in(0), d.type(0), *scales)});
        return true;
    }
    const std::string scale = alongAxis(d, 1, d.in(1), DType::Float);
    const std::string codes = d.in(0);
    const bool isWider = d.stateOf(codes).dtype == DType::Int32;
    std::string made = steps::cast(d, codes, isWider ? DType::Int32 : d.type(0), DType::Float);
    if (d.has(2))
        made = steps::both(d, "Sub", made, alongAxis(d, 2, asFloat(d, 2), DType::Float));
    d.give({steps::both(d, "Mul", made, scale)});
    return true;
}

bool liftDynamic(LiftDraft& d)
{
    const auto made = dynamicCodes(d);
    if (made)
        d.give({made->codes, made->scale, made->zero});
    return made.has_value();
}

// Returns sums of products with codes as int32; `sums` computes them in floats for a given factor.
// Floats are exact up to 24 bits. Returns an empty text if there are too many products, or `sums`
// gives nothing.
std::string exactSums(LiftDraft& d, std::int64_t products, const std::string& codes,
                      const std::function<std::string(const std::string&)>& sums)
{
    constexpr std::int64_t fewProducts = 258;   // with 16 bits each
    constexpr std::int64_t mostProducts = 4096; // with 12 bits each
    if (products > mostProducts)
        return {};
    const auto whole = [&](const std::string& by) {
        const std::string made = sums(by);
        return made.empty()
                   ? made
                   : steps::cast(d, steps::one(d, "Round", made), DType::Float, DType::Int32);
    };
    if (products <= fewProducts)
        return whole(codes);
    // More products are exact if the codes are split: 16 * high + low.
    const std::string sixteen = d.oneFloat(16);
    const std::string high = steps::one(d, "Floor", steps::both(d, "Div", codes, sixteen));
    const std::string low = steps::both(d, "Sub", codes, steps::both(d, "Mul", high, sixteen));
    const std::array parts{whole(high), whole(low)};
    if (parts[0].empty() || parts[1].empty())
        return {};
    const std::string large = steps::both(d, "Mul", parts[0], d.oneInt(16), DType::Int32);
    return steps::both(d, "AddV2", large, parts[1], DType::Int32);
}

// If the products are too many for floats, or their number is unknown, the sums are computed in
// doubles, which are exact up to 53 bits.
bool liftIntegerProduct(LiftDraft& d)
{
    const auto operand = [&](std::size_t slot, std::size_t zeroSlot) {
        std::string made = asFloat(d, slot);
        if (d.has(zeroSlot)) {
            std::string zero = asFloat(d, zeroSlot);
            const auto dims = d.dims(zeroSlot);
            // The first operand may have a zero point for each row.
            if (slot == 0 && dims && dims->size() == 1 && dims->front() > 1)
                zero = steps::expandDims(d, zero, DType::Float, 1);
            made = steps::both(d, "Sub", made, zero);
        }
        return made;
    };
    const std::string a = operand(0, 2);
    const std::string b = operand(1, 3);
    const auto rows = d.dims(1);
    if (rows && rows->size() >= 2) {
        const std::string made =
            exactSums(d, (*rows)[rows->size() - 2], b, [&](const std::string& by) {
                return steps::both(d, "BatchMatMulV2", a, by);
            });
        if (!made.empty()) {
            d.give({made});
            return true;
        }
    }
    const auto wide = [&](const std::string& x) {
        return steps::cast(d, x, DType::Float, DType::Double);
    };
    const std::string made = steps::both(d, "BatchMatMulV2", wide(a), wide(b), DType::Double);
    d.give({steps::cast(d, made, DType::Double, DType::Int32)});
    return true;
}

// Slots: a, its scale and zero point, b and its, those of the product.
bool liftCodedProduct(LiftDraft& d)
{
    const DType codes = d.type(7);
    if (!isByte(codes))
        return false;
    const auto operand = [&](std::size_t slot) {
        const std::string moved = steps::both(d, "Sub", asFloat(d, slot), asFloat(d, slot + 2));
        return steps::both(d, "Mul", moved, d.in(slot + 1));
    };
    const std::string a = operand(0);
    const std::string made = steps::both(d, "BatchMatMulV2", a, operand(3));
    const std::string scaled = steps::both(d, "Div", made, d.in(6));
    d.give({rounded(d, scaled, asFloat(d, 7), codes)});
    return true;
}

// Returns one number for each output channel, the first axis of the weights.
std::string perFilter(LiftDraft& d, std::size_t slot, const std::string& values,
                      const Ints& weights)
{
    const auto own = d.dims(slot);
    if (!own || own->size() != 1 || (*own)[0] == 1)
        return values;
    Ints dims(weights.size(), 1);
    dims[0] = -1;
    return reshaped(d, values, DType::Float, dims);
}

// Slots: x, its scale and zero point, the weights and theirs, those of the result, the bias in the
// product of both scales.
bool liftCodedConv(LiftDraft& d)
{
    const DType codes = d.type(7);
    const auto weights = d.dims(3);
    if (!isByte(codes) || !weights || weights->empty())
        return false;
    std::string x = steps::both(d, "Sub", asFloat(d, 0), asFloat(d, 2));
    x = steps::both(d, "Mul", x, d.in(1));
    std::string filter =
        steps::both(d, "Sub", asFloat(d, 3), perFilter(d, 5, asFloat(d, 5), *weights));
    filter = steps::both(d, "Mul", filter, perFilter(d, 4, d.in(4), *weights));
    std::string bias;
    if (d.has(8))
        bias = steps::both(d, "Mul", asFloat(d, 8), steps::both(d, "Mul", d.in(1), d.in(4)));
    const std::string made = convolved(d, x, filter, weights, bias);
    if (made.empty())
        return false;
    d.give({rounded(d, steps::both(d, "Div", made, d.in(6)), asFloat(d, 7), codes)});
    return true;
}

bool liftIntegerConv(LiftDraft& d)
{
    const auto weights = d.dims(1);
    if (!weights || weights->empty())
        return false;
    constexpr std::int64_t enough = 1 << 16;
    std::int64_t products = 1;
    for (std::size_t axis = 1; axis < weights->size(); ++axis)
        products *= products > enough ? 1 : std::min((*weights)[axis], enough);
    std::string x = asFloat(d, 0);
    if (d.has(2))
        x = steps::both(d, "Sub", x, asFloat(d, 2));
    std::string filter = asFloat(d, 1);
    if (d.has(3))
        filter = steps::both(d, "Sub", filter, perFilter(d, 3, asFloat(d, 3), *weights));
    const std::string made = exactSums(d, products, filter, [&](const std::string& by) {
        return convolved(d, x, by, weights, "");
    });
    if (!made.empty())
        d.give({made});
    return !made.empty();
}

constexpr std::array coded = std::to_array<OnnxLift>({
    {"ConvInteger", liftIntegerConv},
    {"DequantizeLinear", liftDequantize},
    {"DynamicQuantizeLinear", liftDynamic},
    {"MatMulInteger", liftIntegerProduct},
    {"QLinearConv", liftCodedConv},
    {"QLinearMatMul", liftCodedProduct},
    {"QuantizeLinear", liftQuantize},
    {"com.microsoft.DequantizeLinear", liftDequantize},
    {"com.microsoft.QuantizeLinear", liftQuantize},
});

} // namespace

std::string asFloat(LiftDraft& d, std::size_t slot)
{
    return steps::cast(d, d.in(slot), d.type(slot), DType::Float);
}

std::string rounded(LiftDraft& d, const std::string& scaled, const std::string& zero, DType codes)
{
    return steps::cast(d, limited(d, scaled, zero, codes), DType::Float, codes);
}

bool isByte(DType dtype)
{
    return dtype == DType::UInt8 || dtype == DType::Int8;
}

std::string meaningOf(LiftDraft& d, std::size_t slot)
{
    std::string made = asFloat(d, slot);
    if (d.has(slot + 2))
        made = steps::both(d, "Sub", made, asFloat(d, slot + 2));
    return steps::both(d, "Mul", made, d.in(slot + 1));
}

bool giveCodes(LiftDraft& d, const std::string& made, std::size_t scale, DType codes)
{
    if (d.has(scale + 1))
        codes = d.type(scale + 1);
    if (!isByte(codes))
        return false;
    const std::string scaled = steps::both(d, "Div", made, d.in(scale));
    const std::string zero = d.has(scale + 1) ? asFloat(d, scale + 1) : "";
    d.give({rounded(d, scaled, zero, codes)});
    return true;
}

std::optional<DynamicCodes> dynamicCodes(LiftDraft& d)
{
    const auto shape = d.shape(0);
    if (!shape)
        return std::nullopt;
    Ints axes;
    for (std::size_t axis = 0; axis < shape->dims.size(); ++axis)
        axes.push_back(std::int64_t(axis));
    const std::string x = d.in(0);
    const auto bound = [&](std::string_view reduction, std::string_view op) {
        return steps::both(d, op, steps::reduce(d, reduction, x, DType::Float, axes, false),
                           d.oneFloat(0));
    };
    const std::string low = bound("Min", "Minimum");
    const std::string high = bound("Max", "Maximum");
    const std::string width =
        steps::both(d, "Div", steps::both(d, "Sub", high, low), d.oneFloat(255));
    const std::string isNothing = steps::both(d, "Equal", width, d.oneFloat(0));
    const std::string scale = steps::select(d, isNothing, d.oneFloat(1), width, DType::Float);
    const std::string zero =
        rounded(d, steps::both(d, "Div", steps::one(d, "Neg", low), scale), "", DType::UInt8);
    const std::string moved = steps::cast(d, zero, DType::UInt8, DType::Float);
    return DynamicCodes{rounded(d, steps::both(d, "Div", x, scale), moved, DType::UInt8), scale,
                        zero};
}

bool liftOnnxCodes(LiftDraft& draft)
{
    return liftFrom(coded, draft);
}

} // namespace lapidary
