// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_model/scopes/scopes_testing.h"
#include "tests/graph_testing.h"

namespace lapidary {
namespace {

// One network of three ops that is applied to x again and again, with one set of weights.
GraphPtr copies(int count, int odd = -1)
{
    std::string text = "x = Placeholder()\nw = VariableV2()\nw/read = Identity(w)\n"
                       "b = VariableV2()\nb/read = Identity(b)\n";
    std::string sum = "total = AddN(";
    for (int i = 0; i < count; ++i) {
        const std::string n = std::to_string(i * 37 % 101);
        text += "p" + n + " = MatMul(x, w/read)\ns" + n + " = Add(p" + n + ", b/read)\na" + n +
                " = " + (i == odd ? "Tanh" : "Relu") + "(s" + n + ")\n";
        sum += (i == 0 ? "a" : ", a") + n;
    }
    return graph(text + sum + ")\nscope/y = Softmax(total)\nscope/z = Relu(scope/y)\n");
}

} // namespace

TEST_CASE("equal pieces that read the same are one box of copies", "[scopes]")
{
    const GraphPtr g = copies(6);
    const ScopeTreePtr tree = scopes(g);
    checkTree(*g, *tree);
    const GroupId all = tree->find("#copy-p0+");
    REQUIRE(all.isValid());
    const Group& group = tree->group(all);
    CHECK(group.kind == GroupKind::Repeat);
    CHECK(group.name == "MatMul – Relu");
    CHECK(group.repeats == 6);
    CHECK(group.reason == "6 copies of equal structure that read the same");
    CHECK(group.children.size() == 6);
    const Group& one = tree->group(tree->find("#copy-p0"));
    CHECK(one.name == "Copy 1");
    CHECK(one.nodeCount == 3);
    CHECK(one.structure == tree->group(group.children.back().group()).structure);
    CHECK(tree->group(rootGroup).children.size() < g->size() - 6 * 3 + 2);
    checkEdges(*prepare(g));
}

TEST_CASE("three copies, or an odd one among them, are not joined", "[scopes]")
{
    CHECK_FALSE(scopes(copies(3))->find("#copy-p0+").isValid());
    const ScopeTreePtr tree = scopes(copies(6, 2));
    REQUIRE(tree->find("#copy-p0+").isValid());
    CHECK(tree->group(tree->find("#copy-p0+")).repeats == 5);
}

TEST_CASE("copies can be taken apart, or not be made", "[scopes]")
{
    const GraphPtr g = copies(6);
    CHECK_FALSE(scopes(g, {.ungrouped = {"#copy-p0+"}})->find("#copy-p0+").isValid());
    CHECK_FALSE(scopes(g, {.series = false, .ungrouped = {}})->find("#copy-p0+").isValid());
}

TEST_CASE("pieces that read each other or different tensors are no copies", "[scopes]")
{
    std::string chain = "x = Placeholder()\nw = VariableV2()\n";
    std::string different = "w = VariableV2()\n";
    std::string last = "x";
    for (int i = 0; i < 6; ++i) {
        const std::string n = std::to_string(i * 37 % 101);
        chain += "p" + n + " = MatMul(" + last + ", w)\na" + n + " = Relu(p" + n + ")\n";
        last = "a" + n;
        different += "x" + n + " = Placeholder()\np" + n + " = MatMul(x" + n + ", w)\na" + n +
                     " = Relu(p" + n + ")\n";
    }
    for (const std::string& text : {chain, different}) {
        const ScopeTreePtr tree = scopes(graph(text + "s/a = Relu(a0)\ns/b = Relu(s/a)\n"));
        for (const GroupId group : {tree->find("#copy-p0+"), tree->find("#copy-x0+")})
            CHECK_FALSE(group.isValid());
    }
}

} // namespace lapidary
