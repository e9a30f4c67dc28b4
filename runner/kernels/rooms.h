#pragma once

#include "runner/kernels/kernel.h"

#include <span>

namespace lapidary {

// The kernels of each room (folder); kernel_table.cpp merges them. Nothing registers itself.
std::span<const Kernel* const> arraysKernels();
std::span<const Kernel* const> basicKernels();
std::span<const Kernel* const> checkpointsKernels();
std::span<const Kernel* const> checksKernels();
std::span<const Kernel* const> codecsKernels();
std::span<const Kernel* const> controlKernels();
std::span<const Kernel* const> convolutionKernels();
std::span<const Kernel* const> detectionKernels();
std::span<const Kernel* const> elementwiseKernels();
std::span<const Kernel* const> functionalKernels();
std::span<const Kernel* const> imageKernels();
std::span<const Kernel* const> indexingKernels();
std::span<const Kernel* const> linearKernels();
std::span<const Kernel* const> nnKernels();
std::span<const Kernel* const> parsingKernels();
std::span<const Kernel* const> quantisedKernels();
std::span<const Kernel* const> queuesKernels();
std::span<const Kernel* const> randomKernels();
std::span<const Kernel* const> reduceKernels();
std::span<const Kernel* const> segmentKernels();
std::span<const Kernel* const> sequencesKernels();
std::span<const Kernel* const> speechKernels();
std::span<const Kernel* const> stateKernels();
std::span<const Kernel* const> stringsKernels();
std::span<const Kernel* const> tablesKernels();
std::span<const Kernel* const> tensorArrayKernels();

} // namespace lapidary
