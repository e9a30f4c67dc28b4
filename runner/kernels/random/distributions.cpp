// SPDX-License-Identifier: Apache-2.0
// RandomUniform, RandomStandardNormal, TruncatedNormal, RandomUniformInt and their stateless forms
// with a seed: numbers of the given shape, bit for bit TensorFlow's for the same seeds.
#include "runner/kernels/random/distributions.h"

#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/random/groups.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace lapidary {
namespace {

constexpr std::size_t checkEvery = 1 << 16;

// Makes normal numbers below 2 in magnitude; others are drawn again. Each group has counters of its
// own.
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

template <class Distribution, class... Types>
Status give(KernelContext& context, Philox generator, Dims dims, TypeList<Types...> types)
{
    const DType dtype = context.typeAttr("dtype", DType::Float);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, dtype, std::move(dims)));
    Status status = Done{};
    const bool known = dispatch(types, dtype, [&](auto zero) {
        using T = decltype(zero);
        status = fill(context, made.template mutableAs<T>(),
                      [&] { return Distribution::make(generator, T()); });
    });
    return known ? status : Status(context.error("has no kernel for " + dtypeName(dtype)));
}

std::uint64_t countersOf(const Dims& dims)
{
    std::uint64_t count = reserved;
    for (const std::int64_t dim : dims)
        count *= std::uint64_t(dim);
    return count;
}

template <auto give>
Status runSeeded(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto dims, shapeInput(context, 0));
    Philox& generator = nodeGenerator(context);
    RETURN_IF_ERROR(give(context, generator, dims));
    generator.skip(countersOf(dims));
    return Done{};
}

template <auto give>
Status runStateless(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto dims, shapeInput(context, 0));
    const auto generator = statelessGenerator(context, 1);
    return generator ? give(context, *generator, dims) : Status(generator.error());
}

// Makes integers from the words of the generator.
struct FullInteger {
    template <class T>
    static Group<T> make(Philox& generator, T)
    {
        const Philox::Words words = generator.next();
        if constexpr (sizeof(T) == 4)
            return {T(words[0]), T(words[1]), T(words[2]), T(words[3])};
        else
            return {T(words[0] | std::uint64_t(words[1]) << 32U),
                    T(words[2] | std::uint64_t(words[3]) << 32U)};
    }
};

using WideIntegers = TypeList<std::int32_t, std::int64_t, std::uint32_t, std::uint64_t>;

template <class T>
Status fillBetween(const KernelContext& context, Philox generator, std::span<T> out, T low, T high)
{
    using Bits = std::make_unsigned_t<T>;
    if (low >= high)
        return context.error("needs minval < maxval, but got " + std::to_string(low) + " and " +
                             std::to_string(high));
    const Bits range = Bits(high) - Bits(low);
    return fill(context, out, [&] {
        Group<T> group = FullInteger::make(generator, T());
        for (T& x : group)
            x = T(Bits(low) + Bits(x) % range);
        return group;
    });
}

} // namespace

Status giveUniform(KernelContext& context, Philox generator, Dims dims)
{
    return give<Uniform>(context, generator, std::move(dims), RealFloats());
}

Status giveNormal(KernelContext& context, Philox generator, Dims dims)
{
    return give<Normal>(context, generator, std::move(dims), RealFloats());
}

Status giveTruncatedNormal(KernelContext& context, Philox generator, Dims dims)
{
    return give<Truncated>(context, generator, std::move(dims), RealFloats());
}

Status giveFullIntegers(KernelContext& context, Philox generator, Dims dims)
{
    return give<FullInteger>(context, generator, std::move(dims), WideIntegers());
}

Status giveIntegers(KernelContext& context, Philox generator, Dims dims, std::size_t lowest)
{
    const Value& low = context.input(lowest);
    const Value& high = context.input(lowest + 1);
    if (!low.isScalar() || !high.isScalar())
        return context.error("minval and maxval must be scalars");
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, low.dtype(), std::move(dims)));
    if (made.elements() == 0)
        return Done{};
    Status status = Done{};
    const bool known = dispatch(WideIntegers(), low.dtype(), [&](auto zero) {
        using T = decltype(zero);
        status = fillBetween(context, generator, made.template mutableAs<T>(), low.as<T>()[0],
                             high.as<T>()[0]);
    });
    return known ? status : Status(context.error("has no kernel for " + dtypeName(low.dtype())));
}

LAPIDARY_KERNEL(RandomUniform, runSeeded<giveUniform>);
LAPIDARY_KERNEL(RandomStandardNormal, runSeeded<giveNormal>);
LAPIDARY_KERNEL(TruncatedNormal, runSeeded<giveTruncatedNormal>);
LAPIDARY_KERNEL(RandomUniformInt, runSeeded<giveIntegersAbove<1>>);
LAPIDARY_KERNEL(StatelessRandomUniform, runStateless<giveUniform>);
LAPIDARY_KERNEL(StatelessRandomNormal, runStateless<giveNormal>);
LAPIDARY_KERNEL(StatelessTruncatedNormal, runStateless<giveTruncatedNormal>);
LAPIDARY_KERNEL(StatelessRandomUniformInt, runStateless<giveIntegersAbove<2>>);
LAPIDARY_KERNEL(StatelessRandomUniformFullInt, runStateless<giveFullIntegers>);

} // namespace lapidary
