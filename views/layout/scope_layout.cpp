// SPDX-License-Identifier: Apache-2.0
#include "views/layout/scope_layout.h"

#include "views/layout/edge_labels.h"
#include "views/layout/layered/placement.h"

#include <algorithm>
#include <cmath>

namespace lapidary {
namespace {

constexpr float pillGap = 4;     // between pills
constexpr float chipGap = 6;     // between a box and its chips
constexpr float stubGap = 14;    // length of the short edge of a stub
constexpr float pillIndent = 12; // distance of pills above or below a box, if the flow runs right
constexpr float framePad = 16;
constexpr float headerPad = 8;     // between a group's title and the first port
constexpr float rightRankGap = 72; // labels are between ranks: wider if the flow runs right

// The pills on one side of a box.
struct Stack {
    std::vector<int> pills;
    float width = 0;  // of the widest
    float height = 0; // of all
    float gap = 0;    // distance to the box
};

Stack makeStack(const std::vector<Pill>& pills, bool before)
{
    Stack stack;
    for (std::size_t i = 0; i < pills.size(); ++i) {
        const Pill& pill = pills[i];
        const bool isIncoming = pill.kind == BoxKind::Stub && pill.isIncoming;
        if (isIncoming != before)
            continue;
        if (!stack.pills.empty())
            stack.height += pillGap;
        stack.pills.push_back(int(i));
        stack.width = std::max(stack.width, pill.width);
        stack.height += pillHeight;
        stack.gap = std::max(stack.gap, pill.kind == BoxKind::Stub ? stubGap : chipGap);
    }
    return stack;
}

class ScopeLayouter {
public:
    explicit ScopeLayouter(const ScopeLayoutInput& input)
        : m_input(input)
        , m_plan(input.plan)
        , m_right(input.direction == Direction::Right)
    {
    }

    Result<std::shared_ptr<ScopeLayout>> run(const Job& job)
    {
        makeRooms();
        makeEnds();
        layered::Spacing spacing;
        spacing.aspect = float(m_right ? 1 / m_input.aspect : m_input.aspect);
        if (m_right) {
            spacing.rankGap = rightRankGap;
            spacing.widestGap = rightRankGap + 40;
            spacing.vertexGap = 16;
        }
        ASSIGN_OR_RETURN(auto placed, layered::place(m_plan.problem, m_plan.plan, m_rooms, m_ends,
                                                     spacing, job));
        m_placed = std::move(placed);
        frame();
        placeItems();
        placeEdges();
        if (m_input.labels)
            placeEdgeLabels(m_input.edges, !m_input.isRoot, m_input.direction, *m_layout);
        return std::move(m_layout);
    }

private:
    // Map lengths along and across the flow to x and y.
    float across(float x, float y) const { return m_right ? y : x; }
    float along(float x, float y) const { return m_right ? x : y; }
    Point point(float acrossAt, float alongAt) const
    {
        return m_right ? Point{alongAt, acrossAt} : Point{acrossAt, alongAt};
    }

    Point sizeOf(std::size_t item) const
    {
        if (const ScopeLayoutPtr& child = m_input.children[item])
            return {child->width, child->height};
        return {m_plan.faces[item].width, m_plan.faces[item].height};
    }

    void makeRooms()
    {
        const std::size_t count = m_plan.faces.size();
        m_rooms.resize(std::size_t(m_plan.problem.vertices));
        for (std::size_t i = 0; i < count; ++i) {
            const Point size = sizeOf(i);
            m_before.push_back(makeStack(m_plan.pills[i], true));
            m_after.push_back(makeStack(m_plan.pills[i], false));
            const auto reach = [&](const Stack& stack) {
                return stack.pills.empty() ? 0 : stack.gap + across(stack.width, stack.height);
            };
            const float indent = m_right ? pillIndent : 0;
            const float longest = std::max(along(m_before[i].width, m_before[i].height),
                                           along(m_after[i].width, m_after[i].height));
            layered::Room& room = m_rooms[i];
            room.boxLeft = across(size.x, size.y) / 2;
            room.boxRight = room.boxLeft;
            room.left = room.boxLeft + reach(m_before[i]);
            room.right = room.boxRight + reach(m_after[i]);
            room.boxHeight = along(size.x, size.y);
            room.height = std::max(room.boxHeight, longest + (longest > 0 ? indent : 0));
            room.boxTop = m_right ? 0 : std::floor((room.height - room.boxHeight) / 2);
        }
    }

    // Sets the positions at which edges attach: the ports of open groups.
    void makeEnds()
    {
        m_ends.resize(m_plan.problem.edges.size());
        const int items = int(m_plan.faces.size());
        const auto portEnd = [&](int item, int prepared, bool top) {
            if (item >= items || m_input.children[item] == nullptr)
                return layered::freeEnd;
            const ScopePlan& child = *m_input.childPlans[item];
            const auto& ports = top ? child.topPortOf : child.bottomPortOf;
            const auto port = ports.find(prepared);
            if (port == ports.end())
                return layered::freeEnd;
            return m_input.children[item]->ports[port->second] - m_rooms[item].boxLeft;
        };
        for (std::size_t e = 0; e < m_ends.size(); ++e) {
            const layered::Problem::Edge& edge = m_plan.problem.edges[e];
            m_ends[e].from = portEnd(edge.from, m_plan.edgeOf[e], false);
            m_ends[e].to = portEnd(edge.to, m_plan.edgeOf[e], true);
        }
    }

