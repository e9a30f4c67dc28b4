// SPDX-License-Identifier: Apache-2.0
#include "views/panels/diff/difference_panel.h"

#include "views/models/diff/difference_model.h"
#include "views/models/display_text.h"
#include "views/panels/base/table_panels.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QWidgetAction>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

class DifferenceFilter : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setKinds(std::uint16_t kinds)
    {
        m_kinds = kinds;
        invalidateFilter();
    }
    void setText(const QString& text)
    {
        m_text = text;
        invalidateFilter();
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override
    {
        const QModelIndex name = sourceModel()->index(row, DifferenceModel::NodeColumn, parent);
        if ((name.data(DifferenceModel::KindsRole).toUInt() & m_kinds) == 0)
            return false;
        return m_text.isEmpty() || name.data().toString().contains(m_text, Qt::CaseInsensitive) ||
               name.siblingAtColumn(DifferenceModel::OpColumn)
                   .data()
                   .toString()
                   .contains(m_text, Qt::CaseInsensitive);
    }

private:
    std::uint16_t m_kinds = UINT16_MAX;
    QString m_text;
};

QPushButton* button(const QString& text, const QString& name, QWidget* parent)
{
    auto* made = new QPushButton(text, parent);
    made->setObjectName(name);
    made->setAccessibleName(text);
    return made;
}

} // namespace

DifferencePanel::DifferencePanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new DifferenceModel(this))
    , m_shown(new DifferenceFilter(this))
    , m_table(new PanelTable(u"Differences"_s, this))
{
    setObjectName(u"differencePanel"_s);
    setAccessibleName(u"Differences"_s);
    setAttribute(Qt::WA_StyledBackground);
    m_shown->setSourceModel(m_model);
    m_shown->setSortRole(DifferenceModel::SortRole);
    m_table->setObjectName(u"differenceTable"_s);
    m_table->setModel(m_shown);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(DifferenceModel::SignColumn, Qt::AscendingOrder);
    m_table->horizontalHeader()->setSortIndicatorShown(false);
    m_remark = new QLabel(this);
    m_remark->setObjectName(u"differenceRemark"_s);
    m_remark->setTextFormat(Qt::PlainText);
    m_remark->setProperty("muted", true);
    m_remark->setWordWrap(true);
    m_remark->setContentsMargins(12, 12, 12, 12);
    m_remark->setAlignment(Qt::AlignTop);
    buildHead();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_head);
    column->addWidget(m_remark);
    column->addWidget(m_table, 1);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (!m_isFollowing && current.isValid())
                    emit stepChosen(m_model->stepOf(m_shown->mapToSource(current).row()));
            });
    connect(m_table, &QAbstractItemView::activated, this, &DifferencePanel::toggle);
    connect(m_table, &QAbstractItemView::clicked, this, [this](const QModelIndex& at) {
        if (at.column() == DifferenceModel::SignColumn)
            toggle(at);
    });
    setList(nullptr);
}

void DifferencePanel::buildHead()
{
    m_head = new QWidget(this);
    m_kindMenu = new QMenu(m_head);
    m_kindMenu->setObjectName(u"differenceKindMenu"_s);
    auto* kinds = button(u"Kinds"_s, u"differenceKinds"_s, m_head);
    kinds->setToolTip(u"Which kinds of differences are listed and marked"_s);
    kinds->setMenu(m_kindMenu);
    m_filter = new QLineEdit(m_head);
    m_filter->setObjectName(u"differenceFilter"_s);
    m_filter->setAccessibleName(u"Filter the differences"_s);
    m_filter->setPlaceholderText(u"Filter"_s);
    m_filter->setToolTip(u"Part of a name or op"_s);
    m_filter->setMaximumWidth(220);
    auto* row = new QHBoxLayout(m_head);
    row->setContentsMargins(8, 6, 8, 6);
    row->setSpacing(8);
    row->addWidget(kinds);
    row->addWidget(m_filter, 1);
    row->addStretch(1);
    for (int kind = 0; kind < differenceKindCount; ++kind) {
        const QString name = plainText(differenceKindName(DifferenceKind(kind)));
        auto* toggle = new QCheckBox(name, m_kindMenu); // keeps the menu open
        toggle->setObjectName(u"kind_"_s + name);
        toggle->setContentsMargins(12, 4, 12, 4);
        toggle->setChecked(true);
        auto* entry = new QWidgetAction(m_kindMenu);
        entry->setDefaultWidget(toggle);
        m_kindMenu->addAction(entry);
        m_kinds.push_back(entry);
        connect(toggle, &QCheckBox::clicked, this, [this, kind](bool isOn) {
            const auto bit = std::uint16_t(1U << kind);
            emit kindsChosen(std::uint16_t(isOn ? m_shownKinds | bit : m_shownKinds & ~bit));
        });
    }
    connect(m_filter, &QLineEdit::textChanged, this, &DifferencePanel::showFiltered);
}

