// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/buffer.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// Files up to this size are read into memory, larger ones are mapped.
inline constexpr std::uint64_t mappingThreshold = std::uint64_t(32) << 20;

// The bytes of a file. A mapped file that is cut short behind our back reads as zeros from there
// on, and intact() says so.
Result<BufferPtr> openFile(const std::filesystem::path& path,
                           std::uint64_t mapAbove = mappingThreshold);

// A part of a file, and bytes that are wanted in front of it.
struct FilePart {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    std::string head; // at most 4 kB
};
struct MappedParts {
    BufferPtr buffer;
    std::vector<std::string_view> parts; // head and part in one, in the buffer
};
// Maps parts of a file so that each has its head directly in front of it: of a part no more than
// its first page is copied, and it is as aligned as in the file, up to a page.
Result<MappedParts> mapFileParts(const std::filesystem::path& path,
                                 std::span<const FilePart> parts);

// `part` of the buffer's bytes will not be read for a while: the system may have the memory of a
// mapped file's pages back, and reads them again when they are touched. Only whole pages inside
// `part` are concerned; nothing happens to other buffers.
void releasePages(const Buffer& buffer, std::string_view part);

} // namespace lapidary
