// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/dispatch.h"

#include <cstdint>
#include <span>

namespace lapidary {

// The decomposition A = u t u* of one matrix, row by row: t is upper triangular with the
// eigenvalues on its diagonal, u is unitary. Before decompose(), `t` holds A.
struct ComplexSchur {
    std::span<Complex128> t;
    std::span<Complex128> u;
    std::int64_t n = 0;

    Complex128& at(std::int64_t row, std::int64_t column) const
    {
        return t[std::size_t(row * n + column)];
    }
    // Uses Householder reflections and shifted QR steps. O(n^3). Returns false if it does not
    // converge because an element is not finite. Throws RunStopped if the run is cancelled.
    bool decompose() const;
};

} // namespace lapidary
