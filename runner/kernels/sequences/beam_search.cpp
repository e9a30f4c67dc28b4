// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/sequences/beam_search.h"

#include "runner/guard/run_guard.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

constexpr double noChance = -std::numeric_limits<double>::infinity();

double logOfSum(double a, double b)
{
    if (a == noChance)
        return b;
    if (b == noChance)
        return a;
    return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
}

// Returns log(sum(exp(scores))).
double normalizer(std::span<const double> scores)
{
    const double most = *std::ranges::max_element(scores);
    double sum = 0;
    for (const double score : scores)
        sum += std::exp(score - most);
    return most + std::log(sum);
}

constexpr auto isWorseInFront = [](const auto* a, const auto* b) {
    return a->now.total > b->now.total;
};

} // namespace

Result<BeamSearch> BeamSearch::make(std::int64_t width, std::int64_t classes, MemoryPool& pool)
{
    BeamSearch search(width, classes, pool);
    search.m_children.resize(std::size_t(classes));
    ASSIGN_OR_RETURN(auto root, search.add(nullptr, -1));
    root->now.total = 0;
    root->now.blank = 0;
    search.m_leaves.push_back(root);
    return search;
}

Result<BeamSearch::Beam*> BeamSearch::add(Beam* parent, std::int64_t label)
{
    if (m_usedInBlock == blockSize) {
        ASSIGN_OR_RETURN(auto block, Scratch<Beam>::make(*m_pool, blockSize));
        m_blocks.push_back(std::move(block));
        m_usedInBlock = 0;
    }
    Beam* beam = &m_blocks.back()[m_usedInBlock++];
    *beam = Beam{parent, nullptr, nullptr, label, {}, {}};
    if (parent != nullptr) {
        beam->nextSibling = parent->firstChild;
        parent->firstChild = beam;
    }
    return beam;
}

bool BeamSearch::isCandidate(const Chances& chances) const
{
    return chances.total > impossible &&
           (std::int64_t(m_leaves.size()) < m_width || chances.total > m_leaves.front()->now.total);
}

void BeamSearch::push(Beam* beam)
{
    if (std::int64_t(m_leaves.size()) == m_width) {
        std::ranges::pop_heap(m_leaves, isWorseInFront);
        m_leaves.back()->now = Chances();
        m_leaves.pop_back();
    }
    m_leaves.push_back(beam);
    std::ranges::push_heap(m_leaves, isWorseInFront);
}

std::vector<BeamSearch::Beam*> BeamSearch::sorted() const
{
    std::vector<Beam*> beams = m_leaves;
    std::ranges::stable_sort(beams, [](const Beam* a, const Beam* b) {
        stopPoint();
        return a->now.total > b->now.total;
    });
    return beams;
}

// Extends a beam by a time step without a new label.
void BeamSearch::prolong(Beam& beam, std::span<const double> scores, double offset)
{
    const Beam* parent = beam.parent;
    if (parent != nullptr) {
        if (parent->now.total != impossible) {
            const double previous =
                beam.label == parent->label ? parent->before.blank : parent->before.total;
            beam.now.label = logOfSum(beam.now.label, previous);
        }
        beam.now.label += scores[std::size_t(beam.label)] - offset;
    }
    beam.now.blank = beam.before.total + scores.back() - offset;
    beam.now.total = logOfSum(beam.now.blank, beam.now.label);
}

// Adds the beams that have the labels of `beam` and one more.
Status BeamSearch::grow(Beam& beam, std::span<const double> scores, double offset)
{
    std::ranges::fill(m_children, nullptr);
    for (Beam* child = beam.firstChild; child != nullptr; child = child->nextSibling)
        m_children[std::size_t(child->label)] = child;
    for (std::int64_t label = 0; label < m_classes - 1; ++label) {
        stopPoint();
        Beam* child = m_children[std::size_t(label)];
        if (child != nullptr && child->now.total != impossible)
            continue;
        Chances chances;
        const double previous = label == beam.label ? beam.before.blank : beam.before.total;
        chances.label = scores[std::size_t(label)] - offset + previous;
        chances.total = chances.label;
        if (!isCandidate(chances))
            continue;
        if (child == nullptr) {
            ASSIGN_OR_RETURN(const auto made, add(&beam, label));
            child = made;
        }
        child->now = chances;
        push(child);
    }
    return Done{};
}

Status BeamSearch::step(std::span<const double> scores)
{
    const double offset = normalizer(scores);
    const std::vector<Beam*> beams = sorted();
    for (Beam* beam : beams)
        beam->before = beam->now;
    for (Beam* beam : beams)
        prolong(*beam, scores, offset);
    m_leaves = beams;
    std::ranges::make_heap(m_leaves, isWorseInFront);
    for (Beam* beam : beams)
        if (isCandidate(beam->before))
            RETURN_IF_ERROR(grow(*beam, scores, offset));
    return Done{};
}

Result<std::vector<BeamSearch::Path>> BeamSearch::best(std::int64_t count,
                                                       bool mergesRepeated) const
{
    if (count > std::int64_t(m_leaves.size()))
        return Error{ErrorCode::InvalidArgument,
                     "there are only " + std::to_string(m_leaves.size()) + " paths, top_paths is " +
                         std::to_string(count)};
    std::vector<Path> paths;
    for (const Beam* beam : sorted()) {
        if (std::int64_t(paths.size()) == count)
            break;
        Path path;
        path.score = beam->now.total;
        std::int64_t last = -1;
        for (; beam->parent != nullptr; beam = beam->parent) {
            if (!mergesRepeated || beam->label != last)
                path.labels.push_back(beam->label);
            last = beam->label;
        }
        std::ranges::reverse(path.labels);
        paths.push_back(std::move(path));
    }
    return paths;
}

} // namespace lapidary
