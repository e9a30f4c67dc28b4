// SPDX-License-Identifier: Apache-2.0
#include "model_builder.h"

#include "graph_model/base/wire.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lapidary::samples {
namespace {

std::string tensorProto(DType dtype, const Shape& shape, std::string_view content)
{
    std::string proto;
    WireWriter writer(proto);
    writer.varint(1, std::uint64_t(dtype));
    writer.bytes(2, encodeShape(shape));
    writer.bytes(4, content);
    return proto;
}

std::string outputShapes(const std::vector<Value>& results)
{
    std::string list;
    for (const Value& value : results)
        WireWriter(list).bytes(7, encodeShape(value.shape));
    std::string encoded;
    WireWriter(encoded).bytes(std::uint32_t(AttrKind::List), list);
    return encoded;
}

template <class T>
std::string_view asBytes(std::span<const T> values)
{
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

} // namespace

ModelBuilder::Scope::Scope(ModelBuilder& builder, std::string_view name)
    : m_builder(builder)
    , m_outer(builder.m_scope.size())
{
    builder.m_scope = builder.uniqueName(name) + "/";
}

ModelBuilder::Scope::~Scope()
{
    m_builder.m_scope.resize(m_outer);
}

std::string ModelBuilder::uniqueName(std::string_view name)
{
    std::string full = m_scope + std::string(name);
    const auto at =
        std::ranges::lower_bound(m_taken, full, {}, &std::pair<std::string, int>::first);
    if (at == m_taken.end() || at->first != full) {
        m_taken.insert(at, {full, 0});
        return full;
    }
    return full + "_" + std::to_string(++at->second);
}

Value ModelBuilder::add(std::string_view name, std::string_view op,
                        const std::vector<Value>& inputs, const std::vector<Value>& results,
                        Attrs attrs)
{
    NodeDraft node;
    node.name = uniqueName(name);
    node.op = op;
    for (const Value& input : inputs)
        node.inputs.push_back(input.name);
    node.attrs.assign(attrs.begin(), attrs.end());
    if (!results.empty())
        node.setAttr("_output_shapes", outputShapes(results));
    m_nodes.push_back(node.finish());
    Value first = results.empty() ? Value{} : results.front();
    first.name = node.name;
    return first;
}

Value ModelBuilder::placeholder(std::string_view name, DType dtype, Shape shape)
{
    Attrs attrs{{"dtype", attr::fromType(dtype)}, {"shape", attr::fromShape(shape)}};
    return add(name, "Placeholder", {}, {result(dtype, std::move(shape))}, std::move(attrs));
}

Value ModelBuilder::constant(std::string_view name, DType dtype, const Shape& shape,
                             std::string_view content, const std::vector<Value>& inputs)
{
    return add(name, "Const", inputs, {result(dtype, shape)},
               {{"dtype", attr::fromType(dtype)},
                {"value", attr::fromTensorProto(tensorProto(dtype, shape, content))}});
}

Value ModelBuilder::weights(std::string_view name, const Shape& shape, float deviation)
{
    std::vector<float> values(std::size_t(elementCount(shape).value_or(0)));
    for (float& value : values) { // method of Box and Muller
        const float radius = std::sqrt(-2.0F * std::log(1.0F - random()));
        value = deviation * radius * std::cos(2.0F * std::numbers::pi_v<float> * random());
    }
    return floats(name, shape, values);
}

Value ModelBuilder::floats(std::string_view name, const Shape& shape, std::span<const float> values)
{
    return constant(name, DType::Float, shape, asBytes(values));
}

Value ModelBuilder::filled(std::string_view name, const Shape& shape, float value)
{
    return floats(name, shape,
                  std::vector<float>(std::size_t(elementCount(shape).value_or(0)), value));
}

Value ModelBuilder::ints(std::string_view name, std::span<const std::int32_t> values)
{
    return constant(name, DType::Int32, Shape{{std::int64_t(values.size())}}, asBytes(values));
}

Value ModelBuilder::scalar(std::string_view name, float value)
{
    return constant(name, DType::Float, Shape{}, asBytes(std::span<const float>(&value, 1)));
}

Value ModelBuilder::scalar(std::string_view name, std::int32_t value, const std::string& control)
{
    std::vector<Value> inputs;
    if (!control.empty())
        inputs.push_back({"^" + control, DType::Invalid, {}});
    const std::span<const std::int32_t> values(&value, 1);
    return constant(name, DType::Int32, Shape{}, asBytes(values), inputs);
}

Value ModelBuilder::bytes(std::string_view name, DType dtype, const Shape& shape,
                          std::string_view content)
{
    return constant(name, dtype, shape, content);
}

GraphPtr ModelBuilder::finish() &&
{
    Graph::Parts parts;
    parts.nodes = std::move(m_nodes);
    parts.versions.producer = 134; // TensorFlow 1.15
    parts.versions.present = true;
    return Graph::make(std::move(parts));
}

float ModelBuilder::random()
{
    return float(m_random.next() >> 40) / float(1U << 24);
}

Value port(const Value& value, int index, DType dtype, Shape shape)
{
    return {index == 0 ? value.name : value.name + ":" + std::to_string(index), dtype,
            std::move(shape)};
}

} // namespace lapidary::samples
