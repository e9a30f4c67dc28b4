// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/runner/kernels/one_node.h"

namespace lapidary {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;

TEST_CASE("ScatterNd adds what is named twice", "[indexing]")
{
    const auto y = runOne("ScatterNd", {valueOf<std::int32_t>({3, 1}, {3, 0, 3}),
                                        valueOf<float>({3, 2}, {1, 2, 3, 4, 5, 6}),
                                        valueOf<std::int32_t>({2}, {4, 2})});
    REQUIRE(y.ok());
    CHECK(elementsOf<float>(*y) == Floats{3, 4, 0, 0, 0, 0, 6, 8});
    const auto wrapped = runOne("ScatterNd", {valueOf<std::int32_t>({2, 1}, {0}),
                                              valueOf<std::int8_t>({2}, {100, 100}),
                                              valueOf<std::int32_t>({1}, {1})});
    REQUIRE(wrapped.ok());
    CHECK(int(wrapped->as<std::int8_t>()[0]) == -56);
}

TEST_CASE("TensorScatter adds, subtracts and updates in order", "[indexing]")
{
    const Value x = valueOf<float>({4}, {10, 20, 30, 40});
    const Value indices = valueOf<std::int32_t>({3, 1}, {1, 3, 1});
    const Value updates = valueOf<float>({3}, {1, 2, 4});
    const auto run = [&](const char* op) {
        return elementsOf<float>(runOne(op, {x, indices, updates}).value());
    };
    CHECK(run("TensorScatterAdd") == Floats{10, 25, 30, 42});
    CHECK(run("TensorScatterSub") == Floats{10, 15, 30, 38});
    CHECK(run("TensorScatterUpdate") == Floats{10, 4, 30, 2});
    CHECK(run("ScatterNdNonAliasingAdd") == Floats{10, 25, 30, 42});
}

TEST_CASE("DynamicStitch puts back what DynamicPartition took apart", "[indexing]")
{
    const Value data = rampOf<float>({13, 3});
    const Ints groups{0, 2, 1, 1, 2, 0, 0, 2, 2, 1, 0, 2, 0};
    const Value partitions = valueOf<std::int32_t>({13}, groups);
    const NodeAttrs three{{"num_partitions", attr::fromInt(3)}};
    const auto parts = runNode("DynamicPartition", {data, partitions}, three);
    const auto places =
        runNode("DynamicPartition", {rampOf<std::int32_t>({13}), partitions}, three);
    REQUIRE((parts.ok() && places.ok()));
    CHECK(parts.value()[1].dims() == Dims{3, 3});
    std::vector<Value> inputs = places.value();
    inputs.insert(inputs.end(), parts.value().begin(), parts.value().end());
    for (const char* op : {"DynamicStitch", "ParallelDynamicStitch"}) {
        const auto y = runOne(op, inputs, {{"N", attr::fromInt(3)}});
        REQUIRE(y.ok());
        CHECK(y->dims() == data.dims());
        CHECK(y->bytes() == data.bytes());
    }
}

TEST_CASE("rows that DynamicStitch is not given are zero", "[indexing]")
{
    const auto y =
        runOne("DynamicStitch", {valueOf<std::int32_t>({2}, {0, 3}), valueOf<float>({2}, {1, 2})});
    REQUIRE(y.ok());
    CHECK(elementsOf<float>(*y) == Floats{1, 0, 0, 2});
}

TEST_CASE("Inplace ops take row numbers modulo the rows", "[indexing]")
{
    const Value x = valueOf<float>({3, 2}, {1, 2, 3, 4, 5, 6});
    const Value rows = valueOf<std::int32_t>({2}, {-1, 3});
    const Value v = valueOf<float>({2, 2}, {10, 20, 30, 40});
    const auto run = [&](const char* op) {
        return elementsOf<float>(runOne(op, {x, rows, v}).value());
    };
    CHECK(run("InplaceUpdate") == Floats{30, 40, 3, 4, 10, 20});
    CHECK(run("InplaceAdd") == Floats{31, 42, 3, 4, 15, 26});
    CHECK(run("InplaceSub") == Floats{-29, -38, 3, 4, -5, -14});
    CHECK_FALSE(runOne("InplaceAdd", {x, rows, x}).ok());
    CHECK_FALSE(runOne("InplaceAdd", {scalarOf(1.0F), rows, v}).ok());
    // A single row may lack the axis of rows, but no other size may differ.
    const Value row = scalarOf<std::int32_t>(1);
    CHECK(runOne("InplaceAdd", {x, row, valueOf<float>({2}, {10, 20})}).ok());
    CHECK_FALSE(runOne("InplaceAdd", {x, row, valueOf<float>({1}, {10})}).ok());
    CHECK_FALSE(runOne("InplaceUpdate", {x, row, valueOf<float>({0}, {10})}).ok());
}

TEST_CASE("SparseReshape keeps the flat places", "[indexing]")
{
    const Value indices = valueOf<std::int64_t>({2, 2}, {0, 5, 2, 1});
    const Value shape = valueOf<std::int64_t>({2}, {3, 6});
    const auto all =
        runNode("SparseReshape", {indices, shape, valueOf<std::int64_t>({3}, {-1, 3, 2})});
    REQUIRE(all.ok());
    CHECK(elementsOf<std::int64_t>((*all)[0]) == std::vector<std::int64_t>{0, 2, 1, 2, 0, 1});
    CHECK(elementsOf<std::int64_t>((*all)[1]) == std::vector<std::int64_t>{3, 3, 2});
    for (const std::int64_t size : {std::int64_t(-2), std::int64_t(0), std::int64_t(5)})
        CHECK_FALSE(
            runNode("SparseReshape", {indices, shape, valueOf<std::int64_t>({2}, {-1, size})})
                .ok());
    CHECK_FALSE(
        runNode("SparseReshape", {valueOf<std::int64_t>({1, 2}, {3, 0}), shape, shape}).ok());
}

TEST_CASE("SparseFillEmptyRows gives each row a value", "[indexing]")
{
    const Value shape = valueOf<std::int64_t>({2}, {4, 3});
    const auto all =
        runNode("SparseFillEmptyRows", {valueOf<std::int64_t>({3, 2}, {3, 1, 1, 2, 1, 0}),
                                        valueOf<float>({3}, {1, 2, 3}), shape, scalarOf(-1.0F)});
    REQUIRE(all.ok());
    CHECK(elementsOf<std::int64_t>((*all)[0]) ==
          std::vector<std::int64_t>{0, 0, 1, 2, 1, 0, 2, 0, 3, 1});
    CHECK(elementsOf<float>((*all)[1]) == Floats{-1, 2, 3, -1, 1});
    CHECK(elementsOf<bool>((*all)[2]) == std::vector<bool>{true, false, true, false});
    CHECK(elementsOf<std::int64_t>((*all)[3]) == std::vector<std::int64_t>{4, 1, 2});
    const auto none = runNode("SparseFillEmptyRows",
                              {emptyValue(DType::Int64, {0, 2}), emptyValue(DType::Float, {0}),
                               valueOf<std::int64_t>({2}, {0, 3}), scalarOf(0.0F)});
    REQUIRE(none.ok());
    CHECK((*none)[0].dims() == Dims{0, 2});
    CHECK_FALSE(runNode("SparseFillEmptyRows", {valueOf<std::int64_t>({1, 2}, {4, 0}),
                                                valueOf<float>({1}, {1}), shape, scalarOf(0.0F)})
                    .ok());
}

TEST_CASE("SparseToDense", "[indexing]")
{
    const auto y = runOne("SparseToDense",
                          {valueOf<std::int32_t>({2, 2}, {0, 1, 1, 0}),
                           valueOf<std::int32_t>({2}, {2, 2}), scalarOf(5.0F), scalarOf(-1.0F)});
    REQUIRE(y.ok());
    CHECK(elementsOf<float>(*y) == Floats{-1, 5, 5, -1});
}

TEST_CASE("indices and shapes that do not fit are refused", "[indexing]")
{
    const Value one = valueOf<std::int32_t>({1, 1}, {5});
    const Value update = valueOf<float>({1}, {1});
    const Value pair = valueOf<float>({2}, {1, 2});
    const Value four = valueOf<std::int32_t>({1}, {4});
    struct Case {
        const char* op;
        std::vector<Value> inputs;
        NodeAttrs attrs;
    };
    const Case cases[] = {
        {"ScatterNd", {one, update, four}, {}},
        {"ScatterNd", {one, pair, four}, {}},
        {"ScatterNd", {one, update, valueOf<std::int32_t>({1}, {-1})}, {}},
        {"ScatterNd", {one, update, valueOf<std::int32_t>({1}, {0})}, {}},
        {"ScatterNd", {one, update, valueOf<std::int32_t>({3}, {2147483647})}, {}},
        {"TensorScatterAdd", {pair, one, update}, {}},
        {"TensorScatterUpdate", {pair, one, pair}, {}},
        {"DynamicPartition",
         {pair, valueOf<std::int32_t>({2}, {0, 2})},
         {{"num_partitions", attr::fromInt(2)}}},
        {"DynamicPartition", {pair, four}, {{"num_partitions", attr::fromInt(9)}}},
        {"DynamicStitch", {valueOf<std::int32_t>({1}, {-1}), update}, {}},
        {"DynamicStitch", {four, pair}, {}},
        {"DynamicStitch", {valueOf<std::int32_t>({1}, {2147483647}), rampOf<float>({1, 64})}, {}},
        {"SparseToDense", {one, four, scalarOf(1.0F), scalarOf(0.0F)}, {}},
        {"SparseToDense",
         {valueOf<std::int32_t>({2}, {1, 1}), four, scalarOf(1.0F), scalarOf(0.0F)},
         {}},
    };
    for (const Case& c : cases) {
        const auto y = runNode(c.op, c.inputs, c.attrs);
        INFO(c.op);
        REQUIRE_FALSE(y.ok());
        CHECK(y.error().message.starts_with("y"));
    }
}

} // namespace
} // namespace lapidary
