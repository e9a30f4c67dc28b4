// SPDX-License-Identifier: Apache-2.0
#include "app/window/parts/file_questions.h"

#include "app/document/document.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"

#include <QFileInfo>
#include <QMainWindow>
#include <QMessageBox>
#include <QPushButton>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

void askToReplace(QWidget* window, const QString& path, FileAnswer then)
{
    auto* box = new QMessageBox(QMessageBox::NoIcon, u"Replace the file?"_s,
                                u"%1 is there already."_s.arg(path), QMessageBox::Cancel, window);
    box->setObjectName(u"replaceQuestion"_s);
    box->setAttribute(Qt::WA_DeleteOnClose);
    const QPushButton* replace = box->addButton(u"Replace"_s, QMessageBox::AcceptRole);
    QObject::connect(replace, &QPushButton::clicked, window,
                     [path, then = std::move(then)] { then(path); });
    box->open();
}

} // namespace

void FileQuestions::askToOpen(const QString& title, const QString& filters, FileAnswer then,
                              QFileDialog::FileMode mode)
{
    askForFileToOpen(m_parts.window, {title, filters, suggestedFolder(), {}}, mode,
                     [this, then = std::move(then)](const QString& path) {
                         m_lastFolder = QFileInfo(path).absolutePath();
                         then(path);
                     });
}

void FileQuestions::askToWrite(const QString& title, const QString& suggestion,
                               const QString& filters, FileAnswer then)
{
    askForFileToWrite(m_parts.window, {title, filters, suggestedFolder(), suggestion},
                      [this, then = std::move(then)](const QString& path) { take(path, then); });
}

void FileQuestions::take(const QString& path, const FileAnswer& then)
{
    m_lastFolder = QFileInfo(path).absolutePath();
    if (m_parts.tabs->document() == nullptr || isSource(path))
        return;
    confirm(m_parts.window, path, then);
}

void FileQuestions::confirm(QWidget* asker, const QString& path, const FileAnswer& then)
{
    if (QFileInfo::exists(path))
        askToReplace(asker, path, then);
    else
        then(path);
}

QString FileQuestions::suggestedFolder() const
{
    if (!m_lastFolder.isEmpty())
        return m_lastFolder;
    QString model;
    if (const Document* document = m_parts.tabs->document())
        model = QString::fromStdString(document->file().path().string());
    else if (const auto recent = m_parts.store->recentFiles(); !recent.empty())
        model = recent.front().path;
    return model.isEmpty() ? QString() : QFileInfo(model).absolutePath();
}

bool FileQuestions::isSource(const QString& path) const
{
    std::error_code ignored;
    if (!std::filesystem::equivalent(m_parts.tabs->document()->file().path(), path.toStdString(),
                                     ignored))
        return false;
    m_parts.status->notice(u"%1 is the file that is open; choose another name"_s.arg(path));
    return true;
}

} // namespace lapidary
