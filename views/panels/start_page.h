// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QWidget>

#include <map>
#include <vector>

class QVBoxLayout;

namespace lapidary {

class FileCard;

struct StartEntry {
    QString path;
    QString title;
    QString detail; // folder, or a description of the sample
    QImage picture; // may be null
};

// The page that is shown while no file is open: Open, recent files with small pictures, bundled
// samples, and an area to drop a file on.
class StartPage : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);

    void setEntries(const std::vector<StartEntry>& recent, const std::vector<StartEntry>& samples);
    // Sets the picture of a sample, which may come later than its entry; null changes nothing.
    void setPicture(const QString& path, const QImage& picture);

signals:
    void openRequested();
    void fileRequested(const QString& path);

private:
    QWidget* buildSection(const QString& title, const std::vector<StartEntry>& entries);

    std::map<QString, FileCard*> m_samples; // by path
    QWidget* m_content = nullptr;
    QVBoxLayout* m_column;
};

} // namespace lapidary
