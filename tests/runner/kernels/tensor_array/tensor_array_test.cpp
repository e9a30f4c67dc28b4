// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/small_graph.h"

namespace lapidary {
namespace {

using FloatRow = std::vector<float>;

// x is split into rows, which are scattered and read back, as a whole and row by row.
SmallGraph arrays(const NodeAttrs& more = {})
{
    const std::pair<std::string, std::string> dtype{"dtype", attr::fromType(DType::Float)};
    const NodeAttrs floatT{{"T", attr::fromType(DType::Float)}};
    SmallGraph g;
    g.input("size", DType::Int32).input("at", DType::Int32).input("all", DType::Int32);
    g.input("x", DType::Float).input("lengths", DType::Int64);
    NodeAttrs attrs{dtype};
    attrs.insert(attrs.end(), more.begin(), more.end());
    g.node("a", "TensorArrayV3", {"size"}, attrs);
    g.node("write", "TensorArrayWriteV3", {"a", "at", "x", "a:1"}, floatT);
    g.node("read", "TensorArrayReadV3", {"a", "at", "write"}, {dtype});
    g.node("again", "TensorArrayReadV3", {"a", "at", "write", "^read"}, {dtype});
    g.node("twice", "TensorArrayWriteV3", {"a", "at", "x", "write"}, floatT);
    g.node("sizeOf", "TensorArraySizeV3", {"a", "write"});
    g.node("scatter", "TensorArrayScatterV3", {"a", "all", "x", "a:1"}, floatT);
    g.node("gather", "TensorArrayGatherV3", {"a", "all", "scatter"}, {dtype});
    g.node("concat", "TensorArrayConcatV3", {"a", "scatter"}, {dtype});
    g.node("split", "TensorArraySplitV3", {"a", "x", "lengths", "a:1"}, floatT);
    g.node("joined", "TensorArrayConcatV3", {"a", "split"}, {dtype});
    g.node("closed", "TensorArrayCloseV3", {"a", "^write"});
    g.node("afterwards", "TensorArraySizeV3", {"a", "a:1", "^closed"});
    return g;
}

SmallGraph::Feeds feeds(std::int32_t size, std::int32_t at, const Value& x)
{
    return {{"size", scalarOf(size)}, {"at", scalarOf(at)}, {"x", x}};
}

} // namespace

TEST_CASE("a TensorArray keeps what is written", "[kernels][tensor_array]")
{
    SmallGraph g = arrays();
    const Value x = valueOf<float>({2}, {3, 4});
    CHECK(heldBy<float>(g.run("read", feeds(3, 1, x))) == holds<float>({3, 4}));
    CHECK(heldBy<std::int32_t>(g.run("sizeOf", feeds(3, 1, x))) == holds<std::int32_t>({3}));
    for (const std::int32_t wrong : {3, -1, INT32_MAX, INT32_MIN}) {
        INFO(wrong);
        CHECK(g.fault("write", feeds(3, wrong, x)).starts_with("write: "));
    }
    CHECK(g.fault("a", {{"size", scalarOf(-1)}}).starts_with("a: "));
    CHECK(g.fault("a", {{"size", valueOf<std::int32_t>({2}, {1})}}).starts_with("a: "));
    CHECK(g.fault("twice", feeds(3, 1, x)).starts_with("twice: "));
    CHECK(g.fault("again", feeds(3, 1, x)).starts_with("again: ")); // the read cleared it
    CHECK(g.fault("afterwards", feeds(3, 1, x)).starts_with("afterwards: "));
    CHECK(g.fault("a", {{"size", scalarOf(INT32_MAX)}}).starts_with("a: ")); // memory
}

TEST_CASE("a TensorArray that is not cleared can be read again", "[kernels][tensor_array]")
{
    SmallGraph g = arrays({{"clear_after_read", attr::fromBool(false)}});
    const Value x = valueOf<float>({2}, {3, 4});
    CHECK(heldBy<float>(g.run("again", feeds(3, 1, x))) == holds<float>({3, 4}));
}

TEST_CASE("a dynamic TensorArray grows", "[kernels][tensor_array]")
{
    SmallGraph g = arrays({{"dynamic_size", attr::fromBool(true)}});
    const Value x = scalarOf(1.0F);
    CHECK(heldBy<std::int32_t>(g.run("sizeOf", feeds(0, 14, x))) == holds<std::int32_t>({15}));
    CHECK(g.fault("write", feeds(0, -1, x)).starts_with("write: "));
    CHECK(g.fault("write", feeds(0, INT32_MAX, x)).starts_with("write: ")); // memory
}

TEST_CASE("rows are scattered, gathered and joined", "[kernels][tensor_array]")
{
    SmallGraph g = arrays();
    const auto with = [](Dims dims, const std::vector<std::int32_t>& all) {
        SmallGraph::Feeds f = feeds(3, 0, rampOf<float>(std::move(dims)));
        f.emplace_back("all", valueOf<std::int32_t>({std::int64_t(all.size())}, all));
        return f;
    };
    CHECK(heldBy<float>(g.run("gather", with({3, 2}, {2, 0, 1}))) ==
          holds<float>({0, 1, 2, 3, 4, 5}));
    CHECK(heldBy<float>(g.run("concat", with({3, 2}, {2, 0, 1}))) ==
          holds<float>({2, 3, 4, 5, 0, 1}));
    CHECK(g.fault("scatter", with({3, 2}, {0, 1})).starts_with("scatter: "));
    CHECK(g.fault("scatter", with({3, 2}, {0, 1, 3})).starts_with("scatter: "));
    CHECK(g.fault("scatter", with({3, 2}, {0, 1, 1})).starts_with("scatter: "));
    CHECK(g.fault("scatter", with({}, {0})).starts_with("scatter: "));
}

TEST_CASE("a tensor is split by lengths and joined again", "[kernels][tensor_array]")
{
    SmallGraph g = arrays();
    const auto with = [](const std::vector<std::int64_t>& lengths) {
        SmallGraph::Feeds f = feeds(3, 0, rampOf<float>({15}));
        f.emplace_back("lengths", valueOf<std::int64_t>({std::int64_t(lengths.size())}, lengths));
        return f;
    };
    const auto joined = g.run("joined", with({2, 0, 13}));
    INFO((joined ? "" : joined.error().message));
    REQUIRE(joined.ok());
    CHECK(elementsOf<float>(*joined) == elementsOf<float>(rampOf<float>({15})));
    for (const auto& wrong : std::vector<std::vector<std::int64_t>>{
             {2, 13}, {2, 0, 14}, {2, -1, 14}, {INT64_MAX, INT64_MAX, 17}})
        CHECK(g.fault("split", with(wrong)).starts_with("split: "));
}

TEST_CASE("tensor lists are values", "[kernels][tensor_array]")
{
    const std::pair<std::string, std::string> element{"element_dtype",
                                                      attr::fromType(DType::Float)};
    const std::pair<std::string, std::string> shape{"shape_type", attr::fromType(DType::Int32)};
    SmallGraph g;
    g.input("x", DType::Float).input("shape", DType::Int32).input("at", DType::Int32);
    g.input("item", DType::Float).input("n", DType::Int32);
    g.node("list", "TensorListFromTensor", {"x", "shape"}, {element, shape});
    g.node("set", "TensorListSetItem", {"list", "at", "item"}, {element});
    g.node("pushed", "TensorListPushBack", {"list", "item"}, {element});
    g.node("length", "TensorListLength", {"pushed"});
    g.node("old", "TensorListStack", {"list", "shape"}, {element});
    g.node("new", "TensorListStack", {"set", "shape"}, {element});
    g.node("get", "TensorListGetItem", {"list", "at", "shape"}, {element});
    g.node("reserved", "TensorListReserve", {"shape", "n"}, {element, shape});
    const auto with = [](std::int32_t at) {
        return SmallGraph::Feeds{{"x", rampOf<float>({3, 2})},
                                 {"shape", valueOf<std::int32_t>({1}, {2})},
                                 {"at", scalarOf(at)},
                                 {"item", valueOf<float>({2}, {7, 8})},
                                 {"n", scalarOf(at)}};
    };
    const auto both = g.runAll({"old", "new", "length", "get"}, with(1));
    INFO((both ? "" : both.error().message));
    REQUIRE(both.ok());
    CHECK(elementsOf<float>((*both)[0]) == FloatRow{0, 1, 2, 3, 4, 5});
    CHECK(elementsOf<float>((*both)[1]) == FloatRow{0, 1, 7, 8, 4, 5});
    CHECK(elementsOf<std::int32_t>((*both)[2]) == std::vector<std::int32_t>{4});
    CHECK(elementsOf<float>((*both)[3]) == FloatRow{2, 3});
    for (const std::int32_t wrong : {3, -1, INT32_MIN}) {
        CHECK(g.fault("get", with(wrong)).starts_with("get: "));
        CHECK(g.fault("set", with(wrong)).starts_with("set: "));
    }
    CHECK(g.fault("reserved", with(-1)).starts_with("reserved: "));
    CHECK(g.fault("reserved", with(INT32_MAX)).starts_with("reserved: ")); // memory
}

} // namespace lapidary
