// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"
#include "runner/threads/parallel_for.h"

#include <algorithm>

namespace lapidary {

// Computes to[i] = op(from[i]), shared between the threads. Stops if the job is cancelled.
template <class From, class To, class Op>
void mapCodes(const KernelContext& context, std::span<const From> from, std::span<To> to,
              const Op& op)
{
    constexpr std::int64_t block = 1 << 16;
    parallelFor(std::int64_t(from.size()), 1, [&](std::int64_t begin, std::int64_t end) {
        const Op mine = op; // a copy that stores of bytes cannot change, so that vectors are used
        const From* const x = from.data();
        To* const y = to.data();
        for (std::int64_t at = begin; at < end && !context.job().cancelled(); at += block) {
            const std::int64_t stop = std::min(end, at + block);
            for (std::int64_t i = at; i < stop; ++i)
                y[i] = mine(x[i]);
        }
    });
}

} // namespace lapidary
