// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/portable/portable_model.h"
#include "runner/execute/session.h"
#include "transforms/export/raise/raise_portable.h"
#include "transforms/quantize/range_log.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

// The smallest and largest value of each tensor, by TensorIndex; nothing if it is not known.
using TensorRanges = std::vector<std::optional<FrozenRange>>;

// Measures all float tensors of a model while it runs on one sample after the other, with this
// program's own kernels.
class RangeObserver {
public:
    static Result<RangeObserver> make(const PortableModel& model);

    // Runs the model on a sample: one value for each input of the model, in order.
    Status add(std::vector<Value> inputs, const Job& job);
    const TensorRanges& ranges() const { return m_ranges; }
    // The values that the outputs had for the last sample.
    const std::vector<Value>& outputs() const { return m_outputs; }
    Session& session() { return *m_session; }

private:
    explicit RangeObserver(const PortableModel& model, RaisedGraph raised);

    std::vector<std::string> m_inputs;
    std::vector<TensorIndex> m_observed;
    RunRequest m_request;
    std::shared_ptr<Session> m_session;
    TensorRanges m_ranges;
    std::vector<Value> m_outputs;
    std::size_t m_observedCount = 0;
};

// Returns the ranges that were logged while an 8-bit graph of the same model ran. `log` has the
// range of a tensor after its bias and before its activation, by the node that measured it. Pools
// and reshapes have the range of their input. `inputs` are the ranges of the inputs by name.
TensorRanges rangesOfLog(const PortableModel& model, const FrozenRanges& log,
                         const std::map<std::string, FrozenRange>& inputs);

} // namespace lapidary
