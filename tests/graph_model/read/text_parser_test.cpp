// SPDX-License-Identifier: Apache-2.0
#include "graph.pb.h"
#include "graph_model/read/text_parser.h"
#include "tests/catch.h"

#include <string>

#include <google/protobuf/text_format.h>

using namespace lapidary;

namespace {

TextParseResult parse(const std::string& text)
{
    Result<TextParseResult> result = parseTextMessage(text, MessageId::GraphDef, Job());
    REQUIRE(result.ok());
    return *std::move(result);
}

// The first problem as "kind line:column".
std::string fault(const std::string& text)
{
    const TextParseResult result = parse(text);
    if (result.problems.empty())
        return "none";
    const Problem& problem = result.problems[0];
    return problem.kind + " " + std::to_string(problem.line.value_or(0)) + ":" +
           std::to_string(problem.column.value_or(0));
}

std::string attrText(const std::string& value)
{
    return "node { attr { key: \"k\" value { " + value + " } } }";
}

} // namespace

TEST_CASE("text gives the message that protobuf reads", "[read]")
{
    for (const std::string& text :
         {std::string("node { name: 'a' \"b\" input: ['x', \"y\"] } versions < producer: 0x1F >"),
          attrText("s: \"\\n\\t\\x41\\101\\u00e9\\U0001F600\\377\""), attrText("i: -0x10"),
          attrText("i: -9223372036854775808"), attrText("f: -1.5e-3f"), attrText("f: inf"),
          attrText("list { f: [1, .5, 2e3] b: [true, f, 1] type: [DT_FLOAT, 3] }"),
          attrText("tensor { float_val: 1 float_val: 2 int_val: 07 float_val: 3 }"),
          attrText("func { name: \"F\" attr { key: \"T\" value { b: false } } }")}) {
        INFO(text);
        const TextParseResult ours = parse(text);
        CHECK(ours.problems.empty());
        wire::GraphDef fromOurs;
        REQUIRE(fromOurs.ParseFromString(ours.encoded));
        wire::GraphDef byProtobuf;
        REQUIRE(google::protobuf::TextFormat::ParseFromString(text, &byProtobuf));
        CHECK(fromOurs.SerializeAsString() == byProtobuf.SerializeAsString());
    }
}

TEST_CASE("faults are told with the place where they are", "[read]")
{
    CHECK(fault("node {\n  name \"a\"\n}") == "text_syntax 2:8");
    CHECK(fault("node {\n  name: \"a\n}") == "text_syntax 2:9");
    CHECK(fault("node {\n  name: \"\\q\"\n}") == "text_syntax 2:9");
    CHECK(fault("node { name: \"a" + std::string(1, '\0') + "\" }") == "text_syntax 1:14");
    CHECK(fault("node {\n  name:\n  op: \"x\"\n}") == "text_syntax 2:7");
    CHECK(fault("node {\n  name: \"a\"\n") == "text_syntax 3:1");
    CHECK(fault("node { }\n}\n") == "text_syntax 2:1");
    CHECK(fault("node [\n  name: \"a\"") == "text_syntax 1:6");
    CHECK(fault("node {\n  name: \"a\" name: \"b\"\n}") == "duplicate_field 2:13");
    CHECK(fault("versions { producer: 3x }") == "text_number 1:22");
    CHECK(fault("versions { producer: 2147483648 }") == "text_number 1:22");
    CHECK(fault("versions { producer: 1.0 }") == "text_number 1:22");
    CHECK(fault(attrText("type: DT_NONE")) == "text_enum 1:38");
    CHECK(fault(attrText("i: 1 b: true")) == "duplicate_field 1:37");
    CHECK(fault("node { name: \"\xff\" }") == "bad_utf8 1:14");
}

TEST_CASE("unknown fields are left out with one warning each", "[read]")
{
    const TextParseResult result =
        parse("node { name: 'a' later: 3 later: [1, 2] }\n"
              "node { name: 'b' later { deep { deeper: \"}\" } } other: -5 }\n"
              "[some.extension] { x: 1 } versions { producer: 9 }\n");
    REQUIRE(result.problems.size() == 3);
    CHECK(result.problems[0].severity == Severity::Warning);
    CHECK(result.problems[0].message.find("NodeDef.later") != std::string::npos);
    CHECK(result.problems[0].message.find("(3 times)") != std::string::npos);
    wire::GraphDef graph;
    REQUIRE(graph.ParseFromString(result.encoded));
    CHECK(graph.node_size() == 2);
    CHECK(graph.versions().producer() == 9);
}

TEST_CASE("the complete part before a fault is kept", "[read]")
{
    const TextParseResult result = parse("node { name: 'a' }\nnode { name: 'b' op }\n");
    CHECK_FALSE(result.isWhole);
    wire::GraphDef graph;
    REQUIRE(graph.ParseFromString(result.encoded));
    REQUIRE(graph.node_size() == 1);
    CHECK(graph.node(0).name() == "a");
}

TEST_CASE("deep nesting is refused without recursion", "[read]")
{
    std::string text = "node { ";
    for (int i = 0; i < 200000; ++i)
        text += "attr { value { func { ";
    CHECK(fault(text).starts_with("too_deep 1:"));
}
