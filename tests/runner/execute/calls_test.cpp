// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/model_file.h"
#include "runner/execute/session.h"
#include "tests/catch.h"
#include "tests/runner/execute/scalar.h"

#include <stop_token>

namespace lapidary {
namespace {

// Down(n) = n > 0 ? Down(n - 1) + 1 : 0, by If; Ever(x) calls itself; Twice(k) calls the next
// function twice.
const char* const recursive = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "count" op: "Down" input: "x" }
node { name: "endless" op: "Ever" input: "x" }
node { name: "bad" op: "Checked" input: "x" }
library {
  function {
    signature { name: "Down" input_arg { name: "n" type: DT_FLOAT }
                output_arg { name: "y" type: DT_FLOAT } }
    node_def { name: "zero" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
      attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape {} float_val: 0 } } } }
    node_def { name: "more" op: "Greater" input: "n" input: "zero:output:0"
      attr { key: "T" value { type: DT_FLOAT } } }
    node_def { name: "if" op: "StatelessIf" input: "more:z:0" input: "n"
      attr { key: "Tcond" value { type: DT_BOOL } }
      attr { key: "Tin" value { list { type: DT_FLOAT } } }
      attr { key: "Tout" value { list { type: DT_FLOAT } } }
      attr { key: "then_branch" value { func { name: "Step" } } }
      attr { key: "else_branch" value { func { name: "Zero" } } } }
    ret { key: "y" value: "if:output:0" }
  }
  function {
    signature { name: "Step" input_arg { name: "n" type: DT_FLOAT }
                output_arg { name: "y" type: DT_FLOAT } }
    node_def { name: "one" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
      attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape {} float_val: 1 } } } }
    node_def { name: "less" op: "Sub" input: "n" input: "one:output:0"
      attr { key: "T" value { type: DT_FLOAT } } }
    node_def { name: "down" op: "Down" input: "less:z:0" }
    node_def { name: "sum" op: "Add" input: "down:y:0" input: "one:output:0"
      attr { key: "T" value { type: DT_FLOAT } } }
    ret { key: "y" value: "sum:z:0" }
  }
  function {
    signature { name: "Zero" input_arg { name: "n" type: DT_FLOAT }
                output_arg { name: "y" type: DT_FLOAT } }
    ret { key: "y" value: "n" }
  }
  function {
    signature { name: "Ever" input_arg { name: "n" type: DT_FLOAT }
                output_arg { name: "y" type: DT_FLOAT } }
    node_def { name: "again" op: "Ever" input: "n" }
    ret { key: "y" value: "again:y:0" }
  }
  function {
    signature { name: "Checked" input_arg { name: "n" type: DT_FLOAT }
                output_arg { name: "y" type: DT_FLOAT } }
    node_def { name: "no" op: "Const" attr { key: "dtype" value { type: DT_BOOL } }
      attr { key: "value" value { tensor { dtype: DT_BOOL tensor_shape {} bool_val: false } } } }
    node_def { name: "assert" op: "Assert" input: "no:output:0" input: "n"
      attr { key: "T" value { list { type: DT_FLOAT } } } }
    ret { key: "y" value: "n" }
  }
}
versions { producer: 134 }
)";

// 20 copies of Down, each of which calls the next one twice.
std::string fanOut(int depth)
{
    std::string text = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "y" op: "F0" input: "x" }
library {)";
    for (int i = 0; i < depth; ++i) {
        const std::string self = std::to_string(i);
        const std::string next = i + 1 < depth ? "F" + std::to_string(i + 1) : "Neg";
        const std::string port = "y";
        const std::string type =
            i + 1 < depth ? "" : " attr { key: \"T\" value { type: DT_FLOAT } }";
        text += "\nfunction { signature { name: \"F" + self +
                "\" input_arg { name: \"n\" type: DT_FLOAT } output_arg { name: \"y\" type: "
                "DT_FLOAT } }\n"
                "node_def { name: \"a\" op: \"" +
                next + "\" input: \"n\"" + type +
                " }\n"
                "node_def { name: \"b\" op: \"" +
                next + "\" input: \"a:" + port + ":0\"" + type +
                " }\nret { key: \"y\" value: \"b:" + port + ":0\" } }";
    }
    return text + "\n}\nversions { producer: 134 }\n";
}

