// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/lift/lift_draft.h"

#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// Of an axis; what follows from larger sizes would not be a number of 64 bits.
inline constexpr std::int64_t mostOnnxSize = std::int64_t(1) << 31;

// How a convolution or pool steps over one, two or three axes of [n, c, ...].
struct OnnxWindow {
    using Ints = LiftDraft::Ints;

    Ints size;
    Ints stride;
    Ints dilation;
    Ints before; // padding
    Ints after;
    Ints spare;          // behind the padding, so that a last window that juts out is whole
    bool isSame = false; // TensorFlow's SAME: the padding follows from the sizes

    std::size_t axes() const { return size.size(); }
    bool isPadded() const;
    bool isDilated() const;
    std::string_view padding() const { return isSame ? "SAME" : "VALID"; }
    // [1, values..., 1]
    static Ints inner(const Ints& values);
    LiftDraft::Attrs attrs() const; // of two or three axes
    // Elements between the first and the last that one window reads, with these.
    std::int64_t reach(std::size_t axis) const { return (size[axis] - 1) * dilation[axis] + 1; }
};

// Nothing where an attribute has another length, or takes sizes that are not known.
std::optional<OnnxWindow> windowOf(const LiftDraft& draft, LiftDraft::Ints size);
// One axis as the second of two, the first of which has one element.
OnnxWindow withTwoAxes(OnnxWindow window);

// The picture [n, ..., c] with borders.
std::string withBorders(LiftDraft& draft, const std::string& picture, const LiftDraft::Ints& before,
                        const LiftDraft::Ints& after, float value);

// [n, c, w] as [n, 1, w, c], and [n, c, ...] as [n, ..., c]; and back.
std::string toPicture(LiftDraft& draft, const std::string& x, std::size_t axes, DType dtype);
std::string fromPicture(LiftDraft& draft, const std::string& x, std::size_t axes, DType dtype);

} // namespace lapidary
