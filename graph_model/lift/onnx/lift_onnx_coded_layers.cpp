// SPDX-License-Identifier: Apache-2.0
// com.microsoft: layers on codes of 8 bits, as written by onnxruntime's own quantizer.
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/onnx/onnx_codes.h"
#include "graph_model/lift/onnx/onnx_operands.h"

#include <array>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

bool liftCodedPair(LiftDraft& d)
{
    const std::string a = meaningOf(d, 0);
    const std::string b = meaningOf(d, 3);
    const bool isSum = d.node().op().ends_with("Add");
    return giveCodes(d, steps::both(d, isSum ? "AddV2" : "Mul", a, b), 6, d.type(0));
}

bool liftCodedMap(LiftDraft& d)
{
    const std::string_view op = d.node().op();
    const std::string x = meaningOf(d, 0);
    if (op.ends_with("Sigmoid"))
        return giveCodes(d, steps::one(d, "Sigmoid", x), 3, d.type(0));
    if (op.ends_with("LeakyRelu"))
        return giveCodes(d,
                         d.step("LeakyRelu", {x},
                                {typeAttr("T", DType::Float),
                                 {"alpha", attr::fromFloat(d.floatAttr("alpha", 0.01F))}}),
                         3, d.type(0));
    const auto shape = d.shape(0);
    const bool isLast = d.intAttr("channels_last", 0) != 0;
    if (!shape || shape->dims.size() < 3)
        return false;
    Ints axes;
    for (std::size_t axis = isLast ? 1 : 2; axis + (isLast ? 1 : 0) < shape->dims.size(); ++axis)
        axes.push_back(std::int64_t(axis));
    return giveCodes(d, steps::reduce(d, "Mean", x, DType::Float, axes, true), 3, d.type(0));
}

// After the scale and zero point of the whole, each part has its own.
bool liftCodedConcat(LiftDraft& d)
{
    std::vector<std::string> parts;
    for (std::size_t slot = 2; slot + 2 < d.slots(); slot += 3)
        parts.push_back(meaningOf(d, slot));
    if (parts.empty())
        return false;
    const std::string made =
        parts.size() == 1 ? parts.front()
                          : steps::concat(d, std::move(parts), d.intAttr("axis", 0), DType::Float);
    return giveCodes(d, made, 0, d.type(2));
}

// Sets the codes of a result computed from the numbers of the codes in slot 0; `made` is empty if
// it is not lifted.
bool giveMade(LiftDraft& d, const std::string& made)
{
    return !made.empty() && giveCodes(d, made, 3, d.type(0));
}

bool liftCodedSoftmax(LiftDraft& d)
{
    return giveMade(
        d, softmaxOf(d, "Softmax", meaningOf(d, 0), DType::Float, d.intAttr("opset", d.opset())));
}

bool liftCodedAverage(LiftDraft& d)
{
    return d.intAttr("channels_last", 0) == 0 && giveMade(d, averagePooled(d, meaningOf(d, 0)));
}

bool liftCodedMean(LiftDraft& d)
{
    const Ints axes = d.intsAttr("axes");
    return !axes.empty() && giveMade(d, steps::reduce(d, "Mean", meaningOf(d, 0), DType::Float,
                                                      axes, d.intAttr("keepdims", 1) != 0));
}

std::string product(LiftDraft& d, const std::string& a, const std::string& b)
{
    return steps::both(d, "BatchMatMulV2", a, b);
}

std::string plusBias(LiftDraft& d, const std::string& made, std::size_t slot)
{
    return d.has(slot) ? steps::both(d, "AddV2", made, d.in(slot)) : made;
}

// Computes a * b * alpha + c; the codes of c have the scale of the product. Without a scale for the
// result, the output is numbers.
bool liftCodedGemm(LiftDraft& d)
{
    const auto turned = [&](std::size_t slot, std::string_view attr) {
        const std::string made = meaningOf(d, slot);
        return d.intAttr(attr, 0) == 0 ? made : transposed(d, made, DType::Float, {1, 0});
    };
    const float alpha = d.floatAttr("alpha", 1);
    std::string made = product(d, turned(0, "transA"), turned(3, "transB"));
    if (alpha != 1)
        made = steps::both(d, "Mul", made, d.oneFloat(alpha));
    if (d.has(6)) {
        std::string unit = steps::both(d, "Mul", d.in(1), d.in(4));
        if (alpha != 1)
            unit = steps::both(d, "Mul", unit, d.oneFloat(alpha));
        made = steps::both(d, "AddV2", made, steps::both(d, "Mul", asFloat(d, 6), unit));
    }
    if (d.has(7))
        return giveCodes(d, made, 7, d.type(0));
    d.give({made});
    return true;
}

// Slots: codes a and b, their scales, their zero points, the addend.
bool liftProductToFloat(LiftDraft& d)
{
    const auto operand = [&](std::size_t slot) {
        std::string made = asFloat(d, slot);
        if (d.has(slot + 4))
            made = steps::both(d, "Sub", made, asFloat(d, slot + 4));
        return steps::both(d, "Mul", made, d.in(slot + 2));
    };
    const std::string a = operand(0);
    d.give({plusBias(d, product(d, a, operand(1)), 6)});
    return true;
}

// Slots: numbers, which are quantized in their own range, codes b, its scale and zero point, the
// addend.
bool liftDynamicProduct(LiftDraft& d)
{
    const auto codes = dynamicCodes(d);
    if (!codes)
        return false;
    const auto number = [&](const std::string& code) {
        return steps::cast(d, code, DType::UInt8, DType::Float);
    };
    const std::string a = steps::both(
        d, "Mul", steps::both(d, "Sub", number(codes->codes), number(codes->zero)), codes->scale);
    std::string b = asFloat(d, 1);
    if (d.has(3))
        b = steps::both(d, "Sub", b, asFloat(d, 3));
    b = steps::both(d, "Mul", b, d.in(2));
    d.give({plusBias(d, product(d, a, b), 4)});
    return true;
}

constexpr std::array codedLayers = std::to_array<OnnxLift>({
    {"com.microsoft.DynamicQuantizeMatMul", liftDynamicProduct},
    {"com.microsoft.MatMulIntegerToFloat", liftProductToFloat},
    {"com.microsoft.QGemm", liftCodedGemm},
    {"com.microsoft.QLinearAdd", liftCodedPair},
    {"com.microsoft.QLinearAveragePool", liftCodedAverage},
    {"com.microsoft.QLinearConcat", liftCodedConcat},
    {"com.microsoft.QLinearGlobalAveragePool", liftCodedMap},
    {"com.microsoft.QLinearLeakyRelu", liftCodedMap},
    {"com.microsoft.QLinearMul", liftCodedPair},
    {"com.microsoft.QLinearReduceMean", liftCodedMean},
    {"com.microsoft.QLinearSigmoid", liftCodedMap},
    {"com.microsoft.QLinearSoftmax", liftCodedSoftmax},
});

} // namespace

bool liftOnnxCodedLayer(LiftDraft& draft)
{
    return liftFrom(codedLayers, draft);
}

} // namespace lapidary
