// SPDX-License-Identifier: Apache-2.0
// RandomUniform, RandomStandardNormal, TruncatedNormal, RandomUniformInt and their stateless forms:
// numbers of the given shape, bit for bit TensorFlow's for the same seeds.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/random/groups.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

constexpr std::size_t checkEvery = 1 << 16;

// Normal numbers below 2 in magnitude; those of larger magnitude are drawn again. Each group has
// counters of its own.
struct Truncated {
    template <class T>
    static Group<T> make(Philox& generator, T)
    {
        PhiloxWords words(generator);
        generator.skip(reserved * groupSize<T> / 4);
        Group<T> group{};
        std::size_t filled = 0;
        const auto keep = [&](auto x) {
            if (std::abs(x) < 2 && filled < group.size())
                group[filled++] = T(x);
        };
        while (filled < group.size()) {
            const std::uint32_t a = words.next();
            const std::uint32_t b = words.next();
            if constexpr (std::is_same_v<T, double>) {
                const std::uint32_t c = words.next();
                for (const double x : normalPair(a, b, c, words.next()))
                    keep(x);
            } else {
                for (const float x : normalPair(a, b))
                    keep(x);
            }
        }
        return group;
    }
};

template <class T, class Make>
Status fill(const KernelContext& context, std::span<T> out, const Make& make)
{
    for (std::size_t i = 0; i < out.size(); i += groupSize<T>) {
        if (i % checkEvery == 0 && context.job().cancelled())
            return cancelledError();
        const Group<T> group = make();
        std::copy_n(group.begin(), std::min(groupSize<T>, out.size() - i),
                    out.begin() + std::ptrdiff_t(i));
    }
    return Done{};
}

template <class Distribution>
Status giveFloats(KernelContext& context, Philox generator, Dims dims)
{
    const DType dtype = context.typeAttr("dtype", DType::Float);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, dtype, std::move(dims)));
    Status status = Done{};
    const bool known = dispatch(RealFloats(), dtype, [&](auto zero) {
        using T = decltype(zero);
        status = fill(context, made.template mutableAs<T>(),
                      [&] { return Distribution::make(generator, T()); });
    });
    return known ? status : Status(context.error("has no kernel for " + dtypeName(dtype)));
}

template <class Distribution>
Status runSeeded(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto dims, shapeInput(context, 0));
    Philox& generator = nodeGenerator(context);
    const Philox before = generator;
    RETURN_IF_ERROR(giveFloats<Distribution>(context, before, dims));
    std::uint64_t count = 1;
    for (const std::int64_t dim : dims)
        count *= std::uint64_t(dim);
    generator.skip(count * reserved);
    return Done{};
}

template <class Distribution>
Status runStateless(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto dims, shapeInput(context, 0));
    const auto generator = statelessGenerator(context, 1);
    return generator ? giveFloats<Distribution>(context, generator.value(), dims)
                     : Status(generator.error());
}

// Integers in [inputs[lowest], inputs[lowest + 1]).
Status giveIntegers(KernelContext& context, Philox generator, Dims dims, std::size_t lowest)
{
    const Value& low = context.input(lowest);
    const Value& high = context.input(lowest + 1);
    if (!low.isScalar() || !high.isScalar())
        return context.error("minval and maxval must be scalars");
    auto made = context.makeOutput(0, low.dtype(), std::move(dims));
    if (!made || made.value().elements() == 0)
        return made ? Status(Done{}) : Status(made.error());
    const std::int64_t first = low.integers()[0];
    const std::int64_t last = high.integers()[0];
    if (first >= last)
        return context.error("needs minval < maxval, but got " + std::to_string(first) + " and " +
                             std::to_string(last));
    if (low.dtype() == DType::Int32) {
        const auto range = std::uint32_t(last - first);
        return fill(context, made.value().mutableAs<std::int32_t>(), [&] {
            Group<std::int32_t> group{};
            const Philox::Words words = generator.next();
            for (std::size_t i = 0; i < group.size(); ++i)
                group[i] = std::int32_t(std::uint32_t(first) + words[i] % range);
            return group;
        });
    }
    const std::uint64_t range = std::uint64_t(last) - std::uint64_t(first);
    return fill(context, made.value().mutableAs<std::int64_t>(), [&] {
        const Philox::Words w = generator.next();
        const auto one = [&](std::uint32_t lower, std::uint32_t upper) {
            const std::uint64_t x = lower | std::uint64_t(upper) << 32U;
            return std::int64_t(std::uint64_t(first) + x % range);
        };
        return Group<std::int64_t>{one(w[0], w[1]), one(w[2], w[3])};
    });
}

Status runUniformInt(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto dims, shapeInput(context, 0));
    Philox& generator = nodeGenerator(context);
    RETURN_IF_ERROR(giveIntegers(context, generator, dims, 1));
    std::uint64_t count = 1;
    for (const std::int64_t dim : dims)
        count *= std::uint64_t(dim);
    generator.skip(count * reserved);
    return Done{};
}

Status runStatelessInt(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto dims, shapeInput(context, 0));
    const auto generator = statelessGenerator(context, 1);
    return generator ? giveIntegers(context, generator.value(), dims, 2)
                     : Status(generator.error());
}

} // namespace

LAPIDARY_KERNEL(RandomUniform, runSeeded<Uniform>);
LAPIDARY_KERNEL(RandomStandardNormal, runSeeded<Normal>);
LAPIDARY_KERNEL(TruncatedNormal, runSeeded<Truncated>);
LAPIDARY_KERNEL(RandomUniformInt, runUniformInt);
LAPIDARY_KERNEL(StatelessRandomUniform, runStateless<Uniform>);
LAPIDARY_KERNEL(StatelessRandomNormal, runStateless<Normal>);
LAPIDARY_KERNEL(StatelessTruncatedNormal, runStateless<Truncated>);
LAPIDARY_KERNEL(StatelessRandomUniformInt, runStatelessInt);

} // namespace lapidary
