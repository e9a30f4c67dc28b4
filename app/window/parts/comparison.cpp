// SPDX-License-Identifier: Apache-2.0
#include "app/window/parts/comparison.h"

#include "app/document/base/work_pools.h"
#include "app/window/docks/dock_room.h"
#include "app/window/docks/window_docks.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"
#include "app/window/view/compared_views.h"
#include "app/window/view/document_view.h"
#include "views/canvas/graph_canvas.h"
#include "views/theme/text_measure.h"

#include <QDockWidget>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

// Makes a document that is only compared and stores nothing.
std::unique_ptr<Document> guestDocument(WorkPools& pools)
{
    return std::make_unique<Document>(
        DocumentContext{&pools.layout, measureCanvasText(), nullptr, &pools.run});
}

// Makes a document of one graph of another document's file. Calls of functions are inlined in both
// documents or in neither: otherwise the nodes inside would count as removed or added.
std::unique_ptr<Document> snapshot(WorkPools& pools, const Document& of, GraphPtr graph,
                                   const QString& title)
{
    ModelFile file = *of.file().model();
    GraphEntry entry;
    entry.title = title.toStdString();
    entry.graph = std::move(graph);
    file.graphs = {std::move(entry)};
    auto document = guestDocument(pools);
    document->file().show(std::make_shared<const ModelFile>(std::move(file)), of.file().path(),
                          of.graphs().isInNetwork());
    return document;
}

} // namespace

Comparison::Comparison(const WindowParts& parts, WorkPools& pools, QObject* parent)
    : QObject(parent)
    , m_parts(parts)
    , m_pools(pools)
{
}

ComparedViews* Comparison::views() const
{
    const DocumentView* tab = m_parts.tabs->tabView();
    return tab != nullptr ? tab->compared() : nullptr;
}

void Comparison::withFile(const QString& path, bool isAdded)
{
    if (m_parts.tabs->tabView() == nullptr)
        return;
    auto other = guestDocument(m_pools);
    other->file().open(path.toStdString());
    const QString name = other->file().title();
    with({std::move(other), name, false, isAdded});
}

void Comparison::withNextTab()
{
    const WindowTabs& tabs = *m_parts.tabs;
    if (tabs.count() < 2)
        return;
    const auto next = std::size_t((tabs.current() + 1) % tabs.count());
    const Document& document = tabs.views()[next]->document();
    if (!document.file().model() || !document.graph())
        return m_parts.status->notice(u"The next tab shows no graph"_s);
    with({snapshot(m_pools, document, document.graph(), document.graphs().path().constLast()),
          document.file().title()});
}

void Comparison::withGraph(GraphPtr graph, const QString& name, bool isBefore, bool isAdded)
{
    const DocumentView* tab = m_parts.tabs->tabView();
    if (tab != nullptr && graph && tab->document().file().model())
        with({snapshot(m_pools, tab->document(), std::move(graph), name), name, isBefore, isAdded});
}

void Comparison::with(ComparedDocument other)
{
    DocumentView* tab = m_parts.tabs->tabView();
    const ComparedViews* running = views();
    other.isAdded = other.isAdded && running != nullptr;
    if (other.isAdded && running->isFull())
        return m_parts.status->notice(u"%1 graphs are compared already"_s.arg(running->count()));
    other.document->picture().change([tab](PictureLook& look) {
        look.aspect = double(tab->width()) / 2 / std::max(tab->height(), 1);
    });
    const bool isAdded = other.isAdded;
    DocumentView* guest = tab->compareWith(std::move(other));
    m_parts.tabs->welcome(guest);
    if (!isAdded) {
        connect(views(), &ComparedViews::activeChanged, this, &Comparison::showActiveSide);
        connect(views(), &ComparedViews::changed, m_parts.status, &StatusLine::refreshSoon);
        connect(views(), &ComparedViews::closeRequested, this, &Comparison::closePane);
        connect(views(), &ComparedViews::endRequested, this, &Comparison::end);
        connect(views(), &ComparedViews::listRequested, this, &Comparison::switchList);
    }
    m_parts.docks->chooseDifferences();
    m_parts.tabs->renew();
    showActiveSide();
    if (isAdded)
        m_parts.tabs->canvas()->setFocus(); // the focus may have moved
}

void Comparison::closePane(DocumentView* guest)
{
    ComparedViews* compared = views();
    if (compared == nullptr)
        return;
    if (compared->count() < 3)
        return end();
    compared->close(guest);
    m_parts.tabs->renew();
    showActiveSide();
    m_parts.tabs->canvas()->setFocus();
}

void Comparison::end()
{
    if (views() == nullptr)
        return;
    m_parts.docks->setDocument(nullptr);
    m_parts.docks->setDifferences(nullptr);
    if (m_parts.docks->isTableShown(m_parts.docks->differencePanel()))
        m_parts.docks->tables()->hide(); // the table would be empty
    DocumentView* tab = m_parts.tabs->tabView();
    tab->endCompare();
    m_parts.tabs->renew();
    showActiveSide();
    tab->canvas()->setFocus();
}

// Shows the table of differences, or hides it if it is shown.
void Comparison::switchList()
{
    WindowDocks& docks = *m_parts.docks;
    const bool isShown = docks.isTableShown(docks.differencePanel());
    docks.chooseDifferences();
    docks.tables()->setVisible(!isShown);
}

void Comparison::showActiveSide()
{
    const ComparedViews* compared = views();
    m_parts.docks->room().setComparing(compared != nullptr);
    m_parts.docks->setDifferences(compared != nullptr ? &compared->session() : nullptr);
    m_parts.docks->setDocument(m_parts.tabs->document());
    m_parts.status->refreshSoon();
}

} // namespace lapidary
