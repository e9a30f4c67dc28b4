// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lapidary {

namespace detail {
using Part = void (*)(const void* body, std::int64_t begin, std::int64_t end);
void runParts(std::int64_t count, std::int64_t cost, const void* body, Part part);
} // namespace detail

// Calls body(begin, end) for consecutive parts of [0, count) on the threads of the team; in the
// caller's thread if the work is too small to share. In a run, long parts are split into pieces,
// between which a cancelled run throws RunStopped. `cost`: about how many nanoseconds one item
// takes. Every item is computed by one thread alone, so that results do not depend on the number of
// threads. `body` throws nothing but std::bad_alloc, and starts no parallel work itself.
template <class Body>
void parallelFor(std::int64_t count, std::int64_t cost, const Body& body)
{
    detail::runParts(count, cost, &body, [](const void* b, std::int64_t begin, std::int64_t end) {
        (*static_cast<const Body*>(b))(begin, end);
    });
}

} // namespace lapidary
