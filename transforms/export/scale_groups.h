// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/export/tensor_ranges.h"

namespace lapidary {

// Tells which operations of a float model can compute in 8 bits, and the scales of their tensors.
// Tensors that an operation only moves have one scale together; some operations have outputs of a
// scale that the format fixes.
class ScaleGroups {
public:
    ScaleGroups(const PortableModel& model, const TensorRanges& ranges);

    bool isQuantized(const PortableOperation& operation) const;
    // Why it is not.
    std::string reason(const PortableOperation& operation) const;
    bool hasScales(TensorIndex index) const;
    PortableScales scalesOf(TensorIndex index) const;

private:
    struct Group {
        std::optional<FrozenRange> range;
        std::optional<PortableScales> fixed;
    };

    std::size_t rootOf(TensorIndex index) const;
    void join(TensorIndex a, TensorIndex b);
    bool hasRange(TensorIndex index) const;
    bool isReal(TensorIndex index) const;

    std::vector<DType> m_types;
    std::vector<bool> m_isConstant;
    const TensorRanges& m_ranges;
    std::vector<std::size_t> m_parent;
    std::vector<Group> m_groups; // by root
};

} // namespace lapidary
