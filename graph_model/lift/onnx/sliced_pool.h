// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/lift/onnx/onnx_window.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace lapidary {

// Implements a pool by slices of the picture, one for each element of its window: the elements that
// it reads for each element of the result. It supports features that TensorFlow's pools lack:
// windows with gaps, and the indices of the largest elements. O(elements of the window) nodes.
class SlicedPool {
public:
    using Ints = LiftDraft::Ints;

    // Makes one for a window over two or three axes of input 0, which has `axes` besides batch and
    // channels. Returns nothing if the sizes are unknown, or if there would be too many slices.
    static std::optional<SlicedPool> of(LiftDraft& draft, OnnxWindow window, std::size_t axes);

    // Returns op(op(slice, slice), slice) ... of a picture [n, ..., c], whose borders have the
    // value `outside`.
    std::string joined(LiftDraft& draft, std::string_view op, const std::string& picture,
                       float outside) const;
    // Returns the number of elements that count in each window, [1, ..., 1].
    std::string counts(LiftDraft& draft, bool countsPadding) const;
    // Returns whether largest() can return indices: the channels are known, and neither they nor
    // the necessary constants are too many.
    bool tellsPlaces() const;
    // The largest elements, and their int64 indices among all elements of input 0; the first one of
    // equal elements. `isByColumn`: in column-major order within a picture.
    struct Largest {
        std::string values;
        std::string places;
    };
    Largest largest(LiftDraft& draft, const std::string& picture, bool isByColumn) const;

private:
    SlicedPool() = default;

    Ints offsets(std::int64_t slice) const;
    std::string slice(LiftDraft& draft, const std::string& bordered, std::int64_t number) const;
    // Makes a constant of one number for each element of the result, [1, ..., 1].
    std::string grid(LiftDraft& draft, DType dtype,
                     const std::function<std::int64_t(const Ints&)>& value) const;
    std::string firstOfChannel(LiftDraft& draft, const std::string& picture) const;

    OnnxWindow m_window;
    Ints m_sizes; // of the picture
    Ints m_made;  // of the result
    std::int64_t m_slices = 1;
    std::int64_t m_channels = -1;
};

} // namespace lapidary
