// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

class QLabel;
class QMainWindow;
class QProgressBar;
class QStatusBar;
class QToolButton;

namespace lapidary {

class Document;
class GraphCanvas;

// The bar at the bottom of the window: counts, problems, current work, zoom, notices.
class StatusLine : public QObject {
    Q_OBJECT
public:
    explicit StatusLine(QMainWindow* window);

    void notice(const QString& text);     // one line, for a short time
    void keepNotice(const QString& text); // for ten times as long
    // Renews everything that depends on what is shown, a moment later; refreshDue() is emitted
    // then.
    void refreshSoon();
    bool isRefreshPending() const { return m_refresh.isActive(); }
    void show(const Document* document, const GraphCanvas* canvas); // null: no file is open
    void setProgress(int permille);

signals:
    void refreshDue();
    void problemsRequested();
    void stopRequested();

private:
    void buildWidgets();
    void showWork(const Document* document);
    void setWorkShown(bool isShown);

    QStatusBar* m_bar;
    QLabel* m_counts;
    QToolButton* m_problems;
    QLabel* m_zoom;
    QLabel* m_job;
    QProgressBar* m_progress;
    QToolButton* m_stop;
    bool m_isBusy = false;
    QTimer m_showWork; // delays it, so that short work is not shown
    QTimer m_refresh;
};

} // namespace lapidary
