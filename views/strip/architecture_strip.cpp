// SPDX-License-Identifier: Apache-2.0
#include "views/strip/architecture_strip.h"

#include "views/models/display_text.h"
#include "views/models/profile/profile_text.h"
#include "views/panels/base/theme_of.h"
#include "views/strip/stage_button.h"

#include <QEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>
#include <array>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int stripHeight = 30;
constexpr int margin = 8;

QString timesText(const Stage& stage)
{
    if (stage.repeats < 2)
        return {};
    return stage.kind == Stage::Kind::Work ? u"\u00D7%1"_s.arg(stage.repeats)
                                           : u"+%1"_s.arg(stage.repeats - 1);
}

StageFace faceOf(const Stage& stage, const StageMarks& marks)
{
    StageFace face;
    face.kind = stage.kind;
    face.name = plainText(stage.name);
    face.suffix = timesText(stage);
    face.shape = plainText(stage.shape);
    face.family = stage.family;
    face.marks = marks;
    return face;
}

StageFace restFace(std::size_t count)
{
    StageFace face;
    face.isRest = true;
    face.name = u"\u2026 "_s + counted(std::int64_t(count), u"stage"_s);
    return face;
}

QString measureText(const Stage& stage, Stages::Measure measure)
{
    QStringList texts{counted(stage.ops, u"op"_s)};
    if (stage.weights > 0)
        texts.append(countText(stage.weights) +
                     (stage.weights == 1 ? u" weight"_s : u" weights"_s));
    if (stage.flops > 0)
        texts.append(flopsText(stage.flops));
    static constexpr std::array<QStringView, 3> ofWhat{u"FLOP", u"weights", u"ops"};
    texts.append(shareText(stage.share) + u" of all "_s + ofWhat[std::size_t(measure)].toString());
    return texts.join(u" \u00B7 "_s);
}

QStringList markTexts(const StageMarks& marks)
{
    QStringList texts;
    if (marks.color && !marks.color->text.empty())
        texts.append(plainText(marks.color->text));
    if (marks.hits > 0)
        texts.append(counted(marks.hits, u"hit"_s));
    const DifferenceCounts& d = marks.differences;
    const std::pair<std::uint32_t, QStringView> kinds[] = {{d.added, u"added"},
                                                           {d.removed, u"removed"},
                                                           {d.changed, u"changed"},
                                                           {d.renamed, u"renamed"}};
    for (const auto& [count, name] : kinds)
        if (count > 0)
            texts.append(exactText(count) + u' ' + name.toString());
    return texts;
}

// Returns the lines of a tooltip, which screen readers read too.
QStringList linesOf(const Stage& stage, const StageMarks& marks, Stages::Measure measure)
{
    QString title = plainText(stage.path.empty() ? stage.name : stage.path);
    if (stage.kind == Stage::Kind::Work && stage.repeats > 1)
        title += u" \u00D7%1"_s.arg(stage.repeats);
    QStringList lines{title};
    const QString shape = plainText(stage.shape);
    switch (stage.kind) {
    case Stage::Kind::Input:
        lines.append(u"input"_s + (shape.isEmpty() ? u""_s : u' ' + shape));
        break;
    case Stage::Kind::Output:
        lines.append(u"output"_s + (shape.isEmpty() ? u""_s : u' ' + shape));
        break;
    case Stage::Kind::Work:
        lines.append(measureText(stage, measure));
        if (!shape.isEmpty())
            lines.append(u"gives "_s + shape);
        break;
    }
    if (stage.kind != Stage::Kind::Work && stage.repeats > 1)
        lines.append(u"and %1"_s.arg(counted(stage.repeats - 1, u"other"_s)));
    return lines + markTexts(marks);
}

void add(StageMarks& sum, const StageMarks& marks)
{
    sum.hits += marks.hits;
    sum.isCurrentHit = sum.isCurrentHit || marks.isCurrentHit;
    sum.differences.added += marks.differences.added;
    sum.differences.removed += marks.differences.removed;
    sum.differences.changed += marks.differences.changed;
    sum.differences.renamed += marks.differences.renamed;
}

} // namespace

ArchitectureStrip::ArchitectureStrip(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"architecture"_s);
    setAccessibleName(u"Stages of the network"_s);
    setFixedHeight(stripHeight);
    hide();
}

void ArchitectureStrip::setStages(StagesPtr stages)
{
    if (stages == m_stages)
        return;
    m_stages = std::move(stages);
    m_marks.clear();
    m_current = -1;
    m_focus = 0;
    layOut();
    showOrHide();
}

void ArchitectureStrip::setMarks(std::vector<StageMarks> marks)
{
    m_marks = std::move(marks);
    for (std::size_t i = 0; i < m_cells.size(); ++i)
        fill(*m_shown[i], m_cells[i]);
}

void ArchitectureStrip::setCurrent(int stage)
{
    m_current = stage;
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        const bool isCurrent = stage >= 0 && m_cells[i].holds(std::size_t(stage));
        m_shown[i]->setCurrent(isCurrent);
        if (isCurrent && !m_shown[m_focus]->hasFocus())
            m_focus = i;
    }
    for (std::size_t i = 0; i < m_cells.size(); ++i)
        m_shown[i]->setFocusPolicy(i == m_focus ? Qt::TabFocus : Qt::NoFocus);
}

void ArchitectureStrip::setWanted(bool isWanted)
{
    m_isWanted = isWanted;
    showOrHide();
}

