// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/buffer.h"

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace lapidary {

// `head` and the `size` bytes of the file from `offset` on in one piece, as if the head were in the
// file: the file is mapped, and only the pages that the head is written to take up memory. The head
// is no longer than a page. An error where the file has fewer bytes or cannot be mapped.
Result<BufferPtr> mapFilePart(const std::filesystem::path& path, std::string_view head,
                              std::uint64_t offset, std::uint64_t size);

} // namespace lapidary
