// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary {

// The most parts that parallelFor makes here and now.
int parallelThreads();

} // namespace lapidary
