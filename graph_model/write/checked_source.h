// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/buffer.h"
#include "graph_model/base/byte_sink.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace lapidary {

// Bytes to write whose checksum has not been compared yet.
struct UncheckedBytes {
    std::string_view bytes; // kept alive by `holder`
    BufferPtr holder;
    std::uint32_t checksum = 0; // masked, as in the file
};

// Returns a source with the bytes of `source` that fails if a checksum does not match. Bytes that
// are passed directly from their buffer are read once, for the checksum and for the sink; others
// are read at the end.
ByteSource checkedSource(ByteSource source, std::vector<UncheckedBytes> unchecked);

} // namespace lapidary
