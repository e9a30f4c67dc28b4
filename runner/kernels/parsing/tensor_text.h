// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

#include <cstdint>
#include <string>

namespace lapidary {

// Strings are stored one by one in fields of their own, or together in tensor_content.
enum class StringsAs : std::uint8_t { Fields, Content };

// A tensor as an encoded TensorProto; an error for what is neither numbers nor strings.
Result<std::string> serializedTensor(const KernelContext& context, const Value& x, StringsAs as);
// Parses such a text; fails if it is something else, or a tensor of another type.
Result<Value> parsedTensor(const KernelContext& context, const std::string& text, DType dtype);

} // namespace lapidary
