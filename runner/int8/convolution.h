// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"

#include <cstdint>

namespace lapidary::int8 {

// The zero points: any number, also one that is not a code.
struct Zeros {
    std::int32_t input = 0;
    std::int32_t filter = 0;

    bool operator==(const Zeros&) const = default;
};

// A convolution of 8-bit codes with integer sums (spec: kernels, B6), NHWC and HWIO:
//   out[n,y,x,k] = sum of (input[n, y*stride - top + i, x*stride - left + j, c] - zeros.input)
//                       * (filter[i,j,c,k] - zeros.filter)
// in int32, wrapping. A product of matrices is a convolution with a filter of 1x1.
struct Convolution {
    std::int64_t batch = 1;
    std::int64_t height = 1;
    std::int64_t width = 1;
    std::int64_t channels = 0;
    std::int64_t filterHeight = 1;
    std::int64_t filterWidth = 1;
    std::int64_t filters = 0;
    std::int64_t stride = 1;
    std::int64_t top = 0;
    std::int64_t left = 0;
    std::int64_t outHeight = 1;
    std::int64_t outWidth = 1;

    std::int64_t outPixels() const { return batch * outHeight * outWidth; }
    std::int64_t depth() const { return filterHeight * filterWidth * channels; }
    bool isMatrixProduct() const
    {
        return filterHeight == 1 && filterWidth == 1 && stride == 1 && top == 0 && left == 0 &&
               outHeight == height && outWidth == width;
    }
    // Returns whether a window reaches over an edge of the image.
    bool isPadded() const
    {
        return top > 0 || left > 0 || (outHeight - 1) * stride - top + filterHeight > height ||
               (outWidth - 1) * stride - left + filterWidth > width;
    }

    bool operator==(const Convolution&) const = default;
};

// Outside the image TensorFlow uses paddingByte() if the zero point of the input is not negative;
// otherwise nothing outside counts.
inline bool padsWithByte(Zeros zeros)
{
    return zeros.input >= 0;
}
inline std::uint8_t paddingByte(Zeros zeros)
{
    return std::uint8_t(zeros.input);
}

// The reference, written to be read; correct for all zero points and shapes.
void convolvePlainly(const Convolution& convolution, Zeros zeros, const std::uint8_t* input,
                     const std::uint8_t* filter, std::int32_t* out, const Job& job);

} // namespace lapidary::int8
