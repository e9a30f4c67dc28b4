// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// The part of the ZIP format that .npz files use: entries that are stored or deflated, without
// encryption; ZIP64 sizes are read.
struct ZipEntry {
    std::string name;
    std::uint16_t method = 0; // 0 stored, 8 deflated
    std::uint32_t crc = 0;
    std::uint64_t packedSize = 0;
    std::uint64_t size = 0;
    std::uint64_t headerOffset = 0;
};

bool isZip(std::string_view bytes);
// Reads the central directory.
Result<std::vector<ZipEntry>> readZipDirectory(std::string_view archive);
// Reads one entry and checks its checksum; refuses more than `limit` bytes.
Result<std::string> readZipEntry(std::string_view archive, const ZipEntry& entry,
                                 std::uint64_t limit);

// Writes entries without compression and without times, so that equal content gives equal bytes.
class ZipWriter {
public:
    Status add(std::string_view name, std::string_view content);
    std::string finish() &&;

private:
    std::string m_bytes;
    std::string m_directory;
    std::uint64_t m_count = 0;
};

} // namespace lapidary
