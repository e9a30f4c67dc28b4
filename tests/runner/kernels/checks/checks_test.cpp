// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/small_graph.h"

namespace lapidary {
namespace {

std::string asserted(const Value& condition, const std::vector<Value>& data,
                     std::int64_t summarize = 3)
{
    std::vector<Value> inputs{condition};
    inputs.insert(inputs.end(), data.begin(), data.end());
    const auto done = runNode("Assert", inputs, {{"summarize", attr::fromInt(summarize)}});
    return done ? "" : done.error().message;
}

} // namespace

TEST_CASE("Assert fails with its data", "[kernels][checks]")
{
    const Value numbers = rampOf<float>({5});
    CHECK(asserted(scalarOf(true), {numbers}).empty());
    CHECK(asserted(scalarOf(false), {numbers}) == "y: assertion failed: [0 1 2...]");
    CHECK(asserted(scalarOf(false), {stringsOf({}, {"why"}), scalarOf(3)}) ==
          "y: assertion failed: [why] [3]");
    CHECK(asserted(scalarOf(false), {numbers}, -1) == "y: assertion failed: [0 1 2 3 4]");
    CHECK(asserted(scalarOf(false), {numbers}, INT64_MAX) == "y: assertion failed: [0 1 2 3 4]");
    CHECK(asserted(scalarOf(false), {emptyValue(DType::Float, {0})}).starts_with("y: assertion"));
    CHECK(asserted(valueOf<bool>({2}, {true}), {numbers}).starts_with("y: its condition"));
}

TEST_CASE("Print passes its input on and writes first_n times", "[kernels][checks]")
{
    SmallGraph g;
    g.input("x", DType::Float);
    g.node("y", "Print", {"x", "x"},
           {{"T", attr::fromType(DType::Float)},
            {"U", typesAttr({DType::Float})},
            {"message", attr::fromString("at: ")},
            {"first_n", attr::fromInt(2)}});
    const SmallGraph::Feeds feeds{{"x", valueOf<float>({2}, {1, 2})}};
    for (int turn = 0; turn < 4; ++turn) {
        CHECK(heldBy<float>(g.run("y", feeds)) == holds<float>({1, 2}));
        CHECK(g.session().printed() == (turn < 2 ? "at: [1 2]\n" : ""));
    }
}

TEST_CASE("PrintV2 writes text where it is told to", "[kernels][checks]")
{
    const auto printed = [](const Value& text, const NodeAttrs& attrs) {
        SmallGraph g;
        g.input("x", DType::String);
        g.node("y", "PrintV2", {"x"}, attrs);
        const std::string fault = g.fault("y", {{"x", text}});
        return fault.empty() ? g.session().printed() : fault;
    };
    const Value text = stringsOf({}, {"hello"});
    CHECK(printed(text, {}) == "hello\n");
    CHECK(printed(text, {{"end", attr::fromString("!")}}) == "hello!");
    CHECK(printed(text, {{"output_stream", attr::fromString("file:///etc/x")}}).starts_with("y: "));
    CHECK(printed(stringsOf({1}, {"hello"}), {}) == "hello\n");
    CHECK(printed(stringsOf({2}, {"a", "b"}), {}).starts_with("y: "));
}

} // namespace lapidary
