// SPDX-License-Identifier: Apache-2.0
#include "tests/runner/kernels/quantized/coded.h"

#include "runner/kernels/quantized/codes.h"

#include <cmath>

namespace lapidary {

Value coded(DType dtype, Dims dims, const Codes& codes)
{
    Value value = emptyValue(dtype, std::move(dims));
    dispatchCodes(dtype, [&](auto zero) {
        using T = decltype(zero);
        const auto out = value.template mutableAs<T>();
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = T(codes[std::min(i, codes.size() - 1)]);
    });
    return value;
}

Value codedRamp(Dims dims, std::int64_t first, std::int64_t step)
{
    Value value = emptyValue(DType::QUInt8, std::move(dims));
    std::int64_t next = first;
    for (std::uint8_t& code : value.mutableAs<std::uint8_t>()) {
        code = std::uint8_t(next);
        next += step;
    }
    return value;
}

Codes codesOf(const Value& value)
{
    Codes codes;
    dispatchCodes(value.dtype(), [&](auto zero) {
        using T = decltype(zero);
        for (const T code : value.template as<T>())
            codes.push_back(std::int64_t(code));
    });
    return codes;
}

std::vector<Value> withEnds(std::vector<Value> tensors, const std::vector<float>& ends)
{
    for (const float end : ends)
        tensors.push_back(scalarOf(end));
    return tensors;
}

CodedResult runCoded(std::string_view op, const std::vector<Value>& inputs, const NodeAttrs& attrs)
{
    const auto outputs = runNode(op, inputs, attrs);
    if (!outputs)
        return {.error = outputs.error().message};
    if (outputs->size() != 3)
        return {.error = "not three outputs"};
    const Value& codes = (*outputs)[0];
    const Value& min = (*outputs)[1];
    const Value& max = (*outputs)[2];
    if (min.rank() != 0 || max.rank() != 0)
        return {.error = "the ends of the range are not scalars"};
    return {.codes = codesOf(codes),
            .min = min.as<float>()[0],
            .max = max.as<float>()[0],
            .dims = codes.dims(),
            .dtype = codes.dtype(),
            .error = ""};
}

std::int64_t zeroCode(float min, float max)
{
    return -std::llround(double(min) * 255.0 / (double(max) - double(min)));
}

} // namespace lapidary
