// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/window/base/file_dialogs.h"

#include <QString>

namespace lapidary {

struct WindowParts;

// Asks for files, beginning in the folder of the last choice, or in that of the models.
class FileQuestions {
public:
    explicit FileQuestions(const WindowParts& parts)
        : m_parts(parts)
    {
    }

    // `then` gets the path of each file that is to be read.
    void askToOpen(const QString& title, const QString& filters, FileAnswer then,
                   QFileDialog::FileMode mode = QFileDialog::ExistingFile);
    // `then` gets the path of a file to write, which is not the one that is open. Asks before
    // another file is replaced.
    void askToWrite(const QString& title, const QString& suggestion, const QString& filters,
                    FileAnswer then);
    // Calls `then` with `path` if there is no such file, or if the user agrees to replace it.
    // `asker`: the parent of the question.
    static void confirm(QWidget* asker, const QString& path, const FileAnswer& then);

private:
    QString suggestedFolder() const;
    bool isSource(const QString& path) const; // if so, tells the user
    void take(const QString& path, const FileAnswer& then);

    const WindowParts& m_parts;
    QString m_lastFolder;
};

} // namespace lapidary
