// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "transforms/quantize/value_histogram.h"

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

namespace lapidary {
namespace {

FrozenRange rangeOf(const std::vector<std::vector<float>>& samples, RangeMethod method,
                    double percentile = 99.9)
{
    ValueHistogram histogram;
    for (const auto& sample : samples)
        histogram.addExtremes(sample);
    if (needsCounts(method))
        for (const auto& sample : samples)
            histogram.addCounts(sample);
    return histogram.range(method, percentile);
}

// Half of the values are 0, as after a Relu; one is far from the others.
std::vector<float> tailed()
{
    std::mt19937 random(5);
    std::normal_distribution<float> normal(0, 1);
    std::vector<float> values(20000);
    for (float& value : values)
        value = std::max(normal(random), 0.0F);
    values[7] = 40;
    return values;
}

} // namespace

TEST_CASE("ranges of extremes", "[ranges]")
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<std::vector<float>> samples{{-1, 2, nan}, {-3, 1}};
    CHECK(rangeOf(samples, RangeMethod::MinMax).min == -3);
    CHECK(rangeOf(samples, RangeMethod::MinMax).max == 2);
    CHECK(rangeOf(samples, RangeMethod::Average).min == -2);
    CHECK(rangeOf(samples, RangeMethod::Average).max == 1.5F);
    // Every range includes zero, and none is empty.
    CHECK(rangeOf({{3, 5}}, RangeMethod::MinMax).min == 0);
    for (const RangeMethod method : {RangeMethod::MinMax, RangeMethod::Average,
                                     RangeMethod::Percentile, RangeMethod::Mse, RangeMethod::Kl})
        CHECK(rangeOf({{0, 0}}, method).max > 0);
}

TEST_CASE("one far value does not decide but for min-max", "[ranges]")
{
    const std::vector<float> values = tailed();
    CHECK(rangeOf({values}, RangeMethod::MinMax).max == 40);
    const float percentile = rangeOf({values}, RangeMethod::Percentile).max;
    CHECK(percentile > 2);
    CHECK(percentile < 5);
    const float divergence = rangeOf({values}, RangeMethod::Kl).max;
    CHECK(divergence > 1.5F);
    CHECK(divergence < 20);
    CHECK(rangeOf({values}, RangeMethod::Mse).max > 30); // the squared error counts
    CHECK(rangeOf({values}, RangeMethod::Percentile, 100).max == 40);
}

TEST_CASE("a shorter range is taken where steps cost more than what is cut", "[ranges]")
{
    // A million values, of which one is four times as far from zero as the others.
    std::vector<float> values(1000000);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = float(i % 1001) / 1000;
    values[3] = 4;
    const float high = rangeOf({values}, RangeMethod::Mse).max;
    CHECK(high > 1);
    CHECK(high < 4);
}

TEST_CASE("methods have names", "[ranges]")
{
    CHECK(*rangeMethod("kl") == RangeMethod::Kl);
    const auto unknown = rangeMethod("best");
    REQUIRE_FALSE(unknown.ok());
    CHECK(unknown.error().message ==
          "method is minmax, average, percentile, mse, kl or statistics, not 'best'");
}

} // namespace lapidary
