// SPDX-License-Identifier: Apache-2.0
// The part of the main window that shows several graphs in one tab.
#include "app/window/diff/compared_views.h"
#include "app/window/document_view.h"
#include "app/window/main_window.h"
#include "app/window/window_docks.h"
#include "views/canvas/graph_canvas.h"
#include "views/theme/text_measure.h"

#include <QStackedWidget>
#include <QTabBar>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

// A document of one graph, made of another document's file.
std::unique_ptr<Document> snapshot(WorkPools& pools, const Document& of, GraphPtr graph,
                                   const QString& title)
{
    ModelFile file = *of.file();
    GraphEntry entry;
    entry.title = title.toStdString();
    entry.graph = std::move(graph);
    file.graphs = {std::move(entry)};
    auto document = std::make_unique<Document>(
        DocumentContext{&pools.layout, measureCanvasText(), nullptr, &pools.run});
    document->show(std::make_shared<const ModelFile>(std::move(file)), of.path());
    return document;
}

} // namespace

void MainWindow::compareWithFile(const QString& path, bool isAdded)
{
    if (tabView() == nullptr)
        return;
    // Nothing is remembered of what is only compared.
    auto other = std::make_unique<Document>(
        DocumentContext{&m_pools.layout, measureCanvasText(), nullptr, &m_pools.run});
    other->open(std::filesystem::path(path.toStdString()));
    const QString name = other->title();
    compareWith({std::move(other), name, false, isAdded});
}

void MainWindow::compareWithNextTab()
{
    if (tabCount() < 2)
        return;
    const auto next = std::size_t((m_tabs->currentIndex() + 1) % tabCount());
    const Document& document = m_views[next]->document();
    if (!document.file() || !document.graph()) {
        notice(u"The next tab shows no graph"_s);
        return;
    }
    compareWith({snapshot(m_pools, document, document.graph(), document.graphPath().constLast()),
                 document.title()});
}

void MainWindow::compareWithGraph(GraphPtr graph, const QString& name, bool isBefore, bool isAdded)
{
    if (tabView() == nullptr || !graph || !tabView()->document().file())
        return;
    compareWith({snapshot(m_pools, tabView()->document(), std::move(graph), name), name, isBefore,
                 isAdded});
}

void MainWindow::compareWith(ComparedDocument other)
{
    const ComparedViews* running = tabView()->compared();
    other.isAdded = other.isAdded && running != nullptr;
    if (other.isAdded && running->isFull())
        return notice(u"%1 graphs are compared already"_s.arg(running->count()));
    other.document->setAspect(double(m_stack->width()) / 2 / std::max(m_stack->height(), 1));
    const bool isAdded = other.isAdded;
    DocumentView* guest = tabView()->compareWith(std::move(other));
    m_actions->addCanvas(guest->canvas());
    connectView(guest);
    if (!isAdded) {
        const ComparedViews* compared = tabView()->compared();
        connect(compared, &ComparedViews::activeChanged, this, &MainWindow::showActiveSide);
        connect(compared, &ComparedViews::changed, this, &MainWindow::scheduleRefresh);
        connect(compared, &ComparedViews::closeRequested, this, &MainWindow::closePane);
    }
    m_docks->showDifferences();
    renewTabs();
    showActiveSide();
    if (isAdded)
        canvas()->setFocus(); // it may have been moved
}

void MainWindow::closePane(DocumentView* guest)
{
    ComparedViews* compared = tabView() != nullptr ? tabView()->compared() : nullptr;
    if (compared == nullptr)
        return;
    if (compared->count() < 3)
        return endCompare();
    compared->close(guest);
    renewTabs();
    showActiveSide();
    canvas()->setFocus();
}

void MainWindow::endCompare()
{
    if (tabView() == nullptr || tabView()->compared() == nullptr)
        return;
    m_docks->setDocument(nullptr);
    m_docks->setDifferences(nullptr);
    tabView()->endCompare();
    renewTabs();
    showActiveSide();
    tabView()->canvas()->setFocus();
}

// The panels show the side that the user acts on.
void MainWindow::showActiveSide()
{
    ComparedViews* compared = tabView() != nullptr ? tabView()->compared() : nullptr;
    m_docks->setDifferences(compared != nullptr ? &compared->session() : nullptr);
    m_docks->setDocument(document());
    scheduleRefresh();
}

} // namespace lapidary
