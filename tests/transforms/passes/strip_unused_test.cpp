// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/transforms/passes/pass_cases.h"
#include "tests/transforms/passes/pass_graphs.h"
#include "tests/transforms/passes/pattern_graphs.h"

namespace lapidary {
namespace {

GraphPtr decoding()
{
    GraphBuilder builder;
    builder.node("file", "Placeholder", {}, {{"dtype", attr::fromType(DType::String)}})
        .node("x", "DecodeJpeg", {"file"})
        .node("f", "Cast", {"x"},
              {{"SrcT", attr::fromType(DType::UInt8)}, {"DstT", attr::fromType(DType::Float)}})
        .node("y", "Relu", {"f"})
        .node("loss", "L2Loss", {"y"});
    return builder.build();
}

} // namespace

TEST_CASE("strip_unused makes inputs placeholders of their own type", "[passes]")
{
    const GraphPtr after = passed("strip_unused", decoding(), {"x"}, {"y"});
    CHECK(printGraph(*after) == "x = Placeholder()\nf = Cast(x)\ny = Relu(f)\n");
    CHECK(nodeOf(after, "x").attr("dtype").asType() == DType::UInt8);
    CHECK(passed("strip_unused", after, {"x"}, {"y"}) == after);
}

TEST_CASE("strip_unused takes the type that is given, and keeps a shape", "[passes]")
{
    GraphBuilder builder;
    builder.placeholder("x", {2, 3}).node("y", "Relu", {"x"});
    const GraphPtr after = passed("strip_unused(type=int32)", builder.build(), {"x"}, {"y"});
    CHECK(nodeOf(after, "x").attr("dtype").asType() == DType::Int32);
    CHECK(nodeOf(after, "x").attr("shape").asShape() == Shape{{2, 3}, false});
}

TEST_CASE("strip_unused keeps what others are placed with", "[passes]")
{
    const GraphPtr before = graph("w = Const()\nx = Placeholder()\ny = Relu(x)\nz = Relu(y)\n");
    NodeDraft draft = NodeDraft::of(nodeOf(before, "y"));
    const std::string with = "loc:@w";
    // AttrValue { list { s: "loc:@w" } }
    draft.setAttr("_class", std::string("\x0a\x08\x12\x06") + with);
    GraphEdit edit(before);
    edit.replace(before->find("y"), std::move(draft));
    const auto placed = std::move(edit).finish();
    REQUIRE(placed.ok());
    const GraphPtr after = passed("strip_unused(type=float)", placed->graph, {"x"}, {"y"});
    CHECK(namesOf(after) == Strings{"w", "x", "y"});
}

TEST_CASE("strip_unused says which name is not there, and what to give", "[passes]")
{
    const auto noInput = applyPass("strip_unused", decoding(), {"nope"}, {"y"});
    REQUIRE_FALSE(noInput.ok());
    CHECK(noInput.error().message == "the graph has no node 'nope', which is given as an input");
    const auto noOutput = applyPass("strip_unused", decoding(), {"x"}, {"gone"});
    REQUIRE_FALSE(noOutput.ok());
    CHECK(noOutput.error().message == "the graph has no node 'gone', which is given as an output");
    const auto types = applyPass("strip_unused(type=float, type=int32)", decoding(), {"x"}, {"y"});
    REQUIRE_FALSE(types.ok());
    CHECK(types.error().message ==
          "2 types are given for 1 inputs; give one for all or one for each");
}

TEST_CASE("strip_unused makes no placeholder of a node whose other outputs are read", "[passes]")
{
    const auto found = applyPass("strip_unused(type=float)",
                                 graph("x = Placeholder()\nparts = Unpack(x)\ny = Relu(parts:1)\n"),
                                 {"parts:1"}, {"y"});
    REQUIRE_FALSE(found.ok());
    CHECK(found.error().message.find("its output 1 is read by y") != std::string::npos);
}

namespace {

PatternCases stripUnusedPatterns(const TestFolder&)
{
    return {{"strip_unused", copyAndDead(), {"dead"}, {}}};
}

const CasesOf stripUnusedCases("strip_unused",
                               {.patterns = stripUnusedPatterns, .sharing = {{"strip_unused"}}});

} // namespace

} // namespace lapidary
