// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/check/problem.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lapidary {

// The records of a TFRecord or event file: length, its checksum, data, their checksum. A damaged
// record's data is returned all the same; after a damaged length nothing can be read.
class RecordReader {
public:
    explicit RecordReader(std::string_view bytes)
        : m_bytes(bytes)
    {
    }

    // False at the end of what can be read.
    bool next(std::string_view& data);
    std::uint64_t record() const { return m_record; } // where the last one starts
    std::uint64_t position() const { return m_at; }   // after the record
    std::uint64_t count() const { return m_count; }
    // Returns the problems since the last call.
    Problems takeProblems();

private:
    void report(std::string kind, std::string message);

    std::string_view m_bytes;
    std::size_t m_at = 0;
    std::size_t m_record = 0;
    std::uint64_t m_count = 0;
    Problems m_problems;
};

} // namespace lapidary
