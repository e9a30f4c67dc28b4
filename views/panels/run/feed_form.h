// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/feeds/feed_source.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;

namespace lapidary {

class ElidedLabel;

// The fields for the source of one input.
class FeedForm : public QWidget {
    Q_OBJECT
public:
    explicit FeedForm(QWidget* parent = nullptr);

    // Shows the source `words`, in the form that parseFeedSource() reads. Without an input the form
    // is empty.
    void setInput(const QString& tensor, const QString& words);
    const QString& tensor() const { return m_tensor; }
    void setFile(const QString& path); // as a picture or another file, depending on its name

signals:
    void wordsChosen(const QString& tensor, const QString& words);
    void fileRequested();

private:
    QWidget* buildRandom();
    QWidget* buildWritten();
    QWidget* buildFile();
    void showKind(int kind);
    void chooseKind(int kind);
    void send();
    FeedSource source() const;
    void show(const FeedSource& source);

    QString m_tensor;
    ElidedLabel* m_title;
    QComboBox* m_kind;
    QStackedWidget* m_fields;
    QLineEdit* m_seed = nullptr;
    QLineEdit* m_written = nullptr;
    QLineEdit* m_path = nullptr;
    QPushButton* m_choose = nullptr;
    QComboBox* m_preset = nullptr;
    PictureFeed m_scaling; // of a picture, if it is not a preset
};

} // namespace lapidary
