// SPDX-License-Identifier: Apache-2.0
#include "graph_model/dot/cgraph_mutex.h"

namespace lapidary {

std::mutex& cgraphMutex()
{
    static std::mutex mutex;
    return mutex;
}

} // namespace lapidary
