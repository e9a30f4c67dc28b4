// SPDX-License-Identifier: Apache-2.0
// The pairs of ops that quantize to codes of 8 bits and back, in a graph that was lifted from a
// .tflite file.
#include "graph_model/graph/stored_scales.h"
#include "transforms/export/lower/lower_steps.h"
#include "transforms/export/lower/op_reasons.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lapidary {
namespace {

// Returns whether the zero points are codes of the type.
bool areCodes(const std::vector<std::int64_t>& zeros, DType dtype)
{
    const std::int64_t low = dtype == DType::UInt8 ? 0 : -128;
    return std::ranges::all_of(zeros,
                               [&](std::int64_t zero) { return zero >= low && zero <= low + 255; });
}

Result<PortableScales> scalesOf(const LowerNode& n, std::string_view operand, DType dtype)
{
    const auto stored = operandScales(n.node(), operand);
    const auto isPositive = [](float scale) { return std::isfinite(scale) && scale > 0; };
    if (!stored || !std::ranges::all_of(stored->scales, isPositive))
        return unsuited("its scale is not a positive number");
    if (!areCodes(stored->zeroPoints, dtype))
        return unsuited("its zero point is not a code of " + dtypeName(dtype));
    return PortableScales{stored->scales, stored->zeroPoints, stored->axis};
}

Status needPairs(const LowerNode& n)
{
    return n.target() == ExportTarget::Onnx ? Status(Done{}) : unsuited(reasonAgainstCodes());
}

Status quantize(LowerNode& n)
{
    RETURN_IF_ERROR(needPairs(n));
    if (n.tensor(n.input(0)).dtype != DType::Float)
        return unsuited(reasonAgainstCodes());
    ASSIGN_OR_RETURN(const PortableScales scales, scalesOf(n, "out", n.outputType()));
    if (scales.scales.size() != 1 || !n.setScales(n.output(), scales))
        return unsuited("its output has several scales");
    n.emit(PortableKind::Quantize, {n.input(0)});
    return Done{};
}

// Makes a float constant with scales, which is written as its codes; codes from 0 to 255 are moved
// to -128 to 127.
Status dequantizeConstant(LowerNode& n, PortableScales scales)
{
    const PortableTensor& codes = n.tensor(n.input(0));
    const auto channels = channelsAlong(codes.dims, scales.axis, scales.scales.size());
    const ConstantBytes bytes = codes.bytes.read();
    if (!channels || std::int64_t(bytes.size()) != codes.elements())
        return unsuited("its scales do not fit the sizes of its weights");
    const bool isSigned = codes.dtype == DType::Int8;
    std::vector<float> numbers;
    numbers.reserve(bytes.size());
    for (const char byte : bytes.view()) {
        const int code = isSigned ? int(std::int8_t(byte)) : int(std::uint8_t(byte));
        const std::size_t channel = channels->of(numbers.size());
        numbers.push_back(float(code - scales.zeros[channel]) * scales.scales[channel]);
    }
    for (std::int64_t& zero : scales.zeros)
        zero -= isSigned ? 0 : 128;
    const TensorIndex made = n.constant("numbers", codes.dims, numbers);
    n.setScales(made, scales);
    n.alias(0, made);
    return Done{};
}

Status dequantize(LowerNode& n)
{
    RETURN_IF_ERROR(needPairs(n));
    const TensorIndex codes = n.input(0);
    ASSIGN_OR_RETURN(const PortableScales scales, scalesOf(n, "in0", n.tensor(codes).dtype));
    if (n.isConstant(0))
        return dequantizeConstant(n, scales);
    if (scales.scales.size() != 1 || !n.setScales(codes, scales))
        return unsuited("its input has several scales");
    n.emit(PortableKind::Dequantize, {codes});
    return Done{};
}

constexpr std::string_view condition = "of a .tflite file with codes of 8 bits; ONNX";

constexpr std::array codeRows{
    forAnySize({"_Tflite_DEQUANTIZE", dequantize, "Dequantize", condition}),
    forAnySize({"_Tflite_QUANTIZE", quantize, "Quantize", condition}),
};

} // namespace

std::span<const LowerRow> lowerCodeRows()
{
    return codeRows;
}

} // namespace lapidary
