// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "runner/guard/run_guard.h"

#include <new>
#include <stdexcept>
#include <string_view>

namespace lapidary {

// Returns the error that says that the memory limit, or the system, has no memory left for `what`,
// or that the run was cancelled, which is why it gets none.
Error outOfMemoryError(std::string_view what);

// The result of `work`, which is part of a run; what it cannot have of the heap is its error.
template <class Work>
auto withinMemory(std::string_view what, const Work& work) -> decltype(work())
{
    try {
        return work();
    } catch (const RunStopped&) {
        return cancelledError();
    } catch (const std::bad_alloc&) {
        return outOfMemoryError(what);
    } catch (const std::length_error&) { // a list or string that no memory could hold
        return outOfMemoryError(what);
    }
}

} // namespace lapidary
