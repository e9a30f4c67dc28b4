// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary {

struct WindowParts;

// Asks on what device the graph that is shown is to be measured, does it with the adb on PATH, and
// lays the result over the graph. The log stays beside the model.
void askToRunOnDevice(const WindowParts& window);

} // namespace lapidary
