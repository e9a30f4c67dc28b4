// SPDX-License-Identifier: Apache-2.0
#include "views/panels/recipe/findings_table.h"

#include <QHeaderView>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

FindingsTable::FindingsTable(QWidget* parent)
    : PanelTable(u"Findings"_s, parent)
    , m_model(new FindingModel(this))
{
    setObjectName(u"findingsTable"_s);
    setModel(m_model);
    setColumnWidth(FindingModel::KindColumn, 92);
    setColumnWidth(FindingModel::NodeColumn, 270);
    setColumnWidth(FindingModel::OpColumn, 90);
    connect(this, &QTableView::clicked, this, &FindingsTable::request);
    connect(this, &QTableView::activated, this, &FindingsTable::request);
}

void FindingsTable::setFindings(GraphPtr graph, const Findings& findings)
{
    m_model->setFindings(std::move(graph), findings);
}

void FindingsTable::step(int by)
{
    const int rows = m_model->rowCount();
    if (rows == 0)
        return;
    const int at = currentIndex().isValid() ? currentIndex().row() : by > 0 ? -1 : 0;
    setCurrentIndex(m_model->index((at + by + rows) % rows, FindingModel::NodeColumn));
    request(currentIndex());
}

void FindingsTable::request(const QModelIndex& index)
{
    if (!index.isValid())
        return;
    const std::string_view name = m_model->graph()->node(m_model->node(index.row())).name();
    emit nodeRequested(QString::fromUtf8(name.data(), qsizetype(name.size())));
}

} // namespace lapidary
