// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "tests/runner/kernels/small_graph.h"

namespace lapidary {
namespace {

// IsLess: x < n. Doubling: x + x, n. Negated, Squared: of x. Plus: x + i.
const char* const library = R"(
library {
  function { signature { name: "IsLess" input_arg { name: "x" type: DT_FLOAT }
      input_arg { name: "n" type: DT_FLOAT } output_arg { name: "y" type: DT_BOOL } }
    node_def { name: "l" op: "Less" input: "x" input: "n"
      attr { key: "T" value { type: DT_FLOAT } } }
    ret { key: "y" value: "l:z:0" } }
  function { signature { name: "Doubling" input_arg { name: "x" type: DT_FLOAT }
      input_arg { name: "n" type: DT_FLOAT } output_arg { name: "y" type: DT_FLOAT }
      output_arg { name: "m" type: DT_FLOAT } }
    node_def { name: "a" op: "Add" input: "x" input: "x"
      attr { key: "T" value { type: DT_FLOAT } } }
    ret { key: "y" value: "a:z:0" } ret { key: "m" value: "n" } }
  function { signature { name: "Negated" input_arg { name: "x" type: DT_FLOAT }
      output_arg { name: "y" type: DT_FLOAT } }
    node_def { name: "a" op: "Neg" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
    ret { key: "y" value: "a:y:0" } }
  function { signature { name: "Squared" input_arg { name: "x" type: DT_FLOAT }
      output_arg { name: "y" type: DT_FLOAT } }
    node_def { name: "a" op: "Square" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
    ret { key: "y" value: "a:y:0" } }
  function { signature { name: "Plus" input_arg { name: "i" type: DT_INT32 }
      input_arg { name: "x" type: DT_FLOAT } output_arg { name: "y" type: DT_FLOAT } }
    node_def { name: "c" op: "Cast" input: "i" attr { key: "SrcT" value { type: DT_INT32 } }
      attr { key: "DstT" value { type: DT_FLOAT } } }
    node_def { name: "a" op: "Add" input: "x" input: "c:y:0"
      attr { key: "T" value { type: DT_FLOAT } } }
    ret { key: "y" value: "a:z:0" } }
}
versions { producer: 134 }
)";

std::string type(const char* key, const char* value)
{
    return std::string(" attr { key: \"") + key + "\" value { type: " + value + " } }";
}

std::string types(const char* key, const std::vector<const char*>& values)
{
    std::string list;
    for (const char* value : values)
        list += std::string(" type: ") + value;
    return std::string(" attr { key: \"") + key + "\" value { list {" + list + " } } }";
}

std::string function(const char* key, const char* name)
{
    return std::string(" attr { key: \"") + key + "\" value { func { name: \"" + name + "\" } } }";
}

std::string placeholder(const char* name, const char* dtype)
{
    return std::string("node { name: \"") + name + "\" op: \"Placeholder\"" + type("dtype", dtype) +
           " }\n";
}

class Called {
public:
    explicit Called(const std::string& nodes)
    {
        auto model = readModelBytes(nodes + library, "functional.pbtxt", Job());
        REQUIRE(model.ok());
        REQUIRE_FALSE(model->isRefused());
        m_session.emplace(model->graphs.front().graph, SessionOptions{.maxNodeRuns = 10000});
    }
    Result<Value> run(const SmallGraph::Feeds& feeds, const char* fetch = "y")
    {
        ASSIGN_OR_RETURN(auto values, m_session->run({.feeds = feeds, .fetches = {fetch}}, Job()));
        return values.front();
    }

private:
    std::optional<Session> m_session;
};

std::string whileNode(const char* body)
{
    return placeholder("x", "DT_FLOAT") + placeholder("n", "DT_FLOAT") +
           R"(node { name: "y" op: "While" input: "x" input: "n")" +
           types("T", {"DT_FLOAT", "DT_FLOAT"}) + function("cond", "IsLess") +
           function("body", body) + " }\n";
}

TEST_CASE("While carries its variables until the condition fails", "[functional]")
{
    Called loop(whileNode("Doubling"));
    const auto run = [&](float x, float n, const char* fetch) {
        return heldBy<float>(loop.run({{"x", scalarOf(x)}, {"n", scalarOf(n)}}, fetch));
    };
    CHECK(run(1, 100, "y") == holds<float>({128}));
    CHECK(run(1, 100, "y:1") == holds<float>({100}));
    CHECK(run(7, 3, "y") == holds<float>({7}));
    const auto endless = loop.run({{"x", scalarOf(0.0F)}, {"n", scalarOf(1.0F)}});
    REQUIRE_FALSE(endless.ok());
    CHECK(endless.error().message.find("limit of executed nodes") != std::string::npos);
}

TEST_CASE("a body that does not give what the loop carries is refused by name", "[functional]")
{
    Called loop(whileNode("IsLess"));
    const auto wrong = loop.run({{"x", scalarOf(0.0F)}, {"n", scalarOf(1.0F)}});
    REQUIRE_FALSE(wrong.ok());
    CHECK(wrong.error().message.find("y: ") == 0);
    Called missing(whileNode("Nowhere"));
    const auto none = missing.run({{"x", scalarOf(0.0F)}, {"n", scalarOf(1.0F)}});
    REQUIRE_FALSE(none.ok());
    CHECK(none.error().message.find("Nowhere") != std::string::npos);
}

TEST_CASE("For counts up and down, and refuses what it cannot reach", "[functional]")
{
    std::string nodes = placeholder("x", "DT_FLOAT");
    for (const char* name : {"from", "to", "by"})
        nodes += placeholder(name, "DT_INT32");
    Called loop(nodes +
                R"(node { name: "y" op: "For" input: "from" input: "to" input: "by" input: "x")" +
                types("T", {"DT_FLOAT"}) + function("body", "Plus") + " }\n");
    const auto run = [&](std::int32_t from, std::int32_t to, std::int32_t by) {
        return loop.run({{"from", scalarOf(from)},
                         {"to", scalarOf(to)},
                         {"by", scalarOf(by)},
                         {"x", scalarOf(0.5F)}});
    };
    CHECK(heldBy<float>(run(0, 4, 1)) == holds<float>({6.5}));
    CHECK(heldBy<float>(run(0, 5, 2)) == holds<float>({6.5}));
    CHECK(heldBy<float>(run(3, 0, -1)) == holds<float>({6.5}));
    CHECK(heldBy<float>(run(2, 2, 0)) == holds<float>({0.5}));
    for (const auto& [from, to, by] :
         {std::tuple(0, 4, 0), std::tuple(0, 4, -1), std::tuple(4, 0, 1)}) {
        const auto wrong = run(from, to, by);
        REQUIRE_FALSE(wrong.ok());
        CHECK(wrong.error().message.find("y: ") == 0);
    }
}

TEST_CASE("Case takes the last branch for an index out of range", "[functional]")
{
    for (const std::string op : {"Case", "StatelessCase"}) {
        Called branches(placeholder("i", "DT_INT32") + placeholder("x", "DT_FLOAT") +
                        R"(node { name: "y" op: ")" + op + R"(" input: "i" input: "x")" +
                        types("Tin", {"DT_FLOAT"}) + types("Tout", {"DT_FLOAT"}) +
                        R"( attr { key: "branches" value { list { func { name: "Negated" }
                            func { name: "Squared" } } } } })" +
                        "\n");
        for (const auto& [index, expected] :
             {std::pair(0, -3.0F), std::pair(1, 9.0F), std::pair(2, 9.0F), std::pair(-1, 9.0F)}) {
            INFO(op << " " << index);
            CHECK(heldBy<float>(branches.run({{"i", scalarOf<std::int32_t>(index)},
                                              {"x", scalarOf(3.0F)}})) == holds<float>({expected}));
        }
    }
}

