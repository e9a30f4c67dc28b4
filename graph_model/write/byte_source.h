// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/byte_sink.h"

#include <filesystem>

namespace lapidary {

// Same as writeFileAtomically() with a string, for bytes of a source.
Status writeFileAtomically(const std::filesystem::path& path, const ByteSource& source);

} // namespace lapidary
