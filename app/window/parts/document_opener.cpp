// SPDX-License-Identifier: Apache-2.0
#include "app/window/parts/document_opener.h"

#include "app/document/base/work_pools.h"
#include "app/window/base/session_file.h"
#include "app/window/docks/dock_room.h"
#include "app/window/docks/window_docks.h"
#include "app/window/parts/file_writer.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/theme_switch.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"
#include "app/window/view/document_view.h"
#include "views/models/display_text.h"
#include "views/theme/text_measure.h"

#include <QFileInfo>
#include <QLayout>
#include <QMainWindow>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;
using nlohmann::json;

DocumentOpener::DocumentOpener(const WindowParts& parts, WorkPools& pools, QObject* parent)
    : QObject(parent)
    , m_parts(parts)
    , m_pools(pools)
    , m_session(*parts.store)
{
}

void DocumentOpener::open(const QString& path)
{
    if (isSessionFile(path.toStdString()))
        openSession(path);
    else
        openModel(path, json());
}

void DocumentOpener::openModel(const QString& path, const json& state)
{
    WindowTabs& tabs = *m_parts.tabs;
    const QString canonical = QFileInfo(path).canonicalFilePath();
    bool isOpen = false;
    for (int tab = 0; tab < tabs.count(); ++tab) {
        const Document& known = tabs.views()[std::size_t(tab)]->document();
        const QFileInfo other(QString::fromStdString(known.file().path().string()));
        if (canonical.isEmpty() || other.canonicalFilePath() != canonical)
            continue;
        isOpen = true;
        if (!state.is_object() || known.memory().state() == state)
            return tabs.setCurrent(tab);
    }
    // If a file of a session is already open, the session's state gets its own tab. It is not
    // the state that is remembered of the file: neither replaces the other.
    if (isOpen)
        m_parts.status->notice(
            u"%1 was open already; what the session made of it is in a tab of its own"_s.arg(
                QFileInfo(path).fileName()));
    auto document = std::make_unique<Document>(DocumentContext{
        &m_pools.layout, measureCanvasText(), isOpen ? nullptr : m_parts.store, &m_pools.run});
    if (state.is_object())
        document->open(path.toStdString(), state);
    else
        document->file().open(path.toStdString());
    adopt(std::move(document));
}

void DocumentOpener::adopt(std::unique_ptr<Document> document)
{
    auto* view = new DocumentView(std::move(document), m_parts.window->centralWidget());
    view->setTheme(m_parts.theme->theme());
    m_parts.tabs->add(view);
    // The panels are now shown beside the picture, so its shape is known.
    m_parts.window->layout()->activate();
    view->document().picture().change(
        [aspect = view->aspect()](PictureLook& look) { look.aspect = aspect; });
}

void DocumentOpener::keepSession()
{
    QStringList files;
    for (DocumentView* view : m_parts.tabs->views())
        files.append(QFileInfo(QString::fromStdString(view->document().file().path().string()))
                         .absoluteFilePath());
    m_session.keep(files, m_parts.tabs->current());
}

void DocumentOpener::endSession()
{
    m_session.end();
}

void DocumentOpener::saveSession(const QString& path)
{
    SessionFile session;
    for (DocumentView* view : m_parts.tabs->views()) {
        const Document& document = view->document();
        std::error_code failed;
        const auto file = std::filesystem::absolute(document.file().path(), failed);
        session.files.push_back(
            {failed ? document.file().path() : file, document.memory().state()});
    }
    session.current = m_parts.tabs->current();
    if (!m_parts.docks->room().isComparing()) // a comparison hides the panels for a while
        session.panels = m_parts.window->saveState().toBase64().toStdString();
    m_parts.writer->writeBytes(path,
                               [session = std::move(session)](const Job&) -> Result<std::string> {
                                   return sessionText(session);
                               });
}

void DocumentOpener::openSession(const QString& path)
{
    const auto session = readSession(path.toStdString());
    if (!session)
        return m_parts.status->notice(plainText(session.error().message));
    const int before = m_parts.tabs->count();
    for (const SessionFile::Entry& entry : session->files)
        openModel(QString::fromStdString(entry.path.string()), entry.state);
    const int after = m_parts.tabs->count();
    if (after > before)
        m_parts.tabs->setCurrent(std::clamp(before + session->current, before, after - 1));
    if (after == before || session->panels.empty())
        return;
    m_parts.window->restoreState(
        QByteArray::fromBase64(QByteArray::fromStdString(session->panels)));
    m_parts.docks->room().fit();
}

void DocumentOpener::takeUpLostSession()
{
    const QStringList files = m_session.lostFiles();
    for (const QString& file : files)
        openModel(file, json());
    if (files.isEmpty())
        return;
    m_parts.tabs->setCurrent(std::clamp(m_session.lostTab(), 0, m_parts.tabs->count() - 1));
    m_parts.status->keepNotice(
        u"The program did not end as it should; what was open is open again"_s);
}

} // namespace lapidary
