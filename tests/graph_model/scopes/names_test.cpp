// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/graph_model/scopes/scopes_testing.h"
#include "tests/graph_testing.h"

namespace lapidary {
namespace {

std::string tree(const GraphPtr& graph)
{
    const ScopeTreePtr made = scopes(graph, namesOnly);
    checkTree(*graph, *made);
    return printScopes(*graph, *made);
}

} // namespace

TEST_CASE("scopes follow the slashes in names, in file order", "[scopes]")
{
    CHECK(tree(graph(R"(x = Placeholder()
                        b/relu = Relu(x)
                        a/conv/w = Const()
                        a/conv/Conv2D = Conv2D(b/relu, a/conv/w)
                        a/conv/Relu = Relu(a/conv/Conv2D)
                        b/y = Identity(b/relu)
                        a/z = Identity(x))")) ==
          "x, b{b/relu, b/y}, a{conv{a/conv/w, a/conv/Conv2D, a/conv/Relu}, a/z}");
}

TEST_CASE("a scope that would show one box is taken apart", "[scopes]")
{
    const GraphPtr g = graph(R"(x = Placeholder()
                                a/conv/w = Const()
                                a/conv/Conv2D = Conv2D(x, a/conv/w)
                                a/z = Relu(a/conv/Conv2D)
                                b/c/w = Const()
                                b/d/e/p = MatMul(a/z, b/c/w)
                                b/d/e/q = Relu(b/d/e/p))");
    CHECK(tree(g) == "x, a{a/conv/w, a/conv/Conv2D, a/z}, b/c/w, b/d/e{b/d/e/p, b/d/e/q}");
    const ScopeTreePtr made = buildScopeTree(g, {}, Job()).value();
    CHECK(made->find("a/conv") == made->find("a"));
}

TEST_CASE("chains of scopes with one child are one group", "[scopes]")
{
    const GraphPtr g = graph(R"(top/unit_1/bottleneck/a = A()
                                top/unit_1/bottleneck/b = A()
                                top/c = A())");
    CHECK(tree(g) == "top{unit_1/bottleneck{top/unit_1/bottleneck/a, top/unit_1/bottleneck/b}, "
                     "top/c}");
    const ScopeTreePtr made = scopes(g, namesOnly);
    const GroupId joined = made->find("top/unit_1/bottleneck");
    REQUIRE(joined.isValid());
    CHECK(made->group(joined).path == "top/unit_1/bottleneck");
    CHECK(made->find("top/unit_1") == joined);
    CHECK(made->find("") == rootGroup);
    CHECK_FALSE(made->find("top/unit_2").isValid());
    CHECK_FALSE(made->find("top/unit").isValid());
}

TEST_CASE("an op named like a scope is inside it", "[scopes]")
{
    CHECK(tree(graph(R"(a/b/c = A()
                        a = A()
                        a/b = A())")) == "a{b{a/b/c, a/b}, a}");
}

TEST_CASE("odd names stay where they can be found", "[scopes]")
{
    CHECK(tree(graph(R"(a//b/// = A()
                        /a/c = A()
                        / = A()
                        a/b = A())")) == "a{a//b///, /a/c, a/b}, /");
    Graph::Parts parts;
    for (const std::string& name :
         {std::string(), std::string("\xff\0\xfe/x", 5), std::string(10'000, 'n'),
          std::string(10'000, '/'), std::string("a/b"), std::string("a/b")}) {
        NodeDraft draft;
        draft.name = name;
        draft.op = "NoOp";
        parts.nodes.push_back(draft.finish());
    }
    std::string deep;
    for (int i = 0; i < 5'000; ++i)
        deep += "d" + std::to_string(i % 7) + "/";
    NodeDraft draft;
    draft.op = "NoOp";
    for (std::size_t i = 0; i < deep.size(); i += 100) {
        draft.name = deep.substr(0, i) + "leaf";
        parts.nodes.push_back(draft.finish());
    }
    const GraphPtr odd = Graph::make(std::move(parts));
    tree(odd);
    checkEdges(*prepare(odd));
}

TEST_CASE("an empty graph has a root", "[scopes]")
{
    const GraphPtr g = graph("");
    CHECK(tree(g).empty());
    CHECK(prepare(g)->scope(rootGroup).items.empty());
}

TEST_CASE("groups know their ops, weights and structure", "[scopes]")
{
    Graph::Parts parts;
    const auto add = [&](const std::string& name, const std::string& op,
                         std::vector<std::string> inputs = {}) {
        NodeDraft draft;
        draft.name = name;
        draft.op = op;
        draft.inputs = std::move(inputs);
        if (op == "VariableV2")
            draft.setAttr("shape", attr::fromShape({{3, 3, 2, 4}, false}));
        parts.nodes.push_back(draft.finish());
    };
    add("x", "Placeholder");
    for (const std::string block : {"a/", "b/", "c/"}) {
        add(block + "w", "VariableV2");
        add(block + "conv", block == "c/" ? "MatMul" : "Conv2D", {"x", block + "w"});
        add(block + "r1", "Relu", {block + "conv"});
        add(block + "r2", "Relu", {block + "r1"});
    }
    const GraphPtr g = Graph::make(std::move(parts));
    const ScopeTreePtr made = scopes(g, namesOnly);
    const Group& a = made->group(made->find("a"));
    CHECK(a.nodeCount == 4);
    CHECK(a.weights == 72);
    REQUIRE(a.ops.size() == 3);
    CHECK(a.ops[0] == std::pair<std::string_view, std::uint32_t>{"Relu", 2});
    CHECK(a.structure == made->group(made->find("b")).structure);
    CHECK(a.structure != made->group(made->find("c")).structure);
    CHECK(made->group(rootGroup).weights == 216);
}

TEST_CASE("wiring alone can tell two scopes apart", "[scopes]")
{
    const GraphPtr g = graph(R"(x = Placeholder()
                                a/p = Relu(x)
                                a/q = Relu(a/p)
                                a/r = Add(a/q, x)
                                b/p = Relu(x)
                                b/q = Relu(x)
                                b/r = Add(b/q, b/p)
                                c/s = Relu(x)
                                c/a = Relu(c/s)
                                c/b = Add(c/a, x))");
    const ScopeTreePtr made = scopes(g, namesOnly);
    CHECK(made->group(made->find("a")).structure != made->group(made->find("b")).structure);
    CHECK(made->group(made->find("a")).structure == made->group(made->find("c")).structure);
}

TEST_CASE("a stopped job stops the tree", "[scopes]")
{
    std::stop_source stop;
    stop.request_stop();
    const auto made = buildScopeTree(graph("a = A()"), {}, Job(stop.get_token()));
    REQUIRE_FALSE(made.ok());
    CHECK(made.error().code == ErrorCode::Cancelled);
}

} // namespace lapidary
