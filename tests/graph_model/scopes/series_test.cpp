// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_model/scopes/scopes_testing.h"
#include "tests/graph_testing.h"

namespace lapidary {
namespace {

// A chain of scopes "top/unit", "top/unit_1"... of two ops each, and something beside it.
GraphPtr units(int count, const std::string& odd = {})
{
    std::string text = "top/x = Placeholder()\n";
    std::string last = "top/x";
    for (int i = 0; i < count; ++i) {
        const std::string unit = "top/unit" + (i == 0 ? "" : "_" + std::to_string(i));
        text += unit + "/conv = " + (odd == std::to_string(i) ? "MatMul" : "Conv2D") + "(" + last +
                ")\n" + unit + "/relu = Relu(" + unit + "/conv)\n";
        last = unit + "/relu";
    }
    return graph(text + "top/y = Softmax(" + last + ")\nz = Identity(top/y)\n");
}

} // namespace

TEST_CASE("five numbered siblings of equal structure are a series", "[scopes]")
{
    const GraphPtr g = units(5);
    const ScopeTreePtr tree = scopes(g);
    checkTree(*g, *tree);
    const GroupId series = tree->find("top/#unit-unit_4");
    REQUIRE(series.isValid());
    const Group& group = tree->group(series);
    CHECK(group.kind == GroupKind::Series);
    CHECK(group.name == "unit 0…4");
    CHECK(group.repeats == 5);
    CHECK(group.reason == "5 scopes of equal structure, numbered unit to unit_4");
    CHECK(group.children.size() == 5);
    CHECK(tree->find("top/unit_3").isValid());
    checkEdges(*prepare(g));
}

TEST_CASE("four siblings, or an odd one among them, are not a series", "[scopes]")
{
    CHECK_FALSE(scopes(units(4))->find("top/#unit-unit_3").isValid());
    const ScopeTreePtr odd = scopes(units(7, "1"));
    CHECK_FALSE(odd->find("top/#unit-unit_6").isValid());
    CHECK(odd->find("top/#unit_2-unit_6").isValid());
}

TEST_CASE("a few inputs of the model without a scope are no series", "[scopes]")
{
    const auto isSeries = [](int count) {
        std::string text;
        ScopeOptions options;
        for (int i = 0; i < count; ++i) {
            const std::string x = "Placeholder" + (i == 0 ? "" : "_" + std::to_string(i));
            text += x + " = Placeholder()\nnet/a" + std::to_string(i) + " = Relu(" + x + ")\n";
            options.raised.push_back(NodeId{std::uint32_t(2 * i)});
        }
        const GraphPtr g = graph(text);
        return scopes(g, options)->parentOf(g->find("Placeholder_1")) != rootGroup;
    };
    CHECK_FALSE(isSeries(6));
    CHECK(isSeries(20));
}

TEST_CASE("a scope that is nothing but a series has the number of its members", "[scopes]")
{
    const auto stack = [](const std::string& beside) {
        std::string text = "x = Placeholder()\n";
        std::string last = "x";
        for (int i = 0; i < 3; ++i) {
            const std::string cell = "top/cell" + (i == 0 ? "" : "_" + std::to_string(i));
            text +=
                cell + "/mul = MatMul(" + last + ")\n" + cell + "/tanh = Tanh(" + cell + "/mul)\n";
            last = cell + "/tanh";
        }
        const GraphPtr g = graph(text + beside + "y = Softmax(" + last + ")\n");
        const ScopeTreePtr tree = scopes(g);
        checkTree(*g, *tree);
        return tree->group(tree->find("top")).repeats;
    };
    CHECK(stack("") == 3);
    CHECK(stack("top/other = Relu(x)\ntop/last = Neg(top/other)\n") == 1);
}

TEST_CASE("a series can be taken apart, or not be made", "[scopes]")
{
    const GraphPtr g = units(6);
    CHECK_FALSE(scopes(g, {.ungrouped = {"top/#unit-unit_5"}})->find("top/#unit-unit_5").isValid());
    CHECK_FALSE(scopes(g, {.series = false, .ungrouped = {}})->find("top/#unit-unit_5").isValid());
}

TEST_CASE("numbered ops with something else between them are not a series", "[scopes]")
{
    std::string text = "x = Placeholder()\n";
    std::string last = "x";
    for (int i = 0; i < 8; ++i) {
        text += "relu_" + std::to_string(i) + " = Relu(" + last + ")\n";
        text += "s" + std::to_string(7 * i % 8) + "/add = Add(relu_" + std::to_string(i) + ")\n";
        text += "s" + std::to_string(7 * i % 8) + "/sub = Sub(s" + std::to_string(7 * i % 8) +
                "/add)\n";
        last = "s" + std::to_string(7 * i % 8) + "/sub";
    }
    const GraphPtr between = graph(text);
    CHECK_FALSE(scopes(between)->find("#relu_0-relu_7").isValid());

    text = "x = Placeholder()\n";
    for (int i = 0; i < 8; ++i)
        text += "relu_" + std::to_string(i) + " = Relu(x)\n";
    text += "s/a = Relu(x)\ns/b = Relu(s/a)\n";
    CHECK(scopes(graph(text))->find("#relu_0-relu_7").isValid());
}

TEST_CASE("scopes of one op each are numbered like ops", "[scopes]")
{
    std::string text = "top/x = Placeholder()\n";
    for (int i = 0; i < 6; ++i)
        text += "top/unit" + (i == 0 ? "" : "_" + std::to_string(i)) + "/pack = Pack(top/x)\n";
    const GraphPtr g = graph(text + "top/y = Relu(top/x)\ntop/z = Neg(top/y)\n");
    const ScopeTreePtr tree = scopes(g);
    checkTree(*g, *tree);
    const GroupId series = tree->find("top/#unit pack-unit_5 pack");
    REQUIRE(series.isValid());
    CHECK(tree->group(series).name == "unit 0…5/pack");
    CHECK(tree->group(series).reason == "6 ops of one type, numbered unit/pack to unit_5/pack");
}

TEST_CASE("three scopes beside each other are a series among many", "[scopes]")
{
    enum class Read { Same, Own, Last };
    // "top/unit", "top/unit_4"...: scopes that read the same, or something of their own, or each
    // the one before.
    const auto tree = [](int count, int step, int others, Read read) {
        std::string text = "top/x = Placeholder()\n";
        std::string last = "top/x";
        for (int i = 0; i < count; ++i) {
            const std::string unit = "top/unit" + (i == 0 ? "" : "_" + std::to_string(step * i));
            if (read == Read::Own)
                text += (last = "top/" + std::string(1, char('p' + i))) + " = Placeholder()\n";
            text += unit + "/abs = Abs(" + last + ")\n" + unit + "/neg = Neg(" + unit + "/abs)\n";
            last = read == Read::Last ? unit + "/neg" : last;
        }
        for (int i = 0; i < others; ++i)
            text += "top/" + std::string(1, char('a' + i)) + " = Relu(top/x)\n";
        const GraphPtr g = graph(text);
        const ScopeTreePtr made = scopes(g);
        checkTree(*g, *made);
        return made;
    };
    const ScopeTreePtr beside = tree(3, 1, 10, Read::Same);
    REQUIRE(beside->find("top/#unit-unit_2").isValid());
    CHECK(beside->group(beside->find("top/#unit-unit_2")).repeats == 3);
    CHECK_FALSE(
        tree(3, 1, 5, Read::Same)->find("top/#unit-unit_2").isValid()); // few are seen alone
    CHECK_FALSE(tree(3, 1, 10, Read::Last)->find("top/#unit-unit_2").isValid());
    CHECK_FALSE(tree(3, 1, 10, Read::Own)->find("top/#unit-unit_2").isValid());
    CHECK(tree(5, 4, 10, Read::Same)->find("top/#unit-unit_16").isValid());
    CHECK_FALSE(tree(5, 4, 10, Read::Last)->find("top/#unit-unit_16").isValid());
    CHECK_FALSE(tree(3, 4, 10, Read::Same)->find("top/#unit-unit_8").isValid());
}

TEST_CASE("numbers that are too long to be numbers do no harm", "[scopes]")
{
    std::string text;
    for (int i = 0; i < 8; ++i)
        text += "a" + std::string(40, '9') + std::to_string(i) + " = Relu()\n" + std::to_string(i) +
                " = Relu()\n";
    const GraphPtr g = graph(text);
    checkTree(*g, *scopes(g));
}

} // namespace lapidary
