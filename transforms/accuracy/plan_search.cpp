// SPDX-License-Identifier: Apache-2.0
#include "transforms/accuracy/plan_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lapidary {
namespace {

FormPlan bestPlan(const std::vector<FormCosts>& layers, double lambda)
{
    FormPlan plan;
    for (const FormCosts& layer : layers) {
        std::size_t best = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t form = 0; form < layer.bytes.size(); ++form) {
            const double cost = double(layer.bytes[form]) + lambda * layer.noise[form];
            if (cost < least) {
                least = cost;
                best = form;
            }
        }
        plan.forms.push_back(best);
        plan.bytes += layer.bytes[best];
        plan.noise += layer.noise[best];
    }
    return plan;
}

// Returns the first and the last factor: below the first only bytes matter, above the last only
// noise.
std::pair<double, double> lambdaRange(const std::vector<FormCosts>& layers)
{
    double largest = 0;
    double smallest = std::numeric_limits<double>::infinity();
    double bytes = 1;
    for (const FormCosts& layer : layers)
        for (std::size_t form = 0; form < layer.bytes.size(); ++form) {
            bytes = std::max(bytes, double(layer.bytes[form]));
            if (layer.noise[form] <= 0 || !std::isfinite(layer.noise[form]))
                continue;
            largest = std::max(largest, layer.noise[form]);
            smallest = std::min(smallest, layer.noise[form]);
        }
    if (largest == 0)
        return {1, 1};
    constexpr double margin = 100;
    return {1 / (margin * largest), margin * bytes / smallest};
}

} // namespace

std::vector<FormPlan> searchPlans(const std::vector<FormCosts>& layers)
{
    constexpr int count = 400;
    const auto [first, last] = lambdaRange(layers);
    std::vector<FormPlan> plans;
    for (int i = 0; i < count; ++i) {
        FormPlan plan = bestPlan(layers, first * std::pow(last / first, double(i) / (count - 1)));
        if (plans.empty() || plan.forms != plans.back().forms)
            plans.push_back(std::move(plan));
    }
    return plans;
}

std::vector<std::size_t> evenlyByBytes(const std::vector<FormPlan>& plans, std::size_t most)
{
    std::vector<std::size_t> chosen;
    if (plans.size() <= most || most < 2) {
        for (std::size_t i = 0; i < std::min(plans.size(), most); ++i)
            chosen.push_back(i);
        return chosen;
    }
    const double low = double(plans.front().bytes);
    const double high = double(plans.back().bytes);
    for (std::size_t k = 0; k < most; ++k) {
        const double wanted = low + (high - low) * double(k) / double(most - 1);
        const auto nearest = std::ranges::min_element(
            plans, {}, [&](const FormPlan& plan) { return std::abs(double(plan.bytes) - wanted); });
        const auto at = std::size_t(nearest - plans.begin());
        if (chosen.empty() || chosen.back() != at)
            chosen.push_back(at);
    }
    return chosen;
}

} // namespace lapidary
