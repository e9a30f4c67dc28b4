// SPDX-License-Identifier: Apache-2.0
#include "app/window/base/file_dialogs.h"

#include "graph_model/read/file_formats.h"

#include <utility>

namespace lapidary {
namespace {

QFileDialog* dialogFor(QWidget* window, const FileQuestion& question, const QString& name,
                       FileAnswer then)
{
    auto* dialog = new QFileDialog(window, question.title, question.folder, question.filters);
    dialog->setObjectName(name);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QFileDialog::filesSelected, window,
                     [then = std::move(then)](const QStringList& paths) {
                         for (const QString& path : paths)
                             then(path);
                     });
    return dialog;
}

} // namespace

QString modelFilter()
{
    return QStringLiteral("Models (%1)").arg(QString::fromStdString(fileNamePatterns()));
}

void askForFileToOpen(QWidget* window, const FileQuestion& question, QFileDialog::FileMode mode,
                      FileAnswer then)
{
    QFileDialog* dialog =
        dialogFor(window, question, QStringLiteral("openDialog"), std::move(then));
    dialog->setFileMode(mode);
    dialog->setOption(QFileDialog::ShowDirsOnly, mode == QFileDialog::Directory);
    dialog->open();
}

void askForFileToWrite(QWidget* window, const FileQuestion& question, FileAnswer then)
{
    QFileDialog* dialog =
        dialogFor(window, question, QStringLiteral("saveDialog"), std::move(then));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setOption(QFileDialog::DontConfirmOverwrite);
    dialog->selectFile(question.suggestion);
    dialog->open();
}

} // namespace lapidary
