// SPDX-License-Identifier: Apache-2.0
#include "tests/graph_model/check/sample_attrs.h"

#include "graph_model/base/wire.h"
#include "graph_model/graph/attr_value.h"

#include <algorithm>

namespace lapidary {
namespace {

// Converts a number to the bytes of an element of a type.
template <class T>
void appendElement(std::string& bytes, std::int64_t number)
{
    const T element = T(number);
    bytes.append(reinterpret_cast<const char*>(&element), sizeof element);
}

std::string functionAttr()
{
    std::string name;
    WireWriter(name).bytes(1, "f");
    std::string value;
    WireWriter(value).bytes(10, name);
    return value;
}

std::string_view firstAllowed(const AttrSpec& spec)
{
    return spec.allowedText.substr(0, spec.allowedText.find('|'));
}

} // namespace

std::string scalarTensor()
{
    std::string proto;
    WireWriter writer(proto);
    writer.varint(1, std::uint64_t(DType::Float));
    writer.bytes(2, encodeShape(Shape{}));
    writer.bytes(4, std::string_view("\0\0\x80\x3F", 4));
    return proto;
}

std::string tensorOf(DType dtype, const Shape& shape, const std::vector<std::int64_t>& numbers)
{
    std::string bytes;
    std::string proto;
    WireWriter writer(proto);
    writer.varint(1, std::uint64_t(dtype));
    writer.bytes(2, encodeShape(shape));
    for (const std::int64_t number : numbers) {
        switch (dtype) {
        case DType::Float: appendElement<float>(bytes, number); break;
        case DType::Double: appendElement<double>(bytes, number); break;
        case DType::Int32: appendElement<std::int32_t>(bytes, number); break;
        case DType::Int64: appendElement<std::int64_t>(bytes, number); break;
        case DType::Bool: appendElement<bool>(bytes, number); break;
        case DType::String: writer.bytes(8, std::to_string(number)); break;
        default: return {};
        }
    }
    if (dtype != DType::String)
        writer.bytes(4, bytes);
    return proto;
}

std::string listOf(std::string_view elements)
{
    std::string value;
    WireWriter(value).bytes(1, elements);
    return value;
}

std::string elementOf(std::string_view kind)
{
    std::string element;
    WireWriter writer(element);
    if (kind == "string")
        writer.bytes(2, "s");
    else if (kind == "int")
        writer.varint(3, 1);
    else if (kind == "float")
        element = std::string("\x25\0\0\x80\x3F", 5);
    else if (kind == "bool")
        writer.varint(5, 1);
    else if (kind == "type")
        writer.varint(6, std::uint64_t(DType::Float));
    else if (kind == "shape")
        writer.bytes(7, encodeShape(Shape{{}, true}));
    else if (kind == "tensor")
        writer.bytes(8, scalarTensor());
    else
        writer.bytes(9, "\n\1f");
    return element;
}

std::string valueOf(std::string_view kind)
{
    if (kind == "string")
        return attr::fromString("s");
    if (kind == "int")
        return attr::fromInt(1);
    if (kind == "float")
        return attr::fromFloat(1);
    if (kind == "bool")
        return attr::fromBool(true);
    if (kind == "type")
        return attr::fromType(DType::Float);
    if (kind == "shape")
        return attr::fromShape(Shape{{}, true});
    if (kind == "tensor")
        return attr::fromTensorProto(scalarTensor());
    return functionAttr();
}

std::string_view elementKind(const AttrSpec& spec)
{
    return spec.kind.starts_with("list(") ? spec.kind.substr(5, spec.kind.size() - 6) : spec.kind;
}

bool isList(const AttrSpec& spec)
{
    return spec.kind.starts_with("list(");
}

std::string soundElement(const AttrSpec& spec)
{
    std::string element;
    const std::string_view kind = elementKind(spec);
    if (kind == "type" && !spec.allowedText.empty())
        WireWriter(element).varint(
            6, std::uint64_t(parseDtype(firstAllowed(spec)).value_or(DType::Float)));
    else if (kind == "string" && spec.allowedText.size() > 2)
        WireWriter(element).bytes(2, firstAllowed(spec).substr(1, firstAllowed(spec).size() - 2));
    else
        element = elementOf(kind);
    return element;
}

std::string soundValue(const AttrSpec& spec)
{
    if (isList(spec)) {
        std::string elements;
        // Strides, windows and similar attributes have a number for each of four dimensions.
        const std::int64_t least = elementKind(spec) == "int" ? 4 : 1;
        const std::int64_t count = spec.hasMinimum ? std::max(spec.minimum, least) : least;
        for (std::int64_t i = 0; i < count; ++i)
            elements += soundElement(spec);
        return listOf(elements);
    }
    if (spec.kind == "type" && !spec.allowedText.empty())
        return attr::fromType(parseDtype(firstAllowed(spec)).value_or(DType::Float));
    if (spec.kind == "string" && spec.allowedText.size() > 2)
        return attr::fromString(firstAllowed(spec).substr(1, firstAllowed(spec).size() - 2));
    if (spec.kind == "int" && spec.hasMinimum)
        return attr::fromInt(std::max<std::int64_t>(spec.minimum, 1));
    return valueOf(spec.kind);
}

} // namespace lapidary
