// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/tensor_layout.h"

#include "graph_model/base/wire.h"

#include <algorithm>
#include <limits>

namespace lapidary {
namespace {

constexpr std::uint32_t fieldDtype = 1;
constexpr std::uint32_t fieldShape = 2;
constexpr std::uint32_t fieldContent = 4;
constexpr std::uint32_t firstValueField = 5;
constexpr std::uint32_t lastValueField = 17;
constexpr std::size_t maxShapeDims = 254;
// Approximate memory of an element of string, resource or variant.
constexpr std::uint64_t handleSize = 32;

ValueEncoding fieldEncoding(std::uint32_t field)
{
    switch (field) {
    case 5:
    case 9: return ValueEncoding::Fixed32;
    case 6:
    case 12: return ValueEncoding::Fixed64;
    case 8:
    case 14:
    case 15: return ValueEncoding::Bytes;
    case 7:
    case 10:
    case 11:
    case 13:
    case 16:
    case 17: return ValueEncoding::Varint;
    default: return ValueEncoding::None;
    }
}

// Counts the values in one packed chunk; returns false if the chunk ends within a value.
bool countPacked(ValueEncoding encoding, std::string_view chunk, std::uint64_t& count)
{
    if (encoding == ValueEncoding::Varint) {
        count += std::uint64_t(
            std::ranges::count_if(chunk, [](char c) { return (std::uint8_t(c) & 0x80) == 0; }));
        return chunk.empty() || (std::uint8_t(chunk.back()) & 0x80) == 0;
    }
    const std::size_t width = encoding == ValueEncoding::Fixed32 ? 4 : 8;
    count += chunk.size() / width;
    return chunk.size() % width == 0;
}

// Counts the values that the current field of `reader` adds; returns false if it is damaged. Wire
// types other than the field's own are unknown fields to protobuf.
bool countField(const WireReader& reader, std::uint64_t& count)
{
    const ValueEncoding encoding = fieldEncoding(reader.field());
    if (reader.type() == WireType::Bytes) {
        if (encoding != ValueEncoding::Bytes)
            return countPacked(encoding, reader.bytes(), count);
        ++count;
        return true;
    }
    const bool single =
        (encoding == ValueEncoding::Varint && reader.type() == WireType::Varint) ||
        (encoding == ValueEncoding::Fixed32 && reader.type() == WireType::Fixed32) ||
        (encoding == ValueEncoding::Fixed64 && reader.type() == WireType::Fixed64);
    count += single ? 1 : 0;
    return true;
}

struct Scan {
    std::string shape; // the shape messages concatenated: protobuf merges them
    std::uint64_t counts[lastValueField + 1] = {};
    std::uint64_t dtype = 0;
    bool damaged = false;
};

Scan scan(std::string_view proto, std::string_view& content)
{
    Scan found;
    WireReader reader(proto);
    while (reader.next()) {
        const std::uint32_t field = reader.field();
        if (field == fieldDtype && reader.type() == WireType::Varint)
            found.dtype = reader.varint();
        else if (field == fieldShape && reader.type() == WireType::Bytes)
            found.shape += reader.bytes();
        else if (field == fieldContent && reader.type() == WireType::Bytes)
            content = reader.bytes();
        else if (field >= firstValueField && field <= lastValueField)
            found.damaged = !countField(reader, found.counts[field]) || found.damaged;
    }
    found.damaged = found.damaged || reader.failed();
    return found;
}

void setFault(TensorLayout& layout, std::string kind, std::string why)
{
    layout.faultKind = std::move(kind);
    layout.fault = std::move(why);
}

void checkShape(TensorLayout& layout)
{
    const std::vector<std::int64_t>& dims = layout.shape.dims;
    const std::string fault = fullShapeFault(layout.shape);
    if (!fault.empty()) {
        const bool bad = dims.size() > maxShapeDims ||
                         std::ranges::any_of(dims, [](std::int64_t dim) { return dim < 0; });
        setFault(layout, bad ? "bad_shape" : "shape_overflow", "its shape is invalid: " + fault);
        return;
    }
    // unknown_rank is ignored. The product cannot overflow here.
    layout.elements = 1;
    for (const std::int64_t dim : dims)
        layout.elements *= dim;
}

// The content is N lengths, then as many bytes as their sum.
void checkStringContent(TensorLayout& layout)
{
    const std::string_view content = layout.content;
    std::size_t at = 0;
    std::uint64_t sum = 0;
    for (std::int64_t i = 0; i < layout.elements; ++i) {
        std::uint32_t length = 0;
        if (!readStringLength(content, at, length)) {
            setFault(layout, "string_count",
                     "its content ends within the lengths of its " +
                         std::to_string(layout.elements) + " strings");
            return;
        }
        sum += length;
    }
    if (sum != content.size() - at)
        setFault(layout, "string_count",
                 "its strings take " + std::to_string(sum) + " bytes by their lengths, but " +
                     std::to_string(content.size() - at) + " follow");
}

void checkContent(TensorLayout& layout)
{
    layout.stored = std::uint64_t(layout.elements);
    const std::size_t size = dtypeSize(layout.dtype);
    if (size == 0)
        checkStringContent(layout);
    else if (layout.content.size() != std::uint64_t(layout.elements) * size)
        setFault(layout, "content_size",
                 "its content has " + std::to_string(layout.content.size()) + " bytes, but " +
                     dtypeName(layout.dtype) + " " + shapeText(layout.shape) + " takes " +
                     std::to_string(std::uint64_t(layout.elements) * size));
}

bool bytesOverflow(const TensorLayout& layout)
{
    const std::uint64_t size = dtypeSize(layout.dtype);
    const std::uint64_t unit = size == 0 ? handleSize : size;
    return std::uint64_t(layout.elements) >
           std::uint64_t(std::numeric_limits<std::int64_t>::max()) / unit;
}

void checkValues(TensorLayout& layout)
{
    if (layout.elements == 0)
        return;
    if (bytesOverflow(layout)) {
        setFault(layout, "shape_overflow",
                 "its " + shapeText(layout.shape) + " elements of " + dtypeName(layout.dtype) +
                     " take more bytes than can be counted");
        return;
    }
    if (layout.isContent())
        checkContent(layout);
}

} // namespace

ValueField valueField(DType dtype)
{
    using enum DType;
    switch (dtype) {
    case Float: return {5, ValueEncoding::Fixed32};
    case Double: return {6, ValueEncoding::Fixed64};
    case Int32:
    case Int16:
    case Int8:
    case UInt16:
    case UInt8:
    case QInt8:
    case QUInt8:
    case QInt16:
    case QUInt16:
    case QInt32: return {7, ValueEncoding::Varint};
    case String: return {8, ValueEncoding::Bytes};
    case Complex64: return {9, ValueEncoding::Fixed32, 2};
    case Int64: return {10, ValueEncoding::Varint};
    case Bool: return {11, ValueEncoding::Varint};
    case Complex128: return {12, ValueEncoding::Fixed64, 2};
    case Half:
    case BFloat16: return {13, ValueEncoding::Varint};
    case Resource: return {14, ValueEncoding::Bytes};
    case Variant: return {15, ValueEncoding::Bytes};
    case UInt32: return {16, ValueEncoding::Varint};
    case UInt64: return {17, ValueEncoding::Varint};
    case Invalid: break;
    }
    return {};
}

bool readStringLength(std::string_view content, std::size_t& at, std::uint32_t& length)
{
    std::string_view left = content.substr(std::min(at, content.size()), 5); // 35 bits at most
    const std::size_t available = left.size();
    std::uint64_t number = 0;
    const bool isWhole = takeVarint(left, number);
    at += available - left.size();
    length = std::uint32_t(number);
    return isWhole;
}

Shape tensorProtoShape(std::string_view proto)
{
    std::string merged;
    WireReader reader(proto);
    while (reader.next())
        if (reader.field() == fieldShape && reader.type() == WireType::Bytes)
            merged += reader.bytes();
    Shape shape = decodeShape(merged);
    shape.unknownRank = false;
    return shape;
}

TensorLayout readTensorLayout(std::string_view proto)
{
    TensorLayout layout;
    const Scan found = scan(proto, layout.content);
    layout.dtype = DType(std::int32_t(found.dtype));
    layout.shape = decodeShape(found.shape);
    if (found.damaged) {
        setFault(layout, "truncated", "its encoding is damaged");
        return layout;
    }
    checkShape(layout);
    const ValueField field = valueField(layout.dtype);
    if (layout.faultKind.empty() && field.number == 0)
        setFault(layout, "invalid_dtype",
                 "its dtype is " +
                     (layout.dtype == DType::Invalid ? "not set" : dtypeName(layout.dtype)));
    if (!layout.faultKind.empty())
        return layout;
    for (std::uint32_t i = firstValueField; i <= lastValueField; ++i)
        layout.stray += i == field.number ? 0 : found.counts[i];
    layout.stored = found.counts[field.number] / std::uint64_t(field.unitsPerElement);
    checkValues(layout);
    return layout;
}

} // namespace lapidary
