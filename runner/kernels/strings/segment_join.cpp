// SPDX-License-Identifier: Apache-2.0
// UnsortedSegmentJoin: the strings of each segment one after the other, with a separator between
// them.
#include "runner/guard/run_guard.h"
#include "runner/kernels/arrays/arguments.h"

namespace lapidary {
namespace {

Status runSegmentJoin(KernelContext& context)
{
    const Value& texts = context.input(0);
    const Value& segments = context.input(1);
    if (segments.rank() > texts.rank() ||
        !std::equal(segments.dims().begin(), segments.dims().end(), texts.dims().begin()))
        return context.error("segment_ids " + dimsText(segments.dims()) +
                             " must have the first axes of inputs " + dimsText(texts.dims()));
    ASSIGN_OR_RETURN(const auto count, integerScalar(context, 2, "num_segments"));
    if (count < 0)
        return context.error("num_segments must not be negative: " + std::to_string(count));
    Dims dims(texts.dims().begin() + segments.rank(), texts.dims().end());
    dims.insert(dims.begin(), count);
    ASSIGN_OR_RETURN(auto made, context.makeOutput(0, DType::String, dims));
    const auto each = std::size_t(sizeOfAxes(dims, 1, dims.size()));
    const std::string separator(context.stringAttr("separator"));
    const auto ids = segments.integers();
    std::vector<bool> hasText(std::size_t(count), false);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i] < 0 || ids[i] >= count)
            return context.error("segment_ids[" + std::to_string(i) +
                                 "] = " + std::to_string(ids[i]) + " is not in [0, " +
                                 std::to_string(count) + ")");
        const auto segment = std::size_t(ids[i]);
        for (std::size_t k = 0; k < each; ++k) {
            stopPoint();
            std::string& to = made.mutableStrings()[segment * each + k];
            to += (hasText[segment] ? separator : "") + texts.strings()[i * each + k];
        }
        hasText[segment] = true;
    }
    return Done{};
}

} // namespace

LAPIDARY_KERNEL(UnsortedSegmentJoin, runSegmentJoin);

} // namespace lapidary
