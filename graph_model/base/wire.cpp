#include "graph_model/base/wire.h"

#include <cstring>

namespace lapidary {

bool WireReader::fail(const char* why)
{
    m_failure = why;
    return false;
}

bool WireReader::readVarint(std::uint64_t& value)
{
    value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
        if (m_at == m_end)
            return fail("truncated");
        const auto byte = static_cast<unsigned char>(*m_at++);
        value |= std::uint64_t(byte & 0x7F) << (shift & 63);
        if (byte < 0x80)
            return true;
    }
    return fail("bad_varint");
}

// A group may hold groups; counts depth instead of recursing.
bool WireReader::skipGroup()
{
    const std::uint32_t opened = m_field;
    const char* bodyStart = m_at;
    int depth = 1;
    while (depth > 0) {
        const char* tagStart = m_at;
        std::uint64_t tag = 0;
        if (!readVarint(tag))
            return false;
        m_field = std::uint32_t(tag >> 3);
        m_type = WireType(tag & 7);
        if (m_type == WireType::StartGroup) {
            if (++depth > 100)
                return fail("too_deep");
        } else if (m_type == WireType::EndGroup) {
            if (--depth == 0)
                m_bytes = {bodyStart, std::size_t(tagStart - bodyStart)};
        } else if (!readPayload()) {
            return false;
        }
    }
    if (m_field != opened)
        return fail("bad_tag");
    m_type = WireType::StartGroup;
    return true;
}

bool WireReader::readPayload()
{
    const std::size_t left = std::size_t(m_end - m_at);
    switch (m_type) {
    case WireType::Varint: return readVarint(m_number);
    case WireType::Fixed64:
        if (left < 8)
            return fail("truncated");
        std::memcpy(&m_number, m_at, 8);
        m_at += 8;
        return true;
    case WireType::Fixed32: {
        if (left < 4)
            return fail("truncated");
        std::uint32_t word = 0;
        std::memcpy(&word, m_at, 4);
        m_number = word;
        m_at += 4;
        return true;
    }
    case WireType::Bytes: {
        std::uint64_t length = 0;
        if (!readVarint(length))
            return false;
        if (length > std::size_t(m_end - m_at))
            return fail("overlong_length");
        m_bytes = {m_at, std::size_t(length)};
        m_at += length;
        return true;
    }
    case WireType::StartGroup: return skipGroup();
    default: return fail("bad_tag");
    }
}

bool WireReader::next()
{
    if (m_failure != nullptr || m_at == m_end)
        return false;
    m_fieldStart = m_at;
    std::uint64_t tag = 0;
    if (!readVarint(tag))
        return false;
    m_field = std::uint32_t(tag >> 3);
    m_type = WireType(tag & 7);
    if (m_field == 0 || tag > UINT32_MAX) {
        m_at = m_fieldStart;
        return fail("bad_tag");
    }
    return readPayload();
}

bool VarintSpan::next(std::uint64_t& value)
{
    value = 0;
    for (int shift = 0; shift < 70 && m_at != m_end; shift += 7) {
        const auto byte = static_cast<unsigned char>(*m_at++);
        value |= std::uint64_t(byte & 0x7F) << (shift & 63);
        if (byte < 0x80)
            return true;
    }
    return false;
}

void appendVarint(std::string& out, std::uint64_t value)
{
    while (value >= 0x80) {
        out.push_back(static_cast<char>(value | 0x80));
        value >>= 7;
    }
    out.push_back(static_cast<char>(value));
}

void WireWriter::varint(std::uint32_t field, std::uint64_t value)
{
    appendVarint(m_out, std::uint64_t(field) << 3);
    appendVarint(m_out, value);
}

void WireWriter::fixed32(std::uint32_t field, std::uint32_t value)
{
    appendVarint(m_out, (std::uint64_t(field) << 3) | 5);
    char raw[4];
    std::memcpy(raw, &value, 4);
    m_out.append(raw, 4);
}

void WireWriter::bytes(std::uint32_t field, std::string_view value)
{
    appendVarint(m_out, (std::uint64_t(field) << 3) | 2);
    appendVarint(m_out, value.size());
    m_out.append(value);
}

} // namespace lapidary
