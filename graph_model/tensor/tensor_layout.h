// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/dtype.h"
#include "graph_model/tensor/shape.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lapidary {

// The encoding of the numbers in a TensorProto's value field.
enum class ValueEncoding : std::uint8_t { None, Varint, Fixed32, Fixed64, Bytes };

// The field of a TensorProto that holds the values of one dtype.
struct ValueField {
    std::uint32_t number = 0;
    ValueEncoding encoding = ValueEncoding::None;
    int unitsPerElement = 1; // 2 for complex: real and imaginary part
};
ValueField valueField(DType dtype);

// A TensorProto examined without decoding its values. `faultKind` is empty if TensorFlow's decoder
// accepts it, otherwise a word of the fault list; the fields filled so far keep their values.
struct TensorLayout {
    DType dtype = DType::Invalid;
    Shape shape;
    std::string_view content; // of the last tensor_content field
    std::int64_t elements = 0;
    std::uint64_t stored = 0; // elements in the content or in the dtype's value field
    std::uint64_t stray = 0;  // number of values in fields of other dtypes, which are never read
    std::string faultKind;    // "bad_shape", "content_size", ...
    std::string fault;        // the reason, as part of a sentence

    bool isContent() const { return !content.empty(); }
};
TensorLayout readTensorLayout(std::string_view proto);

// Reads only the shape, without unknown_rank, as TensorFlow does. Values are skipped, so their
// number does not matter.
Shape tensorProtoShape(std::string_view proto);

// Reads one length of a string tensor's content as TensorFlow does: at most five bytes, the value
// modulo 2^32. Advances `at`; returns false at the end of the content or if the length does not end
// within five bytes.
bool readStringLength(std::string_view content, std::size_t& at, std::uint32_t& length);

} // namespace lapidary