GraphPtr read(const std::string& text)
{
    auto model = readModelBytes(text, "calls.pbtxt", Job());
    REQUIRE(model.ok());
    REQUIRE_FALSE(model->isRefused());
    return model->graphs.front().graph;
}

Result<std::vector<Value>> fetch(Session& session, float x, const char* name,
                                 const Job& job = Job(), const ObserveNode& observe = {})
{
    return session.run({.feeds = {{"x", scalar(x, session.pool())}}, .fetches = {name}}, job,
                       observe);
}

TEST_CASE("functions call each other as deep as their data asks", "[session][calls]")
{
    Session session(read(recursive), {});
    for (const float n : {0.0F, 1.0F, 400.0F, 3000.0F}) {
        const auto y = fetch(session, n, "count");
        INFO((y.ok() ? "" : y.error().message));
        REQUIRE(y.ok());
        CHECK((*y)[0].as<float>()[0] == n);
    }
}

TEST_CASE("a recursion that never ends is an error that names the node", "[session][calls]")
{
    Session session(read(recursive), {});
    const auto y = fetch(session, 1, "endless");
    REQUIRE_FALSE(y.ok());
    CHECK(y.error().message.find("again") != std::string::npos);
    CHECK(y.error().message.find("endless") != std::string::npos);
    CHECK(fetch(session, 2, "count").ok()); // and the session can be used again
}

TEST_CASE("an error in a function names its node and the one that called it", "[session][calls]")
{
    Session session(read(recursive), {});
    const auto y = fetch(session, 1, "bad");
    REQUIRE_FALSE(y.ok());
    CHECK(y.error().message.starts_with("assert: assertion failed: [1]"));
    CHECK(y.error().message.find("called by bad") != std::string::npos);
}

TEST_CASE("functions that each call the next twice stop at the limit", "[session][calls]")
{
    Session small(read(fanOut(8)), {});
    const auto y = fetch(small, 3, "y");
    INFO((y.ok() ? "" : y.error().message));
    REQUIRE(y.ok());
    CHECK((*y)[0].as<float>()[0] == 3); // negated 256 times
    Session large(read(fanOut(40)), {.maxNodeRuns = 100000});
    const auto endless = fetch(large, 3, "y");
    REQUIRE_FALSE(endless.ok());
    CHECK(endless.error().message.find("limit of executed nodes") != std::string::npos);
}

TEST_CASE("a run inside functions is cancelled", "[session][calls]")
{
    Session session(read(fanOut(40)), {});
    std::stop_source stop;
    int seen = 0;
    const auto y =
        fetch(session, 3, "y", Job(stop.get_token()), [&](const NodeRun&, std::span<const Value>) {
            if (++seen == 1000)
                stop.request_stop();
        });
    REQUIRE_FALSE(y.ok());
    CHECK(y.error().code == ErrorCode::Cancelled);
    CHECK(seen < 1010);
}

TEST_CASE("runs of nodes in functions say where they are", "[session][calls]")
{
    Session session(read(recursive), {});
    int calls = 0;
    int inner = 0;
    std::int64_t nanoseconds = 0;
    const auto y =
        fetch(session, 2, "count", Job(), [&](const NodeRun& run, std::span<const Value>) {
            REQUIRE(run.definition != nullptr);
            nanoseconds += run.nanoseconds;
            inner += run.function.empty() ? 0 : 1;
            calls += run.definition->name() == "count" ? 1 : 0;
        });
    REQUIRE(y.ok());
    CHECK(calls == 2); // before and after the call
    CHECK(inner > 10);
    CHECK(nanoseconds > 0);
}

TEST_CASE("a fed value of another type is refused by name", "[session][calls]")
{
    Session session(read(recursive), {});
    Value integer = Value::make(DType::Int32, {}, session.pool()).value();
    const auto y = session.run({.feeds = {{"x", integer}}, .fetches = {"count"}}, Job());
    REQUIRE_FALSE(y.ok());
    CHECK(y.error().message.find("'x'") != std::string::npos);
}

} // namespace
} // namespace lapidary
