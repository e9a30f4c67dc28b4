// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/shape.h"

#include "graph_model/base/wire.h"

namespace lapidary {
namespace {

constexpr std::size_t maxDims = 254;

std::int64_t decodeDim(std::string_view dimProto)
{
    std::int64_t size = 0;
    WireReader reader(dimProto);
    while (reader.next())
        if (reader.field() == 1 && reader.type() == WireType::Varint)
            size = std::int64_t(reader.varint());
    return size;
}

// Returns the product of two non-negative sizes; nothing above 2^63 - 1.
std::optional<std::int64_t> multiply(std::int64_t a, std::int64_t b)
{
    std::int64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product))
        return std::nullopt;
    return product;
}

std::string bracketed(const Shape& shape)
{
    std::string text = "[";
    for (std::size_t i = 0; i < shape.dims.size(); ++i) {
        if (i > 0)
            text += ',';
        text += shape.dims[i] == -1 ? "?" : std::to_string(shape.dims[i]);
    }
    return text + "]";
}

std::string tooLarge(const Shape& shape)
{
    return "Shape " + bracketed(shape) + " is too large (more than 2**63 - 1 entries)";
}

} // namespace

Shape decodeShape(std::string_view shapeProto)
{
    Shape shape;
    WireReader reader(shapeProto);
    while (reader.next()) {
        if (reader.field() == 2 && reader.type() == WireType::Bytes)
            shape.dims.push_back(decodeDim(reader.bytes()));
        else if (reader.field() == 3 && reader.type() == WireType::Varint)
            shape.unknownRank = reader.varint() != 0;
    }
    return shape;
}

std::string encodeShape(const Shape& shape)
{
    std::string out;
    WireWriter writer(out);
    for (const std::int64_t dim : shape.dims) {
        std::string dimProto;
        if (dim != 0)
            WireWriter(dimProto).varint(1, std::uint64_t(dim));
        writer.bytes(2, dimProto);
    }
    if (shape.unknownRank)
        writer.varint(3, 1);
    return out;
}

std::string partialShapeFault(const Shape& shape)
{
    if (shape.unknownRank)
        return shape.dims.empty() ? "" : "An unknown shape must not have any dimensions set.";
    if (shape.dims.size() > maxDims)
        return "Shape " + bracketed(shape) + " has too many dimensions";
    bool anyUnknown = false;
    std::int64_t product = 1;
    for (const std::int64_t dim : shape.dims) {
        if (dim < -1)
            return "Shape " + bracketed(shape) +
                   " has dimensions with values below -1 (where -1 "
                   "means unknown)";
        anyUnknown = anyUnknown || dim == -1;
        if (anyUnknown)
            continue;
        const auto next = multiply(product, dim);
        if (!next)
            return tooLarge(shape);
        product = *next;
    }
    return "";
}

std::string fullShapeFault(const Shape& shape)
{
    if (shape.dims.size() > maxDims)
        return "Shape " + bracketed(shape) + " has too many dimensions";
    std::int64_t product = 1;
    for (const std::int64_t dim : shape.dims) {
        if (dim < 0)
            return "Shape " + bracketed(shape) + " is not fully defined";
        const auto next = multiply(product, dim);
        if (!next)
            return tooLarge(shape);
        product = *next;
    }
    return "";
}

std::optional<std::int64_t> elementCount(const Shape& shape)
{
    if (shape.unknownRank || !fullShapeFault(shape).empty())
        return std::nullopt;
    std::int64_t product = 1;
    for (const std::int64_t dim : shape.dims)
        product *= dim;
    return product;
}

std::string shapeText(const Shape& shape)
{
    if (!shape.unknownRank)
        return bracketed(shape);
    return shape.dims.empty() ? "<unknown>" : "<unknown>" + bracketed(shape);
}

std::string shapeLabel(const Shape& shape)
{
    if (shape.unknownRank)
        return "?";
    if (shape.dims.empty())
        return "scalar";
    std::string text;
    for (std::size_t i = 0; i < shape.dims.size(); ++i) {
        if (i > 0)
            text += "×";
        text += shape.dims[i] < 0 ? "?" : std::to_string(shape.dims[i]);
    }
    return text;
}

} // namespace lapidary
