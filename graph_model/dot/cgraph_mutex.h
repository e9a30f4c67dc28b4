// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>

namespace lapidary {

// Must be locked around every use of cgraph, which keeps global state between calls.
std::mutex& cgraphMutex();

} // namespace lapidary
