// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/byte_sink.h"

#include <filesystem>

namespace lapidary {

// Does the same as writeFileAtomically() of whole bytes.
Status writeFileAtomically(const std::filesystem::path& path, const ByteSource& source);

} // namespace lapidary
