// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/functional/function_call.h"

namespace lapidary::proceeds {

// A Proceed for each family of ops; function_call.cpp has the table of ops.
Result<std::optional<FunctionCall>> ifOp(KernelContext& context, CallProgress& progress);
Result<std::optional<FunctionCall>> caseOp(KernelContext& context, CallProgress& progress);
Result<std::optional<FunctionCall>> whileOp(KernelContext& context, CallProgress& progress);
Result<std::optional<FunctionCall>> forOp(KernelContext& context, CallProgress& progress);
Result<std::optional<FunctionCall>> partitionedCall(KernelContext& context, CallProgress& progress);
Result<std::optional<FunctionCall>> remoteCall(KernelContext& context, CallProgress& progress);

} // namespace lapidary::proceeds
