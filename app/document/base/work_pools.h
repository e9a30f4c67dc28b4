// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QThreadPool>

namespace lapidary {

// Separate threads for work that must not overlap.
struct WorkPools {
    QThreadPool layout;
    QThreadPool run; // for everything that runs graphs: OpenMP keeps a team for each calling thread

    WorkPools()
    {
        for (QThreadPool* pool : {&layout, &run}) {
            pool->setMaxThreadCount(1);
            pool->setExpiryTimeout(-1);
        }
    }
};

} // namespace lapidary
