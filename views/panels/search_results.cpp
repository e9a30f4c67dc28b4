// SPDX-License-Identifier: Apache-2.0
#include "views/panels/search_results.h"

#include "views/models/display_text.h"
#include "views/panels/theme_of.h"

#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int resultRowHeight = 24;
constexpr int mostResultRows = 14;

class HitDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        return {80, resultRowHeight};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const Theme& theme = themeOf(*option.widget);
        const bool isSelected = option.state & QStyle::State_Selected;
        const bool isScope = index.data(Qt::UserRole).toBool();
        const bool isDetail = index.column() == SearchModel::DetailColumn;
        if (isSelected)
            painter->fillRect(option.rect, theme[Role::Selection]);
        else if (option.state & QStyle::State_MouseOver)
            painter->fillRect(option.rect, theme[Role::Hover]);
        QFont font = option.font;
        font.setWeight(isScope && !isDetail ? QFont::DemiBold : QFont::Normal);
        painter->setFont(font);
        painter->setPen(isSelected ? theme[Role::SelectionText]
                        : isDetail ? theme[Role::TextMuted]
                                   : theme[Role::Text]);
        const QRect box =
            option.rect.adjusted(isDetail ? 4 : (isScope ? 12 : 28), 0, isDetail ? -12 : -2, 0);
        painter->drawText(
            box, int(isDetail ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter,
            QFontMetrics(font).elidedText(index.data().toString(), Qt::ElideMiddle, box.width()));
    }
};

} // namespace

SearchResults::SearchResults(QWidget* parent)
    : QFrame(parent)
    , m_model(new SearchModel(this))
    , m_note(new QLabel(this))
    , m_tree(new QTreeView(this))
{
    setObjectName(u"searchResults"_s);
    setAttribute(Qt::WA_StyledBackground);
    setFrameShape(QFrame::NoFrame);
    m_note->setObjectName(u"searchNote"_s);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    m_note->setProperty("muted", true);
    m_note->setContentsMargins(12, 8, 12, 8);
    m_tree->setObjectName(u"searchTree"_s);
    m_tree->setAccessibleName(u"Hits by scope"_s);
    m_tree->setModel(m_model);
    m_tree->setItemDelegate(new HitDelegate(m_tree));
    m_tree->setHeaderHidden(true);
    m_tree->setRootIsDecorated(false);
    m_tree->setIndentation(0);
    m_tree->setUniformRowHeights(true);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setMouseTracking(true);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(SearchModel::NameColumn, QHeaderView::Stretch);
    m_tree->header()->setSectionResizeMode(SearchModel::DetailColumn, QHeaderView::Fixed);
    m_tree->header()->resizeSection(SearchModel::DetailColumn, 170);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 6, 1, 6);
    column->setSpacing(0);
    column->addWidget(m_note);
    column->addWidget(m_tree, 1);
    const auto choose = [this](const QModelIndex& index) {
        if (const int number = m_model->numberOf(index); number >= 0)
            emit hitChosen(number);
    };
    connect(m_tree, &QTreeView::clicked, this, choose);
    connect(m_tree, &QTreeView::activated, this, choose);
    hide();
}

void SearchResults::setAnswer(const GraphPtr& graph, const ScopeTreePtr& tree,
                              const SearchAnswer& answer)
{
    m_model->setHits(graph, tree, answer.hits);
    // Opening thousands of scopes would cost a frame for rows that are out of sight.
    if (m_model->rowCount() <= 200)
        m_tree->expandAll();
    else
        m_tree->expand(m_model->index(0, 0));
    QStringList notes;
    if (!answer.note.empty())
        notes.append(plainText(answer.note));
    if (answer.hits.empty())
        notes.append(u"Nothing matches. Terms are regular expressions over name, op, type, shape "
                     u"and attributes; op:, name:, dtype:, shape:, attr: restrict one."_s);
    showNote(notes.join(u'\n'));
    m_tree->setVisible(!answer.hits.empty());
}

void SearchResults::showNote(const QString& note)
{
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

void SearchResults::setCurrent(int number)
{
    const QModelIndex index = m_model->indexOfHit(number);
    const QSignalBlocker blocker(m_tree);
    m_tree->setCurrentIndex(index);
    if (index.isValid())
        m_tree->scrollTo(index);
}

QSize SearchResults::sizeHint() const
{
    int rows = m_model->rowCount();
    if (rows <= 200)
        rows += m_model->hitCount();
    const int note = m_note->isHidden() ? 0 : m_note->heightForWidth(width() - 2);
    return {width(), std::min(rows, mostResultRows) * resultRowHeight + note + 14};
}

} // namespace lapidary
