#include "transforms/pass/range_log.h"

#include <catch2/catch.hpp>

namespace lapidary {

TEST_CASE("T7.8b: records of a log, and lines that are none", "[range_log]")
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
    const auto missing = frozenRanges("no/such.log", 5, 5);
    REQUIRE_FALSE(missing.ok());
    CHECK(missing.error().message.find("no/such.log") != std::string::npos);
    CHECK_FALSE(frozenRanges("/", 5, 5).ok());
}

} // namespace lapidary
