// SPDX-License-Identifier: Apache-2.0
#include "views/panels/outline_panel.h"

#include "views/models/problem_model.h"
#include "views/panels/base/theme_of.h"

#include <QHeaderView>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

// Paints rows of 24 px: a bar in the family's color before a node, details muted.
class OutlineDelegate : public QStyledItemDelegate {
    static constexpr int padding = 12;

    static int endOfName(const QStyleOptionViewItem& option, const QModelIndex& index)
    {
        constexpr int gap = 8;
        const int end = static_cast<const QTreeView*>(option.widget)->viewport()->width();
        const QString detail = index.siblingAtColumn(OutlineModel::DetailColumn).data().toString();
        return end - padding - option.fontMetrics.horizontalAdvance(detail) - gap;
    }

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        return {80, 24};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const Theme& theme = themeOf(*option.widget);
        const bool isSelected = option.state & QStyle::State_Selected;
        const bool isDetail = index.column() == OutlineModel::DetailColumn;
        QRect ground = option.rect;
        if (isDetail)
            ground.setLeft(std::max(ground.left(), endOfName(option, index) + 1));
        else
            ground.setRight(std::max(ground.right(), endOfName(option, index)));
        if (isSelected)
            painter->fillRect(ground, theme[Role::Selection]);
        else if (option.state & QStyle::State_MouseOver)
            painter->fillRect(ground, theme[Role::Hover]);
        QRect box = option.rect.adjusted(isDetail ? 4 : 2, 0, isDetail ? -padding : -2, 0);
        if (!isDetail) // the name gets the space that the detail leaves
            box.setRight(std::max(box.right(), endOfName(option, index)));
        const bool isGroup = index.data(OutlineModel::IsGroupRole).toBool();
        if (!isDetail && !isGroup) {
            const auto family = OpFamily(index.data(OutlineModel::FamilyRole).toInt());
            painter->fillRect(QRect(box.left(), box.center().y() - 5, 3, 11),
                              theme.family(family).outline);
            box.setLeft(box.left() + 9);
        }
        painter->setPen(isSelected ? theme[Role::SelectionText]
                        : isDetail ? theme[Role::TextMuted]
                                   : theme[Role::Text]);
        painter->drawText(
            box, int(isDetail ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter,
            option.fontMetrics.elidedText(index.data().toString(), Qt::ElideMiddle, box.width()));
    }
};

} // namespace

OutlinePanel::OutlinePanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new OutlineModel(this))
    , m_tree(new QTreeView(this))
    , m_problems(new QPushButton(this))
{
    setObjectName(u"outlinePanel"_s);
    m_tree->setObjectName(u"outlineTree"_s);
    m_tree->setAccessibleName(u"Outline"_s);
    m_tree->setModel(m_model);
    m_tree->setItemDelegate(new OutlineDelegate(m_tree));
    m_tree->setHeaderHidden(true);
    m_tree->setUniformRowHeights(true);
    m_tree->setIndentation(14);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setMouseTracking(true);
    m_tree->setDragEnabled(true);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setMinimumSectionSize(40);
    m_tree->header()->setSectionResizeMode(OutlineModel::NameColumn, QHeaderView::Stretch);
    m_tree->header()->setSectionResizeMode(OutlineModel::DetailColumn, QHeaderView::Fixed);
    m_tree->header()->resizeSection(OutlineModel::DetailColumn, 96);
    m_problems->setObjectName(u"problemCount"_s);
    m_problems->setFlat(true);
    m_problems->setCursor(Qt::PointingHandCursor);
    m_problems->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_tree, 1);
    column->addWidget(m_problems);
    connect(m_problems, &QPushButton::clicked, this, &OutlinePanel::problemsRequested);
    connect(m_tree, &QTreeView::activated, this,
            [this](const QModelIndex& index) { emit itemActivated(m_model->item(index)); });
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& index) {
                if (!m_isSettingCurrent && index.isValid())
                    emit itemSelected(m_model->item(index));
            });
}

void OutlinePanel::setTree(const GraphPtr& graph, const ScopeTreePtr& tree)
{
    m_isSettingCurrent = true;
    m_model->setTree(graph, tree);
    m_isSettingCurrent = false;
}

void OutlinePanel::setCurrent(ItemId item)
{
    m_isSettingCurrent = true;
    const QModelIndex index = item.isValid() ? m_model->indexOf(item) : QModelIndex();
    m_tree->setCurrentIndex(index);
    if (index.isValid())
        m_tree->scrollTo(index);
    m_isSettingCurrent = false;
}

void OutlinePanel::setProblems(const Problems& problems)
{
    const QString counts = problemCounts(problems);
    m_problems->setText(counts + u" \u2026"_s);
    m_problems->setProperty("problem", std::ranges::any_of(problems, [](const Problem& problem) {
                                return problem.severity == Severity::Error;
                            }));
    m_problems->setAccessibleName(u"Problems: "_s + counts);
    m_problems->setVisible(!problems.empty());
}

} // namespace lapidary
