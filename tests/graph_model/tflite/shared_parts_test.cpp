// SPDX-License-Identifier: Apache-2.0
// Files that refer to one part again and again, by which a few bytes could become many.
#include "graph_model/tflite/tflite_model.h"
#include "graph_model/tflite/tflite_schema.h"
#include "tests/catch.h"

#include <flatbuffers/flatbuffers.h>

namespace lapidary {
namespace {

namespace schema = tflite_schema;

using Builder = flatbuffers::FlatBufferBuilder;
using Table = flatbuffers::Offset<flatbuffers::Table>;
using Ints = std::vector<std::int32_t>;

// Returns where a table stores the offset of a field.
constexpr schema::Field slot(schema::Field field)
{
    return schema::Field(4 + 2 * field);
}

template <class Fill>
Table table(Builder& builder, Fill fill)
{
    const auto start = builder.StartTable();
    fill();
    return {builder.EndTable(start)};
}

Table buffer(Builder& builder, const std::string& data)
{
    const auto bytes =
        builder.CreateVector(reinterpret_cast<const std::uint8_t*>(data.data()), data.size());
    return table(builder, [&] { builder.AddOffset(slot(schema::buffer::data), bytes); });
}

Table tensorOf(Builder& builder, std::int8_t type, const Ints& shape, Table sparsity = {})
{
    const auto name = builder.CreateString("t");
    const auto dims = builder.CreateVector(shape);
    return table(builder, [&] {
        builder.AddOffset(slot(schema::tensor::name), name);
        builder.AddOffset(slot(schema::tensor::shape), dims);
        builder.AddElement<std::int8_t>(slot(schema::tensor::type), type, 0);
        builder.AddElement<std::uint32_t>(slot(schema::tensor::buffer), 1, 0);
        builder.AddOffset(slot(schema::tensor::sparsity), sparsity);
    });
}

// A file with these tensors, all of which have the same bytes.
BufferPtr fileOf(Builder& builder, const std::vector<Table>& tensors, const std::string& data)
{
    const auto all = builder.CreateVector(tensors);
    const Table graph =
        table(builder, [&] { builder.AddOffset(slot(schema::subgraph::tensors), all); });
    const auto graphs = builder.CreateVector(std::vector{graph});
    const auto buffers =
        builder.CreateVector(std::vector{table(builder, [] {}), buffer(builder, data)});
    const Table root = table(builder, [&] {
        builder.AddOffset(slot(schema::model::subgraphs), graphs);
        builder.AddOffset(slot(schema::model::buffers), buffers);
    });
    builder.Finish(root, schema::identifier);
    return makeBuffer(
        std::string(reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()));
}

// One sparse axis of a million indices, the first `stored` of which have a value.
Table sparsityOf(Builder& builder, std::int32_t stored)
{
    Ints places;
    for (std::int32_t i = 0; i < stored; ++i)
        places.push_back(i);
    const auto list = [&](const Ints& values) {
        const auto numbers = builder.CreateVector(values);
        return table(builder,
                     [&] { builder.AddOffset(slot(schema::sparse_list::values), numbers); });
    };
    const Table segments = list({0, stored});
    const Table second = list(places);
    const Table axis = table(builder, [&] {
        builder.AddElement<std::int8_t>(slot(schema::sparse_axis::format), 1, 0);
        builder.AddElement<std::uint8_t>(slot(schema::sparse_axis::segmentsType), 1, 0);
        builder.AddOffset(slot(schema::sparse_axis::segments), segments);
        builder.AddElement<std::uint8_t>(slot(schema::sparse_axis::placesType), 1, 0);
        builder.AddOffset(slot(schema::sparse_axis::places), second);
    });
    const auto order = builder.CreateVector(Ints{0});
    const auto axes = builder.CreateVector(std::vector{axis});
    return table(builder, [&] {
        builder.AddOffset(slot(schema::sparsity::order), order);
        builder.AddOffset(slot(schema::sparsity::axes), axes);
    });
}

bool isRefused(const TfliteModel& model)
{
    const auto encoded = encodeTflite(model);
    REQUIRE(encoded);
    const auto read = decodeTflite(makeBuffer(encoded->bytes().value()));
    return !read && read.error().message.find("again and again") != std::string::npos;
}

TfliteModel readersOf(const std::string& name, const std::string& customCode, std::size_t count)
{
    TfliteGraph graph;
    graph.inputs = {0};
    graph.tensors.resize(count + 1);
    graph.tensors[0].name = name;
    for (std::size_t i = 0; i < count; ++i)
        graph.operators.push_back({.code = customCode.empty() ? 0 : 32,
                                   .customCode = customCode,
                                   .inputs = {0, 0},
                                   .outputs = {std::int32_t(i) + 1}});
    TfliteModel model;
    model.graphs = {graph};
    return model;
}

} // namespace

TEST_CASE("Texts that many nodes of a TFLite file share count for each", "[tflite][shared]")
{
    const std::string whole(50'000, 'n');
    CHECK_FALSE(isRefused(readersOf("x", "Own", 200)));
    CHECK_FALSE(isRefused(readersOf(whole, "Own", 2)));
    CHECK(isRefused(readersOf(whole, "Own", 200)));
    CHECK(isRefused(readersOf("x", whole, 200)));
    TfliteModel often = readersOf(whole, "Own", 1);
    often.graphs[0].operators[0].inputs.resize(1000, 0);
    CHECK(isRefused(often));
}

TEST_CASE("Strings that many tensors of a TFLite file share count for each", "[tflite][shared]")
{
    constexpr std::int8_t strings = 5; // of the schema's types
    for (const std::size_t count : {std::size_t(2), std::size_t(200)}) {
        Builder builder;
        const std::vector<Table> tensors(count, tensorOf(builder, strings, {1}));
        const auto read = decodeTflite(fileOf(builder, tensors, std::string(50'000, '\0')));
        CHECK(bool(read) == (count == 2));
    }
}

TEST_CASE("Sparse constants of a TFLite file that do not fit together use the memory for zeros up",
          "[tflite][shared]")
{
    constexpr std::int8_t bytes = 9; // int8, of the schema's types
    constexpr std::int32_t stored = 4096;
    for (const std::size_t damaged : {std::size_t(2), std::size_t(300)}) {
        Builder builder;
        const Ints shape{1 << 20};
        const Table none = tensorOf(builder, bytes, shape, sparsityOf(builder, 1));
        std::vector<Table> tensors(damaged, none);
        tensors.push_back(tensorOf(builder, bytes, shape, sparsityOf(builder, stored)));
        const auto read = decodeTflite(fileOf(builder, tensors, std::string(stored, '\1')));
        REQUIRE(read);
        CHECK(read->graphs[0].tensors.front().isSparse);
        CHECK(read->graphs[0].tensors.back().isSparse == (damaged == 300));
    }
}

} // namespace lapidary
