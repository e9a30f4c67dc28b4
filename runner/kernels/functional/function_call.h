// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace lapidary {

// A request of a functional op to the executor: to call a function of the library. The op then gets
// the results in its CallProgress. No request means that the op is done and its outputs are set.
struct FunctionCall {
    std::string_view attr; // the attribute that names the function; empty: the op is the function
    std::size_t index = 0; // in a list of functions
    std::vector<Value> arguments;
    bool prunes = false; // runs only the nodes that the results need; else the whole body
};

// The state of one execution of a functional node, from its first to its last call.
struct CallProgress {
    std::uint64_t calls = 0;    // number of calls that have returned
    std::vector<Value> results; // of the last call
    std::vector<Value> carried; // for the kernel: a loop's variables
    std::int64_t counter = 0;   // for the kernel
};

// Replaces Kernel::run for ops that call functions: called again after each call.
using Proceed = Result<std::optional<FunctionCall>> (*)(KernelContext& context,
                                                        CallProgress& progress);

// Returns null if the op calls no functions.
Proceed findProceed(std::string_view op);
// Returns the Proceed of a node whose op is a function of the graph's library.
Proceed libraryCallProceed();
// Kernel::run of the ops that have a Proceed: returns an error, because only a session can call
// functions.
Status cannotRunAlone(KernelContext& context);

// Returns the node's inputs from `first` on. All ops that call functions share it.
std::vector<Value> inputsFrom(const KernelContext& context, std::size_t first);
// Moves the results of a call to the node's outputs.
Status giveResults(KernelContext& context, std::vector<Value>& results);
// Returns whether a condition is true: a bool or numeric scalar that is not zero, or a string
// scalar or another tensor that is not empty.
Result<bool> isTrue(const KernelContext& context, const Value& condition);

} // namespace lapidary
