// SPDX-License-Identifier: Apache-2.0
#include "views/panels/profile/profile_panel.h"

#include "views/models/profile/profile_node_model.h"
#include "views/models/profile/profile_type_model.h"
#include "views/panels/base/obstacle.h"
#include "views/panels/base/one_line_label.h"
#include "views/panels/base/shape_question.h"
#include "views/panels/base/table_panels.h"
#include "views/panels/profile/roofline_view.h"
#include "views/panels/profile/timeline_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QStyle>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

// Sorts by the models' own keys, and filters by their first text columns.
class ProfileFilter : public QSortFilterProxyModel {
public:
    ProfileFilter(std::vector<int> columns, QObject* parent)
        : QSortFilterProxyModel(parent)
        , m_columns(std::move(columns))
    {
        setFilterCaseSensitivity(Qt::CaseInsensitive);
        setSortCaseSensitivity(Qt::CaseInsensitive);
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override
    {
        const QRegularExpression wanted = filterRegularExpression();
        return std::ranges::any_of(m_columns, [&](int column) {
            return sourceModel()->index(row, column, parent).data().toString().contains(wanted);
        });
    }

private:
    std::vector<int> m_columns;
};

// Indices of the choices and pages.
constexpr int typeIndex = 1;
constexpr int timelineIndex = 2;
constexpr int rooflineIndex = 3;
constexpr int heightOfPlots = 280; // pixels, with the tabs above and the line of buttons
constexpr int leastNameWidth = 180;

QPushButton* button(const QString& text, const QString& name, QWidget* parent)
{
    auto* made = new QPushButton(text, parent);
    made->setObjectName(name);
    made->setAccessibleName(QString(text).remove(QChar(0x2026)));
    return made;
}

} // namespace

ProfilePanel::ProfilePanel(QWidget* parent)
    : QWidget(parent)
    , m_nodes(new ProfileNodeModel(this))
    , m_types(new ProfileTypeModel(this))
    , m_timeline(new TimelineView(this))
    , m_roofline(new RooflineView(this))
    , m_pages(new QStackedWidget(this))
{
    setObjectName(u"profilePanel"_s);
    setAccessibleName(u"Profile"_s);
    setAttribute(Qt::WA_StyledBackground);
    m_sortedNodes =
        new ProfileFilter({ProfileNodeModel::NodeColumn, ProfileNodeModel::OpColumn}, this);
    m_sortedTypes = new ProfileFilter({ProfileTypeModel::OpColumn}, this);
    m_nodeTable =
        buildTable(u"profileTable"_s, m_nodes, m_sortedNodes, ProfileNodeModel::TimeColumn);
    m_nodeTable->setAccessibleName(u"Profile by node"_s);
    m_typeTable =
        buildTable(u"profileTypes"_s, m_types, m_sortedTypes, ProfileTypeModel::TimeColumn);
    m_typeTable->setAccessibleName(u"Profile by op type"_s);
    // Moves shares so that they are visible without scrolling in a narrow window.
    m_nodeTable->horizontalHeader()->moveSection(ProfileNodeModel::SpreadColumn,
                                                 ProfileNodeModel::SumColumn);
    m_head = buildHead();
    m_empty = buildEmpty();
    m_pages->addWidget(m_nodeTable);
    m_pages->addWidget(m_typeTable);
    m_pages->addWidget(m_timeline);
    m_pages->addWidget(m_roofline);
    m_pages->addWidget(m_empty);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_head);
    column->addWidget(m_pages, 1);
    connect(m_nodeTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                const NodeId id = m_nodes->node(m_sortedNodes->mapToSource(current).row());
                if (!m_isFollowing && current.isValid() && id.isValid())
                    emit nodeSelected(id);
            });
    connect(m_timeline, &TimelineView::nodeSelected, this, &ProfilePanel::nodeSelected);
    connect(m_roofline, &RooflineView::nodeSelected, this, &ProfilePanel::nodeSelected);
    connect(m_typeTable, &QTableView::activated, this, [this](const QModelIndex& index) {
        emit opActivated(m_types->op(m_sortedTypes->mapToSource(index).row()));
    });
    showPage();
}

