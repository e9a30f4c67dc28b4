// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"

#include <set>

namespace lapidary {

TEST_CASE("names are numbered in the order of the file", "[passes]")
{
    const GraphPtr after = passed("obfuscate_names",
                                  graph("add_node1 = Add(add_node2, add_node3)\n"
                                        "add_node2 = Add(const_node1, const_node2)\n"
                                        "add_node3 = Add(const_node3, const_node4)\n"
                                        "const_node1 = Const()\nconst_node2 = Const()\n"
                                        "const_node3 = Const()\nconst_node4 = Const()\n"),
                                  {"const_node1"}, {"add_node1"});
    CHECK(printGraph(*after) == "add_node1 = Add(0, 1)\n0 = Add(const_node1, 2)\n1 = Add(3, 4)\n"
                                "const_node1 = Const()\n2 = Const()\n3 = Const()\n4 = Const()\n");
}

TEST_CASE("a thousand names", "[passes]")
{
    std::string text;
    for (int i = 0; i < 1000; ++i)
        text += "const_node" + std::to_string(i) + " = Const()\n";
    const GraphPtr after =
        passed("obfuscate_names", graph(text), {"const_node0"}, {"const_node999"});
    CHECK(hasNode(after, "const_node0"));
    CHECK(hasNode(after, "const_node999"));
    CHECK_FALSE(hasNode(after, "const_node500"));
}

TEST_CASE("numbers that inputs and outputs have are left out", "[passes]")
{
    std::string text;
    for (int i = 0; i < 1000; ++i)
        text += "1" + std::to_string(i) + " = Const()\n";
    const GraphPtr after = passed("obfuscate_names", graph(text), {"10"}, {"19"});
    CHECK(hasNode(after, "10"));
    CHECK(hasNode(after, "19"));
    const Strings names = namesOf(after);
    CHECK(std::set<std::string>(names.begin(), names.end()).size() == 1000);
}

namespace {

PatternCases obfuscateNamesPatterns(const TestFolder&)
{
    return {{"obfuscate_names", negated(), {"neg"}, {{"all names are kept", reluOnly()}}}};
}

const CasesOf obfuscateNamesCases("obfuscate_names", {.patterns = obfuscateNamesPatterns,
                                                      .sharing = {{"obfuscate_names", true}}});

} // namespace

} // namespace lapidary
