// SPDX-License-Identifier: Apache-2.0
#include "views/panels/search_results.h"

#include "views/models/display_text.h"
#include "views/panels/base/theme_of.h"

#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

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
        if (isSelected)
            painter->fillRect(option.rect, theme[Role::Selection]);
        else if (option.state & QStyle::State_MouseOver)
            painter->fillRect(option.rect, theme[Role::Hover]);
        painter->setFont(option.font);
        const QColor text = theme[isSelected ? Role::SelectionText : Role::Text];
        const QColor muted = isSelected ? text : theme[Role::TextMuted];
        const bool isName = index.column() == SearchModel::NameColumn;
        const QRect box = option.rect.adjusted(isName ? 12 : 4, 0, -8, 0);
        if (isName)
            return paintName(*painter, box, index, muted, text);
        painter->setPen(muted);
        painter->drawText(
            box, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
            option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, box.width()));
    }

private:
    // Draws the scopes muted, so that the last parts of the names stand out.
    static void paintName(QPainter& painter, QRect box, const QModelIndex& index,
                          const QColor& muted, const QColor& text)
    {
        const QFontMetrics metrics = painter.fontMetrics();
        const QString name = shortened(
            static_cast<const SearchModel*>(index.model())->name(index.row()),
            [&](const QString& whole) { return metrics.horizontalAdvance(whole) <= box.width(); });
        const QString scopes = name.left(name.lastIndexOf(u'/') + 1);
        painter.setPen(muted);
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, scopes);
        box.setLeft(box.left() + metrics.horizontalAdvance(scopes));
        painter.setPen(text);
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                         name.mid(scopes.size()));
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
    m_tree->setAccessibleName(u"Hits"_s);
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
    for (const int column : {SearchModel::OpColumn, SearchModel::DetailColumn})
        m_tree->header()->setSectionResizeMode(column, QHeaderView::Fixed);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 6, 1, 6);
    column->setSpacing(0);
    column->addWidget(m_note);
    column->addWidget(m_tree, 1);
    const auto choose = [this](const QModelIndex& index) {
        if (index.isValid())
            emit hitChosen(index.row());
    };
    connect(m_tree, &QTreeView::clicked, this, choose);
    connect(m_tree, &QTreeView::activated, this, choose);
    hide();
}

void SearchResults::setAnswer(const SearchIndexPtr& index, const ScopeTreePtr& tree,
                              const SearchAnswer& answer)
{
    m_model->setAnswer(index, tree, answer);
    QStringList notes;
    if (!answer.note.empty())
        notes.append(plainText(answer.note));
    if (answer.hits.empty())
        notes.append(
            u"No match. Terms are regular expressions over name, op, type, shape and "
            u"attributes, and all of them must match; the prefixes op:, name:, dtype:, shape: and "
            u"attr: limit a term."_s);
    if (!m_model->commonScope().isEmpty())
        notes.append(u"All in "_s + m_model->commonScope());
    showNote(notes.join(u'\n'));
    m_tree->setVisible(!answer.hits.empty());
    fitColumns();
}

// Makes the columns of ops and details as wide as the first hits need, up to their shares; names
// get the rest.
void SearchResults::fitColumns()
{
    constexpr int mostMeasured = 100;
    constexpr int padding = 14;
    for (const int column : {SearchModel::OpColumn, SearchModel::DetailColumn}) {
        int need = 0;
        for (int row = 0; row < std::min(m_model->rowCount(), mostMeasured); ++row)
            need = std::max(need, m_tree->fontMetrics().horizontalAdvance(
                                      m_model->index(row, column).data().toString()));
        const int share = column == SearchModel::OpColumn ? width() / 4 : width() * 2 / 5;
        m_tree->header()->resizeSection(column, std::min(need + padding, share));
    }
}

void SearchResults::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    fitColumns();
}

void SearchResults::showNote(const QString& note)
{
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

void SearchResults::setCurrent(int number)
{
    const QModelIndex index = m_model->index(number, SearchModel::NameColumn);
    const QSignalBlocker blocker(m_tree);
    m_tree->setCurrentIndex(index);
    if (index.isValid())
        m_tree->scrollTo(index);
}

QSize SearchResults::sizeHint() const
{
    const int note = m_note->isHidden() ? 0 : m_note->heightForWidth(width() - 2);
    return {width(), std::min(m_model->rowCount(), mostResultRows) * resultRowHeight + note + 14};
}

} // namespace lapidary
