#pragma once

#include <mutex>

namespace lapidary {

// To be held around every use of cgraph, which keeps state of its own between calls.
std::mutex& cgraphMutex();

} // namespace lapidary
