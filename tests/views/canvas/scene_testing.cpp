// SPDX-License-Identifier: Apache-2.0
#include "tests/views/canvas/scene_testing.h"

#include <algorithm>

namespace lapidary {

SceneMaker::SceneMaker()
    : m_scene(std::make_shared<Scene>())
{
}

std::int32_t SceneMaker::add(SceneBox box)
{
    if (box.parent >= 0)
        box.depth = std::uint16_t(m_scene->boxes[std::size_t(box.parent)].depth + 1);
    const auto index = std::int32_t(m_scene->boxes.size());
    if (box.kind != BoxKind::Chip && box.kind != BoxKind::Stub)
        m_scene->boxOf.emplace(box.item, std::uint32_t(index));
    m_scene->boxes.push_back(std::move(box));
    return index;
}

std::int32_t SceneMaker::op(std::string title, std::string op, OpFamily family, Rect rect,
                            std::int32_t parent)
{
    SceneBox box;
    box.item = ItemId::of(NodeId{m_nodes++});
    box.parent = parent;
    box.family = family;
    box.rect = rect;
    box.title = std::move(title);
    box.subtitle = std::move(op);
    return add(std::move(box));
}

std::int32_t SceneMaker::group(std::string title, std::string summary, std::string detail,
                               Rect rect, bool isOpen, std::uint32_t repeats, std::int32_t parent)
{
    SceneBox box;
    box.item = ItemId::of(GroupId{++m_groups});
    box.parent = parent;
    box.kind = isOpen ? BoxKind::OpenGroup : BoxKind::Group;
    box.family = OpFamily::HeavyMaths;
    box.repeats = repeats;
    box.rect = rect;
    box.title = std::move(title);
    box.subtitle = std::move(summary);
    box.detail = std::move(detail);
    return add(std::move(box));
}

std::int32_t SceneMaker::chip(std::string text, std::int32_t consumer)
{
    const Rect owner = m_scene->boxes[std::size_t(consumer)].rect;
    SceneBox box;
    box.item = ItemId::of(NodeId{m_nodes++});
    box.parent = consumer;
    box.kind = BoxKind::Chip;
    box.family = OpFamily::Weights;
    box.rect = {owner.right() + 6, owner.y + 8, 66, 20};
    box.title = std::move(text);
    return add(std::move(box));
}

std::int32_t SceneMaker::stub(std::string text, ItemId leadsTo, Rect rect)
{
    SceneBox box;
    box.item = leadsTo;
    box.kind = BoxKind::Stub;
    box.rect = rect;
    box.title = std::move(text);
    return add(std::move(box));
}

void SceneMaker::edge(std::int32_t from, std::int32_t to, std::vector<Point> route,
                      std::string label, EdgeKind kind, float width)
{
    SceneEdge edge;
    edge.from = from;
    edge.to = to;
    edge.kind = kind;
    edge.width = width;
    edge.firstPoint = std::uint32_t(m_scene->points.size());
    edge.pointCount = std::uint32_t(route.size());
    edge.firstLink = std::uint32_t(m_scene->links.size());
    edge.linkCount = 1;
    const ItemId reader = m_scene->boxes[std::size_t(to)].item;
    m_scene->links.push_back({NodeId{reader.index}, std::uint32_t(m_scene->edges.size())});
    edge.label = std::move(label);
    if (!edge.label.empty()) {
        const Point middle{(route[0].x + route[1].x) / 2, (route[0].y + route[1].y) / 2};
        edge.labelRect = {middle.x + 6, middle.y - 7, 90, 14};
    }
    m_scene->points.insert(m_scene->points.end(), route.begin(), route.end());
    m_scene->edges.push_back(std::move(edge));
}

void SceneMaker::connect(std::int32_t from, std::int32_t to, std::string label, EdgeKind kind)
{
    const Rect& a = m_scene->boxes[std::size_t(from)].rect;
    const Rect& b = m_scene->boxes[std::size_t(to)].rect;
    edge(from, to, {{a.center().x, a.bottom()}, {b.center().x, b.y}}, std::move(label), kind);
}

void SceneMaker::share(std::size_t outer, std::size_t inner)
{
    m_scene->links[m_scene->edges[outer].firstLink] =
        m_scene->links[m_scene->edges[inner].firstLink];
}

ScenePtr SceneMaker::finish()
{
    Rect& all = m_scene->bounds;
    for (const SceneBox& box : m_scene->boxes) {
        const Rect r = box.rect;
        const bool isFirst = &box == &m_scene->boxes.front();
        const float left = isFirst ? r.x : std::min(all.x, r.x);
        const float top = isFirst ? r.y : std::min(all.y, r.y);
        const float right = isFirst ? r.right() : std::max(all.right(), r.right());
        const float bottom = isFirst ? r.bottom() : std::max(all.bottom(), r.bottom());
        all = {left, top, right - left, bottom - top};
    }
    return m_scene;
}

ScenePtr residualScene()
{
    SceneMaker m;
    const auto image =
        m.op("image", "1\u00D7224\u00D7224\u00D73", OpFamily::Input, {210, 0, 140, 36});
    const auto stem = m.group("conv1", "5 ops \u00B7 9.4 k weights",
                              "Conv2D \u00B7 norm \u00B7 Relu", {180, 64, 200, 60}, false);
    const auto pool = m.op("pool1", "MaxPool", OpFamily::Pooling, {220, 152, 120, 36});
    const auto block =
        m.group("block1", "3 units \u00B7 0.22 M weights", "", {0, 230, 600, 420}, true);
    const auto shortcut =
        m.op("shortcut/Conv2D", "1\u00D71", OpFamily::HeavyMaths, {60, 330, 150, 36}, block);
    const auto conv =
        m.op("conv1/Conv2D", "3\u00D73", OpFamily::HeavyMaths, {330, 290, 150, 36}, block);
    const auto norm = m.op("conv1/BatchNorm", "FusedBatchNorm", OpFamily::Normalization,
                           {330, 354, 150, 36}, block);
    const auto relu = m.op("conv1/Relu", "", OpFamily::Activation, {355, 418, 100, 36}, block);
    const auto quant =
        m.op("quant", "FakeQuantWithMinMaxVars", OpFamily::Quantized, {310, 482, 190, 36}, block);
    const auto add = m.op("add", "Add", OpFamily::ElementWise, {230, 570, 110, 36}, block);
    m.chip("1\u00D71\u00D764\u00D7256", shortcut);
    m.chip("3\u00D73\u00D764\u00D764", conv);
    m.chip("4 \u00D7 64", norm);
    const auto rest = m.group("unit_2 \u2026 unit_3", "108 ops \u00B7 0.14 M weights",
                              "Conv2D \u00D73", {180, 690, 220, 60}, false, 2);
    const auto sw = m.op("cond/Switch", "Switch", OpFamily::Control, {420, 690, 130, 36});
    const auto odd = m.op("custom", "MyOp", OpFamily::Unknown, {570, 690, 110, 36});
    const auto save = m.op("save/SaveV2", "SaveV2", OpFamily::Training, {570, 760, 130, 36});
    const auto out = m.op("predictions", "Softmax", OpFamily::Activation, {215, 800, 150, 36});
    m.box(out).isOutput = true;
    m.stub("global_step", ItemId::of(NodeId{3}), {420, 770, 90, 20});
    m.connect(image, stem, "1\u00D7224\u00D7224\u00D73");
    m.connect(stem, pool);
    m.edge(pool, block, {{280, 188}, {280, 230}}, "1\u00D756\u00D756\u00D764", EdgeKind::Data, 3);
    m.edge(block, shortcut, {{280, 230}, {280, 262}, {135, 330}}, "", EdgeKind::Data, 3);
    m.edge(block, conv, {{280, 230}, {280, 262}, {405, 290}}, "", EdgeKind::Data, 3);
    m.connect(conv, norm);
    m.connect(norm, relu);
    m.connect(relu, quant);
    m.edge(shortcut, add, {{135, 366}, {135, 540}, {270, 570}}, "1\u00D756\u00D756\u00D7256");
    m.edge(quant, add, {{405, 518}, {300, 570}});
    m.edge(add, block, {{285, 606}, {285, 650}}, "", EdgeKind::Data, 3);
    m.edge(block, rest, {{285, 650}, {290, 690}}, "1\u00D756\u00D756\u00D7256", EdgeKind::Data, 3);
    m.edge(block, sw, {{320, 650}, {485, 690}}, "", EdgeKind::Control);
    m.edge(block, odd, {{340, 650}, {625, 690}}, "", EdgeKind::Control);
    m.connect(odd, save);
    m.share(2, 4);
    m.connect(rest, out);
    m.edge(out, rest, {{365, 818}, {405, 818}, {412, 760}, {412, 720}, {400, 720}});
    return m.finish();
}

ScenePtr gridScene(int columns, int rows)
{
    SceneMaker m;
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x) {
            const int i = y * columns + x;
            m.op("node_" + std::to_string(i), "Relu", OpFamily(i % opFamilyCount),
                 {x * 170.0F, y * 72.0F, 140, 36});
        }
    for (int i = 0; i + columns < columns * rows; ++i) {
        m.connect(i, i + columns);
        if (i % columns + 1 < columns && i % 3 == 0)
            m.connect(i, i + columns + 1);
    }
    return m.finish();
}

int pixelsApart(const QImage& a, const QImage& b)
{
    if (a.size() != b.size())
        return -1;
    int apart = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            apart += a.pixel(x, y) != b.pixel(x, y);
    return apart;
}

} // namespace lapidary
