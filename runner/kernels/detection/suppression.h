// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/guard/run_guard.h"
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"

#include <queue>

#include <cmath>
#include <deque>
#include <span>
#include <vector>

namespace lapidary {

struct SuppressionLimits {
    std::int64_t count = 0; // the largest number of selected boxes
    float overlap = 0.5F;   // a box that overlaps a selected one as much or more is dropped
    float score = 0.0F;     // boxes with lower or equal scores are ignored
    float sigma = 0.0F;     // above 0: overlapping boxes lose score instead of being dropped
};

template <class T>
struct Selection {
    std::vector<std::int32_t> indices;
    std::vector<T> scores;
};

// Selects boxes greedily by falling score; `overlap(i, j)` returns the overlap of two boxes. A box
// is selected once at most. Equal scores come in the order of a binary heap, as in TensorFlow.
// O(n log n + n * selected).
template <class T, class Overlap>
class Suppression {
public:
    Suppression(std::span<const T> scores, SuppressionLimits limits, Overlap overlap)
        : m_limits(limits)
        , m_overlap(std::move(overlap))
    {
        for (std::size_t i = 0; i < scores.size(); ++i)
            if (scores[i] > T(limits.score))
                m_queue.push({std::int32_t(i), scores[i], 0, false});
    }

    Result<Selection<T>> run(const Job& job)
    {
        while (std::int64_t(m_selection.indices.size()) < m_limits.count && !m_queue.empty()) {
            if (job.cancelled())
                return cancelledError();
            const Candidate next = m_queue.top();
            m_queue.pop();
            if (!next.isSelected)
                consider(next);
        }
        return std::move(m_selection);
    }

private:
    struct Candidate {
        std::int32_t index;
        T score;
        std::size_t compared; // number of selected boxes that it was compared with
        bool isSelected;      // already selected: only occupies its position in the queue
    };
    struct IsWorse {
        bool operator()(const Candidate& a, const Candidate& b) const { return a.score < b.score; }
    };

    void consider(Candidate next)
    {
        const T before = next.score;
        const std::size_t selected = m_selection.indices.size();
        for (std::size_t k = selected; k > next.compared; --k) {
            stopPoint();
            const T overlap = m_overlap(next.index, m_selection.indices[k - 1]);
            next.score = T(wide(next.score) * wide(weight(overlap)));
            if (overlap >= T(m_limits.overlap))
                return;
            if (next.score <= T(m_limits.score))
                break;
        }
        next.compared = selected;
        next.isSelected = next.score == before;
        if (next.isSelected) {
            m_selection.indices.push_back(next.index);
            m_selection.scores.push_back(next.score);
        }
        if (next.score > T(m_limits.score))
            m_queue.push(next);
    }

    T weight(T overlap) const
    {
        if (!(overlap <= T(m_limits.overlap)))
            return T(0.0F);
        const T scale = m_limits.sigma > 0.0F ? T(-0.5F / m_limits.sigma) : T(0.0F);
        const T scaled = T(wide(scale) * wide(overlap));
        return T(std::exp(wide(T(wide(scaled) * wide(overlap)))));
    }

    SuppressionLimits m_limits;
    Overlap m_overlap;
    std::priority_queue<Candidate, std::deque<Candidate>, IsWorse> m_queue;
    Selection<T> m_selection;
};

// Reads the limits from the inputs and attributes of any version of NonMaxSuppression. Checks boxes
// and scores, too.
Result<SuppressionLimits> suppressionLimits(const KernelContext& context);
// Runs the op for boxes [n,4] and scores [n]; `T` is the type of both.
Status selectBoxes(KernelContext& context);
// Returns the best `most` candidates that do not overlap a better one by more than `overlap`.
// Candidates are indices into `scores`; those with equal scores keep their order. O(n log n + n *
// selected).
Result<std::vector<std::size_t>> bestApart(std::span<const float> boxes,
                                           std::span<const float> scores,
                                           std::vector<std::size_t> candidates, float overlap,
                                           std::int64_t most, const Job& job);
// Returns an input that is a scalar int32 and limits a count; a negative one sets no limit.
Result<std::int64_t> countLimitInput(const KernelContext& context, std::size_t input,
                                     std::string_view name);
Result<float> limitInput(const KernelContext& context, std::size_t input, std::string_view name);
Status checkOverlapLimit(const KernelContext& context, float threshold);

} // namespace lapidary
