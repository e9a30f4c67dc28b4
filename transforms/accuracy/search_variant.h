// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/accuracy/autopilot.h"
#include "transforms/accuracy/form_noises.h"
#include "transforms/accuracy/layer_times.h"
#include "transforms/accuracy/plan_search.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// The noise of a file that was run: about the sum of those of its layers.
struct KnownSum {
    std::vector<std::size_t> forms; // the choice of each layer
    double ratio = 0;
};

// The quantity that the search minimizes: bytes of the file or of the compressed one, or the time
// of a run.
enum class Goal : std::uint8_t { Bytes, GzipBytes, Nanoseconds };
Goal goalOf(const AutopilotOptions& options);

// The graph before weights change, and what its layers cost.
struct SearchVariant {
    bool isEqualized = false;
    GraphPtr graph;
    Recipe recipe; // that makes it
    std::vector<NoisyLayer> layers;
    std::vector<FormCosts> costs;
    std::vector<LayerTime> times; // of the layers; empty unless the goal is time
    std::int64_t bytes = 0;       // with all layers in float: bytes or nanoseconds of the goal
    std::vector<KnownSum> sums;   // of files in the order in which they were run

    // `choice` is an index into the costs of a layer.
    LayerForm form(std::size_t layer, std::size_t choice) const
    {
        return choice == 0 ? LayerForm::Float : layers[layer].forms[choice - 1].form;
    }
};

// A plan for a variant, with the bytes of the whole file.
struct VariantPlan {
    std::size_t variant = 0;
    FormPlan plan;

    bool isSame(const VariantPlan& other) const
    {
        return variant == other.variant && plan.forms == other.plan.forms;
    }
};

// Returns the index of the variant that lost less with every layer in one form; 0 if that is not
// known.
std::size_t betterVariant(const std::vector<SearchVariant>& variants);

// Computes the costs of the layers. Noises that were not measured are estimated from `known`.
void addCosts(SearchVariant& variant, const SearchVariant& known, Goal goal);
// Returns the plans with every layer in one form, for each form; the smallest first. `number` is
// the index of the variant.
std::vector<VariantPlan> uniformPlans(const SearchVariant& variant, std::size_t number);
// Returns the plans of all variants that no other beats in both bytes and predicted noise; the
// smallest first, and none after the first that is good enough for any purpose.
std::vector<VariantPlan> bestPlans(const std::vector<SearchVariant>& variants,
                                   const AutopilotOptions& options);
// Returns the SQNR in dB above which a file is not worth more bytes.
double enoughDb(const AutopilotOptions& options);
inline constexpr double leastOfferedDb = 10; // below, predictions mean nothing

// Returns the index of the plan that will probably be chosen: the smallest that holds the accuracy;
// if the options limit the size, the most accurate within it.
std::size_t likelyPlan(const std::vector<VariantPlan>& all, const AutopilotOptions& options);
// Returns the indices of up to `most` plans, evenly spread; the likely one first, so that a stopped
// search has it, and so that every prefix is evenly spread too.
std::vector<std::size_t> plansToTry(const std::vector<VariantPlan>& all, std::size_t most,
                                    const AutopilotOptions& options);

} // namespace lapidary
