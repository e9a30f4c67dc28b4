// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/structure/build.h"

#include <algorithm>
#include <cmath>

namespace lapidary::structure {
namespace {

constexpr std::size_t mostSpliced = 24;

class Tidier {
public:
    Tidier(const std::vector<bool>& isFolded, std::uint32_t mostParts, BoxTree& tree)
        : m_isFolded(isFolded)
        , m_mostParts(mostParts)
        , m_tree(tree)
    {
    }

    void run()
    {
        std::vector<std::uint32_t> outerFirst{0};
        for (std::size_t i = 0; i < outerFirst.size(); ++i)
            for (const Part& part : m_tree.boxes[outerFirst[i]].parts)
                if (part.isBox)
                    outerFirst.push_back(part.index);
        for (auto box = outerFirst.rbegin(); box != outerFirst.rend(); ++box) {
            spliceInner(*box);
            makeSections(*box);
        }
        spliceOnlyBox(0);
    }

private:
    bool isVisible(const Part& part) const { return part.isBox || !m_isFolded[part.index]; }

    std::size_t visible(const std::vector<Part>& parts) const
    {
        return std::size_t(
            std::ranges::count_if(parts, [&](const Part& part) { return isVisible(part); }));
    }

    // Dissolves an inner box if it shows at most one item, or is one region beside single ops.
    void spliceInner(std::uint32_t box)
    {
        const std::vector<Part> parts = std::move(m_tree.boxes[box].parts);
        std::vector<Part> result;
        for (const Part& part : parts) {
            const Box* inner = part.isBox ? &m_tree.boxes[part.index] : nullptr;
            const bool gives =
                inner != nullptr &&
                (visible(inner->parts) <= 1 ||
                 (inner->splices && visible(inner->parts) + visible(parts) <= mostSpliced));
            if (gives)
                result.insert(result.end(), inner->parts.begin(), inner->parts.end());
            else
                result.push_back(part);
        }
        m_tree.boxes[box].parts = std::move(result);
        if (box != 0)
            spliceOnlyBox(box);
    }

    // Replaces a box that contains only one other box (and folded items) by the other's parts and
    // kind.
    void spliceOnlyBox(std::uint32_t box)
    {
        std::vector<Part>& parts = m_tree.boxes[box].parts;
        const auto only =
            std::ranges::find_if(parts, [&](const Part& part) { return isVisible(part); });
        if (only == parts.end() || !only->isBox || visible(parts) != 1)
            return;
        const Box inner = m_tree.boxes[only->index];
        parts.erase(only);
        parts.insert(parts.end(), inner.parts.begin(), inner.parts.end());
        const Way way = m_tree.boxes[box].way;
        if (box != 0 && way != Way::Loop && way != Way::Condition && way != Way::Forward &&
            way != Way::Backward) {
            m_tree.boxes[box].way = inner.way;
            m_tree.boxes[box].label = inner.label;
            m_tree.boxes[box].family = inner.family;
        }
    }

    void makeSections(std::uint32_t box)
    {
        while (visible(m_tree.boxes[box].parts) > m_mostParts) {
            const std::vector<Part> parts = std::move(m_tree.boxes[box].parts);
            const double count = double(visible(parts));
            const auto size = std::clamp<std::size_t>(std::size_t(std::sqrt(count)), 10, 50);
            std::vector<Part> result;
            const std::uint32_t first = std::uint32_t(m_tree.boxes.size());
            std::size_t shown = size;
            for (const Part& part : parts) {
                if (shown >= size && isVisible(part)) {
                    result.push_back({true, m_tree.add(Way::Section)});
                    shown = 0;
                }
                shown += isVisible(part);
                if (result.empty()) // folded items before the first visible one
                    result.push_back(part);
                else
                    (result.back().isBox ? m_tree.boxes[result.back().index].parts : result)
                        .push_back(part);
            }
            for (std::uint32_t i = first; i < m_tree.boxes.size(); ++i) {
                m_tree.boxes[i].section = i - first + 1;
                m_tree.boxes[i].sections = std::uint32_t(m_tree.boxes.size()) - first;
            }
            m_tree.boxes[box].parts = std::move(result);
        }
    }

    const std::vector<bool>& m_isFolded;
    std::uint32_t m_mostParts;
    BoxTree& m_tree;
};

} // namespace

void tidyBoxes(const std::vector<bool>& isFolded, std::uint32_t mostParts, BoxTree& tree)
{
    Tidier(isFolded, mostParts, tree).run();
}

} // namespace lapidary::structure
