// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/wire_cursor.h"
#include "graph_model/onnx/onnx_model.h"

#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// Append the numbers of a repeated field, packed or one by one.
void appendNumbers(const WireField& field, std::vector<std::int64_t>& numbers);
void appendFloats(const WireField& field, std::vector<float>& floats);

// Reads a TensorProto in `message`, a part of `owner`'s bytes. Errors describe the part that does
// not fit, without the position.
Result<OnnxTensor> onnxTensorOf(std::string_view message, const BufferPtr& owner);

} // namespace lapidary
