// SPDX-License-Identifier: Apache-2.0
#include "views/canvas/paint/far_titles.h"

#include "graph_model/base/utf8.h"
#include "views/canvas/paint/box_painter.h"
#include "views/layout/rect_grid.h"
#include "views/layout/segments.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {
namespace {

constexpr double titleScale = 0.85;     // 11 px
constexpr double smallTitleScale = 0.7; // 9 px
constexpr double opScale = 0.78;        // 9 px
constexpr double titleHeight = 16;
constexpr double opTitleHeight = 12;
constexpr double contentScale = 0.78; // 8.5 px
constexpr double contentHeight = 11;
constexpr double smallestRoom = 44;
constexpr double roomForMuch = 80;   // enough for a dozen letters, by which most names can be told
constexpr double roomForLittle = 32; // enough for six letters, which are better than none
// Height on screen from which the name of an input or output is shown, and that of an op.
constexpr double smallestEnd = 5;
constexpr double smallestOp = 11.9;
constexpr double widestBeside = 150;
constexpr double besideGap = 4;
constexpr std::size_t mostTitles = 150;
constexpr std::size_t mostLookedAt = 4'000;

bool isGroup(const SceneBox& box)
{
    return box.kind == BoxKind::Group || box.kind == BoxKind::OpenGroup;
}

bool isEnd(const SceneBox& box)
{
    return looksLikeInput(box) || looksLikeOutput(box);
}

// Tells whether a box is drawn as a dot at this zoom.
bool isDot(const SceneBox& box)
{
    return box.kind == BoxKind::Chip || box.kind == BoxKind::Stub;
}

struct Title {
    std::uint32_t box = 0;
    QRectF place;
    TextRole role = TextRole::Heading;
    double scale = titleScale;
    bool hasContent = false; // a second line tells what the group contains
    Qt::TextElideMode elide = Qt::ElideMiddle;
    std::string rest = {}; // is shown instead of the whole name if not empty

