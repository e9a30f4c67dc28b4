// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary {

// Returns the largest number of parts that parallelFor() would make now, in this thread.
int parallelThreads();

} // namespace lapidary
