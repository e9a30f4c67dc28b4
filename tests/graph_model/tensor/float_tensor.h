// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/tensor/make_tensor.h"
#include "tests/catch.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace lapidary::testing {

inline Tensor ofFloats(std::vector<std::int64_t> dims, const std::vector<float>& values)
{
    auto made = makeTensor(DType::Float, {std::move(dims), false},
                           {reinterpret_cast<const char*>(values.data()), values.size() * 4});
    REQUIRE(made.ok());
    return *std::move(made);
}

} // namespace lapidary::testing