    const std::string& text(const PaintContext& c) const
    {
        return rest.empty() ? c.scene.boxes[box].title : rest;
    }
    TextCache::Line line(const PaintContext& c) const
    {
        return {text(c),
                role,
                TextCache::Align::Center,
                place.center() - QPointF(0, hasContent ? contentHeight / 2 : 0),
                place.width() - 5,
                elide};
    }
    TextCache::Line content(const PaintContext& c) const
    {
        return {c.scene.boxes[box].detail, TextRole::Muted, TextCache::Align::Center,
                place.center() + QPointF(0, contentHeight / 2 + 1), place.width() - 5};
    }
};

// Gives a title inside a closed group a second line, if there is space for most of it.
void addContent(const PaintContext& c, const QRectF& shape, Title& title)
{
    const SceneBox& box = c.scene.boxes[title.box];
    if (box.kind != BoxKind::Group || box.detail.empty() ||
        shape.height() < titleHeight + contentHeight)
        return;
    const double room = shape.width() - 8;
    const double whole = c.texts.width(box.detail, TextRole::Muted) * contentScale;
    if (whole > room && room < roomForMuch)
        return;
    const double width = std::max(title.place.width(), std::min(room, whole) + 6);
    title.hasContent = true;
    title.place = QRectF(shape.center().x() - width / 2,
                         shape.center().y() - (titleHeight + contentHeight) / 2, width,
                         titleHeight + contentHeight);
}

// Returns the part of a group that is in view, where its title goes; the whole group if it is out
// of view. The header of an open group is at its top: if that is out of view, returns an empty
// rectangle.
QRectF seenPart(const PaintContext& c, std::uint32_t index)
{
    const QRectF shape = c.toScreen(c.rects[index]);
    if (!shape.intersects(c.inView))
        return shape;
    const QRectF seen = shape.intersected(c.inView);
    const bool isOpen = c.scene.boxes[index].kind == BoxKind::OpenGroup;
    return isOpen && seen.top() > shape.top() ? QRectF() : seen;
}

// Returns the title in a group; none if it would be cut too short.
std::optional<Title> titleInside(const PaintContext& c, std::uint32_t index)
{
    const SceneBox& box = c.scene.boxes[index];
    const QRectF shape = seenPart(c, index);
    if (shape.width() < smallestRoom || shape.height() < titleHeight)
        return {};
    const double room = shape.width() - 8;
    Title title{index, {}};
    double whole = c.texts.width(box.title, title.role) * title.scale;
    if (whole > room) {
        whole *= smallTitleScale / title.scale;
        title.scale = smallTitleScale;
    }
    if (box.isAside)
        title.elide = Qt::ElideRight; // the title consists of words: the first ones matter most
    else if (whole > 1.5 * room && room < roomForMuch)
        return {}; // three letters and dots are useless
    const double width = std::min(room, whole);
    const QPointF middle = box.kind == BoxKind::Group
                               ? shape.center()
                               : QPointF(shape.left() + 6 + width / 2, shape.top() + 10);
    title.place =
        QRectF(middle.x() - width / 2 - 3, middle.y() - titleHeight / 2, width + 6, titleHeight);
    addContent(c, shape, title);
    return title;
}

// Returns the possible positions of a side part's name: in it if most of the name fits, else below
// or above it, else cut in it.
std::vector<Title> titlesOfSidePart(const PaintContext& c, std::uint32_t index)
{
    const auto inside = titleInside(c, index);
    const SceneBox& box = c.scene.boxes[index];
    const QRectF shape = c.toScreen(c.rects[index]);
    const double whole = c.texts.width(box.title, TextRole::Heading) * smallTitleScale;
    constexpr double most = 0.75;
    if (inside && shape.width() - 8 >= most * whole)
        return {*inside};
    const QSizeF size(whole + 6, opTitleHeight);
    double left = shape.center().x() - size.width() / 2;
    if (c.inView.contains(shape)) // it moves along its box rather than out of view
        left = std::max(c.inView.left(), std::min(left, c.inView.right() - size.width()));
    const auto at = [&](double y) {
        return Title{index, QRectF(QPointF(left, y), size), TextRole::Heading, smallTitleScale};
    };
    std::vector<Title> places{at(shape.bottom() + 1), at(shape.top() - 1 - size.height())};
    if (inside)
        places.push_back(*inside);
    return places;
}

// Returns the possible positions of an op's name: in it if it is wide enough, else beside it, else
// cut in it.
std::vector<Title> titlesOfOp(const PaintContext& c, std::uint32_t index)
{
    const SceneBox& box = c.scene.boxes[index];
    const QRectF shape = c.toScreen(c.rects[index]);
    if (shape.height() < smallestOp)
        return {};
    const double whole = c.texts.width(box.title, TextRole::Name) * opScale;
    const double width = std::min(whole, widestBeside) + 6;
    const double y = shape.center().y() - opTitleHeight / 2;
    const auto at = [&](double x) {
        return Title{index, QRectF(x, y, width, opTitleHeight), TextRole::Name, opScale};
    };
    if (whole + 4 <= shape.width())
        return {at(shape.center().x() - width / 2)};
    std::vector<Title> places{at(shape.right() + besideGap), at(shape.left() - besideGap - width)};
    if (shape.width() - 4 >= roomForLittle)
        places.push_back({index, QRectF(shape.left() + 2, y, shape.width() - 4, opTitleHeight),
                          TextRole::Name, opScale});
    return places;
}

// Returns the possible positions of the name of an input or output, the best one first.
std::vector<Title> titlesOfEnd(const PaintContext& c, std::uint32_t index)
{
    const SceneBox& box = c.scene.boxes[index];
    const QRectF shape = c.toScreen(c.rects[index]);
    if (shape.height() < smallestEnd)
        return {};
    const double whole = c.texts.width(box.title, TextRole::Heading) * titleScale;
    const double width = std::min(whole, widestBeside) + 6;
    const auto at = [&](double x, double y) {
        return Title{index, QRectF(x, y, width, titleHeight)};
    };
    const double left = shape.center().x() - width / 2;
    const double middle = shape.center().y() - titleHeight / 2;
    const Title above = at(left, shape.top() - 1 - titleHeight);
    const Title below = at(left, shape.bottom() + 1);
    const bool isInput = looksLikeInput(box);
    return {isInput ? above : below, at(shape.right() + besideGap, middle),
            at(shape.left() - besideGap - width, middle), isInput ? below : above,
            at(left, isInput ? above.place.top() - titleHeight : below.place.bottom())};
}

Rect onGrid(const QRectF& r)
{
    return {float(r.x()), float(r.y()), float(r.width()), float(r.height())};
}

// The rectangles of the boxes on screen; frames count as background. They are collected for the
// first title that is tested.
class Occupied {
public:
    Occupied(const PaintContext& c, std::span<const std::uint32_t> boxes)
        : m_context(c)
        , m_boxes(boxes)
    {
    }

