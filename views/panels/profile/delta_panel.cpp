// SPDX-License-Identifier: Apache-2.0
#include "views/panels/profile/delta_panel.h"

#include "views/models/profile/delta_model.h"
#include "views/panels/run/panel_head.h"
#include "views/panels/table_panels.h"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

DeltaPanel::DeltaPanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new DeltaModel(this))
    , m_sorted(new QSortFilterProxyModel(this))
    , m_head(new PanelHead(u"deltaRemark"_s, this))
{
    setObjectName(u"deltaPanel"_s);
    setAccessibleName(u"Times of two runs"_s);
    setAttribute(Qt::WA_StyledBackground);
    m_head->addButton(u"deltaForget"_s, u"Forget"_s, u"Compares with nothing any more"_s,
                      "profile.forget");
    m_head->addButton(u"deltaKeep"_s, u"Keep"_s,
                      u"Keeps the profile that is shown, to compare later ones with it (Alt+F6)"_s,
                      "profile.keep");
    connect(m_head, &PanelHead::actionRequested, this, &DeltaPanel::actionRequested);
    buildTable();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_head);
    column->addWidget(m_table, 1);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                const QString name = m_model->nodeAfter(m_sorted->mapToSource(current).row());
                if (!name.isEmpty())
                    emit nodeSelected(name);
            });
}

void DeltaPanel::buildTable()
{
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(DeltaModel::SortRole);
    m_table = new PanelTable(u"Times of two runs, by node"_s, this);
    m_table->setObjectName(u"deltaTable"_s);
    m_table->setModel(m_sorted);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(DeltaModel::DifferenceColumn, Qt::DescendingOrder);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setColumnWidth(DeltaModel::NodeColumn, 212);
    m_table->setColumnWidth(DeltaModel::OpColumn, 80);
    m_table->setColumnWidth(DeltaModel::BeforeColumn, 100);
    m_table->setColumnWidth(DeltaModel::AfterColumn, 92);
    m_table->setColumnWidth(DeltaModel::DifferenceColumn, 124);
}

void DeltaPanel::setDelta(const ProfileDeltaPtr& delta)
{
    if (delta != m_model->delta())
        m_model->setDelta(delta);
}

void DeltaPanel::setRemark(const QString& text)
{
    m_head->setRemark(text, false);
}

} // namespace lapidary
