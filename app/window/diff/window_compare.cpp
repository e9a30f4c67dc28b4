// The part of the main window that shows two graphs in one tab.
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

void MainWindow::compareWithFile(const QString& path)
{
    if (tabView() == nullptr)
        return;
    // Nothing is remembered of what is only compared.
    auto other = std::make_unique<Document>(
        DocumentContext{&m_pools.layout, measureCanvasText(), nullptr, &m_pools.run});
    other->open(std::filesystem::path(path.toStdString()));
    compareWith(std::move(other));
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
    ModelFile file = *document.file();
    GraphEntry entry;
    entry.title = document.graphPath().constLast().toStdString();
    entry.graph = document.graph(); // as it is shown there
    file.graphs = {std::move(entry)};
    auto other = std::make_unique<Document>(
        DocumentContext{&m_pools.layout, measureCanvasText(), nullptr, &m_pools.run});
    other->show(std::make_shared<const ModelFile>(std::move(file)), document.path());
    compareWith(std::move(other));
}

void MainWindow::compareWith(std::unique_ptr<Document> other)
{
    other->setAspect(double(m_stack->width()) / 2 / std::max(m_stack->height(), 1));
    DocumentView* right = tabView()->compareWith(std::move(other));
    m_actions->addCanvas(right->canvas());
    connectView(right);
    connect(tabView()->compared(), &ComparedViews::activeChanged, this,
            &MainWindow::showActiveSide);
    connect(&tabView()->compared()->session(), &DiffSession::changed, this,
            &MainWindow::scheduleRefresh);
    connect(&tabView()->compared()->session(), &DiffSession::busyChanged, this,
            &MainWindow::scheduleRefresh);
    m_docks->showDifferences();
    renewTabs();
    showActiveSide();
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
