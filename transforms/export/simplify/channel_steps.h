// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/export/base/portable_edit.h"

namespace lapidary {

// y = x * scale + offset, one of each for a channel, or one for all channels.
struct ChannelStep {
    std::vector<double> scale;
    std::vector<double> offset;
};

// Returns the step that an operation applies to `from`; nothing if it does anything else.
std::optional<ChannelStep> channelStep(const PortableModel& model,
                                       const PortableOperation& operation, TensorIndex from);

// Returns the step that does first `a`, then `b`.
ChannelStep joined(const ChannelStep& a, const ChannelStep& b);
// Returns whether a layer's weights and bias are float constants, so that steps beside the layer
// can become part of them.
bool takesSteps(const PortableModel& model, const PortableOperation& layer);

// Moves the channel steps after a layer into its weights and bias.
void foldIntoLayers(PortableEdit& edit);
// Merges several channel steps in a row into one operation if there is no layer before them.
void mergeChannelSteps(PortableEdit& edit);

} // namespace lapidary
