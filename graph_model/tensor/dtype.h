// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lapidary {

// TensorFlow's DataType numbers (types.proto). A reference type is its value + 100.
enum class DType : std::int32_t {
    Invalid = 0,
    Float = 1,
    Double = 2,
    Int32 = 3,
    UInt8 = 4,
    Int16 = 5,
    Int8 = 6,
    String = 7,
    Complex64 = 8,
    Int64 = 9,
    Bool = 10,
    QInt8 = 11,
    QUInt8 = 12,
    QInt32 = 13,
    BFloat16 = 14,
    QInt16 = 15,
    QUInt16 = 16,
    UInt16 = 17,
    Complex128 = 18,
    Half = 19,
    Resource = 20,
    Variant = 21,
    UInt32 = 22,
    UInt64 = 23,
};

bool isReference(DType dtype);
DType withoutReference(DType dtype);
// Returns TensorFlow's lower-case name: "float", "int32", "quint8"; with "_ref" for references;
// numbers outside the enum give "unknown(<n>)".
std::string dtypeName(DType dtype);
// Reads "float", "float32" (NumPy's spelling), "DT_FLOAT" and "..._ref".
std::optional<DType> parseDtype(std::string_view name);
// Returns the bytes of one element; 0 for string, resource, variant and invalid.
std::size_t dtypeSize(DType dtype);

} // namespace lapidary
