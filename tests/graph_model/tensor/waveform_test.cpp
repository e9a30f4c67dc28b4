// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/make_tensor.h"
#include "graph_model/tensor/waveform.h"
#include "tests/catch.h"

#include <limits>

using namespace lapidary;

namespace {

Tensor sound(std::vector<std::int64_t> dims, const std::vector<float>& samples)
{
    auto made = makeTensor(DType::Float, {std::move(dims), false},
                           {reinterpret_cast<const char*>(samples.data()), samples.size() * 4});
    REQUIRE(made.ok());
    return *std::move(made);
}

} // namespace

TEST_CASE("a long vector of one or few channels is a sound", "[tensor][waveform]")
{
    CHECK(isWaveformShape({{16000}, false}));
    CHECK(isWaveformShape({{16000, 1}, false}));
    CHECK(isWaveformShape({{1, 16000}, false}));
    CHECK(isWaveformShape({{44100, 2}, false}));
    CHECK(!isWaveformShape({{10}, false}));
    CHECK(!isWaveformShape({{100, 40}, false})); // a spectrogram
    CHECK(!isWaveformShape({{2, 100, 40}, false}));
    CHECK(!isWaveformShape({{-1, 2}, false}));
    CHECK(!isWaveformShape({{}, true}));
}

TEST_CASE("each column of a waveform has the extremes of its samples", "[tensor][waveform]")
{
    std::vector<float> samples(100);
    for (std::size_t i = 0; i < samples.size(); ++i)
        samples[i] = i % 2 == 0 ? float(i) : -float(i);
    const auto wave = waveformOf(sound({100, 1}, samples), 10, Job());
    REQUIRE(wave.ok());
    REQUIRE(wave->channels.size() == 1);
    REQUIRE(wave->channels[0].size() == 10);
    CHECK(wave->channels[0][0].low == -9);
    CHECK(wave->channels[0][0].high == 8);
    CHECK(wave->channels[0][9].low == -99);
    CHECK(wave->low == -99);
    CHECK(wave->high == 98);
}

TEST_CASE("channels are separate, and values that are not finite are no samples",
          "[tensor][waveform]")
{
    std::vector<float> samples(2 * 64);
    for (std::size_t i = 0; i < samples.size(); ++i)
        samples[i] = i % 2 == 0 ? 1.0F : std::numeric_limits<float>::infinity();
    const auto wave = waveformOf(sound({64, 2}, samples), 1000, Job());
    REQUIRE(wave.ok());
    REQUIRE(wave->channels.size() == 2);
    CHECK(wave->channels[0].size() == 64);
    CHECK(!wave->channels[0][0].isEmpty);
    CHECK(wave->channels[1][5].isEmpty);
    CHECK(!waveformOf(sound({4, 4}, std::vector<float>(16)), 10, Job()).ok());
}
