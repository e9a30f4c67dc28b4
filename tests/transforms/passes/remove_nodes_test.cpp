// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"

namespace lapidary {

TEST_CASE("nodes of an op go, their readers follow", "[passes]")
{
    const GraphPtr after = passed("remove_nodes(op=Identity)",
                                  graph("add_node1 = Add(add_node2, add_node3)\n"
                                        "add_node2 = Add(identity_node1, identity_node2)\n"
                                        "add_node3 = Add(identity_node1, const_node3)\n"
                                        "identity_node1 = Identity(const_node1)\n"
                                        "identity_node2 = Identity(const_node2)\n"
                                        "identity_node3 = Identity(const_node3)\n"
                                        "const_node1 = Const()\nconst_node2 = Const()\n"
                                        "const_node3 = Const()\n"
                                        "add_node4 = Add(add_node2, add_node3)\n"),
                                  {}, {"add_node1"});
    CHECK(countOps(after, "Identity") == 0);
    CHECK(after->size() == 7);
    CHECK(inputsOf(after, "add_node1") == "add_node2, add_node3");
    CHECK(inputsOf(after, "add_node2") == "const_node1, const_node2");
    CHECK(inputsOf(after, "add_node3") == "const_node1, const_node3");
    CHECK(inputsOf(after, "add_node4") == "add_node2, add_node3");
}

TEST_CASE("an output of the op is not removed", "[passes]")
{
    const GraphPtr after = passed("remove_nodes(op=Identity)",
                                  graph("a = Const()\nadd_node = Add(a, a)\n"
                                        "identity_node = Identity(add_node)\n"),
                                  {}, {"identity_node"});
    CHECK(inputsOf(after, "identity_node") == "add_node");
}

TEST_CASE("a chain of nodes of the op goes", "[passes]")
{
    const GraphPtr after = passed("remove_nodes(op=Identity)",
                                  graph("const_node1 = Const()\nconst_node2 = Const()\n"
                                        "identity_node1 = Identity(const_node1)\n"
                                        "identity_node2 = Identity(identity_node1)\n"
                                        "identity_node3 = Identity(identity_node2)\n"
                                        "add_node = Add(identity_node3, const_node2)\n"),
                                  {}, {"identity_node"});
    CHECK(countOps(after, "Identity") == 0);
    CHECK(inputsOf(after, "add_node") == "const_node1, const_node2");
}

TEST_CASE("nodes with side inputs go, the side inputs stay", "[passes]")
{
    const GraphPtr after =
        passed("remove_nodes(op=FakeQuantWithMinMaxVars, max_inputs=3)",
               graph("const_node1 = Const()\nconst_node2 = Const()\nconst_node3 = Const()\n"
                     "const_node4 = Const()\n"
                     "fake_quant_node = "
                     "FakeQuantWithMinMaxVars(const_node1, const_node2, const_node3)\n"
                     "add_node = Add(fake_quant_node, const_node4)\n"),
               {}, {"add_node"});
    CHECK_FALSE(hasNode(after, "fake_quant_node"));
    CHECK(inputsOf(after, "add_node") == "const_node1, const_node4");
    CHECK(hasNode(after, "const_node1"));
    CHECK(hasNode(after, "const_node4"));
}

TEST_CASE("many nodes of the op that follow one tensor are removed at once", "[passes]")
{
    constexpr int count = 3000; // a round for each of them would take 27 million steps
    std::string text = "x = Placeholder()\n";
    std::string read;
    for (int i = 0; i < count; ++i) {
        const std::string number = std::to_string(i);
        text += "wait" + number + " = NoOp()\ni" + number + " = Identity(x, ^wait" + number + ")\n";
        read += (i == 0 ? "i" : ", i") + number;
    }
    const GraphPtr after =
        passed("remove_nodes(op=Identity)", graph(text + "y = AddN(" + read + ")\n"), {"x"}, {"y"});
    CHECK(countOps(after, "Identity") == 0);
    CHECK(countOps(after, "NoOp") == count);
    CHECK(after->node(after->find("y")).inputs().size() == 2 * count);
}

TEST_CASE("a node does not wait for what it reads anyway", "[passes]")
{
    const GraphPtr after = passed("remove_nodes(op=Identity, op=CheckNumerics)",
                                  graph("norm = Relu(x)\nx = Const()\nz = Const(^x)\n"
                                        "check = CheckNumerics(norm)\n"
                                        "dependency = Identity(norm, ^check)\n"
                                        "conv = Relu(dependency)\n"
                                        "sum = Add(check, z, ^norm)\n"
                                        "other = Neg(z, ^dependency)\n"),
                                  {}, {"conv"});
    CHECK(inputsOf(after, "conv") == "norm");
    CHECK(inputsOf(after, "sum") == "norm, z, ^norm"); // unchanged
    CHECK(inputsOf(after, "other") == "z, ^norm");
}

namespace {

PatternCases removeNodesPatterns(const TestFolder&)
{
    const GraphPtr output = imageInput().node("y", "Identity", {"x"}).build();
    return {{"remove_nodes(op=Identity)",
             copiedOnce(),
             {"copy"},
             {{"no copy", reluOnly()}, {"an output", output}}}};
}

const CasesOf removeNodesCases("remove_nodes", {.patterns = removeNodesPatterns,
                                                .sharing = {{"remove_nodes(op=Identity)"}}});

} // namespace

} // namespace lapidary
