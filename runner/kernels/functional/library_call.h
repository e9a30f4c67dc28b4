#pragma once

#include "runner/kernels/kernel.h"

namespace lapidary {

// Of a node whose op is a function of the graph's library; no op of the table.
const Kernel& libraryCallKernel();

// Shared by the ops that call: the node's inputs from `first` on.
std::vector<Value> inputsFrom(const KernelContext& context, std::size_t first);
// Makes the results of a call the node's outputs.
Status giveResults(KernelContext& context, std::vector<Value>& results);
// Whether a condition holds: a bool or numeric scalar that is not zero, a string scalar or another
// tensor that is not empty.
Result<bool> isTrue(const KernelContext& context, const Value& condition);

} // namespace lapidary
