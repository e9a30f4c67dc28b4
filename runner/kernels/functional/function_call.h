// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace lapidary {

// Describes what a functional op asks the executor to do next: to call a function of the library,
// whose results it then finds in its CallProgress, or nothing more, its outputs being set.
struct FunctionCall {
    std::string_view attr; // that names the function; empty: the node's op is the function
    std::size_t index = 0; // within a list of functions
    std::vector<Value> arguments;
    bool prunes = false; // run only what the results need; else the whole body
};

// Lives from the first to the last call that one execution of a functional node makes.
struct CallProgress {
    std::uint64_t calls = 0;    // that have returned
    std::vector<Value> results; // of the last one
    std::vector<Value> carried; // the kernel's own: a loop's variables
    std::int64_t counter = 0;   // the kernel's own
};

// Replaces Kernel::run for ops that call functions: called again after each call.
using Proceed = Result<std::optional<FunctionCall>> (*)(KernelContext& context,
                                                        CallProgress& progress);

// Null where the op calls no functions.
Proceed findProceed(std::string_view op);
// Returns what runs a node whose op is a function of the graph's library.
Proceed libraryCallProceed();
// `run` of the ops that have a Proceed: an error, since only a session can call functions.
Status cannotRunAlone(KernelContext& context);

// Returns the node's inputs from `first` on. All ops that call functions share it.
std::vector<Value> inputsFrom(const KernelContext& context, std::size_t first);
// Makes the results of a call the node's outputs.
Status giveResults(KernelContext& context, std::vector<Value>& results);
// Returns whether a condition holds: a bool or numeric scalar that is not zero, a string scalar or
// another tensor that is not empty.
Result<bool> isTrue(const KernelContext& context, const Value& condition);

} // namespace lapidary
