// SPDX-License-Identifier: Apache-2.0
#include "transforms/convolution/channel_statistics.h"

#include "graph_model/graph/attr_lists.h"

namespace lapidary {

ChannelStatistics keptStatistics(const Node& bias, std::size_t channels)
{
    ChannelStatistics kept{bias.attr(meanAttr).floats(), bias.attr(deviationAttr).floats()};
    if (kept.mean.size() != channels || kept.deviation.size() != channels)
        return {};
    return kept;
}

void keepStatistics(const ChannelStatistics& statistics, NodeDraft& bias)
{
    if (statistics.isEmpty())
        return;
    bias.setAttr(meanAttr, attr::fromFloats(statistics.mean));
    bias.setAttr(deviationAttr, attr::fromFloats(statistics.deviation));
}

void divideStatistics(std::span<const double> factors, const Node& bias, NodeDraft& draft)
{
    ChannelStatistics kept = keptStatistics(bias, factors.size());
    for (std::size_t k = 0; k < kept.mean.size(); ++k) {
        kept.mean[k] = float(double(kept.mean[k]) / factors[k]);
        kept.deviation[k] = float(double(kept.deviation[k]) / factors[k]);
    }
    keepStatistics(kept, draft);
}

} // namespace lapidary
