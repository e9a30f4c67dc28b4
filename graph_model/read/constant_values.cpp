// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/constant_values.h"

#include "graph_model/base/mapped_file.h"
#include "graph_model/base/mapped_part.h"
#include "graph_model/base/wire.h"

#include <algorithm>
#include <functional>

namespace lapidary {
namespace {

constexpr std::size_t worthMapping = std::size_t(1) << 16;
constexpr std::uint64_t mostUses = 8; // of each byte, on average
// Allows small files to share a few numbers among many tensors.
constexpr std::uint64_t alwaysAllowed = std::uint64_t(1) << 24;

bool liesWithin(std::string_view part, std::string_view whole)
{
    const std::less_equal<> notAfter;
    return notAfter(whole.data(), part.data()) &&
           notAfter(part.data() + part.size(), whole.data() + whole.size());
}

} // namespace

std::string headOfConstant(DType dtype, const Shape& shape, std::uint64_t length)
{
    constexpr std::uint32_t contentField = 4; // of TensorProto
    constexpr std::uint32_t tensorField = 8;  // of AttrValue
    const auto appendTag = [](std::string& out, std::uint32_t field, std::uint64_t size) {
        appendVarint(out, (std::uint64_t(field) << 3U) | std::uint64_t(WireType::Bytes));
        appendVarint(out, size);
    };
    std::string tensor;
    WireWriter writer(tensor);
    writer.varint(1, std::uint64_t(dtype));
    writer.bytes(2, encodeShape(shape));
    appendTag(tensor, contentField, length);
    std::string head;
    appendTag(head, tensorField, tensor.size() + length);
    return head + tensor;
}

void ConstantValues::addFile(std::filesystem::path path, BufferPtr bytes)
{
    m_fileBytes += bytes->bytes().size();
    m_files.push_back({std::move(path), std::move(bytes)});
}

Result<std::size_t> ConstantValues::add(DType dtype, const Shape& shape, std::string_view bytes)
{
    std::string head = headOfConstant(dtype, shape, bytes.size());
    const std::pair place(bytes.data(), head);
    if (const auto known = m_known.find(place); known != m_known.end())
        return known->second;
    m_asked += bytes.size();
    if (m_asked > alwaysAllowed && m_asked / mostUses > m_fileBytes)
        return Error{ErrorCode::BadFile, "too many constants share one place in the file"};
    m_known.emplace(place, m_values.size());
    Value value{.head = std::move(head), .bytes = bytes};
    for (std::size_t i = 0; i < m_files.size() && bytes.size() >= worthMapping; ++i) {
        const std::string_view whole = m_files[i].bytes->bytes();
        if (whole.size() > mappingThreshold && liesWithin(bytes, whole))
            value.file = i;
    }
    m_values.push_back(std::move(value));
    return m_values.size() - 1;
}

std::size_t ConstantValues::add(std::string encodedValue)
{
    m_values.push_back({.value = AttrBytes(std::move(encodedValue))});
    return m_values.size() - 1;
}

void ConstantValues::map()
{
    for (std::size_t i = 0; i < m_files.size(); ++i)
        mapFrom(i);
    for (Value& value : m_values)
        if (!value.head.empty() && value.value.size() == 0)
            value.value = AttrBytes(value.head + std::string(value.bytes));
}

void ConstantValues::mapFrom(std::size_t file)
{
    const std::string_view whole = m_files[file].bytes->bytes();
    std::vector<FilePart> parts;
    std::vector<Value*> values;
    for (Value& value : m_values) {
        if (value.file != file)
            continue;
        parts.push_back({.offset = std::uint64_t(value.bytes.data() - whole.data()),
                         .length = value.bytes.size(),
                         .head = value.head});
        values.push_back(&value);
    }
    if (parts.empty())
        return;
    const auto mapped = mapFileParts(m_files[file].path, parts);
    if (!mapped)
        return;
    // By now the name may lead to another file, or it never led to this one.
    constexpr std::size_t sample = 64;
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (mapped->parts[i].substr(parts[i].head.size(), sample) !=
            values[i]->bytes.substr(0, sample))
            return;
    for (std::size_t i = 0; i < parts.size(); ++i)
        values[i]->value = AttrBytes(mapped->parts[i], mapped->buffer);
}

} // namespace lapidary
