#include "runner/kernels/reduce/kernels.h"
#include "runner/kernels/rooms.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> reduceKernels()
{
    static constexpr std::array list{&kernels::all,           &kernels::any,
                                     &kernels::argMax,        &kernels::argMin,
                                     &kernels::bincount,      &kernels::cumprod,
                                     &kernels::cumsum,        &kernels::cumulativeLogsumexp,
                                     &kernels::euclideanNorm, &kernels::histogramFixedWidth,
                                     &kernels::l2Loss,        &kernels::max,
                                     &kernels::mean,          &kernels::min,
                                     &kernels::prod,          &kernels::sum};
    return list;
}

} // namespace lapidary
