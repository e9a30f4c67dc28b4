// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/structure/build.h"

#include "graph_model/scopes/structure/assemble.h"

namespace lapidary::structure {
namespace {

constexpr std::uint32_t leafAtoms = 12; // a box with at most this many parts is not cut further

class Builder {
public:
    Builder(const Level& level, const std::vector<std::uint32_t>& boxOfContext, BoxTree& tree,
            const Job& job)
        : m_level(level)
        , m_boxOfContext(boxOfContext)
        , m_tree(tree)
        , m_job(job)
        , m_folded(foldedLists(level))
    {
    }

    std::uint64_t build(bool backward, std::uint32_t root)
    {
        const Sequence sequence = orderHalf(m_level, backward);
        if (sequence.size() == 0)
            return 0;
        Unit whole;
        whole.stretch = {0, sequence.size() - 1};
        describeUnit(sequence, whole);
        m_tree.boxes[root].label = whole.label;
        m_tree.boxes[root].family = whole.family;
        m_tasks.push_back({root, whole.stretch});
        while (!m_tasks.empty() && !m_job.cancelled()) {
            const Task task = m_tasks.back();
            m_tasks.pop_back();
            divide(sequence, task);
        }
        return whole.label;
    }

private:
    struct Task {
        std::uint32_t box;
        Stretch stretch;
    };

    // Returns the elements that are folded into each element, directly or not.
    static Rows<std::uint32_t> foldedLists(const Level& level)
    {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
        for (std::uint32_t e = 0; e < level.size(); ++e) {
            std::uint32_t into = level.foldedInto[e];
            if (!level.isLive[e] || into == none)
                continue;
            while (level.foldedInto[into] != none)
                into = level.foldedInto[into];
            pairs.emplace_back(into, e);
        }
        return {level.size(), pairs};
    }

    Part partOf(std::uint32_t e) const
    {
        const std::uint32_t element = m_level.element[e];
        if (!m_level.isContext(e))
            return {false, element};
        return {true, m_boxOfContext[element & ~Level::contextFlag]};
    }

    Part atom(const Sequence& sequence, std::uint32_t position)
    {
        const std::uint32_t e = sequence.element[position];
        if (m_folded[e].empty())
            return partOf(e);
        const std::uint32_t box = m_tree.add(Way::SideCone);
        m_tree.boxes[box].label = mixHash(sequence.label[position], m_folded[e].size());
        m_tree.boxes[box].parts.push_back(partOf(e));
        for (const std::uint32_t folded : m_folded[e])
            m_tree.boxes[box].parts.push_back(partOf(folded));
        return {true, box};
    }

    void divide(const Sequence& sequence, const Task& task)
    {
        if (task.stretch.length() <= leafAtoms) {
            for (std::uint32_t p = task.stretch.begin; p <= task.stretch.end; ++p) {
                const Part part = atom(sequence, p);
                m_tree.boxes[task.box].parts.push_back(part);
            }
            return;
        }
        const Cut cut = cutStretch(sequence, task.stretch);
        if (m_tree.boxes[task.box].way == Way::Leaf)
            m_tree.boxes[task.box].way = cut.way;
        const Assembly assembly = assemble(sequence, cut);
        emit(sequence, assembly, assembly.top, task.box);
        if (cut.way == Way::Balanced)
            numberSections(task.box);
    }

    // Makes boxes of units, outer ones first.
    void emit(const Sequence& sequence, const Assembly& assembly,
              const std::vector<std::uint32_t>& top, std::uint32_t box)
    {
        struct Open {
            std::uint32_t box;
            const std::vector<std::uint32_t>* units;
        };
        std::vector<Open> open{{box, &top}};
        for (std::size_t i = 0; i < open.size(); ++i) {
            const Open at = open[i];
            const bool splices = mayTakeIn(assembly, *at.units) && at.box != box;
            for (const std::uint32_t id : *at.units) {
                const Unit& unit = assembly.pool[id];
                Part part;
                if (unit.parts.empty() && unit.stretch.length() == 1) {
                    part = atom(sequence, unit.stretch.begin);
                } else {
                    part = {true, m_tree.add(unit.way)};
                    Box& made = m_tree.boxes[part.index];
                    made.label = unit.label;
                    made.family = unit.family;
                    made.splices = splices && unit.parts.empty();
                    if (unit.parts.empty())
                        m_tasks.push_back({part.index, unit.stretch});
                    else
                        open.push_back({part.index, &unit.parts});
                }
                m_tree.boxes[at.box].parts.push_back(part);
            }
        }
    }

    // Returns whether the units are one region and a few single ops, so that the region needs no
    // box of its own.
    static bool mayTakeIn(const Assembly& assembly, const std::vector<std::uint32_t>& units)
    {
        std::size_t regions = 0;
        for (const std::uint32_t id : units) {
            const Unit& unit = assembly.pool[id];
            if (!unit.parts.empty())
                return false;
            regions += unit.stretch.length() > 1;
        }
        return regions == 1;
    }

    void numberSections(std::uint32_t box)
    {
        const std::vector<Part>& parts = m_tree.boxes[box].parts;
        for (std::uint32_t i = 0; i < parts.size(); ++i)
            if (parts[i].isBox) {
                m_tree.boxes[parts[i].index].section = i + 1;
                m_tree.boxes[parts[i].index].sections = std::uint32_t(parts.size());
            }
    }

    const Level& m_level;
    const std::vector<std::uint32_t>& m_boxOfContext;
    BoxTree& m_tree;
    const Job& m_job;
    Rows<std::uint32_t> m_folded;
    std::vector<Task> m_tasks;
};

} // namespace

std::uint64_t buildLevel(const Level& level, const std::vector<std::uint32_t>& boxOfContext,
                         std::uint32_t root, BoxTree& tree, const Job& job)
{
    Builder builder(level, boxOfContext, tree, job);
    if (!level.hasHalves)
        return builder.build(false, root);
    std::uint64_t label = 23;
    for (const Way way : {Way::Forward, Way::Backward}) {
        const std::uint32_t half = tree.add(way);
        tree.boxes[root].parts.push_back({true, half});
        label = mixHash(label, builder.build(way == Way::Backward, half));
    }
    return label;
}

} // namespace lapidary::structure
