// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/record_reader.h"

#include "graph_model/base/crc32c.h"

#include <cstring>
#include <utility>

namespace lapidary {
namespace {

constexpr std::size_t headerSize = 12;      // length and its checksum
constexpr std::size_t recordFooterSize = 4; // checksum of the data

template <class Number>
Number readNumber(std::string_view bytes, std::size_t at)
{
    Number number = 0;
    std::memcpy(&number, bytes.data() + at, sizeof(number));
    return number;
}

} // namespace

void RecordReader::report(std::string kind, std::string message)
{
    message += " (record at byte " + std::to_string(m_record) + ")";
    m_problems.push_back({std::move(kind),
                          Severity::Error,
                          {},
                          std::uint64_t(m_record),
                          {},
                          {},
                          std::move(message)});
}

bool RecordReader::next(std::string_view& data)
{
    m_record = m_at;
    const std::size_t left = m_bytes.size() - m_at;
    if (left == 0)
        return false;
    if (left < headerSize) {
        report("truncated", "the file ends inside a record's header");
        return false;
    }
    const auto length = readNumber<std::uint64_t>(m_bytes, m_at);
    if (maskedCrc32c(m_bytes.substr(m_at, 8)) != readNumber<std::uint32_t>(m_bytes, m_at + 8)) {
        report("bad_crc",
               "the checksum of a record's length does not match; what follows cannot be read");
        return false;
    }
    if (length > left - headerSize || length + recordFooterSize > left - headerSize) {
        report(length > INT32_MAX ? "overlong_length" : "truncated",
               "the file ends inside a record of " + std::to_string(length) + " bytes");
        return false;
    }
    data = m_bytes.substr(m_at + headerSize, std::size_t(length));
    m_at += headerSize + std::size_t(length) + recordFooterSize;
    if (maskedCrc32c(data) != readNumber<std::uint32_t>(m_bytes, m_at - recordFooterSize))
        report("bad_crc", "the checksum of a record does not match: its content is damaged");
    ++m_count;
    return true;
}

Problems RecordReader::takeProblems()
{
    return std::exchange(m_problems, {});
}

} // namespace lapidary
