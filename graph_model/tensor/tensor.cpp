// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tensor/tensor.h"

#include "graph_model/base/wire.h"
#include "graph_model/tensor/narrow_float.h"
#include "graph_model/tensor/tensor_layout.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace lapidary {
namespace {

static_assert(std::endian::native == std::endian::little,
              "tensor bytes are used in the order of the file");

// Collects units [first, last) of a value field, each cut to `width` bytes, over all chunks.
class UnitCollector {
public:
    UnitCollector(const ValueField& field, std::size_t width, std::uint64_t first,
                  std::uint64_t last)
        : m_encoding(field.encoding)
        , m_width(width)
        , m_first(first)
        , m_last(last)
        , m_isBool(field.number == valueField(DType::Bool).number)
    {
        m_bytes.reserve((last - first) * width);
    }

    void addSingle(std::uint64_t value)
    {
        if (m_at >= m_first && m_at < m_last)
            append(value);
        ++m_at;
    }

    void addPacked(std::string_view chunk)
    {
        if (m_encoding == ValueEncoding::Varint)
            addVarints(chunk);
        else
            addFixed(chunk);
    }

    bool isDone() const { return m_at >= m_last; }
    std::string take() && { return std::move(m_bytes); }

private:
    void append(std::uint64_t value)
    {
        if (m_isBool)
            value = value == 0 ? 0 : 1;
        m_bytes.append(reinterpret_cast<const char*>(&value), m_width);
    }

    // These units are as wide as the elements, so they are copied in one piece.
    void addFixed(std::string_view chunk)
    {
        const std::uint64_t count = chunk.size() / m_width;
        const std::uint64_t from = std::min(std::max(m_first, m_at) - m_at, count);
        const std::uint64_t to = std::min(std::max(m_last, m_at) - m_at, count);
        m_bytes.append(chunk.substr(from * m_width, (to - from) * m_width));
        m_at += count;
    }

    void addVarints(std::string_view chunk)
    {
        std::uint64_t value = 0;
        int shift = 0;
        for (const char c : chunk) {
            if (shift < 64)
                value |= std::uint64_t(std::uint8_t(c) & 0x7F) << shift;
            shift += 7;
            if ((std::uint8_t(c) & 0x80) != 0)
                continue;
            addSingle(value);
            if (isDone())
                return;
            value = 0;
            shift = 0;
        }
    }

