// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/model_file.h"
#include "graph_model/write/write_model.h"
#include "tests/catch.h"
#include "tests/transforms/pass_testing.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pattern_graphs.h"

namespace lapidary {
namespace {

constexpr auto placeholder = "placeholder_expect_remains";
constexpr auto output = "output_expect_remains";

// The sum of two constants, multiplied by an input.
GraphBuilder sumTimesInput(const std::string& suffix)
{
    GraphBuilder builder;
    builder.floats("a_expect_" + suffix, {100}, {1, 2, 3})
        .floats("b_expect_" + suffix, {100}, {4, 5, 6})
        .node("add_expect_" + suffix, "Add", {"a_expect_" + suffix, "b_expect_" + suffix})
        .placeholder(placeholder, {100})
        .node(output, "Mul", {"add_expect_" + suffix, placeholder});
    return builder;
}

// The result keeps the names that the nodes promise, and computes the same.
GraphPtr folded(std::string_view step, const GraphPtr& before, const std::string& port = "")
{
    const GraphPtr after = passed(step, before, {placeholder + port}, {output + port});
    for (const NodePtr& node : before->nodes()) {
        INFO(node->name());
        CHECK(hasNode(after, node->name()) == node->name().ends_with("remains"));
    }
    CHECK(computesOther(before, after, {output}) == "");
    return after;
}

} // namespace

TEST_CASE("fold_constants stores what does not depend on the inputs", "[passes]")
{
    const GraphPtr before = sumTimesInput("removed").build();
    const GraphPtr after = folded("fold_constants", before);
    CHECK(inputsOf(after, output) == "add_expect_removed/_0__cf__0, placeholder_expect_remains:0");
    CHECK(floatsOf(after, "add_expect_removed/_0__cf__0")[1] == 7);
    folded("fold_constants", before, ":0");
}

TEST_CASE("fold_constants leaves excluded ops and nodes alone", "[passes]")
{
    folded("fold_constants(exclude_op=Add)", sumTimesInput("remains").build());
    folded("fold_constants(exclude_node=add_expect_remains)", sumTimesInput("remains").build());
}

TEST_CASE("fold_constants computes with shapes", "[passes]")
{
    GraphBuilder builder;
    builder.placeholder(placeholder, {1, 1, 3})
        .ints("a_expect_removed", {1, 1, 3}, {1})
        .node("shape_expect_removed", "Shape", {"a_expect_removed"},
              {{"T", attr::fromType(DType::Int32)}})
        .node("cast_expect_removed", "Cast", {"shape_expect_removed"},
              {{"SrcT", attr::fromType(DType::Int32)}})
        .node(output, "Mul", {"cast_expect_removed", placeholder});
    folded("fold_constants", builder.build());
}

TEST_CASE("fold_constants takes _output_shapes for granted if asked to", "[passes]")
{
    // AttrValue.list (1) of one shape (7) of sizes 1, 1, 3.
    std::string shapes;
    const std::string shape = encodeShape({{1, 1, 3}, false});
    shapes += char(0x0A);
    shapes += char(shape.size() + 2);
    shapes += char(0x3A);
    shapes += char(shape.size());
    shapes += shape;
    GraphBuilder builder;
    builder.node(placeholder, "Placeholder", {}, {{"_output_shapes", shapes}})
        .node("shape_expect_removed", "Shape", {placeholder})
        .node("cast_expect_removed", "Cast", {"shape_expect_removed"},
              {{"SrcT", attr::fromType(DType::Int32)}})
        .node(output, "Mul", {"cast_expect_removed", placeholder});
    const GraphPtr before = builder.build();
    const GraphPtr after =
        passed("fold_constants(clear_output_shapes=false)", before, {placeholder}, {output});
    CHECK_FALSE(hasNode(after, "shape_expect_removed"));
    CHECK_FALSE(hasNode(after, "cast_expect_removed"));
    CHECK(inputsOf(after, "cast_expect_removed/_0__cf__1") == "^placeholder_expect_remains");
    const GraphPtr unbelieving = passed("fold_constants", before, {placeholder}, {output});
    CHECK(hasNode(unbelieving, "shape_expect_removed"));
}

TEST_CASE("fold_constants does not store more than the limit", "[passes]")
{
    folded("fold_constants(max_constant_size_in_bytes=10)", sumTimesInput("remains").build());
    folded("fold_constants(max_constant_size_in_bytes=399)", sumTimesInput("remains").build());
    folded("fold_constants(max_constant_size_in_bytes=400)", sumTimesInput("removed").build());
    folded("fold_constants(max_constant_size_in_bytes=-1)", sumTimesInput("removed").build());
}

TEST_CASE("fold_constants keeps sending and receiving nodes of the graph", "[passes]")
{
    const TestAttrs ends{
        {"T", attr::fromType(DType::Float)},         {"tensor_name", attr::fromString("t")},
        {"send_device", attr::fromString("/cpu:0")}, {"send_device_incarnation", attr::fromInt(1)},
        {"recv_device", attr::fromString("/cpu:0")}, {"client_terminated", attr::fromBool(false)}};
    GraphBuilder builder;
    builder.floats("a_const", {2}, {1, 2})
        .placeholder("placeholder", {2})
        .node("original_send", "_Send", {"a_const"}, ends)
        .node("out", "Add", {"a_const", "placeholder", "^original_send"});
    const GraphPtr after = passed("fold_constants", builder.build(), {"placeholder"}, {"out"});
    CHECK(after->size() == 4);
    CHECK(inputsOf(after, "original_send") == "a_const");
}

TEST_CASE("fold_constants tells inputs apart whose names begin alike", "[passes]")
{
    GraphBuilder builder;
    builder.placeholder("placeholder", {2})
        .placeholder("placeholder_1", {2})
        .node("add", "Add", {"placeholder", "placeholder_1"});
    const GraphPtr after =
        passed("fold_constants", builder.build(), {"placeholder", "placeholder_1"}, {"add"});
    CHECK(after->size() == 3);
    CHECK(inputsOf(after, "add") == "placeholder:0, placeholder_1:0");
}

TEST_CASE("fold_constants drops what no output needs", "[passes]")
{
    GraphBuilder builder = sumTimesInput("removed");
    builder.floats("unused", {2}, {1});
    CHECK_FALSE(
        hasNode(passed("fold_constants", builder.build(), {placeholder}, {output}), "unused"));
}

TEST_CASE("fold_constants goes around what cannot be computed", "[passes]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2})
        .ints("seven", {2}, {7})
        .ints("zero", {2}, {0})
        .node("div", "Div", {"seven", "zero"}, {{"T", attr::fromType(DType::Int32)}})
        .node("sum", "Add", {"seven", "seven"}, {{"T", attr::fromType(DType::Int32)}})
        .placeholder("unlisted", {2})
        .node("neg", "Neg", {"unlisted"})
        .node("out", "IdentityN", {"x", "div", "sum", "neg"},
              {{"T", std::string("\x0A\x06\x32\x04\x01\x03\x03\x01", 8)}});
    const GraphPtr after = passed("fold_constants", builder.build(), {"x"}, {"out"});
    CHECK(inputsOf(after, "out") == "x:0, div, sum/_0__cf__0, neg");
    CHECK(inputsOf(after, "div") == "seven, zero");
    CHECK(opOf(after, "unlisted") == "Placeholder");
}

TEST_CASE("fold_constants keeps what constants have to wait for, and numbers go on", "[passes]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2})
        .floats("w/_0__cf__4", {2}, {1, 2})
        .node("neg", "Neg", {"w/_0__cf__4", "^x"})
        .node("out", "Add", {"neg", "x"});
    const GraphPtr before = builder.build();
    const GraphPtr after = passed("fold_constants", before, {"x"}, {"out"});
    CHECK(inputsOf(after, "neg/_0__cf__5") == "^x");
    CHECK(computesOther(before, after, {"out"}) == "");
}

TEST_CASE("fold_constants names what cannot be imported", "[passes]")
{
    GraphBuilder builder;
    builder.placeholder("x", {3}).floats("w", {2}, {1}).node("sum", "Add", {"x", "w"});
    const auto edit = applyPass("fold_constants", builder.build(), {"x"}, {"sum"});
    REQUIRE_FALSE(edit.ok());
    CHECK(edit.error().message.find("sum") != std::string::npos);
    CHECK_FALSE(applyPass("fold_constants", builder.build(), {"x"}, {"nowhere"}).ok());
    CHECK_FALSE(applyPass("fold_constants", builder.build(), {"x"}, {}).ok());
}

TEST_CASE("a graph that was written and read is folded from end to end", "[passes]")
{
    const GraphPtr before =
        GraphBuilder()
            .floats("a_expect_removed", {100}, {1, 2})
            .floats("b_expect_removed", {100}, {3, 4})
            .node("add_expect_removed", "Add", {"a_expect_removed", "b_expect_removed"})
            .placeholder("placeholder_expect_remains", {100})
            .node("output_expect_remains", "Mul",
                  {"add_expect_removed", "placeholder_expect_remains"})
            .build();
    const auto read = readModelBytes(encodeGraphDef(*before), "in.pb", Job());
    REQUIRE(read.ok());
    const GraphPtr after = passed("fold_constants", read->graphs.front().graph,
                                  {"placeholder_expect_remains"}, {"output_expect_remains"});
    CHECK(hasNode(after, "placeholder_expect_remains"));
    CHECK(hasNode(after, "output_expect_remains"));
    for (const NodePtr& node : after->nodes())
        CHECK_FALSE(node->name().ends_with("_expect_removed"));
}

namespace {

PatternCases foldConstantsPatterns(const TestFolder&)
{
    const GraphPtr sum = imageInput()
                             .floats("a", {2}, {1, 2})
                             .floats("b", {2}, {3})
                             .node("copy", "Identity", {"b"})
                             .node("sum", "Add", {"a", "copy"})
                             .node("product", "Mul", {"x", "sum"})
                             .node("y", "Mul", {"product", "copy"})
                             .build();
    return {{"fold_constants", sum, {"a", "b", "copy", "sum"}, {{"none", reluOnly()}}}};
}

const CasesOf foldConstantsCases("fold_constants", {.patterns = foldConstantsPatterns,
                                                    .sharing = {{"fold_constants", true}}});

} // namespace

} // namespace lapidary
