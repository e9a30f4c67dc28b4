// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

#include <cstdint>

namespace lapidary {

// The functions that networks spend time in, over arrays of floats in vector instructions; within
// 2e-6 of the exact value. x and y may be the same array.
void expFloats(const float* x, float* y, std::int64_t n);
void tanhFloats(const float* x, float* y, std::int64_t n);
void sigmoidFloats(const float* x, float* y, std::int64_t n);
void erfFloats(const float* x, float* y, std::int64_t n);
void rsqrtFloats(const float* x, float* y, std::int64_t n);
// y[i] = exp(x[i]) / sum of exp(x[j]), n > 0; y is another array. The first `inVectors` elements,
// all if that is n or more, are those that TensorFlow computes in vectors; the C library computes
// the others, so that the sum is TensorFlow's, bit for bit.
void softmaxFloats(const float* x, float* y, std::int64_t n, std::int64_t inVectors);

// y = function(x) for a float input 0, by the threads of the run where it is large.
Status runFloats(KernelContext& context,
                 void (*function)(const float* x, float* y, std::int64_t n));

} // namespace lapidary
