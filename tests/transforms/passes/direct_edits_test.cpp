// The passes behind edits of single nodes.
#include "tests/transforms/pass_testing.h"

#include <catch2/catch.hpp>

namespace lapidary {
namespace {

// x -> a -> b -> c -> y, with a weight behind a copy, a Split and a node that only waits.
GraphPtr network()
{
    return GraphBuilder()
        .placeholder("x", {2, 4})
        .floats("w", {4, 4}, {0.5F, 1, -1})
        .node("w/read", "Identity", {"w"})
        .node("net/a", "MatMul", {"x", "w/read"})
        .node("net/b", "Relu", {"net/a"})
        .ints("axis", {}, {1})
        .node("net/split", "Split", {"axis", "net/b"}, {{"num_split", attr::fromInt(2)}})
        .node("c", "Add", {"net/split", "net/split:1"})
        .node("wait", "NoOp", {"^net/b"})
        .node("y", "Neg", {"c", "^net/b"})
        .build();
}

std::string failure(std::string_view step)
{
    const auto edit = applyPass(step, network(), {"x"}, {"y"});
    return edit ? std::string() : edit.error().message;
}

GraphPtr edited(std::string_view step)
{
    return passed(step, network(), {"x"}, {"y"});
}

} // namespace

TEST_CASE("delete_nodes takes nodes away that nobody reads", "[edits]")
{
    const GraphPtr after = edited("delete_nodes(name=wait)");
    CHECK(after->size() == network()->size() - 1);
    CHECK_FALSE(hasNode(after, "wait"));
    CHECK(failure("delete_nodes(name=c)").find("read by y") != std::string::npos);
    const GraphPtr all = edited("delete_nodes(name=\"net/b\", with_readers=true)");
    CHECK_FALSE(hasNode(all, "net/b"));
    CHECK_FALSE(hasNode(all, "net/split"));
    CHECK_FALSE(hasNode(all, "y"));
    CHECK(hasNode(all, "net/a"));
    CHECK(inputsOf(all, "wait").empty()); // it waited for what is gone
    const GraphPtr scope = edited("delete_nodes(scope=net, with_readers=true)");
    CHECK_FALSE(hasNode(scope, "net/a"));
    CHECK(hasNode(scope, "w/read"));
}

TEST_CASE("bypass_nodes lets readers read what a node read", "[edits]")
{
    const GraphPtr after = edited("bypass_nodes(name=\"net/b\")");
    CHECK(inputsOf(after, "net/split") == "axis, net/a");
    CHECK(inputsOf(after, "y") == "c, ^net/a");
    CHECK(failure("bypass_nodes(name=x)").find("no data input") != std::string::npos);
    CHECK(failure("bypass_nodes(name=\"net/split\")").find("output 1") != std::string::npos);
}

TEST_CASE("rename_node takes readers, waiting nodes and colocations along", "[edits]")
{
    const GraphPtr after = edited("rename_node(old_name=\"net/b\", new_name=\"net/active\")");
    CHECK(inputsOf(after, "net/split") == "axis, net/active");
    CHECK(inputsOf(after, "y") == "c, ^net/active");
    CHECK(computesOther(network(), after, {"y"}) == "");
    CHECK(failure("rename_node(old_name=c, new_name=y)").find("already") != std::string::npos);
    CHECK(failure("rename_node(old_name=c, new_name=\"_c\")").find("no name") != std::string::npos);
    CHECK(failure("rename_node(old_name=c, new_name=\"a b\")").find("no name") !=
          std::string::npos);
    CHECK(failure("rename_node(old_name=\"net/bb\", new_name=d)").find("net/b is perhaps") !=
          std::string::npos);
    CHECK(failure("rename_node(old_name=c)").find("new_name") != std::string::npos);
    const GraphPtr same = network();
    CHECK(passed("rename_node(old_name=c, new_name=c)", same, {"x"}, {"y"}) == same);

    const std::string className = std::string("\x0a\x09\x12\x07loc:@v1", 11); // list of one string
    const GraphPtr placed = GraphBuilder()
                                .placeholder("v1", {2})
                                .node("v1/read", "Identity", {"v1"}, {{"_class", className}})
                                .build();
    const GraphPtr moved =
        passed("rename_node(old_name=v1, new_name=v2)", placed, {"v1"}, {"v1/read"});
    const auto places = moved->node(moved->find("v1/read")).attr("_class").strings();
    REQUIRE(places.size() == 1);
    CHECK(places[0] == "loc:@v2");
}

TEST_CASE("set_attribute reads values as the op or the value that is there says", "[edits]")
{
    const auto attribute = [](std::string_view step, std::string_view node, std::string_view name) {
        const GraphPtr after = edited(step);
        return after->node(after->find(node)).attr(name).text();
    };
    CHECK(attribute("set_attribute(name=\"net/a\", attribute_name=transpose_a, value=true)",
                    "net/a", "transpose_a") == "true");
    CHECK(attribute("set_attribute(scope=net, op_name=Relu, attribute_name=T, value=half)", "net/b",
                    "T") == "half");
    CHECK(attribute("set_attribute(name=x, attribute_name=shape, value=\"?,8\")", "x", "shape") ==
          "?×8");
    CHECK(attribute("set_attribute(name=y, attribute_name=_own, value=\"1, 2\", "
                    "kind=\"list(int)\")",
                    "y", "_own") == "[1, 2]");
    CHECK(attribute("set_attribute(name=y, attribute_name=_own, value=\"0.5,1\", "
                    "kind=\"list(float)\")",
                    "y", "_own") == "[0.5, 1]");
    CHECK(failure("set_attribute(name=\"net/a\", attribute_name=T, value=string)").find("one of") !=
          std::string::npos);
    CHECK(failure("set_attribute(name=\"net/a\", attribute_name=transpose_a, value=7)")
              .find("net/a") != std::string::npos);
    CHECK(failure("set_attribute(name=\"net/split\", attribute_name=num_split, value=0)")
              .find("at least 1") != std::string::npos);
    CHECK(failure("set_attribute(name=y, attribute_name=_own, value=1)").find("kind") !=
          std::string::npos);
    CHECK(failure("set_attribute(name=w, attribute_name=value, value=1)").find("as text") !=
          std::string::npos);
    const GraphPtr same = network();
    CHECK(passed("set_attribute(name=c, attribute_name=T, value=float)", same, {"x"}, {"y"}) ==
          same);
}

TEST_CASE("replace_by_placeholder keeps the type of a node", "[edits]")
{
    const GraphPtr after = edited("replace_by_placeholder(name=axis)");
    CHECK(opOf(after, "axis") == "Placeholder");
    CHECK(after->node(after->find("axis")).attr("dtype").asType() == DType::Int32);
    CHECK(after->node(after->find("axis")).attr("shape").asShape()->unknownRank);
    const GraphPtr shaped = edited("replace_by_placeholder(name=\"net/a\", shape=\"2,4\")");
    CHECK(inputsOf(shaped, "net/a").empty());
    CHECK(shaped->node(shaped->find("net/a")).attr("shape").asShape()->dims ==
          std::vector<std::int64_t>{2, 4});
    CHECK(failure("replace_by_placeholder(name=\"net/split\")").find("output 1") !=
          std::string::npos);
    CHECK(failure("replace_by_placeholder(name=wait)").find("type=") != std::string::npos);
    CHECK(failure("replace_by_placeholder(name=c, type=flout)").find("flout") != std::string::npos);
}

TEST_CASE("extract_nodes makes a graph of a part", "[edits]")
{
    const GraphPtr scope = edited("extract_nodes(scope=net)");
    CHECK(scope->size() == 7); // x, two of the weight, axis, three of net
    CHECK(opOf(scope, "x") == "Placeholder");
    CHECK(opOf(scope, "w") == "Const");
    CHECK(computesOther(network(), scope, {"net/split:1"}) == "");

    const GraphPtr one = edited("extract_nodes(name=c)");
    CHECK(one->size() == 3);
    CHECK(opOf(one, "net/split") == "Placeholder");
    CHECK(inputsOf(one, "c") == "net/split, net/split_1");
    CHECK(one->node(one->find("net/split_1")).attr("dtype").asType() == DType::Float);

    const GraphPtr waits = edited("extract_nodes(name=y)");
    CHECK(inputsOf(waits, "y") == "c"); // it waits for nobody who is left out
    const GraphPtr bare = edited("extract_nodes(name=\"net/a\", with_constants=false)");
    CHECK(opOf(bare, "w/read") == "Placeholder");
    CHECK_FALSE(hasNode(bare, "w"));
}

TEST_CASE("edits of nodes that are not there say so", "[edits]")
{
    for (const char* pass :
         {"bypass_nodes", "delete_nodes", "extract_nodes", "replace_by_placeholder"}) {
        INFO(pass);
        CHECK(failure(pass).find("needs the parameter name") != std::string::npos);
        CHECK(failure(std::string(pass) + "(name=nobody)").find("no node \"nobody\"") !=
              std::string::npos);
    }
    CHECK(failure("delete_nodes(scope=nowhere)").find("no scope") != std::string::npos);
}

} // namespace lapidary