PanelTable* ProfilePanel::buildTable(const QString& name, QAbstractItemModel* model,
                                     QSortFilterProxyModel*& sorted, int sortColumn)
{
    auto* table = new PanelTable(name, this);
    table->setObjectName(name);
    sorted->setSourceModel(model);
    sorted->setSortRole(ProfileNodeModel::SortRole);
    table->setModel(sorted);
    table->setSortingEnabled(true);
    table->sortByColumn(sortColumn, Qt::DescendingOrder);
    table->horizontalHeader()->setStretchLastSection(false);
    table->horizontalHeader()->setResizeContentsPrecision(100);
    return table;
}

QWidget* ProfilePanel::buildHead()
{
    auto* head = new QWidget(this);
    m_by = new QComboBox(head);
    m_by->setObjectName(u"profileBy"_s);
    m_by->setAccessibleName(u"Rows of the profile"_s);
    m_by->addItems({u"By node"_s, u"By op type"_s, u"Timeline"_s, u"Roofline"_s});
    m_filter = new QLineEdit(head);
    m_filter->setObjectName(u"profileFilter"_s);
    m_filter->setAccessibleName(u"Filter the profile"_s);
    m_filter->setPlaceholderText(u"Filter"_s);
    m_filter->setToolTip(u"Part of a name or op"_s);
    m_filter->setMaximumWidth(170);
    m_summary = new OneLineLabel(head);
    m_summary->setObjectName(u"profileSummary"_s);
    m_summary->wrapIntoTwo();
    auto* again = button(u"Run again"_s, u"profileRunAgain"_s, head);
    auto* open = button(u"Open\u2026"_s, u"profileOpen"_s, head);
    open->setAccessibleName(u"Open profile"_s);
    auto* clear = button(u"Clear"_s, u"profileClear"_s, head);
    clear->setAccessibleName(u"Clear profile"_s);
    m_runButtons.push_back(again);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(8, 6, 8, 6);
    row->setSpacing(8);
    row->addWidget(m_by);
    row->addWidget(m_filter, 1);
    row->addWidget(m_summary, 3);
    for (QPushButton* action : {again, open, clear})
        row->addWidget(action);
    connect(m_by, &QComboBox::currentIndexChanged, this, [this] {
        showPage();
        if (isRooflineShown())
            emit rooflineShown();
        if (m_hasProfile && m_by->currentIndex() >= timelineIndex)
            emit heightWanted(heightOfPlots);
    });
    connect(m_filter, &QLineEdit::textChanged, this, &ProfilePanel::setFilter);
    connect(again, &QPushButton::clicked, this, &ProfilePanel::runRequested);
    connect(open, &QPushButton::clicked, this, &ProfilePanel::openRequested);
    connect(clear, &QPushButton::clicked, this, &ProfilePanel::clearRequested);
    return head;
}

QWidget* ProfilePanel::buildEmpty()
{
    auto* page = new QWidget(this);
    m_message = new QLabel(page);
    m_message->setObjectName(u"profileMessage"_s);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setProperty("muted", true);
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* run = button(u"Run and profile"_s, u"profileRun"_s, page);
    auto* open = button(u"Open profile\u2026"_s, u"profileOpenFirst"_s, page);
    m_runButtons.push_back(run);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(run);
    buttons->addWidget(open);
    buttons->addStretch();
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(8);
    column->addWidget(m_message);
    m_ask = new ShapeQuestion(u"profile"_s, page);
    connect(m_ask, &ShapeQuestion::given, this, &ProfilePanel::shapeGiven);
    column->addWidget(m_ask);
    column->addLayout(buttons);
    column->addStretch();
    connect(run, &QPushButton::clicked, this, &ProfilePanel::runRequested);
    connect(open, &QPushButton::clicked, this, &ProfilePanel::openRequested);
    return page;
}

void ProfilePanel::askForShape(const QString& tensor, const QString& proposed)
{
    m_ask->ask(tensor, proposed);
    showPage();
}

void ProfilePanel::setSums(const ProfileSumsPtr& sums, const ProfileSumsPtr& here)
{
    m_isFollowing = true;
    m_hasProfile = sums != nullptr;
    m_nodes->setSums(sums, here);
    m_timeline->setSums(sums);
    m_roofline->setPoints(sums, {});
    m_types->setProfile(sums ? NodeProfilePtr(sums, &sums->profile()) : nullptr);
    m_isFollowing = false;
    fitColumns();
    showPage();
}

