// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "graph_model/targets/selective_kernels.h"

#include <string>
#include <string_view>

namespace lapidary {

// Adds pairs in the form that users type: "NoOp:NoOp,_Recv:RecvOp".
Status addNamedKernels(std::string_view pairs, NeededKernels& needed);
// The kernels that every graph needs to run.
inline constexpr std::string_view defaultKernels = "NoOp:NoOp,_Recv:RecvOp,_Send:SendOp";

// Returns the text of ops_to_register.h, with which TensorFlow is compiled with only these kernels;
// `tool` is the name of its author. Byte for byte that of TensorFlow 1.15's
// print_selective_registration_header.
std::string selectiveHeader(const NeededKernels& needed, std::string_view tool);
// Returns the header of a build with everything.
std::string fullHeader(std::string_view tool);

} // namespace lapidary
