// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/accuracy/autopilot.h"

#include <QString>

namespace lapidary {

// "float", "8 bits", "8 bits per channel".
QString formText(LayerForm form);
// "37.3 dB", "exact".
QString decibelText(double decibels);
// "3.86 times smaller", "20.1 % larger".
QString changeText(std::int64_t before, std::int64_t after);
// "at most 1.0 % lost, estimated without data", "0.5 % of answers lost", "no answer lost".
QString lossText(const AutopilotPoint& point);
// "12 layers in 8 bits per channel, 2 in 16 bits; equalized".
QString formsText(const AutopilotPoint& point);
// "2.14 times as fast on this machine".
QString speedText(std::int64_t before, std::int64_t after);
// Returns the layers that two points store differently, a line each: "conv1: 8 bits, here float";
// at most `most` lines.
QString differenceText(const AutopilotPoint& point, const AutopilotPoint& other, int most);

} // namespace lapidary
