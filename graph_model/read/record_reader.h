// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/check/problem.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lapidary {

// The records of a TFRecord or event file: length, its checksum, data, their checksum. The data of
// a damaged record are still returned; after a damaged length nothing can be read.
class RecordReader {
public:
    explicit RecordReader(std::string_view bytes)
        : m_bytes(bytes)
    {
    }

    // Returns false at the end of the readable part.
    bool next(std::string_view& data);
    std::uint64_t record() const { return m_record; } // position of the last one
    std::uint64_t position() const { return m_at; }   // position after the record
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
