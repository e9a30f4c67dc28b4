// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/tensor/tensor.h"

#include <cstdint>
#include <vector>

namespace lapidary {

struct TensorStatistics {
    std::int64_t elements = 0;
    std::int64_t nans = 0;
    std::int64_t infinities = 0;
    std::int64_t zeros = 0;
    double minimum = 0; // of the finite values, like all fields below
    double maximum = 0;
    double mean = 0;
    double deviation = 0; // of the population
    // equal steps from minimum to maximum; empty: no value is finite
    std::vector<std::int64_t> bins;
    bool isConstant = false; // all elements are one value

    std::int64_t finite() const { return elements - nans - infinities; }
};

// Reads every element twice in small pieces, so that memory use is small regardless of the size.
// Complex values count by their magnitude; strings, resources and variants give an error.
Result<TensorStatistics> tensorStatistics(const Tensor& tensor, int binCount, const Job& job);

// A tensor as a picture: the last dimension as columns, all others as rows, each cell the mean of
// the finite elements that it covers (NaN if there are none).
struct TensorGrid {
    std::int64_t tensorRows = 0;
    std::int64_t tensorColumns = 0;
    int rows = 0;
    int columns = 0;
    std::vector<double> cells; // row by row
};
Result<TensorGrid> tensorGrid(const Tensor& tensor, int maxRows, int maxColumns, const Job& job);

} // namespace lapidary
