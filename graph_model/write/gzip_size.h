// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/write/byte_source.h"

#include <cstdint>
#include <string_view>

namespace lapidary {

// Returns the size of these bytes after gzip at zlib's level 6. About 30 ms per megabyte.
Result<std::uint64_t> gzipSize(std::string_view bytes, const Job& job);
Result<std::uint64_t> gzipSize(const ByteSource& source, const Job& job);

} // namespace lapidary
