// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/buffer.h"

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace lapidary {

// Files up to this size are read into memory, larger ones are mapped.
inline constexpr std::uint64_t mappingThreshold = std::uint64_t(32) << 20;

// The bytes of a file. A mapped file that is cut short behind our back reads as zeros from there
// on, and intact() says so.
Result<BufferPtr> openFile(const std::filesystem::path& path,
                           std::uint64_t mapAbove = mappingThreshold);

// `part` of the buffer's bytes will not be read for a while: the system may have the memory of a
// mapped file's pages back, and reads them again when they are touched. Only whole pages inside
// `part` are concerned; nothing happens to other buffers.
void releasePages(const Buffer& buffer, std::string_view part);

} // namespace lapidary
