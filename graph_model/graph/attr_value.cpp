// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/attr_value.h"

#include "graph_model/base/digits.h"
#include "graph_model/base/utf8.h"
#include "graph_model/base/wire.h"

#include <bit>
#include <cstring>

namespace lapidary {
namespace {

constexpr std::uint32_t fieldTensorDtype = 1;
constexpr std::uint32_t fieldTensorShape = 2;

bool isLengthDelimited(AttrKind kind)
{
    switch (kind) {
    case AttrKind::List:
    case AttrKind::String:
    case AttrKind::Shape:
    case AttrKind::Tensor:
    case AttrKind::Placeholder:
    case AttrKind::Func: return true;
    default: return false;
    }
}

WireType wireTypeOf(AttrKind kind)
{
    if (isLengthDelimited(kind))
        return WireType::Bytes;
    return kind == AttrKind::Float ? WireType::Fixed32 : WireType::Varint;
}

// Calls `use` for each number of a repeated field, packed or not.
template <class Use>
void eachNumber(std::string_view list, std::uint32_t field, WireType plain, const Use& use)
{
    WireReader reader(list);
    while (reader.next()) {
        if (reader.field() != field)
            continue;
        if (reader.type() == plain) {
            use(reader.varint());
        } else if (reader.type() == WireType::Bytes && plain == WireType::Fixed32) {
            const std::string_view packed = reader.bytes();
            for (std::size_t at = 0; at + 4 <= packed.size(); at += 4) {
                std::uint32_t word = 0;
                std::memcpy(&word, packed.data() + at, 4);
                use(std::uint64_t(word));
            }
        } else if (reader.type() == WireType::Bytes) {
            VarintSpan span(reader.bytes());
            std::uint64_t value = 0;
            while (span.next(value))
                use(value);
        }
    }
}

std::vector<std::string_view> eachBytes(std::string_view list, std::uint32_t field)
{
    std::vector<std::string_view> out;
    WireReader reader(list);
    while (reader.next())
        if (reader.field() == field && reader.type() == WireType::Bytes)
            out.push_back(reader.bytes());
    return out;
}

std::string_view functionName(std::string_view nameAttrList)
{
    std::string_view name;
    for (const std::string_view bytes : eachBytes(nameAttrList, 1))
        name = bytes;
    return name;
}

std::string tensorText(std::string_view proto)
{
    DType dtype = DType::Invalid;
    Shape shape;
    WireReader reader(proto);
    while (reader.next()) {
        if (reader.field() == fieldTensorDtype && reader.type() == WireType::Varint)
            dtype = DType(std::int32_t(reader.varint()));
        else if (reader.field() == fieldTensorShape && reader.type() == WireType::Bytes)
            shape = decodeShape(reader.bytes());
    }
    return dtypeName(dtype) + " " + shapeLabel(shape);
}

void cut(std::string& text, std::size_t limit)
{
    if (text.size() <= limit)
        return;
    text.resize(utf8Boundary(text, limit));
    text += "…";
}

} // namespace

AttrValue::AttrValue(std::string_view encoded)
    : m_encoded(encoded)
{
    WireReader reader(encoded);
    while (reader.next()) {
        if (reader.field() > std::uint32_t(AttrKind::Func))
            continue;
        const auto kind = AttrKind(reader.field());
        if (reader.type() != wireTypeOf(kind))
            continue;
        m_kind = kind;
        m_bytes = isLengthDelimited(kind) ? reader.bytes() : std::string_view();
        m_number = reader.varint();
    }
}

std::optional<std::string_view> AttrValue::lengthDelimited(AttrKind kind) const
{
    if (m_kind != kind)
        return std::nullopt;
    return m_bytes;
}

std::optional<std::string_view> AttrValue::asString() const
{
    return lengthDelimited(AttrKind::String);
}

std::optional<std::int64_t> AttrValue::asInt() const
{
    if (m_kind != AttrKind::Int)
        return std::nullopt;
    return std::int64_t(m_number);
}

std::optional<float> AttrValue::asFloat() const
{
    if (m_kind != AttrKind::Float)
        return std::nullopt;
    return std::bit_cast<float>(std::uint32_t(m_number));
}

std::optional<bool> AttrValue::asBool() const
{
    if (m_kind != AttrKind::Bool)
        return std::nullopt;
    return m_number != 0;
}

std::optional<DType> AttrValue::asType() const
{
    if (m_kind != AttrKind::Type)
        return std::nullopt;
    return DType(std::int32_t(m_number));
}

std::optional<Shape> AttrValue::asShape() const
{
    if (m_kind != AttrKind::Shape)
        return std::nullopt;
    return decodeShape(m_bytes);
}

std::optional<std::string_view> AttrValue::asTensorProto() const
{
    return lengthDelimited(AttrKind::Tensor);
}

std::optional<std::string_view> AttrValue::asPlaceholder() const
{
    return lengthDelimited(AttrKind::Placeholder);
}

std::optional<std::string_view> AttrValue::asFunctionName() const
{
    if (m_kind != AttrKind::Func)
        return std::nullopt;
    return functionName(m_bytes);
}

// Field numbers within AttrValue.ListValue are those of AttrValue, except func = 9.
std::vector<std::string_view> AttrValue::strings() const
{
    return m_kind == AttrKind::List ? eachBytes(m_bytes, 2) : std::vector<std::string_view>();
}

std::vector<std::int64_t> AttrValue::ints() const
{
    std::vector<std::int64_t> out;
    if (m_kind == AttrKind::List)
        eachNumber(m_bytes, 3, WireType::Varint,
                   [&](std::uint64_t value) { out.push_back(std::int64_t(value)); });
    return out;
}

std::vector<float> AttrValue::floats() const
{
    std::vector<float> out;
    if (m_kind == AttrKind::List)
        eachNumber(m_bytes, 4, WireType::Fixed32, [&](std::uint64_t value) {
            out.push_back(std::bit_cast<float>(std::uint32_t(value)));
        });
    return out;
}

std::vector<bool> AttrValue::bools() const
{
    std::vector<bool> out;
    if (m_kind == AttrKind::List)
        eachNumber(m_bytes, 5, WireType::Varint,
                   [&](std::uint64_t value) { out.push_back(value != 0); });
    return out;
}

std::vector<DType> AttrValue::types() const
{
    std::vector<DType> out;
    if (m_kind == AttrKind::List)
        eachNumber(m_bytes, 6, WireType::Varint,
                   [&](std::uint64_t value) { out.push_back(DType(std::int32_t(value))); });
    return out;
}

std::vector<Shape> AttrValue::shapes() const
{
    std::vector<Shape> out;
    if (m_kind == AttrKind::List)
        for (const std::string_view proto : eachBytes(m_bytes, 7))
            out.push_back(decodeShape(proto));
    return out;
}

std::vector<std::string_view> AttrValue::tensorProtos() const
{
    return m_kind == AttrKind::List ? eachBytes(m_bytes, 8) : std::vector<std::string_view>();
}

std::vector<std::string_view> AttrValue::functionNames() const
{
    std::vector<std::string_view> out;
    if (m_kind == AttrKind::List)
        for (const std::string_view proto : eachBytes(m_bytes, 9))
            out.push_back(functionName(proto));
    return out;
}

namespace {

std::string scalarText(const AttrValue& value)
{
    switch (value.kind()) {
    case AttrKind::String: return std::string(*value.asString());
    case AttrKind::Int: return std::to_string(*value.asInt());
    case AttrKind::Float: return shortestDigits(float(*value.asFloat()));
    case AttrKind::Bool: return *value.asBool() ? "true" : "false";
    case AttrKind::Type: return dtypeName(*value.asType());
    case AttrKind::Shape: return shapeLabel(*value.asShape());
    case AttrKind::Tensor: return tensorText(*value.asTensorProto());
    case AttrKind::Placeholder: return "$" + std::string(*value.asPlaceholder());
    case AttrKind::Func: return std::string(*value.asFunctionName()) + "()";
    default: return "";
    }
}

template <class Values, class Text>
void append(std::string& out, const Values& values, std::size_t limit, const Text& text)
{
    for (const auto& value : values) {
        if (out.size() > limit)
            return;
        if (out.size() > 1)
            out += ", ";
        out += text(value);
    }
}

std::string listText(const AttrValue& value, std::size_t limit)
{
    std::string out = "[";
    append(out, value.strings(), limit, [](std::string_view v) { return std::string(v); });
    append(out, value.ints(), limit, [](std::int64_t v) { return std::to_string(v); });
    append(out, value.floats(), limit, [](float v) { return shortestDigits(v); });
    append(out, value.bools(), limit, [](bool v) { return v ? "true" : "false"; });
    append(out, value.types(), limit, [](DType v) { return dtypeName(v); });
    append(out, value.shapes(), limit, [](const Shape& v) { return shapeLabel(v); });
    append(out, value.tensorProtos(), limit, [](std::string_view v) { return tensorText(v); });
    append(out, value.functionNames(), limit,
           [](std::string_view v) { return std::string(v) + "()"; });
    return out + "]";
}

} // namespace

std::string AttrValue::text(std::size_t limit) const
{
    std::string out = m_kind == AttrKind::List ? listText(*this, limit) : scalarText(*this);
    cut(out, limit);
    return out;
}

namespace attr {
namespace {

std::string member(AttrKind kind, std::string_view bytes)
{
    std::string out;
    WireWriter(out).bytes(std::uint32_t(kind), bytes);
    return out;
}

std::string member(AttrKind kind, std::uint64_t value)
{
    std::string out;
    WireWriter(out).varint(std::uint32_t(kind), value);
    return out;
}

} // namespace

std::string fromString(std::string_view value)
{
    return member(AttrKind::String, value);
}

std::string fromInt(std::int64_t value)
{
    return member(AttrKind::Int, std::uint64_t(value));
}

std::string fromFloat(float value)
{
    std::string out;
    WireWriter(out).fixed32(std::uint32_t(AttrKind::Float), std::bit_cast<std::uint32_t>(value));
    return out;
}

std::string fromBool(bool value)
{
    return member(AttrKind::Bool, std::uint64_t(value ? 1 : 0));
}

std::string fromType(DType value)
{
    return member(AttrKind::Type, std::uint64_t(std::int64_t(value)));
}

std::string fromShape(const Shape& value)
{
    return member(AttrKind::Shape, encodeShape(value));
}

std::string fromInts(const std::vector<std::int64_t>& values)
{
    std::string packed;
    for (const std::int64_t value : values)
        appendVarint(packed, std::uint64_t(value));
    std::string list;
    if (!packed.empty())
        WireWriter(list).bytes(3, packed);
    return member(AttrKind::List, list);
}

std::string fromTensorProto(std::string_view proto)
{
    return member(AttrKind::Tensor, proto);
}

} // namespace attr

} // namespace lapidary
