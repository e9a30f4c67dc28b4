// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/setup/compute_tensors.h"

#include <cstdint>
#include <list>
#include <map>
#include <string>

namespace lapidary {

// Computed values by tensor, up to a limit: the least recently used ones are dropped first. A value
// larger than the limit is not kept.
class ValueStore {
public:
    static constexpr std::uint64_t usualLimit = 1'000'000'000; // bytes

    void setLimit(std::uint64_t bytes);
    std::uint64_t limit() const { return m_limit; }
    // `times`: see ComputedOutput.
    void put(const std::string& tensor, const Value& value, std::uint64_t times = 0);
    const Value* find(const std::string& tensor); // null: not kept; counts as a use
    std::uint64_t timesOf(const std::string& tensor) const;
    void clear();

    std::uint64_t bytes() const { return m_bytes; }
    std::size_t count() const { return m_kept.size(); }
    std::size_t letGo() const { return m_letGo; } // number of values dropped since clear()
    // Returns the values that a run can start from; shares their data.
    TensorValues known() const;

private:
    struct Kept {
        std::string tensor;
        Value value;
        std::uint64_t bytes = 0;
        std::uint64_t times = 0;
    };
    void shrink(std::uint64_t room);

    std::list<Kept> m_kept; // the most recently used one first
    std::map<std::string, std::list<Kept>::iterator> m_byTensor;
    std::uint64_t m_limit = usualLimit;
    std::uint64_t m_bytes = 0;
    std::size_t m_letGo = 0;
};

} // namespace lapidary
