// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/sequences/ctc.h"

#include <algorithm>

namespace lapidary {

Result<CtcShape> ctcShape(const KernelContext& context)
{
    const Value& scores = context.input(0);
    const Value& lengths = context.input(1);
    if (scores.rank() != 3)
        return context.error("inputs must have rank 3, got shape " + dimsText(scores.dims()));
    const CtcShape shape{scores.dim(0), scores.dim(1), scores.dim(2)};
    if (shape.time == 0 || shape.classes == 0)
        return context.error("inputs of shape " + dimsText(scores.dims()) +
                             " have no time or no classes");
    if (!lengths.isVector() || lengths.dim(0) != shape.batch)
        return context.error("sequence_length must have " + std::to_string(shape.batch) +
                             " elements, got shape " + dimsText(lengths.dims()));
    for (const std::int32_t length : lengths.as<std::int32_t>())
        if (length > shape.time)
            return context.error("sequence_length is " + std::to_string(length) +
                                 ", but there are only " + std::to_string(shape.time) + " steps");
    return shape;
}

Status setDecoded(KernelContext& context, std::size_t path, std::size_t paths,
                  const std::vector<Labels>& sequences)
{
    std::size_t total = 0;
    std::size_t longest = 0;
    for (const Labels& labels : sequences) {
        total += labels.size();
        longest = std::max(longest, labels.size());
    }
    ASSIGN_OR_RETURN(auto indices,
                     context.makeOutput(path, DType::Int64, {std::int64_t(total), 2}));
    ASSIGN_OR_RETURN(auto values,
                     context.makeOutput(paths + path, DType::Int64, {std::int64_t(total)}));
    ASSIGN_OR_RETURN(auto shape, context.makeOutput(2 * paths + path, DType::Int64, {2}));
    std::int64_t* index = indices.mutableAs<std::int64_t>().data();
    std::int64_t* value = values.mutableAs<std::int64_t>().data();
    for (std::size_t b = 0; b < sequences.size(); ++b) {
        for (std::size_t i = 0; i < sequences[b].size(); ++i) {
            *index++ = std::int64_t(b);
            *index++ = std::int64_t(i);
            *value++ = sequences[b][i];
        }
    }
    shape.mutableAs<std::int64_t>()[0] = std::int64_t(sequences.size());
    shape.mutableAs<std::int64_t>()[1] = std::int64_t(longest);
    return Done{};
}

} // namespace lapidary
