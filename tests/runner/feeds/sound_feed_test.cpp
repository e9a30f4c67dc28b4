// SPDX-License-Identifier: Apache-2.0
#include "runner/feeds/feed.h"
#include "runner/kernels/speech/wav.h"
#include "runner/values/memory_pool.h"
#include "tests/catch.h"
#include "tests/test_folder.h"

#include <string>
#include <vector>

namespace lapidary {
namespace {

// Three samples of one or two channels.
Result<Value> fed(std::int64_t channels, DType dtype, const Shape& shape)
{
    const std::vector<float> moments{0.5F, -0.25F, 0.125F, -1, 0, 0.75F};
    const auto bytes =
        writeWav(std::span(moments).first(std::size_t(3 * channels)), channels, 16'000);
    REQUIRE(bytes.ok());
    const TestFolder folder;
    const std::string path = folder.write("sound.wav", *bytes);
    MemoryPool pool(1 << 20);
    return makeFeed({"x:0", dtype, shape}, FileFeed{path}, pool, Job());
}

std::vector<float> samplesOf(const Value& value)
{
    const auto numbers = value.as<float>();
    return {numbers.begin(), numbers.end()};
}

TEST_CASE("a sound fits inputs of samples, with a batch and channels or without", "[feeds]")
{
    const std::vector<float> mono{0.5F, -0.25F, 0.125F};
    for (const Shape& shape : {Shape{{-1}}, Shape{{3}}, Shape{{1, 3}}, Shape{{-1, 3}},
                               Shape{{-1, 1}}, Shape{{1, -1, 1}}, Shape{{}, true}}) {
        CAPTURE(shapeText(shape));
        const auto value = fed(1, DType::Float, shape);
        INFO((value.ok() ? "" : value.error().message));
        REQUIRE(value.ok());
        CHECK(shapeFits(value->dims(), shape));
        CHECK(samplesOf(*value) == mono);
    }
    const auto moments = fed(2, DType::Float, {{-1, 2}});
    REQUIRE(moments.ok());
    CHECK(samplesOf(*moments) == std::vector<float>{0.5F, -0.25F, 0.125F, -1, 0, 0.75F});
    const auto channels = fed(2, DType::Float, {{1, 2, 3}});
    REQUIRE(channels.ok());
    CHECK(samplesOf(*channels) == std::vector<float>{0.5F, 0.125F, 0, -0.25F, -1, 0.75F});
    const auto raw = fed(1, DType::Int16, {{3}});
    REQUIRE(raw.ok());
    CHECK(raw->as<std::int16_t>()[1] == -8192);
}

TEST_CASE("a sound that does not fit an input is refused with its sizes", "[feeds]")
{
    const auto isRefused = [](const Result<Value>& value, const std::string& part) {
        return !value.ok() && value.error().message.find(part) != std::string::npos;
    };
    CHECK(isRefused(fed(1, DType::Float, {{4}}), "sound.wav is a sound of 3 samples in 1 channel"));
    CHECK(isRefused(fed(2, DType::Float, {{-1}}), "a sound of 3 samples in 2 channels"));
    CHECK(isRefused(fed(1, DType::Int32, {{3}}), "input 'x:0' takes int32 [3]"));
}

} // namespace
} // namespace lapidary
