#pragma once

#include "runner/kernels/kernel.h"

#include <span>

namespace lapidary {

// The kernels of each room (folder); kernel_table.cpp merges them. Nothing registers itself.
std::span<const Kernel* const> basicKernels();
std::span<const Kernel* const> controlKernels();
std::span<const Kernel* const> elementwiseKernels();

} // namespace lapidary
