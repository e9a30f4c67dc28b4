// SPDX-License-Identifier: Apache-2.0
#include "transforms/accuracy/search_variant.h"

#include "transforms/accuracy/autopilot_choice.h"
#include "transforms/accuracy/expected_loss.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lapidary {
namespace {

std::int64_t bytesBesides(const SearchVariant& variant)
{
    std::int64_t others = variant.bytes;
    for (const FormCosts& layer : variant.costs)
        others -= layer.bytes.front();
    return others;
}

std::vector<VariantPlan> plansOf(const SearchVariant& variant, std::size_t number)
{
    const std::int64_t others = bytesBesides(variant);
    std::vector<VariantPlan> plans;
    for (FormPlan& plan : searchPlans(variant.costs)) {
        plan.bytes += others;
        plan.noise = noiseTogether(variant.layers, plan.forms);
        plans.push_back({number, std::move(plan)});
    }
    return plans;
}

double dbOf(const VariantPlan& candidate)
{
    return Noise{candidate.plan.noise, {}}.sqnrDb();
}

bool isUniform(const KnownSum& sum)
{
    return std::ranges::all_of(sum.forms, [&](std::size_t form) { return form == sum.forms[0]; });
}

std::size_t distance(std::size_t a, std::size_t b)
{
    return a > b ? a - b : b - a;
}

} // namespace

Goal goalOf(const AutopilotOptions& options)
{
    if (options.isTimed())
        return Goal::Nanoseconds;
    return options.mostGzipBytes ? Goal::GzipBytes : Goal::Bytes;
}

std::size_t betterVariant(const std::vector<SearchVariant>& variants)
{
    double logs = 0; // how much less the second variant lost
    for (const KnownSum& second : variants.back().sums)
        for (const KnownSum& first : variants.front().sums)
            if (first.forms == second.forms && isUniform(first))
                logs += std::log(first.ratio) - std::log(second.ratio);
    return variants.size() > 1 && logs > 0 ? 1 : 0;
}

void addCosts(SearchVariant& variant, const SearchVariant& known, Goal goal)
{
    estimateNoises(variant.layers, known.layers);
    constexpr int rounds = 20;
    for (int round = 0; round < rounds; ++round)
        for (const KnownSum& one : variant.sums)
            fitNoises(variant.layers, one.forms, one.ratio);
    // Returns the quantity that the goal minimizes: bytes, compressed bytes or nanoseconds.
    const auto bytesOf = [&](std::size_t layer, LayerForm form) {
        if (goal == Goal::Nanoseconds)
            return form == LayerForm::Run8 ? variant.times[layer].in8Bits
                                           : variant.times[layer].inFloat;
        const Layer& one = variant.layers[layer].layer;
        return goal == Goal::GzipBytes ? formGzipBytes(*variant.graph, one, form)
                                       : formBytes(*variant.graph, one, form);
    };
    variant.costs.clear();
    for (std::size_t l = 0; l < variant.layers.size(); ++l) {
        FormCosts costs{{bytesOf(l, LayerForm::Float)}, {0}};
        for (const FormNoise& one : variant.layers[l].forms) {
            costs.bytes.push_back(bytesOf(l, one.form));
            costs.noise.push_back(one.noise);
        }
        variant.costs.push_back(std::move(costs));
    }
}

std::vector<VariantPlan> uniformPlans(const SearchVariant& variant, std::size_t number)
{
    std::vector<VariantPlan> plans;
    for (std::size_t form = 0; form < variant.costs.front().bytes.size(); ++form) {
        FormPlan plan{std::vector<std::size_t>(variant.layers.size(), form), bytesBesides(variant),
                      0};
        for (const FormCosts& layer : variant.costs)
            plan.bytes += layer.bytes[form];
        plan.noise = noiseTogether(variant.layers, plan.forms);
        plans.push_back({number, std::move(plan)});
    }
    std::ranges::stable_sort(plans, {}, [](const VariantPlan& one) { return one.plan.bytes; });
    return plans;
}

double enoughDb(const AutopilotOptions& options)
{
    constexpr double usual = 60;
    constexpr double margin = 6;
    return std::max(usual, options.leastDb.value_or(0) + margin);
}

std::vector<VariantPlan> bestPlans(const std::vector<SearchVariant>& variants,
                                   const AutopilotOptions& options)
{
    std::vector<VariantPlan> all;
    for (std::size_t v = 0; v < variants.size(); ++v)
        for (VariantPlan& one : plansOf(variants[v], v))
            if (dbOf(one) >= leastOfferedDb)
                all.push_back(std::move(one));
    std::ranges::stable_sort(all, {}, [](const VariantPlan& one) { return one.plan.bytes; });
    std::vector<VariantPlan> best;
    for (VariantPlan& one : all)
        if (best.empty() ||
            (one.plan.noise < best.back().plan.noise && dbOf(best.back()) < enoughDb(options)))
            best.push_back(std::move(one));
    return best;
}

std::size_t likelyPlan(const std::vector<VariantPlan>& all, const AutopilotOptions& options)
{
    const auto most = mostSize(options);
    std::size_t choice = most ? 0 : all.size() - 1;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (most && all[i].plan.bytes <= *most)
            choice = i;
        AutopilotPoint point;
        point.noise.ratio = all[i].plan.noise;
        point.loss = expectedLoss(point.noise.sqnrDb());
        if (!most && holdsAccuracy(point, options))
            return i;
    }
    return choice;
}

std::vector<std::size_t> plansToTry(const std::vector<VariantPlan>& all, std::size_t most,
                                    const AutopilotOptions& options)
{
    std::vector<FormPlan> plans;
    for (const VariantPlan& one : all)
        plans.push_back(one.plan);
    std::vector<std::size_t> order = evenlyByBytes(plans, most);
    if (order.empty())
        return order;
    const std::size_t first = likelyPlan(all, options);
    std::vector<std::size_t> spread{first};
    order.erase(
        std::ranges::min_element(order, {}, [&](std::size_t i) { return distance(i, first); }));
    // After the ends of the row, each next index halves the largest gap.
    while (!order.empty()) {
        const auto farthest = std::ranges::max_element(order, {}, [&](std::size_t i) {
            std::size_t gap = all.size();
            for (const std::size_t taken : spread)
                gap = std::min(gap, distance(i, taken));
            return gap;
        });
        spread.push_back(*farthest);
        order.erase(farthest);
    }
    return spread;
}

} // namespace lapidary
