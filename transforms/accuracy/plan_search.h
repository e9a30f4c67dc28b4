// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lapidary {

// The cost of each form of one layer: bytes, and noise at the output when the layer alone has
// it.
struct FormCosts {
    std::vector<std::int64_t> bytes;
    std::vector<double> noise;
};

// A form for every layer, with the sums of both costs: noises of layers nearly add.
struct FormPlan {
    std::vector<std::size_t> forms;
    std::int64_t bytes = 0;
    double noise = 0;
};

// Returns the plans that minimize bytes + lambda * noise for some lambda: the corners of the
// trade-off, found with a geometric series of lambdas. Each plan once, the smallest first.
// O(lambdas * forms).
std::vector<FormPlan> searchPlans(const std::vector<FormCosts>& layers);

// Returns the indices of up to `most` plans, evenly spread by bytes, including the first and the
// last one.
std::vector<std::size_t> evenlyByBytes(const std::vector<FormPlan>& plans, std::size_t most);

} // namespace lapidary
