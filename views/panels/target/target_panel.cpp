// SPDX-License-Identifier: Apache-2.0
#include "views/panels/target/target_panel.h"

#include "views/models/display_text.h"
#include "views/panels/base/elided_name.h"
#include "views/panels/base/obstacle.h"
#include "views/panels/base/one_line_label.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStyle>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int nodeRole = Qt::UserRole; // number of the node, in the first column
constexpr int obstacleRole = Qt::UserRole;

enum FindingColumn { OpColumn, TypesColumn, CountColumn, WhyColumn };

QTreeWidget* buildList(const QString& name, const QString& title, const QStringList& columns,
                       QWidget* parent)
{
    auto* list = new QTreeWidget(parent);
    list->setObjectName(name);
    list->setAccessibleName(title);
    list->setHeaderLabels(columns);
    list->setUniformRowHeights(true);
    list->setFrameShape(QFrame::NoFrame);
    list->setTextElideMode(Qt::ElideMiddle);
    list->header()->setStretchLastSection(true);
    list->header()->setResizeContentsPrecision(100);
    return list;
}

QTreeWidgetItem* rowOf(const TargetFinding& finding)
{
    auto* row = new QTreeWidgetItem({(finding.isMissing ? u"\u2715 "_s : u"? "_s) + finding.op,
                                     finding.types, exactText(finding.count), finding.why});
    row->setToolTip(OpColumn, finding.op);
    row->setToolTip(TypesColumn, finding.types);
    row->setToolTip(WhyColumn, finding.why);
    for (const auto& [node, name] : finding.nodes) {
        auto* child = new QTreeWidgetItem(row, {name});
        child->setToolTip(OpColumn, name);
        child->setData(OpColumn, nodeRole, node.value);
        child->setFirstColumnSpanned(true);
    }
    if (!finding.nodes.empty())
        row->setData(OpColumn, nodeRole, finding.nodes.front().first.value);
    return row;
}

} // namespace

TargetPanel::TargetPanel(QWidget* parent)
    : QWidget(parent)
    , m_choice(new QComboBox(this))
    , m_summary(new OneLineLabel(this))
    , m_findings(buildList(u"targetFindings"_s, u"Ops that do not run there"_s,
                           {u"Op"_s, u"Types"_s, u"Nodes"_s, u"Reason"_s}, this))
    , m_remedies(
          buildList(u"targetRemedies"_s, u"What helps"_s, {u"What helps"_s, u"Missing"_s}, this))
    , m_add(new QPushButton(u"Add to recipe"_s, this))
    , m_why(new OneLineLabel(this))
{
    setObjectName(u"targetPanel"_s);
    setAccessibleName(u"Target"_s);
    setAttribute(Qt::WA_StyledBackground);
    auto* halves = new QSplitter(this);
    halves->setChildrenCollapsible(false);
    halves->addWidget(buildFindings());
    halves->addWidget(buildRemedies());
    halves->setStretchFactor(0, 5); // reasons are sentences, remedies the names of passes
    halves->setStretchFactor(1, 2);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildHead());
    column->addWidget(halves, 1);
    setFocusProxy(m_choice);
    setTargets({});
    showAddable();
}

QWidget* TargetPanel::buildHead()
{
    auto* head = new QWidget(this);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(8);
    m_choice->setObjectName(u"targetChoice"_s);
    m_choice->setAccessibleName(u"Target"_s);
    m_choice->setMaxVisibleItems(20);
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_summary->setObjectName(u"targetSummary"_s);
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(m_choice);
    row->addWidget(m_summary, 1);
    connect(m_choice, &QComboBox::activated, this,
            [this](int number) { emit targetChosen(number - 1); });
    return head;
}

QWidget* TargetPanel::buildFindings()
{
    const auto go = [this](QTreeWidgetItem* item) {
        if (const QVariant node = item->data(OpColumn, nodeRole); node.isValid())
            emit nodeActivated(NodeId{node.toUInt()});
    };
    m_findings->viewport()->installEventFilter(this);
    m_findings->setTextElideMode(Qt::ElideRight);
    m_findings->setItemDelegateForColumn(OpColumn, new NameDelegate(m_findings));
    connect(m_findings, &QTreeWidget::itemActivated, this, go);
    connect(m_findings, &QTreeWidget::itemClicked, this, go);
    m_findings->setExpandsOnDoubleClick(false);
    return m_findings;
}

