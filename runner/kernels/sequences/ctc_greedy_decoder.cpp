// SPDX-License-Identifier: Apache-2.0
// CTCGreedyDecoder: the best class of each step, without blanks and, on request, without
// repetitions.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/sequences/ctc.h"

#include <algorithm>

namespace lapidary {
namespace {

template <class T>
class GreedyDecoder {
public:
    GreedyDecoder(const KernelContext& context, CtcShape shape)
        : m_scores(context.input(0).as<T>())
        , m_shape(shape)
        , m_merges(context.boolAttr("merge_repeated"))
    {
    }

    // Returns the labels, and sets `score` to minus the sum of the best scores.
    Labels decode(std::int64_t sequence, std::int64_t length, T& score) const
    {
        Labels labels;
        std::int64_t before = -1;
        score = 0;
        for (std::int64_t time = 0; time < length; ++time) {
            const auto start = std::size_t((time * m_shape.batch + sequence) * m_shape.classes);
            const auto row = m_scores.subspan(start, std::size_t(m_shape.classes));
            const auto best = std::ranges::max_element(row);
            const std::int64_t label = best - row.begin();
            score -= *best;
            if (label != m_shape.classes - 1 && !(m_merges && label == before))
                labels.push_back(label);
            before = label;
        }
        return labels;
    }

private:
    std::span<const T> m_scores;
    CtcShape m_shape;
    bool m_merges;
};

template <class T>
Status decodeAll(KernelContext& context, CtcShape shape)
{
    ASSIGN_OR_RETURN(auto scores, context.makeOutput(3, dtypeOf<T>(), {shape.batch, 1}));
    const GreedyDecoder<T> decoder(context, shape);
    std::vector<Labels> sequences;
    for (std::int64_t b = 0; b < shape.batch; ++b) {
        if (context.job().cancelled())
            return cancelledError();
        const std::int32_t length = context.input(1).as<std::int32_t>()[std::size_t(b)];
        sequences.push_back(
            decoder.decode(b, length, scores.template mutableAs<T>()[std::size_t(b)]));
    }
    return setDecoded(context, 0, 1, sequences);
}

Status runCTCGreedyDecoder(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto shape, ctcShape(context));
    if (context.input(0).dtype() == DType::Double)
        return decodeAll<double>(context, shape);
    return decodeAll<float>(context, shape);
}

} // namespace

LAPIDARY_KERNEL(CTCGreedyDecoder, runCTCGreedyDecoder);

} // namespace lapidary
