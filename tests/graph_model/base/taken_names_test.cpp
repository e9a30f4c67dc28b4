// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/taken_names.h"
#include "tests/catch.h"

namespace lapidary {

TEST_CASE("A name that is taken gets the first free number", "[names]")
{
    TakenNames names;
    names.add("x");
    names.add("x_2");
    CHECK(names.fresh("y") == "y");
    CHECK(names.fresh("x") == "x_1");
    CHECK(names.fresh("x") == "x_3");
    CHECK(names.fresh("x_1") == "x_1_1");
}

TEST_CASE("A name is asked for many times in linear time", "[names]")
{
    TakenNames names;
    std::string last;
    for (int i = 0; i < 300'000; ++i) // 10 hours if every number were tried again
        last = names.fresh("x");
    CHECK(last == "x_299999");
}

} // namespace lapidary