QWidget* TargetPanel::buildRemedies()
{
    auto* half = new QWidget(this);
    auto* column = new QVBoxLayout(half);
    column->setContentsMargins(8, 0, 8, 8);
    column->setSpacing(4);
    m_remedies->setRootIsDecorated(false);
    m_remedies->setWordWrap(true);
    m_remedies->setUniformRowHeights(false);
    m_remedies->setTextElideMode(Qt::ElideRight);
    m_remedies->header()->setStretchLastSection(false);
    m_remedies->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_remedies->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_add->setObjectName(u"targetAdd"_s);
    m_add->setToolTip(u"Adds this step to the recipe, and those above it"_s);
    column->addWidget(m_remedies, 1);
    m_why->setObjectName(u"targetAddWhyNot"_s);
    m_why->setProperty("muted", true);
    m_why->setWordWrap(true);
    column->addWidget(m_why);
    column->addWidget(m_add, 0, Qt::AlignLeft);
    const auto add = [this] {
        if (QTreeWidgetItem* item = m_remedies->currentItem();
            item != nullptr && item->data(0, obstacleRole).toString().isEmpty())
            emit remedyRequested(m_remedies->indexOfTopLevelItem(item));
    };
    connect(m_remedies, &QTreeWidget::currentItemChanged, this, &TargetPanel::showAddable);
    connect(m_remedies, &QTreeWidget::itemActivated, this, add);
    connect(m_add, &QPushButton::clicked, this, add);
    return half;
}

void TargetPanel::setTargets(const std::vector<std::pair<QString, QString>>& targets)
{
    const QSignalBlocker blocker(m_choice);
    m_choice->clear();
    m_choice->addItem(u"no target"_s);
    for (const auto& [name, title] : targets) {
        m_choice->addItem(name);
        m_choice->setItemData(m_choice->count() - 1, title, Qt::ToolTipRole);
    }
}

void TargetPanel::setTarget(int number)
{
    const QSignalBlocker blocker(m_choice);
    m_choice->setCurrentIndex(number + 1);
}

void TargetPanel::setSummary(const QString& text, bool isProblem)
{
    m_summary->setText(text);
    m_summary->setToolTip(text);
    if (m_summary->property("problem").toBool() == isProblem)
        return;
    m_summary->setProperty("problem", isProblem);
    style()->unpolish(m_summary);
    style()->polish(m_summary);
}

void TargetPanel::setFindings(const std::vector<TargetFinding>& findings)
{
    m_findings->clear();
    QList<QTreeWidgetItem*> rows;
    for (const TargetFinding& finding : findings)
        rows.append(rowOf(finding));
    m_findings->addTopLevelItems(rows);
    m_findings->setColumnHidden(TypesColumn,
                                std::ranges::all_of(findings, [](const TargetFinding& finding) {
                                    return finding.types.isEmpty();
                                }));
    for (int column = 0; column < WhyColumn; ++column) {
        m_findings->resizeColumnToContents(column);
        m_wanted[std::size_t(column)] = m_findings->columnWidth(column) + 12;
    }
    fitFindings();
    if (!rows.empty())
        m_findings->setCurrentItem(rows.front());
}

// A reason is a sentence, so it gets at least two fifths of the width; an op gets two thirds of the
// rest if it needs them.
void TargetPanel::fitFindings()
{
    const int rest = std::max(m_findings->viewport()->width() * 3 / 5 - m_wanted[CountColumn], 0);
    const bool hasTypes = !m_findings->isColumnHidden(TypesColumn);
    const int op = m_wanted[OpColumn];
    const int types = hasTypes ? m_wanted[TypesColumn] : 0;
    const int share = hasTypes ? rest * 2 / 3 : rest; // users look for the op first
    m_findings->setColumnWidth(OpColumn, std::min(op, std::max(share, rest - types)));
    m_findings->setColumnWidth(TypesColumn, std::min(types, std::max(rest - share, rest - op)));
    m_findings->setColumnWidth(CountColumn, m_wanted[CountColumn]);
}

bool TargetPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_findings->viewport() && event->type() == QEvent::Resize)
        fitFindings();
    return QWidget::eventFilter(watched, event);
}

void TargetPanel::setRemedies(const std::vector<TargetRemedy>& remedies)
{
    m_remedies->clear();
    for (const TargetRemedy& remedy : remedies) {
        auto* row = new QTreeWidgetItem(m_remedies, {remedy.text, remedy.effect});
        row->setToolTip(0, remedy.text);
        row->setData(0, obstacleRole, remedy.obstacle);
    }
    if (m_remedies->topLevelItemCount() > 0)
        m_remedies->setCurrentItem(m_remedies->topLevelItem(0));
    showAddable();
}

void TargetPanel::showAddable()
{
    const QTreeWidgetItem* item = m_remedies->currentItem();
    const QString why = item != nullptr ? item->data(0, obstacleRole).toString()
                        : m_choice->currentIndex() <= 0
                            ? u"Choose a target first"_s
                            : u"No recipe step would help on this target"_s;
    setObstacle(*m_add, why);
    m_why->setText(why);
    m_why->setVisible(!why.isEmpty());
}

} // namespace lapidary
