// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "transforms/pass/parameters.h"

namespace lapidary {
namespace {

Parameters with(const std::string& name, const std::vector<std::string>& values)
{
    Parameters parameters;
    for (const std::string& value : values)
        parameters.add(name, value);
    return parameters;
}

} // namespace

TEST_CASE("strings and integers", "[parameters]")
{
    Parameters parameters = with("foo", {"10", "20"});
    parameters.add("bar", "-23");
    CHECK(parameters.count("foo") == 2);
    CHECK(parameters.count("none") == 0);
    CHECK_FALSE(parameters.oneString("foo", "").ok());
    CHECK(parameters.oneString("none", "default").value() == "default");
    CHECK(parameters.oneInt32("bar", 10).value() == -23);
    CHECK(parameters.oneInt64("none", 10).value() == 10);
    CHECK_FALSE(with("n", {"not_numerical"}).oneInt32("n", 0).ok());
    CHECK_FALSE(with("n", {"-23.232323"}).oneInt64("n", 0).ok());
    CHECK_FALSE(with("n", {"4294967296"}).oneInt32("n", 0).ok());
    CHECK(with("n", {" 7 "}).oneInt32("n", 0).value() == 7);
}

TEST_CASE("floats and bools", "[parameters]")
{
    CHECK(with("f", {"-23.2323"}).oneFloat("f", 0).value() == Approx(-23.2323));
    CHECK(with("f", {"1e-3"}).oneFloat("f", 0).value() == Approx(0.001));
    CHECK_FALSE(with("f", {"1.5x"}).oneFloat("f", 0).ok());
    CHECK(with("b", {"true"}).oneBool("b", false).value());
    CHECK(with("b", {"1"}).oneBool("b", false).value());
    CHECK_FALSE(with("b", {"0"}).oneBool("b", true).value());
    CHECK_FALSE(with("b", {"True"}).oneBool("b", true).ok());
}

TEST_CASE("shapes are sizes between commas", "[parameters]")
{
    CHECK(parseShapeList("1, 2,3").value() == Shape{{1, 2, 3}, false});
    CHECK(parseShapeList("-1,4").value() == Shape{{-1, 4}, false});
    for (const char* wrong : {"", "1,", "1,x", "-2", "1;2"})
        CHECK_FALSE(parseShapeList(wrong).ok());
}

} // namespace lapidary
