// SPDX-License-Identifier: Apache-2.0
#include "views/layout/scene_emitter.h"

#include <algorithm>

namespace lapidary {
namespace {

class Emitter {
public:
    Emitter(const std::function<PlacedScope(GroupId)>& scopeOf,
            const std::function<std::string(const Group&, float)>& elide, const ScopeTree& tree,
            const SceneOptions& options)
        : m_scopeOf(scopeOf)
        , m_elide(elide)
        , m_tree(tree)
        , m_options(options)
        , m_holdsInput(holders(options.inputs))
        , m_holdsOutput(holders(options.outputs))
    {
    }

    std::shared_ptr<Scene> run()
    {
        m_open.push_back({rootGroup, -1, {0, 0}, 0});
        const PlacedScope root = m_scopeOf(rootGroup);
        m_scene->bounds = {0, 0, root.layout->width, root.layout->height};
        while (!m_open.empty()) {
            const Open open = m_open.back();
            m_open.pop_back();
            scope(open);
        }
        return std::move(m_scene);
    }

private:
    struct Open {
        GroupId group;
        std::int32_t box; // its frame; -1 at the root
        Point corner;     // origin of its content
        std::uint16_t depth;
    };

    std::set<GroupId> holders(const std::set<NodeId>& nodes) const
    {
        std::set<GroupId> groups;
        for (const NodeId node : nodes) {
            GroupId group = m_tree.parentOf(node);
            while (group != rootGroup && groups.insert(group).second)
                group = m_tree.group(group).parent;
        }
        return groups;
    }

    static Rect moved(const Rect& rect, Point by)
    {
        return {rect.x + by.x, rect.y + by.y, rect.w, rect.h};
    }

    void scope(const Open& open)
    {
        const PlacedScope placed = m_scopeOf(open.group);
        const auto first = std::int32_t(m_scene->boxes.size());
        const auto items = std::int32_t(placed.plan->faces.size());
        for (std::int32_t i = 0; i < items; ++i)
            item(open, placed, i);
        edges(open, placed, first);
        for (std::int32_t i = 0; i < items; ++i)
            pills(open, placed, i, first + i);
        for (std::int32_t i = items; i-- > 0;)
            if (placed.layout->children[i])
                m_open.push_back(
                    {placed.plan->scope.items[i].item.group(),
                     first + i,
                     {m_scene->boxes[first + i].rect.x, m_scene->boxes[first + i].rect.y},
                     std::uint16_t(open.depth + 1)});
    }

    void item(const Open& open, const PlacedScope& placed, std::int32_t i)
    {
        const ItemId id = placed.plan->scope.items[i].item;
        const Face& face = placed.plan->faces[i];
        const bool isOpen = placed.layout->children[i] != nullptr;
        SceneBox box;
        box.item = id;
        box.parent = open.box;
        box.depth = open.depth;
        box.family = face.family;
        box.repeats = face.repeats;
        box.isAside = face.isAside;
        box.title = face.title;
        box.subtitle = face.subtitle;
        box.detail = face.detail;
        box.rect = moved(placed.layout->items[i].box, open.corner);
        if (id.isNode()) {
            box.kind = BoxKind::Op;
            box.isInput = m_options.inputs.contains(id.node());
            box.isOutput = m_options.outputs.contains(id.node());
            box.isFed = face.isFed;
            box.isPort = face.isPort;
        } else {
            box.kind = isOpen ? BoxKind::OpenGroup : BoxKind::Group;
            box.isInput = m_holdsInput.contains(id.group());
            box.isOutput = m_holdsOutput.contains(id.group());
            if (isOpen)
                box.title = m_elide(m_tree.group(id.group()), box.rect.w - 32);
        }
        m_scene->boxOf.emplace(id, std::uint32_t(m_scene->boxes.size()));
        m_scene->boxes.push_back(std::move(box));
    }

    void addLinks(SceneEdge& edge, const PreparedEdge& prepared)
    {
        edge.firstLink = std::uint32_t(m_scene->links.size());
        edge.linkCount = std::uint32_t(prepared.edges.size());
        edge.count = edge.linkCount;
        m_scene->links.insert(m_scene->links.end(), prepared.edges.begin(), prepared.edges.end());
    }

    void edges(const Open& open, const PlacedScope& placed, std::int32_t first)
    {
        const auto items = std::int32_t(placed.plan->faces.size());
        for (const ScopeLayout::Edge& drawn : placed.layout->edges) {
            const PreparedEdge& prepared = placed.plan->scope.edges[drawn.prepared];
            const int e = placed.plan->problemEdge[drawn.prepared];
            const layered::Problem::Edge& ends = placed.plan->problem.edges[e];
            SceneEdge edge;
            edge.from = ends.from < items ? first + ends.from : open.box;
            edge.to = ends.to < items ? first + ends.to : open.box;
            edge.kind = prepared.kind;
            edge.isBack = placed.plan->plan.reversed[e] != 0;
            edge.width = placed.edges->widths[drawn.prepared];
            edge.firstPoint = std::uint32_t(m_scene->points.size());
            edge.pointCount = drawn.pointCount;
            for (std::uint32_t i = 0; i < drawn.pointCount; ++i) {
                const Point& p = placed.layout->points[drawn.firstPoint + i];
                m_scene->points.push_back({p.x + open.corner.x, p.y + open.corner.y});
            }
            addLinks(edge, prepared);
            edge.label = placed.edges->labels[drawn.prepared];
            edge.isInferred = placed.edges->inferred[drawn.prepared];
            if (drawn.label.w > 0 && !isSaidOutside(edge, open.box) && !isSaidOnFace(edge))
                edge.labelRect = moved(drawn.label, open.corner);
            if (edge.labelRect.w > 0)
                say(edge);
            m_scene->edges.push_back(std::move(edge));
        }
    }

