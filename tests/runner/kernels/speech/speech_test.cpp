// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

#include <cmath>
#include <numbers>

namespace lapidary {
namespace {

TEST_CASE("WAV comes back as it was, within 16 bits", "[speech]")
{
    const Value audio = rampOf<float>({15, 2}, -1, 0.0625);
    const auto bytes = runOne("EncodeWav", {audio, scalarOf(std::int32_t(8000))});
    REQUIRE(bytes.ok());
    const auto back = runNode("DecodeWav", {*bytes});
    REQUIRE(back.ok());
    REQUIRE((*back)[0].dims() == audio.dims());
    for (std::size_t i = 0; i < 30; ++i)
        CHECK((*back)[0].as<float>()[i] ==
              Approx(std::min(audio.as<float>()[i], 32767.0F / 32768.0F)));
    CHECK(elementsOf<std::int32_t>((*back)[1]) == std::vector<std::int32_t>{8000});
    const auto wide =
        runNode("DecodeWav", {*bytes},
                {{"desired_channels", attr::fromInt(3)}, {"desired_samples", attr::fromInt(16)}});
    REQUIRE(wide.ok());
    CHECK((*wide)[0].as<float>()[2] == (*wide)[0].as<float>()[1]);
    CHECK((*wide)[0].as<float>()[46] == 0);
    const std::string& whole = bytes->strings()[0];
    for (std::size_t size = 0; size < whole.size(); ++size)
        CHECK_FALSE(runNode("DecodeWav", {stringsOf({}, {whole.substr(0, size)})}).ok());
}

// |sum of x(i) hann(i) exp(-2 pi i k n / length)| of one window.
double magnitude(const Value& audio, std::int64_t start, int size, int length, int bin)
{
    double real = 0;
    double imaginary = 0;
    for (int i = 0; i < size; ++i) {
        const double weight = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * i / size);
        const double x = weight * double(audio.as<float>()[std::size_t(start + i)]);
        const double angle = -2 * std::numbers::pi * i * bin / length;
        real += x * std::cos(angle);
        imaginary += x * std::sin(angle);
    }
    return std::sqrt(real * real + imaginary * imaginary);
}

TEST_CASE("AudioSpectrogram agrees with the sum of its definition", "[speech]")
{
    const Value audio = rampOf<float>({127, 1}, -1, 0.017);
    for (const auto& [size, stride, length] :
         {std::tuple{13, 5, 16}, {15, 15, 16}, {16, 3, 16}, {2, 1, 2}, {127, 1, 128}}) {
        const auto y =
            runOne("AudioSpectrogram", {audio},
                   {{"window_size", attr::fromInt(size)}, {"stride", attr::fromInt(stride)}});
        REQUIRE(y.ok());
        const int frames = 1 + (127 - size) / stride;
        const int bins = length / 2 + 1;
        REQUIRE(y->dims() == Dims{1, frames, bins});
        double worst = 0;
        for (int i = 0; i < frames * bins; ++i)
            worst = std::max(worst,
                             std::abs(double(y->as<float>()[std::size_t(i)]) -
                                      magnitude(audio, i / bins * stride, size, length, i % bins)));
        CHECK(worst < 1e-4);
    }
}

TEST_CASE("spectrograms keep channels apart and refuse impossible windows", "[speech]")
{
    const auto spectrogram = [](const Value& audio, std::int64_t size, std::int64_t stride) {
        return runOne("AudioSpectrogram", {audio},
                      {{"window_size", attr::fromInt(size)}, {"stride", attr::fromInt(stride)}});
    };
    Value both = emptyValue(DType::Float, {20, 2});
    Value one = emptyValue(DType::Float, {20, 1});
    for (std::size_t i = 0; i < 20; ++i) {
        one.mutableAs<float>()[i] = both.mutableAs<float>()[2 * i + 1] = float(i * i % 7);
        both.mutableAs<float>()[2 * i] = 3;
    }
    const auto pair = spectrogram(both, 8, 3);
    const auto single = spectrogram(one, 8, 3);
    REQUIRE(pair.ok());
    REQUIRE(single.ok());
    const auto second = elementsOf<float>(*pair);
    const auto expected = elementsOf<float>(*single);
    CHECK(std::equal(expected.begin(), expected.end(),
                     second.end() - std::ptrdiff_t(expected.size())));
    CHECK_FALSE(spectrogram(one, 1, 1).ok());
    CHECK_FALSE(spectrogram(one, 8, 0).ok());
    CHECK_FALSE(spectrogram(one, -4, 2).ok());
    CHECK(spectrogram(one, std::int64_t(1) << 20, 1).value().dims() ==
          Dims{1, 0, (std::int64_t(1) << 19) + 1});
    CHECK_FALSE(spectrogram(one, std::int64_t(1) << 62, 1).ok());
}

TEST_CASE("Mfcc of silence is the logarithm of its floor", "[speech]")
{
    const auto mfcc = [](const Value& spectrogram, std::int64_t filters,
                         std::int64_t coefficients) {
        return runOne("Mfcc", {spectrogram, scalarOf(std::int32_t(16000))},
                      {{"filterbank_channel_count", attr::fromInt(filters)},
                       {"dct_coefficient_count", attr::fromInt(coefficients)}});
    };
    const auto y = mfcc(valueOf<float>({1, 2, 257}, {0}), 40, 13);
    REQUIRE(y.ok());
    CHECK(y->dims() == Dims{1, 2, 13});
    CHECK(y->as<float>()[0] == Approx(std::sqrt(2.0 / 40) * 40 * std::log(1e-12)));
    CHECK(y->as<float>()[1] == Approx(0).margin(1e-4));
    CHECK_FALSE(mfcc(valueOf<float>({1, 2, 257}, {0}), 10, 13).ok());
    CHECK_FALSE(mfcc(valueOf<float>({1, 2, 257}, {0}), 10, 0).ok());
    CHECK_FALSE(mfcc(valueOf<float>({1, 2, 1}, {0}), 40, 13).ok());
    CHECK_FALSE(mfcc(valueOf<float>({1, 2, 257}, {0}), std::int64_t(1) << 40, 1).ok());
}

} // namespace
} // namespace lapidary