    // Tells whether a title would cover a box other than its own.
    bool meets(const Title& title)
    {
        if (!m_grid)
            fill();
        return !m_grid->near(onGrid(title.place), [&](const Rect& box, int id) {
            return id == int(title.box) ||
                   !QRectF(box.x, box.y, box.w, box.h).intersects(title.place);
        });
    }

private:
    void fill()
    {
        m_grid.emplace(float(m_context.size.width()), float(m_context.size.height()),
                       m_boxes.size());
        for (const std::uint32_t i : m_boxes)
            if (m_context.scene.boxes[i].kind != BoxKind::OpenGroup &&
                !isDot(m_context.scene.boxes[i]))
                m_grid->add(onGrid(m_context.toScreen(m_context.rects[i])), int(i));
    }

    const PaintContext& m_context;
    std::span<const std::uint32_t> m_boxes;
    std::optional<RectGrid> m_grid;
};

// Tells whether a line passes through the position of a title, which would look cut there.
bool isOnLine(const PaintContext& c, const SceneIndex& index, const Title& title)
{
    constexpr double beside = 3; // distance to the text
    const double above = title.place.height() / 5;
    const QRectF place = title.place.adjusted(beside, above, -beside, -above);
    const Rect area{float(c.origin.x() + place.x() / c.scale),
                    float(c.origin.y() + place.y() / c.scale), float(place.width() / c.scale),
                    float(place.height() / c.scale)};
    return std::ranges::any_of(index.edgesIn(area), [&](std::uint32_t edge) {
        const std::span<const Point> route = c.route(c.scene.edges[edge]);
        for (std::size_t i = 1; i < route.size(); ++i)
            if (cutsRect(route[i - 1], route[i], area))
                return true;
        return false;
    });
}

bool standsInside(const PaintContext& c, const Title& title)
{
    return c.toScreen(c.rects[title.box]).contains(title.place.center());
}

bool isBeside(const PaintContext& c, const Title& title)
{
    constexpr double reach = 2 * besideGap;
    const QRectF shape = c.toScreen(c.rects[title.box]);
    return shape.adjusted(-reach, -reach, reach, reach).intersects(title.place);
}

void paintTitle(const PaintContext& c, const Title& title, double opacity)
{
    QColor ground = c.theme[Role::Canvas];
    ground.setAlphaF(float(0.8 * opacity));
    c.painter.setPen(Qt::NoPen);
    c.painter.setBrush(ground);
    const bool isOnOp = title.role == TextRole::Name && standsInside(c, title);
    if (!isOnOp)
        c.painter.drawRoundedRect(title.place, 4, 4);
    QColor ink =
        isOnOp ? faceColors(c.theme, c.state, c.scene.boxes[title.box]).text : c.theme[Role::Text];
    ink.setAlphaF(float(opacity));
    c.painter.setPen(ink);
    c.texts.draw(c.painter, title.line(c), title.scale);
    if (!title.hasContent)
        return;
    ink = c.theme[Role::TextMuted];
    ink.setAlphaF(float(opacity));
    c.painter.setPen(ink);
    c.texts.draw(c.painter, title.content(c), contentScale);
}

// Indices of titles by their text after elision; titles that fit are left out.
using TitlesByCut = std::map<QString, std::vector<std::size_t>>;

TitlesByCut titlesByCut(const PaintContext& c, const std::vector<Title>& titles)
{
    TitlesByCut found;
    for (std::size_t i = 0; i < titles.size(); ++i)
        if (const QString cut = c.texts.cut(titles[i].line(c), titles[i].scale); !cut.isEmpty())
            found[cut].push_back(i);
    return found;
}

// Returns the length of the start that all texts share, without the digits of a number at its end:
// those that follow differ.
std::size_t sharedStart(const std::vector<std::string_view>& texts)
{
    std::size_t length = texts.front().size();
    for (const std::string_view text : texts)
        length = std::size_t(std::ranges::mismatch(texts.front().substr(0, length), text).in1 -
                             texts.front().begin());
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    while (length > 0 && isDigit(texts.front()[length - 1]))
        --length;
    return utf8Boundary(texts.front(), length);
}

// Shows of titles that look the same only what follows the start that they share.
void dropSharedStart(const PaintContext& c, const std::vector<std::size_t>& alike,
                     std::vector<Title>& titles)
{
    std::vector<std::string_view> texts;
    for (const std::size_t i : alike)
        texts.emplace_back(titles[i].text(c));
    const std::size_t start = sharedStart(texts);
    if (start == 0 || std::ranges::find(texts, start, &std::string_view::size) != texts.end())
        return;
    for (std::size_t k = 0; k < alike.size(); ++k) {
        titles[alike[k]].rest = "\u2026" + std::string(texts[k].substr(start));
        titles[alike[k]].elide = Qt::ElideRight;
    }
}

// Elides titles that would look the same at the end or at the start instead, if that shows their
// differences, and leaves out the start that they share if neither does.
void tellApart(const PaintContext& c, std::vector<Title>& titles)
{
    for (const auto& [text, alike] : titlesByCut(c, titles)) {
        for (const Qt::TextElideMode elide : {Qt::ElideRight, Qt::ElideLeft}) {
            if (alike.size() < 2)
                break;
            std::set<QString> cuts;
            for (const std::size_t i : alike) {
                titles[i].elide = elide;
                cuts.insert(c.texts.cut(titles[i].line(c), titles[i].scale));
            }
            if (cuts.size() == alike.size())
                break;
        }
    }
    for (const auto& [text, alike] : titlesByCut(c, titles))
        if (alike.size() > 1)
            dropSharedStart(c, alike, titles);
}

// Draws the titles, except those that look the same for different names however they are elided.
void paintTitles(const PaintContext& c, std::vector<Title>& titles, double opacity)
{
    tellApart(c, titles);
    std::vector<bool> isClear(titles.size(), true);
    for (const auto& [text, alike] : titlesByCut(c, titles))
        for (const std::size_t i : alike)
            isClear[i] = alike.size() == 1;
    for (std::size_t i = 0; i < titles.size(); ++i)
        if (isClear[i])
            paintTitle(c, titles[i], opacity);
}

} // namespace