    static std::uint64_t keyOf(const GraphEdge& edge)
    {
        return (std::uint64_t{edge.reader.value} << 32) | edge.slot;
    }

    bool isOpenGroup(std::int32_t box) const
    {
        return box >= 0 && m_scene->boxes[box].kind == BoxKind::OpenGroup;
    }

    // Remembers the label of an edge into or out of an open group, so that the pieces inside, which
    // come later, do not repeat it.
    void say(const SceneEdge& edge)
    {
        if (isOpenGroup(edge.from) || isOpenGroup(edge.to))
            for (const GraphEdge& carried : m_scene->carried(edge))
                m_said.insert_or_assign(keyOf(carried), edge.label);
    }

    bool isSaidOutside(const SceneEdge& edge, std::int32_t frame) const
    {
        if (frame < 0 || (edge.from != frame && edge.to != frame))
            return false;
        return std::ranges::any_of(m_scene->carried(edge), [&](const GraphEdge& carried) {
            const auto said = m_said.find(keyOf(carried));
            return said != m_said.end() && said->second == edge.label;
        });
    }

    // Tells whether the edge starts at an input whose box shows the label already.
    bool isSaidOnFace(const SceneEdge& edge) const
    {
        return edge.from >= 0 && m_scene->boxes[edge.from].isInput &&
               m_scene->boxes[edge.from].kind == BoxKind::Op &&
               m_scene->boxes[edge.from].subtitle.starts_with(edge.label);
    }

    void pills(const Open& open, const PlacedScope& placed, std::int32_t i, std::int32_t owner)
    {
        const std::vector<Pill>& list = placed.plan->pills[i];
        for (std::size_t p = 0; p < list.size(); ++p) {
            SceneBox box;
            box.item = list[p].item;
            box.kind = list[p].kind;
            box.parent = list[p].kind == BoxKind::Chip ? owner : open.box;
            box.depth = open.depth;
            box.family = list[p].family;
            box.title = list[p].text;
            box.rect = moved(placed.layout->items[i].pills[p], open.corner);
            const auto index = std::int32_t(m_scene->boxes.size());
            m_scene->boxes.push_back(std::move(box));
            for (const int e : list[p].edges)
                stubEdge(placed.plan->scope.edges[e], list[p].isIncoming, index, owner);
        }
    }

    // Adds the short piece between a stub and its box, from border to border.
    void stubEdge(const PreparedEdge& prepared, bool incoming, std::int32_t stub,
                  std::int32_t owner)
    {
        const Rect& pill = m_scene->boxes[stub].rect;
        const Rect& box = m_scene->boxes[owner].rect;
        std::vector<Point> route; // from the box to the pill
        if (m_options.direction == Direction::Down) {
            const bool isLeft = pill.x < box.x;
            const float y = std::clamp(pill.center().y, box.y, box.bottom());
            route = {{isLeft ? box.x : box.right(), y},
                     {isLeft ? pill.right() : pill.x, pill.center().y}};
        } else {
            const float x = (box.x + pill.x) / 2;
            route = {{x, pill.y < box.y ? box.y : box.bottom()},
                     {x, pill.center().y},
                     {pill.x, pill.center().y}};
        }
        if (incoming)
            std::ranges::reverse(route);
        SceneEdge edge;
        edge.from = incoming ? stub : owner;
        edge.to = incoming ? owner : stub;
        edge.kind = prepared.kind;
        edge.isBack = prepared.isBack;
        edge.firstPoint = std::uint32_t(m_scene->points.size());
        edge.pointCount = std::uint32_t(route.size());
        m_scene->points.insert(m_scene->points.end(), route.begin(), route.end());
        addLinks(edge, prepared);
        m_scene->edges.push_back(std::move(edge));
    }

    const std::function<PlacedScope(GroupId)>& m_scopeOf;
    const std::function<std::string(const Group&, float)>& m_elide;
    const ScopeTree& m_tree;
    const SceneOptions& m_options;
    std::set<GroupId> m_holdsInput;
    std::set<GroupId> m_holdsOutput;
    std::vector<Open> m_open;
    std::unordered_map<std::uint64_t, std::string> m_said; // by graph edge: labels shown outside
    std::shared_ptr<Scene> m_scene = std::make_shared<Scene>();
};

} // namespace

std::shared_ptr<Scene> emitScene(const std::function<PlacedScope(GroupId)>& scopeOf,
                                 const std::function<std::string(const Group&, float)>& elide,
                                 const ScopeTree& tree, const SceneOptions& options)
{
    return Emitter(scopeOf, elide, tree, options).run();
}

} // namespace lapidary
