// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary {

struct WindowParts;

// Asks for the device to measure the shown graph on, measures it with the adb on PATH, and shows
// the profile over the graph. The log is kept beside the model.
void askToRunOnDevice(const WindowParts& window);

} // namespace lapidary
