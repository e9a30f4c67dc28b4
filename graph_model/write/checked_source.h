// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/buffer.h"
#include "graph_model/base/byte_sink.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace lapidary {

// Bytes that are to be written, and whose checksum nobody has compared yet.
struct UncheckedBytes {
    std::string_view bytes; // of `holder`
    BufferPtr holder;
    std::uint32_t checksum = 0; // masked, as it is stored
};

// Gives what `source` gives, and ends with an error where a checksum does not match. Bytes that
// pass by in the place where they lie are read once, for the checksum and for the sink; the others
// are read at the end.
ByteSource checkedSource(ByteSource source, std::vector<UncheckedBytes> unchecked);

} // namespace lapidary
