// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace lapidary {

enum class ExportTarget : std::uint8_t { Tflite, Onnx };

inline std::string_view exportTargetName(ExportTarget target)
{
    return target == ExportTarget::Tflite ? "TFLite" : "ONNX";
}

} // namespace lapidary
