// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model_builder.h"

namespace lapidary::samples {

// Building blocks that more than one sample uses. Each opens its own scope, except those that are
// one node. Images are NHWC.

struct Convolution {
    std::int64_t filters = 0;
    std::int64_t kernel = 3;
    std::int64_t stride = 1;
};

Attrs floatType();                                                                     // T = float
Value unary(ModelBuilder& model, std::string_view op, const Value& x);                 // one node
Value binary(ModelBuilder& model, std::string_view op, const Value& a, const Value& b, // one node
             const Shape& shape);
Value convolution(ModelBuilder& model, std::string_view name, const Value& x, Convolution what);
Value batchNorm(ModelBuilder& model, std::string_view name, const Value& x);
// Multiplies x, which has two dimensions, by a matrix, and adds a bias.
Value dense(ModelBuilder& model, std::string_view name, const Value& x, std::int64_t units);

} // namespace lapidary::samples
