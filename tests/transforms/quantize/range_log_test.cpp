// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "transforms/quantize/range_log.h"

#include <limits>

namespace lapidary {

TEST_CASE("records of a log, and lines that are none", "[range_log]")
{
    const auto records = parseRangeLog(
        "Something irrelevant\n"
        "[SomePrefix] ;requantization_range_op__print__;__requant_min_max:[-2.4313571][10.584145]\n"
        "Something else\n"
        "[SomeOtherPrefix] ;other__print__;__requant_min_max:[-1.0][2.0]\n"
        "[SomePrefix] ;requantization_range_op__print__;__requant_min_max:[-1.bad][2.0]\n");
    REQUIRE(records.size() == 2);
    CHECK(records[0].range.min == Approx(-2.4313571));
    CHECK(records[0].range.max == Approx(10.584145));
    CHECK(records[1].range.max == 2.0F);
}

TEST_CASE("a log that cannot be read is an error that names it", "[range_log]")
{
    const auto missing = frozenRanges("no/such.log", {});
    REQUIRE_FALSE(missing.ok());
    CHECK(missing.error().message.find("no/such.log") != std::string::npos);
    CHECK_FALSE(frozenRanges("/", {}).ok());
}

TEST_CASE("one range is made of many by percentile, ends or moving average", "[range_log]")
{
    std::vector<RangeRecord> records;
    for (int i = 0; i < 20; ++i)
        records.push_back({"a", {float(-i), float(i * 10)}});
    records.push_back({"b", {-1, 2}});
    const auto rangeOf = [&](const char* node, const RangeChoice& choice) {
        const FrozenRange range = frozenRanges(records, choice).at(node);
        return std::pair(range.min, range.max);
    };
    CHECK(rangeOf("a", {}) == std::pair(-18.0F, 190.0F));
    CHECK(rangeOf("a", {0, 0}) == std::pair(-19.0F, 190.0F));
    CHECK(rangeOf("a", {50, 50}) == std::pair(-9.0F, 100.0F));
    CHECK(rangeOf("b", {50, 50}) == std::pair(-1.0F, 2.0F));
    records.resize(3);
    CHECK(rangeOf("a", {.movingAverage = 0.5F}) == std::pair(-1.25F, 12.5F));
    CHECK(frozenRanges(std::vector<RangeRecord>(), {}).empty());
}

TEST_CASE("odd choices of ranges are refused", "[range_log]")
{
    CHECK(checkChoice({}).ok());
    CHECK(checkChoice({0, 100, 0.999F}).ok());
    CHECK_FALSE(checkChoice({-1, 5}).ok());
    CHECK_FALSE(checkChoice({5, 101}).ok());
    CHECK_FALSE(checkChoice({5, std::numeric_limits<float>::quiet_NaN()}).ok());
    CHECK_FALSE(checkChoice({.movingAverage = 1}).ok());
}

} // namespace lapidary
