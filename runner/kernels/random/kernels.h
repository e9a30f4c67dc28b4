#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary::kernels {

// random.cpp lists them.
extern const Kernel multinomial;
extern const Kernel parameterizedTruncatedNormal;
extern const Kernel randomGamma;
extern const Kernel randomPoisson;
extern const Kernel randomPoissonV2;
extern const Kernel randomShuffle;
extern const Kernel randomStandardNormal;
extern const Kernel randomUniform;
extern const Kernel randomUniformInt;
extern const Kernel statelessMultinomial;
extern const Kernel statelessRandomNormal;
extern const Kernel statelessRandomUniform;
extern const Kernel statelessRandomUniformInt;
extern const Kernel statelessTruncatedNormal;
extern const Kernel truncatedNormal;

} // namespace lapidary::kernels
