// SPDX-License-Identifier: Apache-2.0
#include "views/panels/command_palette.h"

#include "views/panels/base/theme_of.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

enum PaletteRole { IdRole = Qt::UserRole + 1, KeyRole, ObstacleRole };
constexpr int rowHeight = 28;
constexpr int mostRows = 12;
constexpr int textGap = 16; // between an action, the reason why it is disabled, and its key

class PaletteDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        return {100, rowHeight};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const Theme& theme = themeOf(*option.widget);
        const bool isSelected = option.state & QStyle::State_Selected;
        const QString obstacle = index.data(ObstacleRole).toString();
        if (isSelected)
            painter->fillRect(option.rect, theme[Role::Selection]);
        const QRect box = option.rect.adjusted(14, 0, -14, 0);
        const QColor muted = isSelected ? theme[Role::SelectionText] : theme[Role::TextMuted];
        painter->setPen(!obstacle.isEmpty() ? muted
                        : isSelected        ? theme[Role::SelectionText]
                                            : theme[Role::Text]);
        const QString label = index.data().toString();
        const QString key = index.data(KeyRole).toString();
        painter->drawText(box, Qt::AlignVCenter, label);
        painter->setPen(muted);
        painter->drawText(box, Qt::AlignVCenter | Qt::AlignRight, key);
        const QFontMetrics& metrics = option.fontMetrics;
        const QRect rest = box.adjusted(metrics.horizontalAdvance(label) + textGap, 0,
                                        -metrics.horizontalAdvance(key) - textGap, 0);
        painter->drawText(rest, Qt::AlignVCenter | Qt::AlignRight,
                          metrics.elidedText(obstacle, Qt::ElideRight, rest.width()));
    }
};

// Rates how well an entry fits; lower is better, and a negative rating means no match.
int rank(const PaletteEntry& entry, const QStringList& words)
{
    int worst = 0;
    for (const QString& word : words) {
        const int at = entry.label.startsWith(word, Qt::CaseInsensitive)        ? 0
                       : entry.label.contains(u' ' + word, Qt::CaseInsensitive) ? 1
                       : entry.label.contains(word, Qt::CaseInsensitive)        ? 2
                       : entry.id.contains(word, Qt::CaseInsensitive)           ? 3
                       : entry.help.contains(word, Qt::CaseInsensitive)         ? 4
                                                                                : -1;
        if (at < 0)
            return -1;
        worst = std::max(worst, at);
    }
    return worst + (entry.obstacle.isEmpty() ? 0 : 10);
}

} // namespace

std::vector<PaletteEntry> matchingEntries(const std::vector<PaletteEntry>& entries,
                                          const QString& typed)
{
    const QStringList words = typed.split(u' ', Qt::SkipEmptyParts);
    std::vector<std::pair<int, PaletteEntry>> ranked;
    for (const PaletteEntry& entry : entries)
        if (const int at = rank(entry, words); at >= 0)
            ranked.emplace_back(at, entry);
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<PaletteEntry> out;
    for (auto& entry : ranked)
        out.push_back(std::move(entry.second));
    return out;
}

CommandPalette::CommandPalette(QWidget* parent)
    : QFrame(parent)
    , m_field(new QLineEdit(this))
    , m_list(new QListView(this))
    , m_model(new QStandardItemModel(this))
{
    setObjectName(u"palette"_s);
    setAttribute(Qt::WA_StyledBackground);
    m_field->setObjectName(u"paletteField"_s);
    m_field->setAccessibleName(u"Action to run"_s);
    m_field->setPlaceholderText(u"Type the name of an action"_s);
    m_field->setFrame(false);
    m_field->installEventFilter(this);
    m_list->setObjectName(u"paletteList"_s);
    m_list->setAccessibleName(u"Actions"_s);
    m_list->setModel(m_model);
    m_list->setItemDelegate(new PaletteDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 6);
    column->setSpacing(4);
    column->addWidget(m_field);
    column->addWidget(m_list);
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_list, &QListView::clicked, this, &CommandPalette::accept);
    hide();
}

void CommandPalette::open(std::vector<PaletteEntry> entries)
{
    m_entries = std::move(entries);
    m_field->clear();
    const int w = std::min(560, parentWidget()->width() - 32);
    setGeometry((parentWidget()->width() - w) / 2, 56, w, height());
    filter();
    show();
    raise();
    m_field->setFocus();
}

int CommandPalette::visibleEntries() const
{
    return m_model->rowCount();
}

void CommandPalette::filter()
{
    m_model->clear();
    for (const PaletteEntry& entry : matchingEntries(m_entries, m_field->text())) {
        auto* item = new QStandardItem(entry.label); // owned by the model
        item->setData(entry.id, IdRole);
        item->setData(entry.key, KeyRole);
        item->setData(entry.obstacle, ObstacleRole);
        item->setToolTip(entry.obstacle.isEmpty() ? entry.help : entry.obstacle);
        QStringList spoken{entry.label, entry.key, entry.obstacle};
        spoken.removeAll(QString());
        item->setData(spoken.join(u", "_s), Qt::AccessibleTextRole);
        m_model->appendRow(item);
    }
    m_list->setCurrentIndex(m_model->index(0, 0));
    const int rows = std::clamp(m_model->rowCount(), 1, mostRows);
    resize(width(), rows * rowHeight + m_field->sizeHint().height() + 14);
}

void CommandPalette::accept()
{
    const QModelIndex index = m_list->currentIndex();
    if (!index.isValid() || !index.data(ObstacleRole).toString().isEmpty())
        return; // the row shows the reason
    const QString id = index.data(IdRole).toString();
    hide();
    emit chosen(id);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusOut) {
        hide();
        return false;
    }
    if (event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    switch (key->key()) {
    case Qt::Key_Escape:
        hide();
        parentWidget()->setFocus();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: accept(); return true;
    case Qt::Key_Down:
    case Qt::Key_Up:
    case Qt::Key_PageDown:
    case Qt::Key_PageUp: {
        QKeyEvent copy(QEvent::KeyPress, key->key(), key->modifiers());
        QApplication::sendEvent(m_list, &copy);
        return true;
    }
    default: return false;
    }
}

} // namespace lapidary