void ProfilePanel::fitColumns()
{
    if (!m_hasProfile)
        return;
    for (int column = 0; column < m_nodes->columnCount(); ++column)
        if (column != ProfileNodeModel::NodeColumn)
            m_nodeTable->resizeColumnToContents(column);
    m_nodeTable->giveRestTo(ProfileNodeModel::NodeColumn, leastNameWidth);
    for (int column = 0; column < ProfileTypeModel::ColumnCount; ++column)
        m_typeTable->resizeColumnToContents(column);
    m_typeTable->setColumnWidth(ProfileTypeModel::OpColumn, 200);
}

void ProfilePanel::setSummary(const QString& text)
{
    m_summaryText = text;
    showPage();
}

bool ProfilePanel::isRooflineShown() const
{
    return m_hasProfile && m_by->currentIndex() == rooflineIndex;
}

void ProfilePanel::setFailure(const QString& text)
{
    m_failure = text;
    showPage();
}

void ProfilePanel::setBusy(bool isBusy)
{
    m_isBusy = isBusy;
    showPage();
}

void ProfilePanel::setObstacle(const QString& why)
{
    for (QPushButton* run : m_runButtons)
        lapidary::setObstacle(*run, why);
}

void ProfilePanel::showPage()
{
    const bool isTable = m_hasProfile && !m_ask->isAsking();
    m_head->setVisible(isTable);
    const int by = m_by->currentIndex();
    m_filter->setVisible(by < timelineIndex);
    m_pages->setCurrentWidget(!isTable              ? m_empty
                              : by == typeIndex     ? static_cast<QWidget*>(m_typeTable)
                              : by == timelineIndex ? static_cast<QWidget*>(m_timeline)
                              : by == rooflineIndex ? static_cast<QWidget*>(m_roofline)
                                                    : m_nodeTable);
    const bool hasFailed = !m_failure.isEmpty();
    m_summary->setText(hasFailed ? m_failure : m_summaryText);
    m_summary->setToolTip(m_summary->text());
    m_message->setText(hasFailed ? m_failure
                       : m_isBusy
                           ? u"Running the graph …"_s
                           : u"Nothing is measured yet. Run the graph as it is shown, with random "
                             u"numbers in its inputs; or open a log of benchmark_model, "
                             u"RunMetadata or a trace."_s);
    for (QLabel* label : {static_cast<QLabel*>(m_summary), m_message}) {
        if (label->property("problem").toBool() == hasFailed)
            continue;
        label->setProperty("problem", hasFailed);
        label->setProperty("muted", !hasFailed);
        label->style()->unpolish(label);
        label->style()->polish(label);
    }
}

void ProfilePanel::setFilter(const QString& text)
{
    const QString pattern = QRegularExpression::escape(text.trimmed());
    for (QSortFilterProxyModel* sorted : {m_sortedNodes, m_sortedTypes})
        sorted->setFilterRegularExpression(
            QRegularExpression(pattern, QRegularExpression::CaseInsensitiveOption));
}

void ProfilePanel::setSelected(const std::vector<NodeId>& nodes)
{
    QItemSelection rows;
    QModelIndex first;
    for (const NodeId node : nodes) {
        const int row = m_nodes->rowOf(node);
        if (row < 0)
            continue;
        const QModelIndex index = m_sortedNodes->mapFromSource(m_nodes->index(row, 0));
        if (!index.isValid())
            continue;
        rows.select(index, index.siblingAtColumn(m_nodes->columnCount() - 1));
        if (!first.isValid() || index.row() < first.row())
            first = index;
    }
    m_timeline->setSelected(nodes);
    m_roofline->setSelected(nodes);
    m_isFollowing = true;
    QItemSelectionModel* selection = m_nodeTable->selectionModel();
    selection->select(rows, QItemSelectionModel::ClearAndSelect);
    if (nodes.size() == 1)
        selection->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
    if (first.isValid())
        m_nodeTable->scrollTo(first.siblingAtColumn(ProfileNodeModel::NodeColumn));
    m_isFollowing = false;
}

} // namespace lapidary
