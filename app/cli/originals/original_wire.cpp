// SPDX-License-Identifier: Apache-2.0
#include "app/cli/originals/original_wire.h"

#include "graph_model/base/utf8.h"
#include "graph_model/base/varint.h"
#include "graph_model/read/schema.h"
#include "graph_model/read/wire_check.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lapidary {
namespace {

constexpr std::size_t maxDepth = 100;

// Walks the message with an explicit stack; all positions are positions in the whole file.
class Walk {
public:
    explicit Walk(std::string_view bytes)
        : m_bytes(bytes)
    {
        m_open.push_back({&messageSpec(MessageId::GraphDef), 0, 0, bytes.size()});
    }

    bool run();
    // Returns the message with corrected lengths for the fields that the end of the file cut off.
    std::string mended() const;

private:
    struct Open {
        const MessageSpec* spec; // null: a group, of which only the end is checked
        std::size_t length;      // position of the length field
        std::size_t begin;
        std::size_t end; // may be after the end of the file
        std::uint32_t group = 0;
    };
    bool readVarint(std::uint64_t& value);
    bool skip(std::uint64_t count);
    bool readField();
    bool readBytes(const FieldSpec* field);
    bool enter(const FieldSpec& field, std::size_t length, std::uint64_t size);
    bool readPacked(const FieldSpec& field, std::size_t end);
    std::size_t end() const { return std::min(m_open.back().end, m_bytes.size()); }

    std::string_view m_bytes;
    std::vector<Open> m_open;
    std::size_t m_at = 0;
};

bool Walk::readVarint(std::uint64_t& value)
{
    std::string_view left = m_bytes.substr(m_at, end() - std::min(m_at, end()));
    const std::size_t available = left.size();
    const bool isWhole = takeVarint(left, value);
    m_at += available - left.size();
    return isWhole;
}

bool Walk::skip(std::uint64_t count)
{
    if (count > end() - m_at)
        return false;
    m_at += std::size_t(count);
    return true;
}

bool Walk::readPacked(const FieldSpec& field, std::size_t packedEnd)
{
    const WireType element = wireTypeOf(field.type);
    while (m_at < packedEnd) {
        std::uint64_t value = 0;
        const bool read = element == WireType::Varint    ? readVarint(value)
                          : element == WireType::Fixed32 ? skip(4)
                                                         : skip(8);
        if (!read)
            return false;
    }
    return m_at == packedEnd;
}

bool Walk::enter(const FieldSpec& field, std::size_t length, std::uint64_t size)
{
    if (m_open.size() > maxDepth || m_at + size > m_open.back().end) {
        const bool isTop = m_open.size() == 1; // the end of the file does not shorten a length
        if (m_open.size() > maxDepth || !isTop)
            return false;
    }
    m_open.push_back({&messageSpec(field.message()), length, m_at, m_at + std::size_t(size)});
    return true;
}

bool Walk::readBytes(const FieldSpec* field)
{
    const std::size_t length = m_at;
    std::uint64_t size = 0;
    if (!readVarint(size) || size > INT32_MAX)
        return false;
    if (field != nullptr && field->type == FieldType::Message)
        return enter(*field, length, size);
    const std::size_t begin = m_at;
    const bool isPacked =
        field != nullptr && field->isRepeated() && wireTypeOf(field->type) != WireType::Bytes;
    if (isPacked)
        return size <= end() - m_at && readPacked(*field, m_at + std::size_t(size));
    if (!skip(size))
        return false;
    return field == nullptr || field->type != FieldType::String ||
           isValidUtf8(m_bytes.substr(begin, std::size_t(size)));
}

bool Walk::readField()
{
    std::uint64_t tag = 0;
    if (!readVarint(tag))
        return false;
    const auto number = std::uint32_t(tag) >> 3;
    const auto type = WireType(tag & 7U);
    if (number == 0)
        return false;
    const MessageSpec* spec = m_open.back().spec;
    const FieldSpec* field = spec != nullptr ? spec->field(number) : nullptr;
    std::uint64_t value = 0;
    switch (type) {
    case WireType::Varint: return readVarint(value);
    case WireType::Fixed64: return skip(8);
    case WireType::Fixed32: return skip(4);
    case WireType::Bytes: return readBytes(field);
    case WireType::StartGroup:
        m_open.push_back({nullptr, 0, m_at, m_open.back().end, number});
        return m_open.size() <= maxDepth;
    case WireType::EndGroup:
        if (m_open.back().group != number)
            return false;
        m_open.pop_back();
        return true;
    }
    return false;
}

bool Walk::run()
{
    while (true) {
        while (m_open.size() > 1 && m_open.back().spec != nullptr && m_at == m_open.back().end)
            m_open.pop_back();
        if (m_at == m_bytes.size())
            return m_open.back().spec != nullptr; // a group must be closed
        if (m_at >= end() || !readField())
            return false;
    }
}

std::string Walk::mended() const
{
    std::string tail;
    std::size_t covered = m_bytes.size();
    for (std::size_t i = m_open.size(); i > 1; --i) {
        const Open& open = m_open[i - 1];
        std::string whole;
        appendVarint(whole, covered - open.begin + tail.size());
        whole.append(m_bytes.substr(open.begin, covered - open.begin)).append(tail);
        tail = std::move(whole);
        covered = open.length;
    }
    return std::string(m_bytes.substr(0, covered)) + tail;
}

} // namespace

std::optional<std::string> acceptedGraphDef(std::string_view bytes)
{
    Walk walk(bytes);
    if (!walk.run())
        return {};
    return walk.mended();
}

} // namespace lapidary
