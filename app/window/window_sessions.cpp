// SPDX-License-Identifier: Apache-2.0
// What the window keeps of what is open: for a restart, and under a name.
#include "app/window/document_view.h"
#include "app/window/main_window.h"
#include "app/window/session_file.h"
#include "views/models/display_text.h"

#include <QTabBar>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

void MainWindow::keepSession()
{
    QStringList files;
    for (DocumentView* view : m_views)
        files.append(
            QFileInfo(QString::fromStdString(view->document().path().string())).absoluteFilePath());
    m_session.keep(files, m_tabs->currentIndex());
}

void MainWindow::saveSession(const QString& path)
{
    SessionFile session;
    for (DocumentView* view : m_views) {
        std::error_code failed;
        const auto file = std::filesystem::absolute(view->document().path(), failed);
        session.files.push_back(
            {failed ? view->document().path() : file, view->document().state()});
    }
    session.current = m_tabs->currentIndex();
    startWriting(path, [session = std::move(session)](const Job&) -> Result<std::string> {
        return sessionText(session);
    });
}

void MainWindow::openSession(const QString& path)
{
    const auto session = readSession(path.toStdString());
    if (!session)
        return notice(plainText(session.error().message));
    const int before = tabCount();
    for (const SessionFile::Entry& entry : session->files)
        openFile(QString::fromStdString(entry.path.string()), entry.state);
    if (tabCount() > before)
        m_tabs->setCurrentIndex(std::clamp(before + session->current, before, tabCount() - 1));
}

void MainWindow::takeUpLostSession()
{
    const QStringList files = m_session.lostFiles();
    for (const QString& file : files)
        openFile(file);
    if (files.isEmpty())
        return;
    m_tabs->setCurrentIndex(std::clamp(m_session.lostTab(), 0, tabCount() - 1));
    notice(u"The program did not end as it should; what was open is open again"_s);
}

} // namespace lapidary
