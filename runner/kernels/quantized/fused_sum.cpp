// SPDX-License-Identifier: Apache-2.0
// A QuantizedAdd and the requantization of its sums, without storing the sums: tensors of one shape
// are read once for the range and once for the values. For other operands the sums are stored.
#include "runner/kernels/quantized/fused_stages.h"
#include "runner/kernels/quantized/pairing.h"
#include "runner/kernels/quantized/ranges.h"
#include "runner/kernels/quantized/sums.h"
#include "runner/kernels/scratch.h"
#include "runner/threads/parallel_for.h"

#include <cstdlib>
#include <limits>
#include <mutex>
#include <optional>

namespace lapidary {
namespace {

// Returns the tables as linear functions, if they are linear and small.
std::optional<int8::PairSum> stepsOf(const SumTables& tables)
{
    constexpr std::int32_t large = 1 << 22;
    constexpr std::int32_t largeStep = 1 << 14;
    const auto isEven = [](const SumTables::Table& table) {
        const std::int64_t step = std::int64_t(table[1]) - table[0];
        for (std::size_t i = 0; i < table.size(); ++i)
            if (table[i] != table[0] + step * std::int64_t(i) ||
                std::abs(std::int64_t(table[i])) >= large)
                return false;
        return std::abs(step) < largeStep;
    };
    if (std::abs(std::int64_t(tables.x[0])) >= large || !isEven(tables.x) || !isEven(tables.y))
        return std::nullopt;
    return int8::PairSum{tables.x[0] + tables.y[0], std::int16_t(tables.x[1] - tables.x[0]),
                         std::int16_t(tables.y[1] - tables.y[0])};
}

int8::Range32 rangeOf(const int8::CodePairs& codes, const int8::PairSum& sum)
{
    int8::Range32 all{std::numeric_limits<std::int32_t>::max(),
                      std::numeric_limits<std::int32_t>::lowest()};
    std::mutex guard;
    parallelFor(std::int64_t(codes.size()), 1, [&](std::int64_t begin, std::int64_t end) {
        const auto part =
            int8::rangeOfPairs(codes.part(std::size_t(begin), std::size_t(end - begin)), sum);
        const std::lock_guard lock(guard);
        all = {std::min(all.least, part.least), std::max(all.most, part.most)};
    });
    return all;
}

// Stores all sums, then requantizes them.
Result<CodeRange> requantizeSums(KernelContext& context, const FusedStages& stages,
                                 const SumTables& tables, const Pairing& pairing,
                                 std::span<std::uint8_t> out)
{
    ASSIGN_OR_RETURN(auto sums,
                     Scratch<std::int32_t>::make(context.session().pool, std::int64_t(out.size())));
    const std::span<std::int32_t> all = sums.all();
    if (!out.empty())
        eachPair(pairing, context.input(0).as<std::uint8_t>(), context.input(1).as<std::uint8_t>(),
                 all, [&](std::uint8_t a, std::uint8_t b) {
                     return wrappingSum32(tables.x[a], tables.y[b]);
                 });
    const int8::Range32 none{std::numeric_limits<std::int32_t>::max(),
                             std::numeric_limits<std::int32_t>::lowest()};
    auto to =
        targetOf(context, stages.first, tables.range, out.empty() ? none : int8::rangeOfSums(all));
    if (to)
        int8::requantize(all, lastRequantization(stages, tables.range, *to), out.data());
    return to;
}

Result<CodeRange> requantizePairs(const KernelContext& context, const FusedStages& stages,
                                  const int8::PairSum& sum, CodeRange from,
                                  std::span<std::uint8_t> out)
{
    const int8::CodePairs codes{context.input(0).as<std::uint8_t>(),
                                context.input(1).as<std::uint8_t>()};
    auto to = targetOf(context, stages.first, from,
                       stages.first.input ? int8::Range32() : rangeOf(codes, sum));
    if (!to)
        return to;
    const int8::Requantization requantization = lastRequantization(stages, from, *to);
    parallelFor(std::int64_t(out.size()), 1, [&](std::int64_t begin, std::int64_t end) {
        int8::requantizePairs(codes.part(std::size_t(begin), std::size_t(end - begin)), sum,
                              requantization, out.data() + begin);
    });
    return to;
}

} // namespace

Status runFusedSum(KernelContext& context, const FusedStages& stages)
{
    const auto x = growingRangeOf(context, 2, "x");
    if (!x)
        return errorOf(context, stages.source, x.error());
    const auto y = growingRangeOf(context, 4, "y");
    if (!y)
        return errorOf(context, stages.source, y.error());
    const auto pairing = pairingOf(context);
    if (!pairing)
        return errorOf(context, stages.source, pairing.error());
    const bool isFlat = pairing->isFlat();
    const bool xAlone = isFlat && context.input(0).elements() == 1;
    const bool yAlone = isFlat && !xAlone && context.input(1).elements() == 1;
    const SumTables tables(*x, *y, xAlone, yAlone);
    ASSIGN_OR_RETURN(auto out, context.makeOutput(0, DType::QUInt8, pairing->broadcast.output));
    const auto codes = out.mutableAs<std::uint8_t>();
    const auto steps = stepsOf(tables);
    const bool isWhole = context.input(0).dims() == context.input(1).dims() && !codes.empty();
    const auto to = isWhole && steps ? requantizePairs(context, stages, *steps, tables.range, codes)
                                     : requantizeSums(context, stages, tables, *pairing, codes);
    return to ? setRange(context, *to) : to.error();
}

} // namespace lapidary
