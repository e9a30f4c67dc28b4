// SPDX-License-Identifier: Apache-2.0
// Multinomial, StatelessMultinomial: for each row of unnormalized log-probabilities, num_samples
// indices drawn from them.
// RandomShuffle: the rows in a random order.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/random/philox.h"
#include "runner/kernels/tensor_array/tensor_array.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace lapidary {
namespace {

// Running sums of exp(logit - max) over the finite logits.
template <class T>
void cumulate(std::span<const T> logits, std::vector<double>& sums)
{
    double highest = -INFINITY;
    for (const T logit : logits)
        if (std::isfinite(double(wide(logit))))
            highest = std::max(highest, double(wide(logit)));
    double sum = 0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        const auto logit = double(wide(logits[i]));
        if (std::isfinite(logit))
            sum += std::exp(logit - highest);
        sums[i] = sum;
    }
}

Status draw(KernelContext& context, Philox generator, std::int64_t samples)
{
    const Value& logits = context.input(0);
    const DType dtype = context.typeAttr("output_dtype", DType::Int64);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, dtype, {logits.dim(0), samples}));
    const auto classes = std::size_t(logits.dim(1));
    std::vector<double> sums(classes);
    PhiloxWords words(generator);
    std::size_t at = 0;
    for (std::int64_t row = 0; row < logits.dim(0); ++row) {
        if (context.job().cancelled())
            return cancelledError();
        const bool known = dispatch(Reals(), logits.dtype(), [&](auto zero) {
            using T = decltype(zero);
            cumulate(logits.as<T>().subspan(std::size_t(row) * classes, classes), sums);
        });
        if (!known)
            return context.error("has no kernel for " + dtypeName(logits.dtype()));
        for (std::int64_t i = 0; i < samples; ++i, ++at) {
            const std::uint32_t high = words.next();
            const double target = unitDouble(high, words.next()) * sums.back();
            const auto found = std::ranges::upper_bound(sums, target) - sums.begin();
            const auto index = std::min<std::ptrdiff_t>(found, std::ptrdiff_t(classes) - 1);
            if (dtype == DType::Int32)
                made.mutableAs<std::int32_t>()[at] = std::int32_t(index);
            else
                made.mutableAs<std::int64_t>()[at] = index;
        }
    }
    return Done{};
}

Result<std::int64_t> checkedSamples(const KernelContext& context)
{
    const Value& logits = context.input(0);
    if (logits.rank() != 2)
        return context.error("logits must be a matrix, but their shape is " +
                             dimsText(logits.dims()));
    ASSIGN_OR_RETURN(const auto samples, scalarIndex(context, 1, "num_samples"));
    if (samples < 0)
        return context.error("num_samples must not be negative, but it is " +
                             std::to_string(samples));
    if (logits.dim(1) == 0)
        return context.error("logits have no classes");
    return std::int64_t(samples);
}

Status runMultinomial(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto samples, checkedSamples(context));
    Philox& generator = nodeGenerator(context);
    RETURN_IF_ERROR(draw(context, generator, samples));
    const std::uint64_t rounded = (std::uint64_t(samples) + 3) / 4 * 4;
    constexpr std::uint64_t reserved = 256;
    generator.skip(std::uint64_t(context.input(0).dim(0)) * rounded * 2 * reserved);
    return Done{};
}

Status drawStateless(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto samples, checkedSamples(context));
    const auto generator = statelessGenerator(context, 2);
    return generator ? draw(context, generator.value(), samples) : Status(generator.error());
}

Status runShuffle(KernelContext& context)
{
    const Value& value = context.input(0);
    if (value.isScalar() || value.dim(0) <= 1)
        return context.setOutput(0, value);
    const auto rows = std::size_t(value.dim(0));
    const auto length = std::size_t(value.elements()) / rows;
    std::vector<std::size_t> order(rows);
    std::iota(order.begin(), order.end(), std::size_t(0));
    Philox& generator = nodeGenerator(context);
    PhiloxWords words(generator);
    for (std::size_t i = 0; i + 1 < rows; ++i)
        std::swap(order[i], order[i + words.next() % (rows - i)]);
    generator.skip((rows - 1 + 3) / 4);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, value.dtype(), value.dims()));
    const std::size_t bytes = length * dtypeSize(value.dtype());
    for (std::size_t i = 0; i < rows; ++i) {
        if (value.dtype() == DType::String)
            std::ranges::copy(value.strings().subspan(order[i] * length, length),
                              made.mutableStrings().begin() + std::ptrdiff_t(i * length));
        else if (bytes > 0)
            std::memcpy(made.mutableAs<char>().data() + i * bytes,
                        value.bytes().data() + order[i] * bytes, bytes);
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(Multinomial, runMultinomial);
LAPIDARY_KERNEL(StatelessMultinomial, drawStateless);
LAPIDARY_KERNEL(RandomShuffle, runShuffle);

} // namespace lapidary
