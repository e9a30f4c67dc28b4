// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/targets/selective_kernels.h"

#include <string>
#include <string_view>

namespace lapidary {

// Adds pairs as they are typed: "NoOp:NoOp,_Recv:RecvOp".
Status addNamedKernels(std::string_view pairs, NeededKernels& needed);
// The kernels that every graph needs to run.
inline constexpr std::string_view defaultKernels = "NoOp:NoOp,_Recv:RecvOp,_Send:SendOp";

// The text of ops_to_register.h, with which TensorFlow is compiled with these kernels alone; `tool`
// is who wrote it. Byte for byte that of TensorFlow 1.15's print_selective_registration_header.
std::string selectiveHeader(const NeededKernels& needed, std::string_view tool);
// Returns the header of a build that has everything.
std::string fullHeader(std::string_view tool);

} // namespace lapidary
