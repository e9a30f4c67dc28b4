// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

#include <cstdint>
#include <string>

namespace lapidary {

// The storage of strings: each in a field of its own, or all together in tensor_content.
enum class StringsAs : std::uint8_t { Fields, Content };

// Returns a tensor as an encoded TensorProto. Fails if its elements are neither numbers nor
// strings.
Result<std::string> serializedTensor(const KernelContext& context, const Value& x, StringsAs as);
// Parses an encoded TensorProto. Fails if it is something else, or a tensor of another type.
Result<Value> parsedTensor(const KernelContext& context, const std::string& text, DType dtype);

} // namespace lapidary
