// SPDX-License-Identifier: Apache-2.0
#include "views/strip/stage_button.h"

#include "views/canvas/paint/difference_marks.h"
#include "views/models/display_text.h"
#include "views/panels/base/theme_of.h"
#include "views/theme/canvas_fonts.h"
#include "views/theme/color.h"
#include "views/theme/ramp.h"

#include <QFontMetrics>
#include <QGuiApplication>
#include <QPainter>

#include <algorithm>
#include <utility>
#include <vector>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int padding = 7;
constexpr int between = 8; // between the texts of a cell
constexpr int tagPadding = 4;
constexpr int tagGap = 3;
constexpr int ringRoom = 2; // around the shape, for the rings that show selection and focus
constexpr double radius = 4;

// Returns a font in the size of names on the canvas, which does not depend on the window's font.
QFont cellFont()
{
    QFont font = QGuiApplication::font();
    font.setPixelSize(int(textPixels(TextRole::Name)));
    return font;
}

struct Tag {
    QString text;
    Role fill;
    Role ink;
};

std::vector<Tag> tagsOf(const StageMarks& marks)
{
    std::vector<Tag> tags;
    if (marks.hits > 0)
        tags.push_back({countText(marks.hits), Role::Hit, Role::HitText});
    const DifferenceCounts& d = marks.differences;
    const auto signs = differenceSigns();
    const std::uint32_t counts[] = {d.added, d.removed, d.changed, d.renamed};
    for (std::size_t kind = 0; kind < signs.size(); ++kind)
        if (counts[kind] > 0)
            tags.push_back({QString::fromUtf8(signs[kind].sign) + countText(counts[kind]),
                            signs[kind].role, Role::MarkText});
    return tags;
}

int tagWidth(const Tag& tag, const QFontMetrics& metrics)
{
    return metrics.horizontalAdvance(tag.text) + 2 * tagPadding;
}

int suffixWidth(const StageFace& face, const QFontMetrics& metrics)
{
    return face.suffix.isEmpty() ? 0 : metrics.horizontalAdvance(u' ' + face.suffix);
}

} // namespace

StageButton::StageButton(QWidget* parent)
    : QAbstractButton(parent)
{
    setFocusPolicy(Qt::NoFocus);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
}

void StageButton::setFace(StageFace face)
{
    m_face = std::move(face);
    update();
}

void StageButton::setCurrent(bool isCurrent)
{
    m_isCurrent = isCurrent;
    update();
}

CellWish StageButton::wishOf(const StageFace& face)
{
    const QFontMetrics metrics(cellFont());
    CellWish wish;
    wish.isEnd = face.kind != Stage::Kind::Work;
    wish.name = metrics.horizontalAdvance(face.name);
    wish.beside = suffixWidth(face, metrics) + 2 * (padding + ringRoom) + 1;
    if (face.shape.isEmpty())
        return wish;
    const int shape = metrics.horizontalAdvance(face.shape);
    wish.more = between + (wish.isEnd ? wish.name : shape);
    wish.name = wish.isEnd ? shape : wish.name;
    wish.least = wish.isEnd ? shape + wish.beside : 0;
    return wish;
}

// Returns the width for the name if only its suffix is beside it.
int StageButton::nameRoom() const
{
    return width() - 2 * (padding + ringRoom) - suffixWidth(m_face, QFontMetrics(cellFont()));
}

int StageButton::tagsWidth() const
{
    int total = 0;
    for (const Tag& tag : tagsOf(m_face.marks))
        total += tagWidth(tag, QFontMetrics(cellFont())) + tagGap;
    // If tags would leave no space for the name, a bar at the foot replaces them.
    return total + 40 <= nameRoom() ? total : 0;
}

bool StageButton::showsShape() const
{
    return !m_face.shape.isEmpty() && tagsOf(m_face.marks).empty() &&
           QFontMetrics(cellFont()).horizontalAdvance(m_face.name) + between +
                   QFontMetrics(cellFont()).horizontalAdvance(m_face.shape) <=
               nameRoom();
}

QString StageButton::shownName() const
{
    if (m_face.kind != Stage::Kind::Work && !m_face.shape.isEmpty() && !showsShape() &&
        QFontMetrics(cellFont()).horizontalAdvance(m_face.shape) <= nameRoom() - tagsWidth())
        return m_face.shape;
    return QFontMetrics(cellFont())
        .elidedText(m_face.name, Qt::ElideMiddle, nameRoom() - tagsWidth());
}

