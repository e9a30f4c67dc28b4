// SPDX-License-Identifier: Apache-2.0
// QuantizedConcat: joins tensors of codes in a range that includes all of theirs (spec: kernels,
// B13); those with another range are requantized to it.
#include "runner/kernels/arrays/arguments.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/quantized/elements.h"
#include "runner/kernels/quantized/ranges.h"

#include <cstring>
#include <limits>

namespace lapidary {
namespace {

// The inputs 1..count, joined along `axis`: each is outer x size(i) x inner.
struct Joined {
    std::size_t count = 0;
    std::size_t axis = 0;
    std::int64_t outer = 1;
    std::int64_t inner = 1;
    Dims dims;
};

Result<Joined> joinedOf(const KernelContext& context)
{
    const auto axis = integerScalar(context, 0, "concat_dim");
    RETURN_IF_ERROR(axis);
    Joined joined{.count = (context.inputCount() - 1) / 3};
    joined.dims = context.input(1).dims();
    if (*axis < 0 || *axis >= std::int64_t(joined.dims.size()))
        return context.error("concat_dim must be in [0, " + std::to_string(joined.dims.size()) +
                             "), but is " + std::to_string(*axis));
    joined.axis = std::size_t(*axis);
    joined.dims[joined.axis] = 0;
    for (std::size_t i = 1; i <= joined.count; ++i) {
        Dims other = context.input(i).dims();
        if (other.size() != joined.dims.size())
            return context.error("inputs of shape " + dimsText(context.input(1).dims()) + " and " +
                                 dimsText(other) + " cannot be joined");
        const std::int64_t size = cappedSum(joined.dims[joined.axis], other[joined.axis]);
        other[joined.axis] = joined.dims[joined.axis];
        if (other != joined.dims)
            return context.error("inputs of shape " + dimsText(context.input(1).dims()) + " and " +
                                 dimsText(context.input(i).dims()) +
                                 " cannot be joined along axis " + std::to_string(*axis));
        joined.dims[joined.axis] = size;
    }
    joined.outer = sizeOfAxes(joined.dims, 0, joined.axis);
    joined.inner = sizeOfAxes(joined.dims, joined.axis + 1, joined.dims.size());
    return joined;
}

// Returns the range that includes all. NaN is ignored, as by std::min and std::max.
CodeRange commonRange(std::span<const CodeRange> ranges, bool isSigned)
{
    CodeRange all{std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()};
    for (const CodeRange& range : ranges) {
        all.min = std::min(all.min, range.min);
        all.max = std::max(all.max, range.max);
    }
    all.min = std::min(0.0F, all.min);
    if (!isSigned)
        return all;
    const float largest = std::max(std::fabs(all.min), std::fabs(all.max));
    return {-largest, largest};
}

template <class T>
Status join(const KernelContext& context, const Joined& joined, std::span<const CodeRange> ranges,
            CodeRange to, Value& out)
{
    const std::int64_t line = joined.dims[joined.axis] * joined.inner;
    std::int64_t offset = 0;
    std::size_t used = 0; // TensorFlow ignores empty inputs, but not their ranges
    for (std::size_t i = 1; i <= joined.count; ++i) {
        const Value& x = context.input(i);
        if (x.elements() == 0)
            continue;
        const CodeRange from = ranges[used++];
        const Real<T> real(from);
        const Code<T> code(to);
        const std::int64_t width = x.dims()[joined.axis] * joined.inner;
        for (std::int64_t row = 0; row < joined.outer; ++row) {
            if (context.job().cancelled())
                return cancelledError();
            const auto source = x.as<T>().subspan(std::size_t(row * width), std::size_t(width));
            T* target = out.mutableAs<T>().data() + row * line + offset;
            if (from == to)
                std::memcpy(target, source.data(), source.size_bytes());
            else
                std::ranges::transform(source, target, [&](T c) { return code(real(c)); });
        }
        offset += width;
    }
    return Done{};
}

Status runQuantizedConcat(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto joined, joinedOf(context));
    const std::size_t count = joined.count;
    std::vector<CodeRange> ranges(count);
    for (std::size_t i = 0; i < count; ++i) {
        ASSIGN_OR_RETURN(const auto range, rangeOf(context, 1 + count + i, 1 + 2 * count + i));
        ranges[i] = range;
    }
    const DType dtype = context.input(1).dtype();
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, dtype, joined.dims));
    const CodeRange to = commonRange(ranges, dtype == DType::QInt32);
    Status status = Done{};
    if (out.elements() > 0)
        status = dtype == DType::QInt32 ? join<std::int32_t>(context, joined, ranges, to, out)
                                        : join<std::uint8_t>(context, joined, ranges, to, out);
    return status ? setRange(context, to) : status;
}

} // namespace

LAPIDARY_KERNEL(QuantizedConcat, runQuantizedConcat);

} // namespace lapidary
