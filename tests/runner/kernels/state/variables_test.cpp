// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/small_graph.h"

#include <functional>

namespace lapidary {
namespace {

using FloatRow = std::vector<float>;

const NodeAttrs floatOf3{{"dtype", attr::fromType(DType::Float)},
                         {"shape", attr::fromShape({{3}, false})}};
const NodeAttrs floatT{{"T", attr::fromType(DType::Float)}};
const NodeAttrs floatDtype{{"dtype", attr::fromType(DType::Float)}};

// A variable of either kind, with every op that changes it.
SmallGraph variables()
{
    SmallGraph g;
    g.input("value", DType::Float).input("rows", DType::Int32).input("updates", DType::Float);
    g.node("v", "VariableV2", {}, floatOf3).node("h", "VarHandleOp", {}, floatOf3);
    for (const char* op : {"Assign", "AssignAdd", "AssignSub"})
        g.node(op, op, {"v", "value"}, floatT);
    for (const char* op : {"AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp"})
        g.node(op, op, {"h", "value"}, floatDtype);
    const NodeAttrs scatter{{"T", attr::fromType(DType::Float)},
                            {"Tindices", attr::fromType(DType::Int32)}};
    const NodeAttrs resourceScatter{{"dtype", attr::fromType(DType::Float)},
                                    {"Tindices", attr::fromType(DType::Int32)}};
    for (const char* kind : {"Update", "Add", "Sub", "Mul", "Div", "Min", "Max"}) {
        g.node(std::string("Scatter") + kind, std::string("Scatter") + kind,
               {"v", "rows", "updates"}, scatter);
        g.node(std::string("ResourceScatter") + kind, std::string("ResourceScatter") + kind,
               {"h", "rows", "updates"}, resourceScatter);
    }
    g.input("alpha", DType::Float);
    g.node("descend", "ApplyGradientDescent", {"v", "alpha", "value"}, floatT);
    g.node("descendH", "ResourceApplyGradientDescent", {"h", "alpha", "value"}, floatT);
    g.node("read", "Identity", {"v"}, floatT);
    g.node("readH", "ReadVariableOp", {"h"}, floatDtype);
    g.node("isSet", "IsVariableInitialized", {"v"}, floatDtype);
    g.node("isSetH", "VarIsInitializedOp", {"h"});
    g.node("shape", "VariableShape", {"h"}, {{"out_type", attr::fromType(DType::Int64)}});
    g.node("gather", "ResourceGather", {"h", "rows"}, resourceScatter);
    g.node("destroy", "DestroyResourceOp", {"h"});
    return g;
}

SmallGraph::Feeds value(const FloatRow& numbers)
{
    return {{"value", valueOf<float>({std::int64_t(numbers.size())}, numbers)}};
}

SmallGraph::Feeds rows(const std::vector<std::int32_t>& at, const FloatRow& updates)
{
    return {{"rows", valueOf<std::int32_t>({std::int64_t(at.size())}, at)},
            {"updates", valueOf<float>({std::int64_t(updates.size())}, updates)}};
}

} // namespace

TEST_CASE("variables have no value until they are assigned, and keep it", "[kernels][state]")
{
    SmallGraph g = variables();
    CHECK(heldBy<bool>(g.run("isSet")) == holds<bool>({false}));
    CHECK(heldBy<bool>(g.run("isSetH")) == holds<bool>({false}));
    CHECK(g.fault("read").find("the variable v has no value") != std::string::npos);
    CHECK(g.fault("readH").starts_with("readH: "));
    CHECK(g.fault("AssignAdd", value({1, 1, 1})).starts_with("AssignAdd: "));
    CHECK(g.fault("AssignAddVariableOp", value({1, 1, 1})).starts_with("AssignAddVariableOp: "));
    REQUIRE(g.fault("Assign", value({1, 2, 3})).empty());
    REQUIRE(g.fault("AssignVariableOp", value({4, 5, 6})).empty());
    REQUIRE(g.fault("AssignAdd", value({10, 20, 30})).empty());
    REQUIRE(g.fault("AssignSubVariableOp", value({1, 1, 1})).empty());
    CHECK(heldBy<float>(g.run("read")) == holds<float>({11, 22, 33}));
    CHECK(heldBy<float>(g.run("readH")) == holds<float>({3, 4, 5}));
    CHECK(heldBy<std::int64_t>(g.run("shape")) == holds<std::int64_t>({3}));
    CHECK(heldBy<bool>(g.run("isSetH")) == holds<bool>({true}));
    CHECK(g.fault("Assign", value({1, 2})).starts_with("Assign: ")); // another shape
    CHECK(g.fault("AssignSub", value({1, 2})).starts_with("AssignSub: "));
    CHECK(heldBy<float>(g.run("read")) == holds<float>({11, 22, 33}));
    const auto step = [](std::vector<float> of) {
        auto feeds = value(std::move(of));
        feeds.emplace_back("alpha", scalarOf(0.5F));
        return feeds;
    };
    REQUIRE(g.fault("descend", step({2, 4, 6})).empty());
    REQUIRE(g.fault("descendH", step({2, 4, 6})).empty());
    CHECK(g.fault("descend", step({1, 2})).starts_with("descend: ")); // another shape
    CHECK(heldBy<float>(g.run("read")) == holds<float>({10, 20, 30}));
    CHECK(heldBy<float>(g.run("readH")) == holds<float>({2, 2, 2}));
    REQUIRE(g.fault("destroy").empty());
    CHECK(heldBy<bool>(g.run("isSetH")) == holds<bool>({false}));
}

TEST_CASE("a value that was read does not change with the variable", "[kernels][state]")
{
    SmallGraph g = variables();
    REQUIRE(g.fault("Assign", value({1, 2, 3})).empty());
    const auto before = g.run("read");
    REQUIRE(g.fault("AssignAdd", value({1, 1, 1})).empty());
    REQUIRE(g.fault("ScatterUpdate", rows({0}, {9})).empty());
    CHECK(heldBy<float>(before) == holds<float>({1, 2, 3}));
    CHECK(heldBy<float>(g.run("read")) == holds<float>({9, 3, 4}));
}

TEST_CASE("scatters change rows one after the other", "[kernels][state]")
{
    using Change = std::function<float(float, float)>;
    const std::pair<const char*, Change> kinds[] = {
        {"Update", [](float, float b) { return b; }},
        {"Add", [](float a, float b) { return a + b; }},
        {"Sub", [](float a, float b) { return a - b; }},
        {"Mul", [](float a, float b) { return a * b; }},
        {"Div", [](float a, float b) { return a / b; }},
        {"Min", [](float a, float b) { return std::min(a, b); }},
        {"Max", [](float a, float b) { return std::max(a, b); }},
    };
    const std::vector<std::int32_t> at{2, 0, 2};
    const FloatRow updates{4, -3, 8};
    for (const auto& [kind, change] : kinds) {
        INFO(kind);
        SmallGraph g = variables();
        REQUIRE(g.fault("Assign", value({1, 2, 3})).empty());
        REQUIRE(g.fault("AssignVariableOp", value({1, 2, 3})).empty());
        FloatRow expected{1, 2, 3};
        for (std::size_t i = 0; i < at.size(); ++i)
            expected[std::size_t(at[i])] = change(expected[std::size_t(at[i])], updates[i]);
        const std::string name = std::string("Scatter") + kind;
        REQUIRE(g.fault(name, rows(at, updates)).empty());
        REQUIRE(g.fault("Resource" + name, rows(at, updates)).empty());
        CHECK(heldBy<float>(g.run("read")) == holds(expected));
        CHECK(heldBy<float>(g.run("readH")) == holds(expected));
        for (const std::int32_t wrong : {3, -1, INT32_MAX, INT32_MIN}) {
            CHECK(g.fault(name, rows({wrong}, {1})).starts_with(name + ": "));
            CHECK(g.fault("Resource" + name, rows({wrong}, {1})).starts_with("Resource"));
        }
        CHECK(g.fault(name, rows({0, 1}, {1, 2, 3})).starts_with(name + ": "));
        CHECK(g.fault(name, rows({}, {})).empty());
        CHECK(heldBy<float>(g.run("read")) == holds(expected));
    }
}

TEST_CASE("ResourceGather reads rows", "[kernels][state]")
{
    SmallGraph g = variables();
    REQUIRE(g.fault("AssignVariableOp", value({1, 2, 3})).empty());
    CHECK(heldBy<float>(g.run("gather", rows({2, 2, 0}, {}))) == holds<float>({3, 3, 1}));
    CHECK(heldBy<float>(g.run("gather", rows({}, {}))) == holds<float>({}));
    CHECK(g.fault("gather", rows({3}, {})).starts_with("gather: "));
    CHECK(g.fault("gather", rows({-1}, {})).starts_with("gather: "));
}

TEST_CASE("CountUpTo stops at its limit", "[kernels][state]")
{
    SmallGraph g;
    g.input("value", DType::Int64);
    g.node("v", "VariableV2", {},
           {{"dtype", attr::fromType(DType::Int64)}, {"shape", attr::fromShape({{}, false})}});
    g.node("set", "Assign", {"v", "value"}, {{"T", attr::fromType(DType::Int64)}});
    g.node("count", "CountUpTo", {"v"},
           {{"T", attr::fromType(DType::Int64)}, {"limit", attr::fromInt(2)}});
    REQUIRE(g.fault("set", {{"value", scalarOf<std::int64_t>(0)}}).empty());
    CHECK(heldBy<std::int64_t>(g.run("count")) == holds<std::int64_t>({0}));
    CHECK(heldBy<std::int64_t>(g.run("count")) == holds<std::int64_t>({1}));
    CHECK(g.fault("count").starts_with("count: "));
}

TEST_CASE("a temporary variable lives in its step", "[kernels][state]")
{
    SmallGraph g;
    g.input("value", DType::Float);
    g.node("t", "TemporaryVariable", {}, floatOf3);
    g.node("set", "Assign", {"t", "value"}, floatT);
    g.node("out", "DestroyTemporaryVariable", {"set"},
           {{"T", attr::fromType(DType::Float)}, {"var_name", attr::fromString("t")}});
    CHECK(heldBy<float>(g.run("out", value({1, 2, 3}))) == holds<float>({1, 2, 3}));
    CHECK(g.fault("out", value({1, 2})).starts_with("set: "));
}

} // namespace lapidary
