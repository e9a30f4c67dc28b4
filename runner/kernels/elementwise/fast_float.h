// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

#include <cstdint>

namespace lapidary {

// The functions in which networks spend time, for arrays of floats, with vector instructions;
// within 2e-6 of the exact value. x and y may be the same array.
void expFloats(const float* x, float* y, std::int64_t n);
void tanhFloats(const float* x, float* y, std::int64_t n);
void sigmoidFloats(const float* x, float* y, std::int64_t n);
void erfFloats(const float* x, float* y, std::int64_t n);
void rsqrtFloats(const float* x, float* y, std::int64_t n);
// Computes y[i] = exp(x[i]) / sum of exp(x[j]), n > 0; y must be another array. TensorFlow computes
// the first `inVectors` elements (all if that is n or more) in vectors and the others by the C
// library; so does this, so that the sum is TensorFlow's, bit for bit.
void softmaxFloats(const float* x, float* y, std::int64_t n, std::int64_t inVectors);

// Computes y = function(x) for a float input 0, on the threads of the run if it is large.
Status runFloats(KernelContext& context,
                 void (*function)(const float* x, float* y, std::int64_t n));

} // namespace lapidary
