// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/export/int8/tensor_ranges.h"

namespace lapidary {

// Finds which operations of a float model can compute in 8 bits, and the scales of their tensors.
// Tensors that an operation only moves have one scale together; some operations have outputs of a
// scale that the format fixes. An operation that joins tensors rounds an input to the scale of its
// result if one scale for both would be too coarse for one of them, or not the fixed one.
class ScaleGroups {
public:
    ScaleGroups(const PortableModel& model, const TensorRanges& ranges);

    bool isQuantized(const PortableOperation& operation) const;
    // Returns why it is not quantized.
    std::string reason(const PortableOperation& operation) const;
    bool hasScales(TensorIndex index) const;
    PortableScales scalesOf(TensorIndex index) const;
    // Returns whether that input has to be rounded to the scale of the output.
    bool isRescaled(const PortableOperation& operation, std::size_t slot) const;

private:
    struct Group {
        std::optional<FrozenRange> range;
        std::optional<PortableScales> fixed;
        std::size_t reads = 0; // by others than the operations that moved tensors into it
    };

    std::size_t rootOf(TensorIndex index) const;
    void join(TensorIndex a, TensorIndex b);
    void moveTogether(const PortableOperation& operation);
    void countReads(const PortableModel& model);
    void joinInputs(const PortableOperation& operation);
    bool areAlike(const PortableOperation& operation, std::size_t input) const;
    bool hasRange(TensorIndex index) const;
    bool isReal(TensorIndex index) const;

    std::vector<DType> m_types;
    std::vector<bool> m_isConstant;
    const TensorRanges& m_ranges;
    std::vector<std::size_t> m_parent;
    std::vector<std::size_t>
        m_sizes;                 // by root; the smaller group joins the larger: O(log n) to a root
    std::vector<Group> m_groups; // by root
};

} // namespace lapidary