FamilyColors StageButton::colors(const Theme& theme) const
{
    if (m_face.isRest)
        return {theme[Role::Canvas], theme[Role::GroupLine], theme[Role::TextMuted],
                theme[Role::TextMuted]};
    const auto& color = m_face.marks.color;
    if (!color || m_face.kind != Stage::Kind::Work)
        return theme.family(m_face.family);
    if (color->position)
        return color->isTwoSided ? differenceBox(*color->position, theme)
                                 : overlayBox(*color->position, theme);
    if (color->ofClass)
        return theme.classColors(*color->ofClass);
    return {theme[Role::Surface], theme[Role::GroupLine], theme[Role::Text],
            theme[Role::TextMuted]};
}

void StageButton::paintShape(QPainter& painter, const FamilyColors& colors,
                             const Theme& theme) const
{
    const bool isPill = m_face.kind != Stage::Kind::Work;
    const QRectF shape =
        QRectF(rect()).adjusted(ringRoom + 0.5, ringRoom + 0.5, -ringRoom - 0.5, -ringRoom - 0.5);
    const double corner = isPill ? shape.height() / 2 : radius;
    const bool isUnder = underMouse() || isDown();
    painter.setBrush(isUnder ? mixed(colors.fill, colors.outline, 0.25) : colors.fill);
    painter.setPen(QPen(isUnder ? theme[Role::Accent] : colors.outline, isPill ? 1.5 : 1,
                        m_face.isRest ? Qt::DashLine : Qt::SolidLine));
    painter.drawRoundedRect(shape, corner, corner);
    painter.setBrush(Qt::NoBrush);
    if (m_isCurrent || m_face.marks.isCurrentHit) {
        painter.setPen(QPen(theme[m_isCurrent ? Role::Accent : Role::Hit], 2));
        painter.drawRoundedRect(shape, corner, corner);
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme[Role::Accent], 1));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), corner + 2,
                                corner + 2);
    }
}

void StageButton::paintTags(QPainter& painter, const Theme& theme) const
{
    const std::vector<Tag> tags = tagsOf(m_face.marks);
    if (tags.empty())
        return;
    painter.setPen(Qt::NoPen);
    if (tagsWidth() == 0) {
        const double part = (width() - 2.0 * padding) / double(tags.size());
        for (std::size_t i = 0; i < tags.size(); ++i)
            painter.fillRect(QRectF(padding + part * double(i), height() - ringRoom - 4, part, 3),
                             theme[tags[i].fill]);
        return;
    }
    int right = width() - ringRoom - padding / 2;
    for (std::size_t i = tags.size(); i-- > 0;) {
        const int tagged = tagWidth(tags[i], QFontMetrics(cellFont()));
        const QRect pill(right - tagged, ringRoom + 3, tagged, height() - 2 * ringRoom - 6);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme[tags[i].fill]);
        painter.drawRoundedRect(pill, pill.height() / 2.0, pill.height() / 2.0);
        painter.setPen(theme[tags[i].ink]);
        painter.drawText(pill, Qt::AlignCenter, tags[i].text);
        right -= tagged + tagGap;
    }
}

void StageButton::paintTexts(QPainter& painter, const FamilyColors& colors) const
{
    const QString name = shownName();
    const int own = QFontMetrics(cellFont()).horizontalAdvance(name);
    const int suffix = suffixWidth(m_face, QFontMetrics(cellFont()));
    const int taken = tagsWidth();
    const bool isAtLeft = showsShape() || taken > 0;
    const int left = isAtLeft ? padding + ringRoom : (width() - own - suffix) / 2;
    painter.setPen(colors.text);
    painter.drawText(QRect(left, 0, own + 2, height()), Qt::AlignVCenter, name);
    painter.setPen(colors.textMuted);
    painter.drawText(QRect(left + own, 0, suffix + 2, height()), Qt::AlignVCenter,
                     m_face.suffix.isEmpty() ? QString() : u' ' + m_face.suffix);
    if (showsShape())
        painter.drawText(rect().adjusted(0, 0, -padding - ringRoom, 0),
                         Qt::AlignVCenter | Qt::AlignRight, m_face.shape);
}

void StageButton::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(cellFont());
    const Theme& theme = themeOf(*this);
    const FamilyColors shown = colors(theme);
    paintShape(painter, shown, theme);
    paintTexts(painter, shown);
    paintTags(painter, theme);
}

} // namespace lapidary
