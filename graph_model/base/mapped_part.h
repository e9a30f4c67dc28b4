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

// A part of a file, and bytes that are to precede it in memory.
struct FilePart {
    std::uint64_t offset = 0; // in the file, in bytes
    std::uint64_t length = 0; // at least 1
    std::string head;         // no longer than a page
};

struct MappedParts {
    BufferPtr buffer;
    std::vector<std::string_view> parts; // each has its head and then its bytes, inside `buffer`
};

// Maps parts of a file so that each has its head directly before it, as if the head were in the
// file. At most the first page of a part is copied, and a part is as aligned as in the file, up to
// a page. releasePages() gives the other pages back. Fails if there is no part, the file does not
// have all the bytes, or it cannot be mapped.
Result<MappedParts> mapFileParts(const std::filesystem::path& path,
                                 std::span<const FilePart> parts);

} // namespace lapidary