void paintFarTitles(const PaintContext& c, std::span<const std::uint32_t> boxes,
                    const SceneIndex& index, double opacity)
{
    std::vector<Title> placed;
    Occupied occupied(c, boxes);
    std::size_t lookedAt = 0;
    // Tells whether the border of the view does not cut a title.
    const auto isWhole = [&](const Title& title) {
        return c.inView.contains(title.place) || !c.inView.intersects(title.place);
    };
    const auto isFree = [&](const Title& title) {
        return std::ranges::none_of(
            placed, [&](const Title& o) { return o.place.intersects(title.place); });
    };
    const auto add = [&](std::uint32_t i) {
        ++lookedAt;
        const SceneBox& box = c.scene.boxes[i];
        const bool isSidePart = box.isAside && box.kind == BoxKind::Group;
        if (isGroup(box) && !isSidePart) {
            const auto title = titleInside(c, i);
            if (title && isFree(*title))
                placed.push_back(*title);
            if (title || box.kind == BoxKind::OpenGroup)
                return;
        }
        // The name of an input or output may be on a line if there is no other position.
        std::optional<Title> onLine;
        const bool isOfEnd = isEnd(box);
        for (const Title& title : isSidePart ? titlesOfSidePart(c, i)
                                  : isOfEnd  ? titlesOfEnd(c, i)
                                             : titlesOfOp(c, i)) {
            if (!isWhole(title) || !isFree(title) || occupied.meets(title))
                continue;
            if (onLine && !isBeside(c, title))
                break; // its name is clearer on the line than away from its box
            if (!standsInside(c, title) && isOnLine(c, index, title)) {
                if (isOfEnd && !onLine)
                    onLine = title;
                continue;
            }
            placed.push_back(title);
            return;
        }
        if (onLine)
            placed.push_back(*onLine);
    };
    const auto addAll = [&](const auto& isWanted) {
        for (const std::uint32_t i : boxes) {
            if (lookedAt > mostLookedAt || placed.size() >= mostTitles)
                return;
            if (c.rects[i].h * c.scale >= smallestEnd && isWanted(c.scene.boxes[i]))
                add(i);
        }
    };
    addAll([](const SceneBox& box) { return isGroup(box) || isEnd(box); });
    addAll([](const SceneBox& box) { return !isGroup(box) && !isEnd(box) && !isDot(box); });
    paintTitles(c, placed, opacity);
}

} // namespace lapidary
