// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QThreadPool>

#include <memory>
#include <utility>

namespace lapidary {

// Destroys something large on a worker: freeing a graph of a hundred thousand nodes takes longer
// than a frame.
template <class T>
void disposeLater(QThreadPool* pool, std::shared_ptr<T> value)
{
    if (value)
        pool->start([held = std::move(value)]() mutable { held.reset(); });
}

} // namespace lapidary
