// SPDX-License-Identifier: Apache-2.0
// QuantizedBiasAdd: both operands are requantized to int32 codes of a common range and added (spec:
// kernels, B8). For 8-bit codes, tables are used.
#include "runner/kernels/kernel.h"
#include "runner/kernels/quantized/biases.h"
#include "runner/kernels/quantized/elements.h"
#include "runner/kernels/quantized/ranges.h"

namespace lapidary {
namespace {

template <class T>
Status add(KernelContext& context, CodeRange x, CodeRange bias, CodeRange sum)
{
    const auto biases = context.input(1).as<T>();
    const auto width = std::int64_t(biases.size());
    const CodeTable xTable = movedTable<T>(x, sum);
    const std::vector<std::int32_t> added = movedBiases(biases, bias, sum);
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, DType::QInt32, context.input(0).dims()));
    if (out.elements() == 0)
        return Done{};
    const T* from = context.input(0).as<T>().data();
    std::int32_t* to = out.template mutableAs<std::int32_t>().data();
    parallelFor(out.elements() / width, width, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end && !context.job().cancelled(); ++row)
            for (std::int64_t c = 0; c < width; ++c)
                to[row * width + c] = wrappingSum32(xTable[std::uint8_t(from[row * width + c])],
                                                    added[std::size_t(c)]);
    });
    return Done{};
}

Status runQuantizedBiasAdd(KernelContext& context)
{
    RETURN_IF_ERROR(checkBiasShapes(context));
    ASSIGN_OR_RETURN(const auto x, rangeOf(context, 2));
    const auto bias = rangeOf(context, 4);
    RETURN_IF_ERROR(bias);
    const CodeRange sum = biasSumRange(x, *bias);
    const DType dtype = context.input(0).dtype();
    if (dtype != context.input(1).dtype())
        return context.error("the input and the bias must be of one type");
    const Status status = dtype == DType::QUInt8 ? add<std::uint8_t>(context, x, *bias, sum)
                                                 : add<std::int8_t>(context, x, *bias, sum);
    return status ? setRange(context, sum) : status;
}

} // namespace

Status checkBiasShapes(const KernelContext& context)
{
    const Value& x = context.input(0);
    const Value& bias = context.input(1);
    if (x.rank() < 2)
        return context.error("the input must have at least 2 dimensions, but is " +
                             dimsText(x.dims()));
    if (!bias.isVector())
        return context.error("the bias must be a vector, but is " + dimsText(bias.dims()));
    if (bias.elements() != x.dim(x.rank() - 1))
        return context.error("the bias must have as many elements as the input's last dimension: " +
                             dimsText(bias.dims()) + " and " + dimsText(x.dims()));
    return Done{};
}

LAPIDARY_KERNEL(QuantizedBiasAdd, runQuantizedBiasAdd);

} // namespace lapidary
