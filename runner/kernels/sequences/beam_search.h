// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "runner/kernels/scratch.h"
#include "runner/kernels/sequences/ctc.h"

#include <limits>
#include <span>
#include <vector>

namespace lapidary {

// CTC prefix beam search over one sequence. A beam is a node of a tree of labels with three
// probabilities, as logarithms: that its path ends in a blank, in its label, or in either.
// O(time * width * classes * log width).
class BeamSearch {
public:
    static Result<BeamSearch> make(std::int64_t width, std::int64_t classes, MemoryPool& pool);

    // Adds one moment of time. Scores need not be normalized; the last class is the blank.
    Status step(std::span<const double> scores);

    struct Path {
        Labels labels;
        double score = 0; // logarithm of the probability
    };
    // Returns the `count` best paths. Fails if there are fewer.
    Result<std::vector<Path>> best(std::int64_t count, bool mergesRepeated) const;

private:
    static constexpr double impossible = -std::numeric_limits<double>::infinity();

    struct Chances {
        double total = impossible;
        double blank = impossible;
        double label = impossible;
    };
    struct Beam {
        Beam* parent = nullptr;
        Beam* firstChild = nullptr;
        Beam* nextSibling = nullptr;
        std::int64_t label = 0;
        Chances before;
        Chances now;
    };

    BeamSearch(std::int64_t width, std::int64_t classes, MemoryPool& pool)
        : m_width(width)
        , m_classes(classes)
        , m_pool(&pool)
    {
    }
    Result<Beam*> add(Beam* parent, std::int64_t label);
    void prolong(Beam& beam, std::span<const double> scores, double offset);
    Status grow(Beam& beam, std::span<const double> scores, double offset);
    bool isCandidate(const Chances& chances) const;
    void push(Beam* beam);
    std::vector<Beam*> sorted() const;

    static constexpr std::int64_t blockSize = 1024;

    std::int64_t m_width;
    std::int64_t m_classes;
    MemoryPool* m_pool;
    std::vector<Scratch<Beam>> m_blocks; // of the tree's nodes, which never move
    std::int64_t m_usedInBlock = blockSize;
    std::vector<Beam*> m_leaves;   // a heap with the worst in front
    std::vector<Beam*> m_children; // of the beam that grows, by label
};

} // namespace lapidary
