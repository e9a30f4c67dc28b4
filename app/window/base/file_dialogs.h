// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFileDialog>
#include <QString>

#include <functional>

namespace lapidary {

QString modelFilter(); // "Models (*.pb *.pbtxt ...)"
inline const QString anyFilter = QStringLiteral("All files (*)");

struct FileQuestion {
    QString title;
    QString filters = anyFilter;
    QString folder;     // where to begin; empty: the working folder
    QString suggestion; // suggested name
};

using FileAnswer = std::function<void(const QString& path)>;

// Both return at once; `then` is called for each file that was chosen, if any, while `window`
// lives.
void askForFileToOpen(QWidget* window, const FileQuestion& question, QFileDialog::FileMode mode,
                      FileAnswer then);
// Does not ask before a file is overwritten.
void askForFileToWrite(QWidget* window, const FileQuestion& question, FileAnswer then);

} // namespace lapidary
