// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// A TensorShapeProto as in the file: -1 is an unknown size. `unknownRank` together with dims is
// invalid but can be read from a file.
struct Shape {
    std::vector<std::int64_t> dims;
    bool unknownRank = false;

    bool operator==(const Shape&) const = default;
};

// Reads the proto: its field 2 is a dim (size 1, name 2), field 3 unknown_rank. Never fails: parts
// that cannot be read are left out.
Shape decodeShape(std::string_view shapeProto);
std::string encodeShape(const Shape& shape);

// Returns the message of TensorFlow's check for an attribute's (partial) or a tensor's (full)
// shape; empty if the shape is valid.
std::string partialShapeFault(const Shape& shape);
std::string fullShapeFault(const Shape& shape);

// Returns the number of elements of a valid full shape; nothing if a size is unknown or the product
// overflows int64.
std::optional<std::int64_t> elementCount(const Shape& shape);

// Return "[2,?,3]", "<unknown>", "[]", as summarize_graph prints; and "2×?×3" for people ("scalar",
// "?").
std::string shapeText(const Shape& shape);
std::string shapeLabel(const Shape& shape);

} // namespace lapidary
