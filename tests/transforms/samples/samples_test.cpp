// SPDX-License-Identifier: Apache-2.0
#include "runner/feeds/npy_values.h"
#include "tests/catch.h"
#include "tests/test_folder.h"
#include "tests/transforms/pass_testing.h"
#include "transforms/samples/run_samples.h"
#include "transforms/samples/samples.h"

#include <algorithm>

namespace lapidary {
namespace {

GraphPtr taking(std::vector<std::int64_t> dims)
{
    return GraphBuilder().placeholder("x", std::move(dims)).node("y", "Neg", {"x"}).build();
}

Result<Samples> made(const GraphPtr& graph, const SampleOptions& options)
{
    return Samples::make(*graph, {}, options);
}

const SampleOptions random{"random", SeededRange{-2, 3}};

} // namespace

TEST_CASE("made-up samples are pictures of the range, half of them smooth", "[samples]")
{
    const auto samples = made(taking({1, 16, 24, 3}), random);
    REQUIRE(samples.ok());
    REQUIRE(samples->size() == 16);
    for (const std::size_t i : {std::size_t(0), std::size_t(1)}) {
        const auto feeds = samples->feeds(i, Job());
        REQUIRE(feeds.ok());
        REQUIRE(feeds->size() == 1);
        CHECK(feeds->front().first == "x:0");
        const auto values = feeds->front().second.as<float>();
        REQUIRE(values.size() == 16 * 24 * 3);
        CHECK(*std::ranges::min_element(values) < -1.5F);
        CHECK(*std::ranges::max_element(values) < 3);
        CHECK(*std::ranges::max_element(values) > 2);
        CHECK((values[0] == values[3]) == (i == 1)); // the next column, the same channel
        CHECK(values[0] != values[8 * 3]);
    }
}

TEST_CASE("numbers are not made up for what is not a picture", "[samples]")
{
    for (const std::vector<std::int64_t>& dims :
         {std::vector<std::int64_t>{1, 49, 10}, {1, 12, 12, 3}, {1, 32, 32, 8}, {1, 16000}}) {
        const auto samples = made(taking(dims), random);
        REQUIRE_FALSE(samples.ok());
        CHECK(samples.error().message.find("is not a picture: give samples=FOLDER") !=
              std::string::npos);
    }
    const auto unknown = made(taking({1, 32, 32, 3}), {"random", {}});
    REQUIRE_FALSE(unknown.ok());
    CHECK(unknown.error().message == "the value range of x:0 is not known: give input_min and "
                                     "input_max");
    CHECK_FALSE(made(taking({1, 32, 32, 3}), {"", {}}).ok());
    CHECK_FALSE(made(taking({1, 32, 32, 3}), {"/no/such/folder", {}}).ok());
}

TEST_CASE("samples of a folder are fed in the order of their names", "[samples]")
{
    const TestFolder folder;
    const GraphPtr graph = taking({1, 2});
    CHECK_FALSE(made(graph, {folder.path().string(), {}}).ok());
    MemoryPool pool(1 << 20);
    for (const float first : {2.0F, 1.0F}) {
        auto value = Value::make(DType::Float, {1, 2}, pool);
        REQUIRE(value.ok());
        value->mutableAs<float>()[0] = first;
        value->mutableAs<float>()[1] = 5;
        const auto bytes = encodeNpy(*value);
        REQUIRE(bytes.ok());
        folder.write(std::to_string(int(first)) + ".npy", *bytes);
    }
    folder.write("notes.txt", "no sample");
    const auto samples = made(graph, {folder.path().string(), {}});
    REQUIRE(samples.ok());
    REQUIRE(samples->size() == 2);
    std::vector<float> seen;
    const auto run = runSamples(
        graph, *samples, {"y:0"},
        [&](std::span<const Value> values) { seen.push_back(values[0].as<float>()[0]); }, Job());
    CHECK(run.ok());
    CHECK(seen == std::vector<float>{-1, -2});
}

TEST_CASE("the range of samples is two numbers", "[samples]")
{
    Parameters half;
    half.add("input_min", "0");
    CHECK(sampleOptions(half).error().message == "give both input_min and input_max, or neither");
    half.add("input_max", "0");
    CHECK(sampleOptions(half).error().message == "input_min has to be less than input_max");
}

} // namespace lapidary
