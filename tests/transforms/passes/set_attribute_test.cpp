// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"

namespace lapidary {

TEST_CASE("set_attribute reads values as the op or the value that is there says", "[passes]")
{
    const auto attribute = [](std::string_view step, std::string_view node, std::string_view name) {
        const GraphPtr after = edited(step);
        return after->node(after->find(node)).attr(name).text();
    };
    CHECK(attribute("set_attribute(name=\"net/a\", attribute_name=transpose_a, value=true)",
                    "net/a", "transpose_a") == "true");
    CHECK(attribute("set_attribute(scope=net, op_name=Relu, attribute_name=T, value=half)", "net/b",
                    "T") == "half");
    CHECK(attribute("set_attribute(name=x, attribute_name=shape, value=\"?,8\")", "x", "shape") ==
          "?×8");
    CHECK(attribute("set_attribute(name=y, attribute_name=_own, value=\"1, 2\", "
                    "kind=\"list(int)\")",
                    "y", "_own") == "[1, 2]");
    CHECK(attribute("set_attribute(name=y, attribute_name=_own, value=\"0.5,1\", "
                    "kind=\"list(float)\")",
                    "y", "_own") == "[0.5, 1]");
    CHECK(failure("set_attribute(name=\"net/a\", attribute_name=T, value=string)").find("one of") !=
          std::string::npos);
    CHECK(failure("set_attribute(name=\"net/a\", attribute_name=transpose_a, value=7)")
              .find("net/a") != std::string::npos);
    CHECK(failure("set_attribute(name=\"net/split\", attribute_name=num_split, value=0)")
              .find("at least 1") != std::string::npos);
    CHECK(failure("set_attribute(name=y, attribute_name=_own, value=1)").find("kind") !=
          std::string::npos);
    CHECK(failure("set_attribute(name=w, attribute_name=value, value=1)").find("as text") !=
          std::string::npos);
    const GraphPtr same = network();
    CHECK(passed("set_attribute(name=c, attribute_name=T, value=float)", same, {"x"}, {"y"}) ==
          same);
}

namespace {

const CasesOf setAttributeCases(
    "set_attribute", {.sharing = {{"set_attribute(name=w, attribute_name=_note, value=2)", true}}});

} // namespace

} // namespace lapidary
