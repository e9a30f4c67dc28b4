// SPDX-License-Identifier: Apache-2.0
#include "views/layout/scene_json.h"

#include "graph_model/base/digits.h"
#include "graph_model/base/utf8.h"
#include "views/layout/scene_text.h"

#include <array>
#include <cstdio>

namespace lapidary {
namespace {

// Writes a JSON string; each byte that is not UTF-8 becomes U+FFFD. (nlohmann::json would write
// numbers with up to 17 digits instead of 6.)
std::string quote(std::string_view text)
{
    std::string out = "\"";
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = utf8Length(text.substr(i));
        const auto c = static_cast<unsigned char>(text[i]);
        if (length == 0) {
            out += "\xEF\xBF\xBD";
        } else if (c < 0x20) {
            std::array<char, 8> escape{};
            std::snprintf(escape.data(), escape.size(), "\\u%04x", unsigned{c});
            out += escape.data();
        } else {
            if (c == '"' || c == '\\')
                out += '\\';
            out += text.substr(i, length);
        }
        i += length == 0 ? 1 : length;
    }
    return out + "\"";
}

std::string rectFields(const Rect& rect)
{
    return "\"x\":" + sixDigits(rect.x) + ",\"y\":" + sixDigits(rect.y) +
           ",\"w\":" + sixDigits(rect.w) + ",\"h\":" + sixDigits(rect.h);
}

const char* kindName(BoxKind kind)
{
    switch (kind) {
    case BoxKind::Op: return "op";
    case BoxKind::Group: return "group";
    case BoxKind::OpenGroup: return "open";
    case BoxKind::Chip: return "chip";
    case BoxKind::Stub: return "stub";
    }
    return "";
}

const char* kindName(EdgeKind kind)
{
    switch (kind) {
    case EdgeKind::Data: return "data";
    case EdgeKind::Control: return "control";
    case EdgeKind::Reference: return "reference";
    }
    return "";
}

class Writer {
public:
    Writer(const Scene& scene, const Graph& graph, const ScopeTree& tree)
        : m_scene(scene)
        , m_graph(graph)
        , m_tree(tree)
    {
    }

    std::string run(const SceneView& view)
    {
        m_out = "{\"boxes\":[";
        for (std::size_t b = 0; b < m_scene.boxes.size(); ++b)
            box(int(b));
        m_out += "],\n\"edges\":[";
        for (const SceneEdge& edge : m_scene.edges)
            this->edge(edge);
        m_out += "],\n\"labels\":[";
        for (std::size_t b = 0; b < m_scene.boxes.size(); ++b)
            boxLabel(int(b));
        for (std::size_t e = 0; e < m_scene.edges.size(); ++e)
            edgeLabel(int(e));
        m_out += "]";
        names("faults", scenePictureFaults(m_scene));
        names("inputs", view.inputs);
        names("outputs", view.outputs);
        names("strip", view.strip);
        m_out += ",\n\"view\":{" + rectFields(view.rect) + ",\"scale\":" + sixDigits(view.scale) +
                 "}}\n";
        return std::move(m_out);
    }

private:
    void next()
    {
        if (m_out.back() != '[')
            m_out += ",\n";
    }
    void names(const char* field, const std::vector<std::string>& list)
    {
        m_out += std::string(",\n\"") + field + "\":[";
        for (const std::string& name : list)
            m_out += (m_out.back() == '[' ? "" : ",") + quote(name);
        m_out += "]";
    }
    std::string nameOf(ItemId item) const
    {
        if (!item.isValid())
            return {};
        return item.isNode() ? std::string(m_graph.node(item.node()).name())
                             : m_tree.group(item.group()).path;
    }

    void box(int b)
    {
        const SceneBox& box = m_scene.boxes[b];
        next();
        m_out += "{\"id\":" + std::to_string(b) + ",\"node\":" + quote(nameOf(box.item)) +
                 ",\"parent\":" + std::to_string(box.parent) + ",\"kind\":\"" + kindName(box.kind) +
                 "\"," + rectFields(box.rect) +
                 ",\"open\":" + (box.kind == BoxKind::OpenGroup ? "true" : "false") +
                 (box.isInput ? ",\"input\":true" : "") + (box.isOutput ? ",\"output\":true" : "") +
                 (box.isAside ? ",\"aside\":true" : "") + "}";
    }

    void edge(const SceneEdge& edge)
    {
        next();
        m_out += "{\"from\":" + std::to_string(edge.from) + ",\"to\":" + std::to_string(edge.to) +
                 ",\"kind\":\"" + kindName(edge.kind) +
                 "\",\"back\":" + (edge.isBack ? "true" : "false") +
                 ",\"count\":" + std::to_string(edge.count) + ",\"points\":[";
        for (const Point& p : m_scene.route(edge)) {
            m_out += m_out.back() == '[' ? "[" : ",[";
            m_out += sixDigits(p.x) + "," + sixDigits(p.y) + "]";
        }
        m_out += "],\"ends\":[";
        for (const GraphEdge& link : m_scene.carried(edge)) {
            const Endpoint from = m_graph.inputs(link.reader)[link.slot];
            const std::string producer =
                from.node.isValid() ? std::string(m_graph.node(from.node).name()) : std::string();
            m_out += m_out.back() == '[' ? "[" : ",[";
            m_out += quote(producer) + "," + std::to_string(from.port) + "," +
                     quote(m_graph.node(link.reader).name()) + "," + std::to_string(link.slot) +
                     "]";
        }
        m_out += "]}";
    }

    void label(const std::string& owner, std::string_view text, std::string_view full,
               const Rect& rect, double px)
    {
        next();
        m_out += "{\"owner\":\"" + owner + "\",\"text\":" + quote(text) +
                 ",\"full\":" + quote(full) + "," + rectFields(rect) + ",\"px\":" + sixDigits(px) +
                 "}";
    }

    void boxLabel(int b)
    {
        const SceneBox& box = m_scene.boxes[b];
        if (box.title.empty())
            return;
        const bool isGroup = box.kind == BoxKind::Group || box.kind == BoxKind::OpenGroup;
        const bool isPill = box.kind == BoxKind::Chip || box.kind == BoxKind::Stub;
        const double px = isGroup ? 13 : isPill ? 10.5 : 12;
        const float indent = isGroup ? 20 : isPill ? 4 : 8;
        const float height = isPill ? box.rect.h - 2 : 16;
        const bool centered = box.kind == BoxKind::Op && box.subtitle.empty();
        const float top = isPill ? 1 : centered ? (box.rect.h - height) / 2 : 3;
        label("box " + std::to_string(b), box.title, nameOf(box.item),
              {box.rect.x + indent, box.rect.y + top, box.rect.w - 2 * indent, height}, px);
    }

    void edgeLabel(int e)
    {
        const SceneEdge& edge = m_scene.edges[e];
        if (edge.labelRect.w > 0)
            label("edge " + std::to_string(e), edge.label, edge.label, edge.labelRect, 10.5);
    }

    const Scene& m_scene;
    const Graph& m_graph;
    const ScopeTree& m_tree;
    std::string m_out;
};

} // namespace

std::string sceneJson(const Scene& scene, const Graph& graph, const ScopeTree& tree,
                      const SceneView& view)
{
    return Writer(scene, graph, tree).run(view);
}

} // namespace lapidary
