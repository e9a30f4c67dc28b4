// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/buffer.h"

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace lapidary {

// Files up to this size are read into memory, larger ones are mapped.
inline constexpr std::uint64_t mappingThreshold = std::uint64_t(32) << 20;

// Reads or maps a file. If a mapped file is truncated while it is open, the missing part reads as
// zeros and intact() fails.
Result<BufferPtr> openFile(const std::filesystem::path& path,
                           std::uint64_t mapAbove = mappingThreshold);

// Tells the system that `part` of the buffer's bytes will not be read for a while: it may free the
// pages of a mapped file, and reads them again when they are accessed. Only whole pages inside
// `part` are affected; buffers without a mapping are not.
void releasePages(const Buffer& buffer, std::string_view part);

} // namespace lapidary
