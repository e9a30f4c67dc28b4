// SPDX-License-Identifier: Apache-2.0
// The values of the selected constant or variable, in the panel of the node and as a table.
#include "app/window/docks/window_docks.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/scopes/local_name.h"
#include "runner/checkpoint/stored_tensor.h"
#include "views/models/display_text.h"
#include "views/models/tensor_table_model.h"
#include "views/panels/base/table_panels.h"
#include "views/panels/node_panel.h"
#include "views/panels/tensor_section.h"

#include <QDockWidget>
#include <QHeaderView>

#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

void WindowDocks::reportTensor(NodeId node)
{
    if (!m_document || !m_document->graph())
        return;
    m_tensorJob.start([graph = m_document->graph(), store = m_document->graphs().variables(),
                       node](const Job& job) { return makeTensorReport(*graph, node, store, job); },
                      [this](Result<TensorReport> report) {
                          if (report)
                              m_node->tensor()->setReport(*report);
                          else
                              m_node->tensor()->setFailure(plainText(report.error().message));
                      });
}

void WindowDocks::openTensorTable(NodeId node)
{
    if (!m_document || !m_document->graph() || !node.isValid())
        return;
    // Constants are decoded in pieces as they are shown; a variable is read completely.
    if (!isStoredVariable(m_document->graph()->node(node).op()))
        return showTensorTable(node, m_document->graph()->node(node).tensor());
    m_tableJob.start([graph = m_document->graph(), store = m_document->graphs().variables(),
                      node](const Job& job) { return storedTensor(*graph, node, store, job); },
                     [this, node, graph = m_document->graph()](Result<Tensor> tensor) {
                         if (m_document && m_document->graph() == graph)
                             showTensorTable(node, std::move(tensor));
                     });
}

void WindowDocks::showTensorTable(NodeId node, Result<Tensor> tensor)
{
    if (!tensor)
        return m_node->tensor()->setFailure(plainText(tensor.error().message));
    auto* table = new PanelTable(u"Values"_s);
    table->setObjectName(u"valueTable"_s);
    table->setModel(new TensorTableModel(*std::move(tensor), table));
    table->verticalHeader()->show();
    table->setSelectionBehavior(QAbstractItemView::SelectItems);
    table->horizontalHeader()->setStretchLastSection(false);
    table->horizontalHeader()->setDefaultSectionSize(84);
    m_tabs->removeTable(std::exchange(m_tensorTable, table));
    m_tabs->addTable(table, TableGroup::Graph,
                     plainText(localName(m_document->picture().preparation()->tree(),
                                         *m_document->graph(), node)),
                     u"The values of "_s + plainText(m_document->graph()->node(node).name()));
    m_tabs->showTable(table);
    m_tableDock->show();
}

} // namespace lapidary
