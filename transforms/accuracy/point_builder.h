// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/accuracy/accuracy_base.h"
#include "transforms/accuracy/autopilot.h"
#include "transforms/accuracy/graph_timer.h"

namespace lapidary {

// Builds the graphs of points, encodes them, reads them again and runs them.
class PointBuilder {
public:
    PointBuilder(const FittedPreset& fitted, const AutopilotOptions& options,
                 const NoiseMeter& meter, GraphTimer* timer)
        : m_fitted(fitted)
        , m_options(options)
        , m_meter(meter)
        , m_timer(timer)
    {
    }

    // The first `done` steps of `point.recipe` turned the original into `graph`; the others follow.
    // Fills in the rest of the point except the compressed size; the loss is relative to this share
    // of right answers.
    Result<AutopilotPoint> build(AutopilotPoint point, const GraphPtr& graph, std::size_t done,
                                 std::optional<double> top1, const Job& job) const;

private:
    void setLoss(AutopilotPoint& point, std::optional<double> top1) const;
    Status reopen(AutopilotPoint& point, const std::vector<std::string>& tensors,
                  const Job& job) const;

    const FittedPreset& m_fitted;
    const AutopilotOptions& m_options;
    const NoiseMeter& m_meter;
    GraphTimer* m_timer; // null: nothing is timed
};

} // namespace lapidary
