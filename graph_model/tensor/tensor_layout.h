#pragma once

#include "graph_model/tensor/dtype.h"
#include "graph_model/tensor/shape.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lapidary {

// How the numbers of a TensorProto's value field are written.
enum class ValueEncoding : std::uint8_t { None, Varint, Fixed32, Fixed64, Bytes };

// The field of a TensorProto that holds the values of one dtype.
struct ValueField {
    std::uint32_t number = 0;
    ValueEncoding encoding = ValueEncoding::None;
    int unitsPerElement = 1; // 2 for complex: real and imaginary part
};
ValueField valueField(DType dtype);

// A TensorProto looked over without decoding its values. `faultKind` is empty where TensorFlow's
// decoder accepts it, else a word of the fault list; what was found until then is filled in.
struct TensorLayout {
    DType dtype = DType::Invalid;
    Shape shape;
    std::string_view content; // of the last tensor_content field
    std::int64_t elements = 0;
    std::uint64_t stored = 0; // elements in the content or in the value field of the dtype
    std::uint64_t stray = 0;  // values in fields of other dtypes: never read
    std::string faultKind;    // "bad_shape", "content_size", ...
    std::string fault;        // why, as part of a sentence

    bool isContent() const { return !content.empty(); }
};
TensorLayout readTensorLayout(std::string_view proto);

// Only the shape, unknown_rank left out as TensorFlow does: values are stepped over, however many.
Shape tensorProtoShape(std::string_view proto);

// One length of a string tensor's content as TensorFlow reads it: at most five bytes, the value
// modulo 2^32. Advances `at`; false at the end or where there is no end within five bytes.
bool readStringLength(std::string_view content, std::size_t& at, std::uint32_t& length);

} // namespace lapidary
