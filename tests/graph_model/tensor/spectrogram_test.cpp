// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/make_tensor.h"
#include "graph_model/tensor/spectrogram.h"
#include "tests/catch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

using namespace lapidary;

namespace {

Tensor soundOf(std::vector<std::int64_t> dims, const std::vector<float>& samples)
{
    auto made = makeTensor(DType::Float, {std::move(dims), false},
                           {reinterpret_cast<const char*>(samples.data()), samples.size() * 4});
    REQUIRE(made.ok());
    return *std::move(made);
}

std::uint8_t levelAt(const Spectrogram& found, std::size_t channel, int row, int column)
{
    return found.channels[channel][std::size_t(row * found.columns + column)];
}

// The row of a column's highest level, as a share of half the sampling rate.
double strongest(const Spectrogram& found, std::size_t channel, int column)
{
    int best = 0;
    for (int row = 1; row < found.rows; ++row)
        if (levelAt(found, channel, row, column) > levelAt(found, channel, best, column))
            best = row;
    return 1 - double(best) / (found.rows - 1);
}

float wave(double share, std::size_t sample)
{
    return float(std::sin(std::numbers::pi * share * double(sample)));
}

} // namespace

TEST_CASE("a tone is strongest at its frequency, at the time when it sounds",
          "[tensor][spectrogram]")
{
    std::vector<float> samples(16000);
    for (std::size_t i = 0; i < samples.size(); ++i)
        samples[i] = i < 8000 ? wave(0.25, i) : 0.5F * wave(0.75, i);
    const auto found = spectrogramOf(soundOf({16000, 1}, samples), 512, Job());
    REQUIRE(found.ok());
    REQUIRE(found->channels.size() == 1);
    CHECK(found->window == 1024);
    CHECK(found->columns <= 512);
    CHECK(std::abs(strongest(*found, 0, 0) - 0.25) < 0.005);
    CHECK(std::abs(strongest(*found, 0, found->columns - 1) - 0.75) < 0.005);
    CHECK(*std::ranges::max_element(found->channels[0]) == 255);
    // Half of the amplitude is 6 dB less.
    int late = 0;
    for (int row = 0; row < found->rows; ++row)
        late = std::max<int>(late, levelAt(*found, 0, row, found->columns - 1));
    CHECK(std::abs(late - 255 * (1 - 6.02 / 90)) < 1);
}

TEST_CASE("channels are analyzed apart, and silence and what is not finite are quiet",
          "[tensor][spectrogram]")
{
    std::vector<float> samples(2 * 512);
    for (std::size_t i = 0; i < 512; ++i) {
        samples[2 * i] = wave(0.5, i);
        samples[2 * i + 1] = std::numeric_limits<float>::quiet_NaN();
    }
    const auto found = spectrogramOf(soundOf({512, 2}, samples), 64, Job());
    REQUIRE(found.ok());
    REQUIRE(found->channels.size() == 2);
    CHECK(std::abs(strongest(*found, 0, 3) - 0.5) < 0.02);
    CHECK(std::ranges::all_of(found->channels[1], [](int level) { return level == 0; }));
    const auto silent = spectrogramOf(soundOf({64}, std::vector<float>(64)), 64, Job());
    REQUIRE(silent.ok());
    CHECK(std::ranges::all_of(silent->channels[0], [](int level) { return level == 0; }));
    CHECK(!spectrogramOf(soundOf({4, 4}, std::vector<float>(16)), 10, Job()).ok());
}
