// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/export/base/portable_edit.h"

namespace lapidary {

// y = x * scale + offset, one of each for a channel, or one for all channels.
struct ChannelStep {
    std::vector<double> scale;
    std::vector<double> offset;
};

// Returns what an operation does to `from`, where it is that and nothing more; nothing for others.
std::optional<ChannelStep> channelStep(const PortableModel& model,
                                       const PortableOperation& operation, TensorIndex from);

// Moves what follows a layer into its weights and bias.
void foldIntoLayers(PortableEdit& edit);
// Makes one operation of several that follow one another without a layer in front.
void mergeChannelSteps(PortableEdit& edit);

} // namespace lapidary
