// SPDX-License-Identifier: Apache-2.0
#include "views/panels/profile/delta_panel.h"

#include "views/models/profile/delta_model.h"
#include "views/panels/base/panel_head.h"
#include "views/panels/base/sorted_table.h"

#include <QHeaderView>
#include <QPushButton>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int leastNodeWidth = 160;
constexpr int leastOtherWidth = 72; // enough for an op or a verdict

} // namespace

DeltaPanel::DeltaPanel(QWidget* parent)
    : HeadedPanel(u"delta"_s, u"Times of two runs"_s, parent)
    , m_model(new DeltaModel(this))
    , m_table(addTable(u"Times of two runs, by node"_s, *m_model, DeltaModel::SortRole))
{
    head().addButton(u"deltaForget"_s, u"Forget"_s, u"Forgets the kept profile"_s,
                     "profile.forget");
    head().addButton(u"deltaKeep"_s, u"Keep"_s,
                     u"Keeps the profile that is shown, to compare later ones with it (Alt+F6)"_s,
                     "profile.keep");
    setUpTable();
    connect(m_table, &SortedTable::rowChosen, this, [this](int row) {
        if (const QString name = m_model->nodeAfter(row); !name.isEmpty())
            emit nodeSelected(name);
    });
}

void DeltaPanel::setUpTable()
{
    m_table->sortByColumn(DeltaModel::DifferenceColumn, Qt::DescendingOrder);
    fitColumns();
}

// Makes the other columns as wide as their titles; names get the rest.
void DeltaPanel::fitColumns()
{
    const QHeaderView& header = *m_table->horizontalHeader();
    for (int column = 0; column < DeltaModel::ColumnCount; ++column)
        if (column != DeltaModel::NodeColumn)
            m_table->setColumnWidth(column,
                                    std::max(header.sectionSizeHint(column), leastOtherWidth));
    m_table->giveRestTo(DeltaModel::NodeColumn, leastNodeWidth);
}

void DeltaPanel::setDelta(const ProfileDeltaPtr& delta)
{
    if (delta == m_model->delta())
        return;
    m_model->setDelta(delta);
    fitColumns();
}

} // namespace lapidary
