#include "runner/kernels/random/kernels.h"
#include "runner/kernels/rooms.h"

#include <array>

namespace lapidary {

std::span<const Kernel* const> randomKernels()
{
    static constexpr std::array list{&kernels::multinomial,
                                     &kernels::parameterizedTruncatedNormal,
                                     &kernels::randomGamma,
                                     &kernels::randomPoisson,
                                     &kernels::randomPoissonV2,
                                     &kernels::randomShuffle,
                                     &kernels::randomStandardNormal,
                                     &kernels::randomUniform,
                                     &kernels::randomUniformInt,
                                     &kernels::statelessMultinomial,
                                     &kernels::statelessRandomNormal,
                                     &kernels::statelessRandomUniform,
                                     &kernels::statelessRandomUniformInt,
                                     &kernels::statelessTruncatedNormal,
                                     &kernels::truncatedNormal};
    return list;
}

} // namespace lapidary