void ArchitectureStrip::showOrHide()
{
    setVisible(m_isWanted && m_stages && m_stages->workCount() >= leastStages);
}

const StageMarks& ArchitectureStrip::marksOf(std::size_t stage) const
{
    static const StageMarks none;
    return stage < m_marks.size() ? m_marks[stage] : none;
}

void ArchitectureStrip::layOut()
{
    std::vector<CellWish> wishes;
    for (std::size_t i = 0; m_stages && i < m_stages->row.size(); ++i) {
        wishes.push_back(StageButton::wishOf(faceOf(m_stages->row[i], {})));
        wishes.back().share = m_stages->row[i].share;
    }
    const CellWish rest = StageButton::wishOf(restFace(wishes.size()));
    m_cells = layOutStrip(wishes, rest.name + rest.beside, width() - 2 * margin);
    while (m_buttons.size() < m_cells.size()) {
        auto* button = new StageButton(this);
        button->installEventFilter(this);
        const std::size_t cell = m_buttons.size();
        connect(button, &QAbstractButton::clicked, this, [this, cell] { activate(cell); });
        m_buttons.push_back(button);
    }
    m_shown.assign(m_buttons.begin(), m_buttons.begin() + std::ptrdiff_t(m_cells.size()));
    for (std::size_t i = 0; i < m_buttons.size(); ++i) {
        m_buttons[i]->setVisible(i < m_cells.size());
        if (i >= m_cells.size())
            continue;
        const StripCell& cell = m_cells[i];
        m_buttons[i]->setGeometry(margin + cell.x, 2, cell.width, height() - 5);
        fill(*m_buttons[i], cell);
    }
    m_focus = std::min(m_focus, m_cells.empty() ? 0 : m_cells.size() - 1);
    setCurrent(m_current);
    update();
}

void ArchitectureStrip::fill(StageButton& button, const StripCell& cell)
{
    if (!cell.isRest()) {
        const Stage& stage = m_stages->row[cell.first];
        const QStringList lines = linesOf(stage, marksOf(cell.first), m_stages->measure);
        button.setFace(faceOf(stage, marksOf(cell.first)));
        button.setToolTip(lines.join(u'\n'));
        button.setAccessibleName(lines.join(u", "_s));
        return;
    }
    StageFace face = restFace(cell.count);
    QStringList names;
    for (std::size_t s = cell.first; s < cell.first + cell.count; ++s) {
        add(face.marks, marksOf(s));
        names.append(plainText(m_stages->row[s].name));
    }
    button.setToolTip(names.join(u'\n'));
    button.setAccessibleName(
        u"%1 more: %2"_s.arg(counted(std::int64_t(cell.count), u"stage"_s), names.join(u", "_s)));
    button.setFace(std::move(face));
}

void ArchitectureStrip::activate(std::size_t cell)
{
    if (cell >= m_cells.size())
        return;
    if (m_cells[cell].isRest())
        showRest(cell);
    else
        emit stageActivated(int(m_cells[cell].first));
}

void ArchitectureStrip::showRest(std::size_t cell)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(u"moreStages"_s);
    for (std::size_t s = m_cells[cell].first; s < m_cells[cell].first + m_cells[cell].count; ++s) {
        const Stage& stage = m_stages->row[s];
        QString text = plainText(stage.name);
        if (stage.repeats > 1)
            text += u' ' + timesText(stage);
        QAction* entry = menu->addAction(text.replace(u'&', u"&&"_s));
        connect(entry, &QAction::triggered, this, [this, s] { emit stageActivated(int(s)); });
    }
    menu->popup(m_shown[cell]->mapToGlobal(QPoint(0, m_shown[cell]->height())));
}

void ArchitectureStrip::focusCell(std::size_t cell)
{
    m_shown[m_focus]->setFocusPolicy(Qt::NoFocus);
    m_focus = cell;
    m_shown[cell]->setFocusPolicy(Qt::TabFocus);
    m_shown[cell]->setFocus(Qt::TabFocusReason);
}

bool ArchitectureStrip::moveByKey(std::size_t from, int key)
{
    switch (key) {
    case Qt::Key_Left: focusCell(from > 0 ? from - 1 : from); return true;
    case Qt::Key_Right: focusCell(std::min(from + 1, m_cells.size() - 1)); return true;
    case Qt::Key_Home: focusCell(0); return true;
    case Qt::Key_End: focusCell(m_cells.size() - 1); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: activate(from); return true;
    default: return false;
    }
}

bool ArchitectureStrip::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto at = std::ranges::find(m_shown, watched);
        if (at != m_shown.end() &&
            moveByKey(std::size_t(at - m_shown.begin()), static_cast<QKeyEvent*>(event)->key()))
            return true;
    }
    return QWidget::eventFilter(watched, event);
}

void ArchitectureStrip::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
}

void ArchitectureStrip::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange && m_stages)
        layOut();
}

void ArchitectureStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(*this);
    painter.fillRect(rect(), theme[Role::Canvas]);
    painter.fillRect(0, height() - 1, width(), 1, theme[Role::Line]);
    painter.setPen(QPen(theme[Role::Edge], 1.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    for (std::size_t i = 1; i < m_cells.size(); ++i) {
        const QPointF tip(margin + m_cells[i].x - cellGap / 2.0 + 1.5, (height() - 1) / 2.0);
        painter.drawPolyline(QPolygonF{tip + QPointF(-3, -3.5), tip, tip + QPointF(-3, 3.5)});
    }
}

} // namespace lapidary
