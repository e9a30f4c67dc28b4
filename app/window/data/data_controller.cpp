// SPDX-License-Identifier: Apache-2.0
#include "app/window/data/data_controller.h"

#include "app/window/docks/window_docks.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/table_panel.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"
#include "app/window/view/document_view.h"
#include "runner/node_data/cost_data.h"
#include "views/models/data/data_text.h"
#include "views/panels/data/node_data_panel.h"

#include <QFileInfo>
#include <QMainWindow>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

DataController::DataController(const WindowParts& parts)
    : QObject(parts.window)
    , m_parts(parts)
    , m_panel(new NodeDataPanel)
{
    addTablePanel(parts, m_panel, TableGroup::Measurement, u"Node data"_s,
                  u"Costs and imported data of nodes (Alt+F3)"_s);
    connect(m_panel, &NodeDataPanel::nodeSelected, this, [this](NodeId node) {
        if (m_document && m_document->data().table()->graph() == m_document->graph())
            m_parts.tabs->view()->goTo(ItemId::of(node));
    });
    connect(m_panel, &NodeDataPanel::columnChosen, this, &DataController::choose);
    connect(m_panel, &NodeDataPanel::scopeNumberChosen, this, [this](ScopeNumber number) {
        if (const auto shown = m_document ? m_document->data().shown() : std::nullopt)
            m_document->data().setScopeNumber(*shown, number);
    });
    connect(parts.docks, &WindowDocks::documentChanged, this, &DataController::setDocument);
    showTable();
}

void DataController::setDocument(Document* document)
{
    if (m_document)
        m_document->forgetListener(this);
    m_document = document;
    if (document != nullptr) {
        connect(&document->data(), &DataSession::changed, this, &DataController::showTable);
        connect(&document->data(), &DataSession::shownChanged, this, &DataController::showTable);
        connect(&document->selection(), &ItemSelection::changed, this,
                &DataController::showSelection);
        if (isShown())
            document->data().wantCost();
    }
    showTable();
}

QString DataController::remark() const
{
    if (!m_document)
        return {};
    const DataSession& session = m_document->data();
    if (!session.failure().isEmpty())
        return session.failure();
    if (const auto shown = session.shown())
        return dataSummary(*session.table(), *shown);
    return u"Choose numbers to color by, or drop a CSV or JSON file"_s;
}

void DataController::showTable()
{
    const DataSession* session = m_document ? &m_document->data() : nullptr;
    const DataTablePtr table = session != nullptr ? session->table() : nullptr;
    const auto shown = session != nullptr ? session->shown() : std::nullopt;
    m_panel->setTable(table, shown);
    m_panel->setCanRemove(shown && session->isOfFile(*shown));
    m_panel->setRemark(remark(), session != nullptr && !session->failure().isEmpty());
    showSelection();
}

void DataController::showSelection()
{
    const ItemId item = m_document ? m_document->selection().item() : ItemId{};
    m_panel->setSelected(item.isValid() && item.isNode() ? item.node() : NodeId{});
}

void DataController::show()
{
    if (m_document)
        m_document->data().wantCost();
    m_parts.docks->showTable(m_panel);
}

bool DataController::isShown() const
{
    return m_parts.docks->isTableShown(m_panel);
}

void DataController::open(const QString& path)
{
    if (!m_document)
        return m_parts.status->notice(u"Open the graph first that the numbers are of"_s);
    show();
    m_document->data().open(path.toStdString());
}

bool DataController::takeFile(const QString& path)
{
    static const QStringList suffixes{u"csv"_s, u"tsv"_s, u"json"_s};
    if (!m_document || !suffixes.contains(QFileInfo(path).suffix().toLower()))
        return false;
    open(path);
    return true;
}

void DataController::remove()
{
    if (const auto shown = m_document ? m_document->data().shown() : std::nullopt)
        m_document->data().remove(*shown);
}

void DataController::colorByCost(const char* column)
{
    if (!m_document)
        return;
    m_document->data().wantCost();
    m_document->data().showNamed(costSource, column);
}

void DataController::colorByNext()
{
    const DataTablePtr table = m_document ? m_document->data().table() : nullptr;
    if (!table)
        return;
    const bool isColored = m_document->colors().mode() == ColorMode::Data;
    const auto shown = isColored ? m_document->data().shown() : std::nullopt;
    choose(shown ? int((*shown + 1) % table->columns().size()) : 0);
}

void DataController::choose(int column)
{
    if (!m_document)
        return;
    if (column < 0)
        m_document->data().hide();
    else
        m_document->data().show(std::size_t(column));
}

} // namespace lapidary