void DifferencePanel::setList(const DifferenceListPtr& list)
{
    m_isFollowing = true;
    m_list = list;
    m_current = -1;
    m_model->setList(list);
    showFiltered(m_filter->text());
    m_isFollowing = true;
    m_head->setVisible(list != nullptr);
    m_table->setVisible(list != nullptr && !list->steps.empty());
    fitColumns();
    m_isFollowing = false;
    renewKinds();
}

// A name is searched for in the list of single differences. Rows that can be opened are not sorted.
void DifferencePanel::showFiltered(const QString& text)
{
    m_isFollowing = true;
    m_model->setPlain(!text.trimmed().isEmpty());
    static_cast<DifferenceFilter*>(m_shown)->setText(text.trimmed());
    if (m_model->isGrouped())
        m_table->sortByColumn(DifferenceModel::SignColumn, Qt::AscendingOrder);
    m_table->setSortingEnabled(!m_model->isGrouped());
    m_isFollowing = false;
    setCurrent(m_current);
}

void DifferencePanel::toggle(const QModelIndex& shown)
{
    const QModelIndex row = m_shown->mapToSource(shown);
    if (row.isValid())
        m_model->toggle(row.row());
}

void DifferencePanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitColumns();
}

// Elides names, as long as they can be told apart, so that the differences stay visible.
void DifferencePanel::fitColumns()
{
    constexpr int signWidth = 36;
    constexpr int remarkWidth = 190;
    constexpr int leastName = 200;
    m_table->horizontalHeader()->setResizeContentsPrecision(100);
    m_table->setColumnWidth(DifferenceModel::SignColumn, signWidth);
    m_table->resizeColumnToContents(DifferenceModel::NodeColumn);
    m_table->resizeColumnToContents(DifferenceModel::OpColumn);
    const int room =
        width() - signWidth - m_table->columnWidth(DifferenceModel::OpColumn) - remarkWidth;
    m_table->setColumnWidth(
        DifferenceModel::NodeColumn,
        std::max(std::min(m_table->columnWidth(DifferenceModel::NodeColumn), room), leastName));
}

void DifferencePanel::setRemark(const QString& text)
{
    m_remark->setText(text);
    m_remark->setVisible(!text.isEmpty());
}

void DifferencePanel::setShownKinds(std::uint16_t kinds)
{
    m_shownKinds = kinds;
    m_isFollowing = true;
    static_cast<DifferenceFilter*>(m_shown)->setKinds(kinds);
    m_isFollowing = false;
    renewKinds();
    setCurrent(m_current);
}

void DifferencePanel::renewKinds()
{
    for (int kind = 0; kind < differenceKindCount; ++kind) {
        QWidgetAction* entry = m_kinds[std::size_t(kind)];
        auto* toggle = static_cast<QCheckBox*>(entry->defaultWidget());
        const std::size_t count = m_list ? m_list->counts[std::size_t(kind)] : 0;
        const QString name = plainText(differenceKindName(DifferenceKind(kind)));
        entry->setVisible(count > 0);
        toggle->setText(u"%1 %2"_s.arg(name, exactText(std::int64_t(count))));
        toggle->setAccessibleName(toggle->text());
        toggle->setChecked((m_shownKinds >> kind & 1) != 0);
    }
}

void DifferencePanel::setCurrent(int number)
{
    m_current = number;
    m_isFollowing = true;
    const QModelIndex row = m_shown->mapFromSource(m_model->index(m_model->rowOf(number), 0));
    if (row.isValid()) {
        m_table->setCurrentIndex(row.siblingAtColumn(DifferenceModel::NodeColumn));
        m_table->scrollTo(row.siblingAtColumn(DifferenceModel::NodeColumn));
    } else {
        m_table->clearSelection();
    }
    m_isFollowing = false;
}

} // namespace lapidary