TEST_CASE("If takes numbers, texts and arrays for conditions", "[functional]")
{
    const auto choose = [](const char* dtype, const Value& condition) {
        Called branches(placeholder("c", dtype) + placeholder("x", "DT_FLOAT") +
                        R"(node { name: "y" op: "If" input: "c" input: "x")" +
                        type("Tcond", dtype) + types("Tin", {"DT_FLOAT"}) +
                        types("Tout", {"DT_FLOAT"}) + function("then_branch", "Squared") +
                        function("else_branch", "Negated") + " }\n");
        return heldBy<float>(branches.run({{"c", condition}, {"x", scalarOf(3.0F)}}));
    };
    const auto taken = holds<float>({9});
    const auto other = holds<float>({-3});
    CHECK(choose("DT_BOOL", scalarOf(true)) == taken);
    CHECK(choose("DT_BOOL", scalarOf(false)) == other);
    CHECK(choose("DT_FLOAT", scalarOf(0.5F)) == taken);
    CHECK(choose("DT_INT64", scalarOf<std::int64_t>(0)) == other);
    CHECK(choose("DT_STRING", stringsOf({}, {"0"})) == taken);
    CHECK(choose("DT_STRING", stringsOf({}, {""})) == other);
    CHECK(choose("DT_BOOL", valueOf<bool>({2}, {false})) == taken);
    CHECK(choose("DT_BOOL", emptyValue(DType::Bool, {0})) == other);
}

TEST_CASE("calls give what the function gives, for values of any size", "[functional]")
{
    for (const char* op : {"PartitionedCall", "StatefulPartitionedCall"}) {
        Called call(placeholder("x", "DT_FLOAT") + R"(node { name: "y" op: ")" + op +
                    R"(" input: "x")" + types("Tin", {"DT_FLOAT"}) + types("Tout", {"DT_FLOAT"}) +
                    function("f", "Squared") + " }\n");
        CHECK(heldBy<float>(call.run({{"x", valueOf<float>({13}, {3})}})) ==
              holds<float>(std::vector<float>(13, 9)));
        const auto empty = call.run({{"x", emptyValue(DType::Float, {0, 15})}});
        REQUIRE(empty.ok());
        CHECK(empty->dims() == Dims{0, 15});
    }
}

} // namespace
} // namespace lapidary
