// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace lapidary {

// The parameters of Mfcc: frequencies in hertz, and the number of bins of its spectrogram.
struct MfccSettings {
    double low = 0;
    double high = 0;
    double rate = 0; // samples per second
    std::int64_t filters = 0;
    std::int64_t coefficients = 0;
    std::int64_t bins = 0;

    bool operator==(const MfccSettings&) const = default;
    // Returns why nothing can be computed with these parameters; empty if it can.
    std::string fault() const;
};

// The bins that filters read, both included; `end` may be beyond the spectrogram.
struct BinRange {
    std::int64_t start = 0;
    std::int64_t end = 0;
};
BinRange usedBins(const MfccSettings& settings);

// The shares of two neighboring filters in a bin.
struct MelShare {
    std::int64_t filter; // -1: only the next one gets a part
    double weight;       // of `filter`; the next one gets the rest
};
// Fills in the shares of the used bins.
void spreadBins(const MfccSettings& settings, std::span<MelShare> shares);
// Fills in the matrix of the cosine transform of the filters' logarithms, [filters, coefficients].
void fillCosines(const MfccSettings& settings, std::span<double> cosines);

} // namespace lapidary