    // Sets the position of the content in the frame, and the frame's size.
    void frame()
    {
        const bool root = m_input.isRoot;
        const float pad = framePad;
        const float header = root ? 0 : groupHeader;
        const bool hasTop = !m_plan.problem.top.empty();
        const bool hasBottom = !m_plan.problem.bottom.empty();
        float width = 0;
        float height = 0;
        if (m_right) {
            m_acrossAt = root ? pad : header + headerPad;
            m_alongAt = hasTop ? 0 : pad;
            width = m_alongAt + m_placed.height + (hasBottom ? 0 : pad);
            height = m_acrossAt + m_placed.width + pad;
        } else {
            m_acrossAt = std::max(pad, hasTop ? firstPortAt() : pad);
            m_alongAt = root ? pad : header + (hasTop ? 0 : headerPad);
            width = m_acrossAt + m_placed.width + pad;
            height = m_alongAt + m_placed.height + (hasBottom ? 0 : pad);
        }
        m_layout->width = std::ceil(std::max(width, root ? 0 : m_input.headerWidth + headerPad));
        m_layout->height = std::ceil(height);
    }

    // Returns the position of the first port: edges enter to the right of the group's title.
    float firstPortAt() const
    {
        float least = m_placed.width;
        for (const int v : m_plan.problem.top)
            least = std::min(least, m_placed.axis[v].x);
        return std::ceil(m_input.headerWidth + headerPad - least);
    }

    void placeItems()
    {
        const int items = int(m_plan.faces.size());
        m_layout->items.resize(std::size_t(items));
        for (int i = 0; i < items; ++i) {
            const Point size = sizeOf(std::size_t(i));
            const layered::Spot at = m_placed.axis[i];
            const Point corner =
                point(m_acrossAt + at.x - m_rooms[i].boxLeft, m_alongAt + at.y + m_rooms[i].boxTop);
            ScopeLayout::Item& item = m_layout->items[i];
            item.box = {corner.x, corner.y, size.x, size.y};
            item.pills.resize(m_plan.pills[i].size());
            placeStack(i, m_before[i], true);
            placeStack(i, m_after[i], false);
        }
        for (std::size_t p = 0; p < m_plan.ports.size(); ++p)
            m_layout->ports.push_back(m_acrossAt + m_placed.axis[items + int(p)].x);
    }

    void placeStack(int i, const Stack& stack, bool before)
    {
        ScopeLayout::Item& item = m_layout->items[i];
        const Rect& box = item.box;
        const float centered = std::floor((box.h - stack.height) / 2);
        float y = box.y + (box.h > 160 ? groupHeader : centered);
        if (m_right)
            y = before ? box.y - stack.gap - stack.height : box.bottom() + stack.gap;
        for (const int p : stack.pills) {
            const float width = m_plan.pills[i][p].width;
            float x = before ? box.x - stack.gap - width : box.right() + stack.gap;
            if (m_right)
                x = box.x + pillIndent;
            item.pills[p] = {x, y, width, pillHeight};
            y += pillHeight + pillGap;
        }
    }

    void placeEdges()
    {
        const int items = int(m_plan.faces.size());
        const float length = m_right ? m_layout->width : m_layout->height;
        for (std::size_t e = 0; e < m_plan.edgeOf.size(); ++e) {
            const auto route = m_placed.route(int(e));
            if (route.empty())
                continue;
            const layered::Problem::Edge& edge = m_plan.problem.edges[e];
            ScopeLayout::Edge drawn;
            drawn.prepared = m_plan.edgeOf[e];
            drawn.firstPoint = std::uint32_t(m_layout->points.size());
            if (edge.from >= items)
                m_layout->points.push_back(point(m_acrossAt + route.front().x, 0));
            for (const layered::Spot& s : route)
                addPoint(drawn.firstPoint, point(m_acrossAt + s.x, m_alongAt + s.y));
            if (edge.to >= items)
                addPoint(drawn.firstPoint, point(m_acrossAt + route.back().x, length));
            drawn.pointCount = std::uint32_t(m_layout->points.size()) - drawn.firstPoint;
            m_layout->edges.push_back(drawn);
        }
    }

    // Adds a point, but no points in the middle of a straight line with the flow.
    void addPoint(std::uint32_t first, Point p)
    {
        auto& points = m_layout->points;
        const std::size_t n = points.size() - first;
        if (n > 0 && points.back() == p)
            return;
        if (n >= 2) {
            const Point& a = points[points.size() - 2];
            const Point& b = points.back();
            const bool straight =
                across(a.x, a.y) == across(b.x, b.y) && across(b.x, b.y) == across(p.x, p.y) &&
                (along(b.x, b.y) - along(a.x, a.y)) * (along(p.x, p.y) - along(b.x, b.y)) > 0;
            if (straight)
                points.pop_back();
        }
        points.push_back(p);
    }

    const ScopeLayoutInput& m_input;
    const ScopePlan& m_plan;
    bool m_right;
    std::vector<layered::Room> m_rooms;
    std::vector<layered::Ends> m_ends;
    std::vector<Stack> m_before;
    std::vector<Stack> m_after;
    layered::Placement m_placed;
    float m_acrossAt = 0;
    float m_alongAt = 0;
    std::shared_ptr<ScopeLayout> m_layout = std::make_shared<ScopeLayout>();
};

} // namespace

Result<std::shared_ptr<ScopeLayout>> layOutScope(const ScopeLayoutInput& input, const Job& job)
{
    return ScopeLayouter(input).run(job);
}

} // namespace lapidary
