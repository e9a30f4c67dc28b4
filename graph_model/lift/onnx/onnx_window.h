// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/lift/lift_draft.h"

#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// The largest size of an axis; the product of two such sizes fits in 64 bits.
inline constexpr std::int64_t mostOnnxSize = std::int64_t(1) << 31;
// Returns the product of sizes; if it is above mostOnnxSize, some number that is not less than
// that.
std::int64_t onnxProduct(const LiftDraft::Ints& sizes);

// The window of a convolution or pool over one, two or three axes of [n, c, ...].
struct OnnxWindow {
    using Ints = LiftDraft::Ints;

    Ints size;
    Ints stride;
    Ints dilation;
    Ints before; // padding
    Ints after;
    Ints spare;          // after the padding: the excess of a last window that exceeds the data
    bool isSame = false; // TensorFlow's SAME: the padding follows from the sizes

    std::size_t axes() const { return size.size(); }
    bool isPadded() const;
    bool isDilated() const;
    std::string_view padding() const { return isSame ? "SAME" : "VALID"; }
    // [1, values..., 1]
    static Ints inner(const Ints& values);
    LiftDraft::Attrs attrs() const; // of two or three axes
    // Returns the number of elements from the first to the last one of a window.
    std::int64_t reach(std::size_t axis) const { return (size[axis] - 1) * dilation[axis] + 1; }
};

// Reads the attributes of the node, with `size` if it has no kernel_shape. Returns nothing if an
// attribute has another length, or needs unknown sizes.
std::optional<OnnxWindow> windowOf(const LiftDraft& draft, LiftDraft::Ints size);
// Makes a window of one axis the second of two, the first of which has one element.
OnnxWindow withTwoAxes(OnnxWindow window);

// Returns the picture [n, ..., c] with borders of this value.
std::string withBorders(LiftDraft& draft, const std::string& picture, const LiftDraft::Ints& before,
                        const LiftDraft::Ints& after, float value);

// Turn [n, c, w] into [n, 1, w, c], and [n, c, ...] into [n, ..., c]; and back.
std::string toPicture(LiftDraft& draft, const std::string& x, std::size_t axes, DType dtype);
std::string fromPicture(LiftDraft& draft, const std::string& x, std::size_t axes, DType dtype);

} // namespace lapidary
