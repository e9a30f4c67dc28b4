// SPDX-License-Identifier: Apache-2.0
#include "tests/device_samples.h"

#include "graph_model/base/wire.h"
#include "graph_model/tflite/tflite_model.h"
#include "tests/catch.h"

#include <cstring>
#include <initializer_list>
#include <vector>

namespace lapidary {
namespace {

template <class T>
std::string bytesOfList(std::initializer_list<T> values)
{
    std::string bytes(values.size() * sizeof(T), '\0');
    std::memcpy(bytes.data(), values.begin(), bytes.size());
    return bytes;
}

TfliteTensor tensor(std::string name, std::vector<std::int32_t> shape, std::int8_t type = 0)
{
    TfliteTensor made;
    made.name = std::move(name);
    made.shape = std::move(shape);
    made.type = type;
    return made;
}

TfliteTensor constant(std::string name, std::vector<std::int32_t> shape, std::int8_t type,
                      std::string bytes)
{
    TfliteTensor made = tensor(std::move(name), std::move(shape), type);
    made.isConstant = true;
    made.bytes = ConstantBytes(std::move(bytes));
    return made;
}

constexpr std::int8_t int32Type = 2;
constexpr std::int8_t stringType = 5;
constexpr std::int8_t boolType = 6;
constexpr std::int8_t int8Type = 9;

// then_body(x) = CONV_2D(x, w)
TfliteGraph convolution()
{
    TfliteGraph graph;
    graph.name = "then_body";
    graph.tensors = {tensor("then/x", {1, 2, 2, 1}),
                     constant("then/w", {2, 1, 1, 1}, int8Type, std::string("\x7f\x40", 2)),
                     tensor("then/y", {1, 2, 2, 2})};
    graph.tensors[1].quantized = {{0.5F, 0.25F}, {0, 0}, 0};
    graph.inputs = {0};
    graph.outputs = {2};
    using Type = TfliteOption::Type;
    graph.operators = {{.code = 3,
                        .version = 2,
                        .optionsType = 1,
                        .options = {{.field = 0, .type = Type::Byte, .number = 1},
                                    {.field = 1, .type = Type::Int, .number = 1},
                                    {.field = 2, .type = Type::Int, .number = 1},
                                    {.field = 3, .type = Type::Byte, .number = 1}},
                        .inputs = {0, 1, -1},
                        .outputs = {2}}};
    return graph;
}

// else_body(x) = RESHAPE(x)
TfliteGraph reshaping()
{
    TfliteGraph graph;
    graph.name = "else_body";
    graph.tensors = {tensor("else/x", {1, 2, 2, 1}),
                     constant("else/size", {4}, int32Type, bytesOfList<std::int32_t>({1, 2, 1, 2})),
                     tensor("else/y", {1, 2, 1, 2})};
    graph.inputs = {0};
    graph.outputs = {2};
    graph.operators = {
        {.code = 22,
         .optionsType = 17,
         .options = {{.field = 0, .type = TfliteOption::Type::Ints, .list = {1, 2, 1, 2}}},
         .inputs = {0, 1},
         .outputs = {2}}};
    return graph;
}

std::string message(std::uint32_t field, const std::string& bytes)
{
    std::string out;
    WireWriter(out).bytes(field, bytes);
    return out;
}

std::string number(std::uint32_t field, std::uint64_t value)
{
    std::string out;
    WireWriter(out).varint(field, value);
    return out;
}

std::string onnxNode(const std::string& op, std::initializer_list<std::string> inputs,
                     std::initializer_list<std::string> outputs, const std::string& attributes = "")
{
    std::string node;
    for (const std::string& input : inputs)
        node += message(1, input);
    for (const std::string& output : outputs)
        node += message(2, output);
    return message(1, node + message(4, op) + attributes);
}

std::string attribute(const std::string& name, const std::string& value, std::uint64_t type)
{
    return message(5, message(1, name) + value + number(20, type));
}

// ValueInfoProto of a float tensor; -1: named size.
std::string value(std::uint32_t field, const std::string& name,
                  std::initializer_list<std::int64_t> dims, std::uint64_t type = 1)
{
    std::string shape;
    for (const std::int64_t dim : dims)
        shape += message(1, dim < 0 ? message(2, "N") : number(1, std::uint64_t(dim)));
    return message(field,
                   message(1, name) + message(2, message(1, number(1, type) + message(2, shape))));
}

std::string dimsOf(std::initializer_list<std::uint64_t> dims)
{
    std::string out;
    for (const std::uint64_t dim : dims)
        out += number(1, dim);
    return out;
}

} // namespace

std::string tfliteSample()
{
    TfliteGraph main;
    main.name = "main";
    // One string: a count, where it begins and ends, its characters.
    main.tensors = {
        tensor("flag", {}, boolType), tensor("x", {1, 2, 2, 1}), tensor("y", {1, 2, 2, 2}),
        constant("labels", {1}, stringType, bytesOfList<std::int32_t>({1, 12, 15}) + "cat"),
        tensor("copy", {1}, stringType)};
    main.inputs = {0, 1};
    main.outputs = {2, 4};
    const auto graph = [](std::uint16_t field, std::int64_t index) {
        return TfliteOption{.field = field, .type = TfliteOption::Type::Int, .number = index};
    };
    main.operators = {{.code = 118, // IF
                       .optionsType = 92,
                       .options = {graph(0, 1), graph(1, 2)},
                       .inputs = {0, 1},
                       .outputs = {2}},
                      {.code = 32, .customCode = "Mfcc", .inputs = {3}, .outputs = {4}}};
    TfliteModel model;
    model.description = "made by a test";
    model.graphs = {std::move(main), convolution(), reshaping()};
    const auto bytes = encodeTflite(model);
    REQUIRE(bytes);
    return bytes->bytes().value();
}

std::string onnxSample(const std::string& external)
{
    const auto entry = [](const std::string& key, const std::string& text) {
        return message(13, message(1, key) + message(2, text));
    };
    const std::string elsewhere =
        entry("location", external) + entry("offset", "4") + entry("length", "8") + number(14, 1);
    const std::string weights =
        dimsOf({2, 1, 1, 1}) + number(2, 1) + message(8, "w") +
        (external.empty() ? message(9, bytesOfList<float>({0.5F, 0.25F})) : elsewhere);
    const std::string added =
        dimsOf({2}) + number(2, 1) + message(8, "c") + message(4, bytesOfList<float>({1, 2}));
    const std::string size = dimsOf({4}) + number(2, 7) + number(7, 1) + number(7, 2) +
                             number(7, 2) + number(7, 1) + message(8, "size");
    const std::string then = onnxNode("Conv", {"x", "w", ""}, {"then_y"},
                                      attribute("kernel_shape", number(8, 1) + number(8, 1), 7) +
                                          attribute("auto_pad", message(4, "VALID"), 3)) +
                             message(2, "then") + message(5, weights) +
                             value(12, "then_y", {1, 2, 2, 2});
    const std::string otherwise = onnxNode("Add", {"x", "c"}, {"else_y"}) + message(2, "else") +
                                  value(12, "else_y", {1, 2, 2, 2});
    const std::string graph =
        onnxNode("Reshape", {"in", "size"}, {"x"}) +
        onnxNode("If", {"flag"}, {"y"},
                 attribute("then_branch", message(6, then), 5) +
                     attribute("else_branch", message(6, otherwise), 5)) +
        onnxNode(
            "Constant", {}, {"two"},
            attribute("value",
                      message(5, dimsOf({1}) + number(2, 1) + message(9, bytesOfList<float>({2}))),
                      4)) +
        onnxNode("Split", {"y"}, {"a", "b"}, attribute("axis", number(3, 1), 2)) +
        message(2, "sample") + message(5, added) + message(5, size) + value(11, "flag", {}, 9) +
        value(11, "in", {-1, 4}) + value(12, "a", {1, 1, 2, 2}) + value(12, "b", {1, 1, 2, 2}) +
        value(13, "x", {1, 2, 2, 1});
    return number(1, 8) + message(2, "a test") + message(7, graph) +
           message(8, message(1, "") + number(2, 13));
}

} // namespace lapidary
