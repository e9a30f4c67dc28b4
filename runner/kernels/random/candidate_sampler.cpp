// SPDX-License-Identifier: Apache-2.0
// LogUniformCandidateSampler: classes drawn from the log-uniform distribution
// P(c) = log((c + 2) / (c + 1)) / log(range_max + 1), and the expected count of each among them.
#include "graph_model/base/clamped_cast.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/random/philox.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace lapidary {
namespace {

struct Draw {
    std::int64_t range = 0;
    std::int64_t count = 0;
    bool unique = false;
};

// Draws classes and returns the number of tries. If `draw` is without repetition, a class that came
// before is replaced by another try.
Result<std::int64_t> sample(const KernelContext& context, const Draw& draw, PhiloxWords& words,
                            std::span<std::int64_t> classes)
{
    const double logRange = std::log1p(double(draw.range));
    std::unordered_set<std::int64_t> used;
    std::int64_t tries = 0;
    for (std::size_t picked = 0; picked < classes.size();) {
        if (context.job().cancelled())
            return cancelledError();
        const std::uint32_t high = words.next();
        const double random = unitDouble(high, words.next());
        const auto value = (clampedTo<std::int64_t>(std::exp(random * logRange)) - 1) % draw.range;
        ++tries;
        if (!draw.unique || used.insert(value).second)
            classes[picked++] = value;
    }
    return tries;
}

float expectedCount(const Draw& draw, std::int64_t value, std::int64_t tries)
{
    const double logRange = std::log1p(double(draw.range));
    const auto p = float(std::log((double(value) + 2.0) / (double(value) + 1.0)) / logRange);
    if (tries == draw.count)
        return p * float(draw.count);
    return float(-std::expm1(double(tries) * double(std::log1p(-p))));
}

Status giveCounts(KernelContext& context, const Draw& draw, std::size_t output,
                  const Value& classes, std::int64_t tries)
{
    ASSIGN_OR_RETURN(auto counts, context.makeOutput(output, DType::Float, classes.dims()));
    std::ranges::transform(classes.as<std::int64_t>(), counts.mutableAs<float>().begin(),
                           [&](std::int64_t value) { return expectedCount(draw, value, tries); });
    return Done{};
}

Status runLogUniform(KernelContext& context)
{
    const Draw draw{context.intAttr("range_max"), context.intAttr("num_sampled"),
                    context.boolAttr("unique")};
    const Value& truth = context.input(0);
    if (draw.range < 1 || draw.count < 1)
        return context.error("range_max and num_sampled must be positive");
    if (truth.dim(1) != context.intAttr("num_true"))
        return context.error("true_classes must have num_true columns, but its shape is " +
                             dimsText(truth.dims()));
    if (draw.unique && draw.count > draw.range)
        return context.error("cannot draw " + std::to_string(draw.count) +
                             " different classes from " + std::to_string(draw.range));
    ASSIGN_OR_RETURN(auto classes, context.makeOutput(0, DType::Int64, {draw.count}));
    Philox& generator = nodeGenerator(context);
    PhiloxWords words(generator);
    ASSIGN_OR_RETURN(const auto tries,
                     sample(context, draw, words, classes.mutableAs<std::int64_t>()));
    constexpr std::uint64_t reservedWords = 2048; // for each class, in groups of four
    generator.skip(reservedWords * std::uint64_t(draw.count) / 4);
    RETURN_IF_ERROR(giveCounts(context, draw, 1, truth, tries));
    return giveCounts(context, draw, 2, classes, tries);
}

} // namespace

LAPIDARY_KERNEL(LogUniformCandidateSampler, runLogUniform, .ranks = {Rank::Matrix});

} // namespace lapidary
