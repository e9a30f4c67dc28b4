#include "views/layout/scene_json.h"

#include "views/layout/scene_text.h"

#include <array>
#include <cstdio>

namespace lapidary {
namespace {

std::string number(double value)
{
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return text.data();
}

// Length of the well-formed UTF-8 sequence at `at`, 0 where there is none.
std::size_t sequenceLength(std::string_view text, std::size_t at)
{
    const auto byte = [&](std::size_t i) {
        return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
    };
    const unsigned lead = byte(0);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xC2 ? 0
                               : lead < 0xE0 ? 2
                               : lead < 0xF0 ? 3
                               : lead < 0xF5 ? 4
                                             : 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xC0U) != 0x80U)
            return 0;
    const bool isLow = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
    const bool isHigh = (lead == 0xED && byte(1) > 0x9F) || (lead == 0xF4 && byte(1) > 0x8F);
    return isLow || isHigh ? 0 : length;
}

// A JSON string; bytes that are no UTF-8 become U+FFFD.
std::string quoted(std::string_view text)
{
    std::string out = "\"";
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = sequenceLength(text, i);
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
    return "\"x\":" + number(rect.x) + ",\"y\":" + number(rect.y) + ",\"w\":" + number(rect.w) +
           ",\"h\":" + number(rect.h);
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
            box(static_cast<int>(b));
        m_out += "],\n\"edges\":[";
        for (const SceneEdge& edge : m_scene.edges)
            this->edge(edge);
        m_out += "],\n\"labels\":[";
        for (std::size_t b = 0; b < m_scene.boxes.size(); ++b)
            boxLabel(static_cast<int>(b));
        for (std::size_t e = 0; e < m_scene.edges.size(); ++e)
            edgeLabel(static_cast<int>(e));
        m_out +=
            "],\n\"view\":{" + rectFields(view.rect) + ",\"scale\":" + number(view.scale) + "}}\n";
        return std::move(m_out);
    }

private:
    void next()
    {
        if (m_out.back() != '[')
            m_out += ",\n";
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
        m_out += "{\"id\":" + std::to_string(b) + ",\"node\":" + quoted(nameOf(box.item)) +
                 ",\"parent\":" + std::to_string(box.parent) + ",\"kind\":\"" + kindName(box.kind) +
                 "\"," + rectFields(box.rect) +
                 ",\"open\":" + (box.kind == BoxKind::OpenGroup ? "true" : "false") + "}";
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
            m_out += number(p.x) + "," + number(p.y) + "]";
        }
        m_out += "],\"ends\":[";
        for (const GraphEdge& link : m_scene.carried(edge)) {
            const Endpoint from = m_graph.inputs(link.reader)[link.slot];
            const std::string producer =
                from.node.isValid() ? std::string(m_graph.node(from.node).name()) : std::string();
            m_out += m_out.back() == '[' ? "[" : ",[";
            m_out += quoted(producer) + "," + std::to_string(from.port) + "," +
                     quoted(m_graph.node(link.reader).name()) + "," + std::to_string(link.slot) +
                     "]";
        }
        m_out += "]}";
    }

    void label(const std::string& owner, std::string_view text, std::string_view full,
               const Rect& rect, double px)
    {
        next();
        m_out += "{\"owner\":\"" + owner + "\",\"text\":" + quoted(text) +
                 ",\"full\":" + quoted(full) + "," + rectFields(rect) + ",\"px\":" + number(px) +
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
        const bool centred = box.kind == BoxKind::Op && box.subtitle.empty();
        const float top = isPill ? 1 : centred ? (box.rect.h - height) / 2 : 3;
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