    std::string m_bytes;
    ValueEncoding m_encoding;
    std::size_t m_width;
    std::uint64_t m_first;
    std::uint64_t m_last;
    std::uint64_t m_at = 0;
    bool m_isBool = false;
};

std::string collectUnits(std::string_view proto, const ValueField& field, UnitCollector units)
{
    WireReader reader(proto);
    while (!units.isDone() && reader.next()) {
        if (reader.field() != field.number)
            continue;
        if (reader.type() == WireType::Bytes)
            units.addPacked(reader.bytes());
        else if ((reader.type() == WireType::Varint && field.encoding == ValueEncoding::Varint) ||
                 (reader.type() == WireType::Fixed32 && field.encoding == ValueEncoding::Fixed32) ||
                 (reader.type() == WireType::Fixed64 && field.encoding == ValueEncoding::Fixed64))
            units.addSingle(reader.varint());
    }
    return std::move(units).take();
}

// Appends `count` copies of `element`, doubling the copied part each time.
void appendCopies(std::string& out, std::string_view element, std::uint64_t count)
{
    const std::size_t start = out.size();
    const std::size_t size = element.size() * count;
    if (size == 0)
        return;
    out.append(element);
    while (out.size() - start < size) {
        const std::size_t filled = out.size() - start;
        const std::size_t more = std::min(filled, size - filled);
        out.resize(out.size() + more);
        std::memcpy(out.data() + start + filled, out.data() + start, more);
    }
}

void normalizeBools(std::string& bytes)
{
    for (char& byte : bytes)
        byte = byte == 0 ? 0 : 1;
}

template <class T>
T load(const char* at)
{
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

double numberAt(DType dtype, const char* at)
{
    using enum DType;
    switch (dtype) {
    case Float: return load<float>(at);
    case Double: return load<double>(at);
    case Int32:
    case QInt32: return load<std::int32_t>(at);
    case UInt8:
    case QUInt8:
    case Bool: return load<std::uint8_t>(at);
    case Int16:
    case QInt16: return load<std::int16_t>(at);
    case Int8:
    case QInt8: return load<std::int8_t>(at);
    case UInt16:
    case QUInt16: return load<std::uint16_t>(at);
    case Int64: return double(load<std::int64_t>(at));
    case UInt32: return load<std::uint32_t>(at);
    case UInt64: return double(load<std::uint64_t>(at));
    case Half: return lapidary::Half::floatFromHalf(load<std::uint16_t>(at));
    case BFloat16: return std::bit_cast<float>(std::uint32_t(load<std::uint16_t>(at)) << 16);
    case Complex64: return std::hypot(double(load<float>(at)), double(load<float>(at + 4)));
    case Complex128: return std::hypot(load<double>(at), load<double>(at + 8));
    case String:
    case Resource:
    case Variant:
    case Invalid: break;
    }
    return 0;
}

Error tooLarge(const Shape& shape, DType dtype, const std::string& limit)
{
    return Error{ErrorCode::Unsupported, "the tensor " + dtypeName(dtype) + " " + shapeText(shape) +
                                             " is larger than " + limit +
                                             " when expanded; ask for a part of it"};
}

Error notNumbers(DType dtype)
{
    return Error{ErrorCode::Unsupported,
                 "a tensor of " + dtypeName(dtype) + " holds no plain numbers"};
}

std::vector<std::string> contentStrings(std::string_view content, std::int64_t count)
{
    std::vector<std::uint32_t> lengths;
    lengths.resize(std::size_t(count));
    std::size_t at = 0;
    for (std::uint32_t& length : lengths)
        if (!readStringLength(content, at, length))
            return {};
    std::vector<std::string> out;
    out.reserve(lengths.size());
    for (const std::uint32_t length : lengths) {
        out.emplace_back(content.substr(std::min(at, content.size()), length));
        at += length;
    }
    return out;
}

std::vector<std::string_view> typedStrings(std::string_view proto, std::uint64_t limit)
{
    std::vector<std::string_view> out;
    const std::uint32_t field = valueField(DType::String).number;
    WireReader reader(proto);
    while (out.size() < limit && reader.next())
        if (reader.field() == field && reader.type() == WireType::Bytes)
            out.push_back(reader.bytes());
    return out;
}

// The maximum size of the text of a splat of one long string.
constexpr std::uint64_t maxStringBytes = std::uint64_t(1) << 30;

} // namespace

Result<Tensor> Tensor::decode(std::string_view proto, BufferPtr owner)
{
    const TensorLayout layout = readTensorLayout(proto);
    if (!layout.faultKind.empty())
        return Error{ErrorCode::BadFile, "the tensor cannot be decoded: " + layout.fault};
    Tensor tensor;
    tensor.m_owner = std::move(owner);
    tensor.m_proto = proto;
    tensor.m_content = layout.elements > 0 ? layout.content : std::string_view();
    tensor.m_shape = layout.shape;
    tensor.m_elements = layout.elements;
    tensor.m_stored = std::int64_t(std::min(layout.stored, std::uint64_t(layout.elements)));
    tensor.m_dtype = layout.dtype;
    return tensor;
}

std::string Tensor::elementBytes(std::int64_t begin, std::int64_t end) const
{
    const std::size_t size = dtypeSize(m_dtype);
    const auto first = std::uint64_t(begin);
    const auto last = std::uint64_t(end);
    const auto stored = std::uint64_t(m_stored);
    std::string bytes;
    if (first >= last)
        return bytes;
    if (!m_content.empty()) {
        bytes = m_content.substr(first * size, (last - first) * size);
    } else if (stored == 0) {
        bytes.assign((last - first) * size, '\0');
    } else {
        const ValueField field = valueField(m_dtype);
        const auto units = std::uint64_t(field.unitsPerElement);
        const std::uint64_t from = std::min(first, stored - 1);
        const std::uint64_t to = std::min(last, stored);
        bytes = collectUnits(m_proto, field,
                             UnitCollector(field, size / units, from * units, to * units));
        bytes.resize((to - from) * size); // short only if the file has been truncated meanwhile
        const std::string repeated = bytes.substr(bytes.size() - size);
        if (first >= stored)
            bytes.clear();
        bytes.reserve((last - first) * size);
        appendCopies(bytes, repeated, last - std::max(first, to));
    }
    if (m_dtype == DType::Bool)
        normalizeBools(bytes);
    return bytes;
}

Result<std::string> Tensor::values(std::uint64_t limit) const
{
    const std::size_t size = dtypeSize(m_dtype);
    if (size == 0)
        return notNumbers(m_dtype);
    if (std::uint64_t(m_elements) > limit / size)
        return tooLarge(m_shape, m_dtype, std::to_string(limit) + " bytes");
    if (m_owner)
        if (const Status intact = m_owner->intact(); !intact.ok())
            return intact.error();
    return elementBytes(0, m_elements);
}

Result<std::vector<std::string>> Tensor::strings(std::uint64_t limit) const
{
    if (m_dtype != DType::String)
        return Error{ErrorCode::InvalidArgument,
                     "a tensor of " + dtypeName(m_dtype) + " holds no strings"};
    if (std::uint64_t(m_elements) > limit)
        return tooLarge(m_shape, m_dtype, std::to_string(limit) + " elements");
    if (m_owner)
        if (const Status intact = m_owner->intact(); !intact.ok())
            return intact.error();
    if (!m_content.empty())
        return contentStrings(m_content, m_elements);
    const std::vector<std::string_view> typed = typedStrings(m_proto, std::uint64_t(m_elements));
    const std::string_view last = typed.empty() ? std::string_view() : typed.back();
    const std::uint64_t repeats = std::uint64_t(m_elements) - typed.size();
    if (!last.empty() && repeats > maxStringBytes / last.size())
        return tooLarge(m_shape, m_dtype, std::to_string(maxStringBytes) + " bytes");
    std::vector<std::string> out(typed.begin(), typed.end());
    out.resize(std::size_t(m_elements), std::string(last));
    return out;
}

Result<std::string> Tensor::bytes(std::int64_t begin, std::int64_t end) const
{
    if (dtypeSize(m_dtype) == 0)
        return notNumbers(m_dtype);
    if (begin < 0 || begin > end || end > m_elements)
        return Error{ErrorCode::InvalidArgument,
                     "elements " + std::to_string(begin) + " to " + std::to_string(end) +
                         " of a tensor with " + std::to_string(m_elements) + " were asked for"};
    if (m_owner)
        if (const Status intact = m_owner->intact(); !intact.ok())
            return intact.error();
    return elementBytes(begin, end);
}

Result<std::vector<double>> Tensor::numbers(std::int64_t begin, std::int64_t end) const
{
    ASSIGN_OR_RETURN(const auto bytes, this->bytes(begin, end));
    const std::size_t size = dtypeSize(m_dtype);
    std::vector<double> out(std::size_t(end - begin));
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = numberAt(m_dtype, bytes.data() + i * size);
    return out;
}

} // namespace lapidary
