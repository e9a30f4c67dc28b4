// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/values/value.h"

#include <string>
#include <string_view>

namespace lapidary {

// Returns the content of a .npy file, row-major. Byte strings and Unicode strings give a string
// tensor.
Result<Value> decodeNpy(std::string_view bytes, MemoryPool& pool);

// Returns a .npy file, as encodeNpy() of a Tensor does (graph_model/tensor/npy.h).
Result<std::string> encodeNpy(const Value& value);

} // namespace lapidary
