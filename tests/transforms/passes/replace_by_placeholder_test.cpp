// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"

namespace lapidary {

TEST_CASE("replace_by_placeholder keeps the type of a node", "[passes]")
{
    const GraphPtr after = edited("replace_by_placeholder(name=axis)");
    CHECK(opOf(after, "axis") == "Placeholder");
    CHECK(after->node(after->find("axis")).attr("dtype").asType() == DType::Int32);
    CHECK(after->node(after->find("axis")).attr("shape").asShape()->unknownRank);
    const GraphPtr shaped = edited("replace_by_placeholder(name=\"net/a\", shape=\"2,4\")");
    CHECK(inputsOf(shaped, "net/a").empty());
    CHECK(shaped->node(shaped->find("net/a")).attr("shape").asShape()->dims ==
          std::vector<std::int64_t>{2, 4});
    CHECK(failure("replace_by_placeholder(name=\"net/split\")").find("output 1") !=
          std::string::npos);
    CHECK(failure("replace_by_placeholder(name=wait)").find("type=") != std::string::npos);
    CHECK(failure("replace_by_placeholder(name=c, type=flout)").find("flout") != std::string::npos);
}

namespace {

const CasesOf replaceByPlaceholderCases("replace_by_placeholder",
                                        {.sharing = {{"replace_by_placeholder(name=conv)"}}});

} // namespace

} // namespace lapidary
