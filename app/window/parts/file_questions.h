// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/window/base/file_dialogs.h"

#include <QString>

namespace lapidary {

struct WindowParts;

// Asks for files, beginning where the last one was chosen, or where the models are.
class FileQuestions {
public:
    explicit FileQuestions(const WindowParts& parts)
        : m_parts(parts)
    {
    }

    // `then` gets the path of each file that is to be read.
    void askToOpen(const QString& title, const QString& filters, FileAnswer then,
                   QFileDialog::FileMode mode = QFileDialog::ExistingFile);
    // `then` gets the path of a file to write, other than the one that is open. Asks before another
    // one is replaced.
    void askToWrite(const QString& title, const QString& suggestion, const QString& filters,
                    FileAnswer then);
    // `then` gets `path` where no file is there, or where the user, asked on top of `asker`, has it
    // replaced.
    static void confirm(QWidget* asker, const QString& path, const FileAnswer& then);

private:
    QString suggestedFolder() const;
    bool isSource(const QString& path) const; // says so
    void take(const QString& path, const FileAnswer& then);

    const WindowParts& m_parts;
    QString m_lastFolder;
};

} // namespace lapidary
