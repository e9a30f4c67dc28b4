// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/result.h"
#include "runner/guard/run_guard.h"

#include <new>
#include <stdexcept>
#include <string_view>

namespace lapidary {

// Returns the error of an allocation that failed: the memory limit, or the system, has no memory
// left for `what`; or the run was cancelled, after which allocations fail.
Error outOfMemoryError(std::string_view what);

// Returns the result of `work`, which is part of a run; failed allocations become an error.
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
