// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;

namespace lapidary {

// The head of a panel: its name, and a short muted summary at the right. Used as a dock's title
// bar.
class PanelTitle : public QWidget {
    Q_OBJECT
public:
    explicit PanelTitle(const QString& title, QWidget* parent = nullptr);
    void setSummary(const QString& summary);
    QString summary() const;
    QSize minimumSizeHint() const override;

signals:
    void closeRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showWhatFits();

    QLabel* m_title;
    QLabel* m_summary;
};

} // namespace lapidary
