// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/wire_cursor.h"

#include "graph_model/base/varint.h"

#include <cstring>
#include <iterator>

namespace lapidary {

bool WireCursor::fail(const char* fault, const char* at, bool ranOut)
{
    m_fault = fault;
    m_faultAt = at;
    m_ranOut = ranOut;
    return false;
}

bool WireCursor::readVarint(std::uint64_t& value)
{
    const char* start = m_at;
    if (m_at != m_end && static_cast<signed char>(*m_at) >= 0) {
        value = std::uint64_t(static_cast<unsigned char>(*m_at++));
        return true;
    }
    std::string_view left(m_at, std::size_t(m_end - m_at));
    const bool isWhole = takeVarint(left, value);
    m_at = left.data();
    if (isWhole)
        return true;
    if (start == m_end)
        return fail("truncated", m_end, true);
    return fail("bad_varint", start, m_at - start < 10);
}

// Current writers do not make groups, but a file may hold some as unknown fields. Counts the open
// ones instead of recursing.
bool WireCursor::skipGroup(WireField& field)
{
    std::uint32_t open[100];
    const char* openedAt[100];
    std::size_t depth = 0;
    open[depth] = field.field;
    openedAt[depth++] = field.tag;
    WireField inner;
    while (depth > 0) {
        inner.tag = m_at;
        if (m_at == m_end)
            return fail("wrong_wire_type", openedAt[depth - 1], true);
        std::uint64_t tag = 0;
        if (!readVarint(tag))
            return false;
        if ((tag >> 3) == 0 || tag > UINT32_MAX)
            return fail("bad_tag", inner.tag);
        inner.field = std::uint32_t(tag >> 3);
        inner.type = WireType(tag & 7);
        if (inner.type == WireType::EndGroup) {
            if (inner.field != open[depth - 1])
                return fail("wrong_wire_type", inner.tag);
            --depth;
        } else if (inner.type == WireType::StartGroup) {
            if (depth == std::size(open))
                return fail("too_deep", inner.tag);
            open[depth] = inner.field;
            openedAt[depth++] = inner.tag;
        } else if (!readPayload(inner)) {
            return false;
        }
    }
    field.number = std::uint64_t(inner.tag - field.payload);
    return true;
}

bool WireCursor::readPayload(WireField& field)
{
    field.payload = m_at;
    const auto left = std::uint64_t(m_end - m_at);
    switch (field.type) {
    case WireType::Varint: return readVarint(field.number);
    case WireType::Fixed64:
    case WireType::Fixed32: {
        const std::size_t size = field.type == WireType::Fixed64 ? 8 : 4;
        if (left < size)
            return fail("truncated", m_end, true);
        field.number = 0;
        std::memcpy(&field.number, m_at, size);
        m_at += size;
        return true;
    }
    case WireType::Bytes:
        field.length = m_at;
        if (!readVarint(field.number))
            return false;
        field.payload = m_at;
        if (field.number > std::uint64_t(m_end - m_at))
            return fail("overlong_length", field.length, true);
        m_at += field.number;
        return true;
    case WireType::StartGroup: return skipGroup(field);
    default: return fail("wrong_wire_type", field.tag);
    }
}

bool WireCursor::next(WireField& field)
{
    if (m_fault != nullptr || m_at == m_end)
        return false;
    field.tag = m_at;
    std::uint64_t tag = 0;
    if (!readVarint(tag)) {
        m_at = field.tag;
        return false;
    }
    if ((tag >> 3) == 0 || tag > UINT32_MAX) {
        m_at = field.tag;
        return fail("bad_tag", field.tag);
    }
    field.field = std::uint32_t(tag >> 3);
    field.type = WireType(tag & 7);
    if (!readPayload(field)) {
        m_at = field.tag;
        return false;
    }
    field.end = m_at;
    return true;
}

std::vector<std::uint64_t> packedVarints(std::string_view payload)
{
    std::vector<std::uint64_t> numbers;
    std::uint64_t number = 0;
    for (VarintSpan span(payload); span.next(number);)
        numbers.push_back(number);
    return numbers;
}

} // namespace lapidary
