// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/checkpoint/variable_reader.h"
#include "transforms/freeze/freeze_model.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace lapidary {

// Finds the values of a model's variables: computes those that an initializer assigns, and takes
// the others from the checkpoint.
class VariableValues {
public:
    // All three must outlive this.
    VariableValues(const GraphEntry& entry, const FreezeRequest& request, const Job& job)
        : m_entry(entry)
        , m_request(request)
        , m_job(job)
    {
    }

    // Opens the checkpoint, if there is one, and finds the assignments. Must be called first.
    Status open();
    // Returns the encoded attribute `value` of a Const. Large values are not read, but mapped from
    // the checkpoint.
    Result<AttrBytes> read(NodeId variable);
    // Returns the unchecked bytes of the values read so far; empty unless the request leaves
    // checking to the caller.
    std::vector<UncheckedBytes> takeUnchecked() { return std::move(m_unchecked); }
    // Returns where read() finds the value, or the reason why it cannot.
    VariableSource sourceOf(NodeId variable) const;

private:
    Status findAssignments();
    Result<AttrBytes> computed(Endpoint tensor);
    std::string whyUnread() const; // returns why there is no checkpoint
    Result<AttrBytes> fromCheckpoint(NodeId variable, PlaceChecks checks);

    const GraphEntry& m_entry;
    const FreezeRequest& m_request;
    const Job& m_job;
    std::optional<VariableReader> m_reader;
    std::map<NodeId, Endpoint> m_assigned; // by initializers
    std::vector<UncheckedBytes> m_unchecked;
};

} // namespace lapidary
