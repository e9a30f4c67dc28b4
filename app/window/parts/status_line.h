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

// The bar at the bottom of the window: counts, problems, what is being done, zoom, notices.
class StatusLine : public QObject {
    Q_OBJECT
public:
    explicit StatusLine(QMainWindow* window);

    void notice(const QString& text);     // one line, for a while
    void keepNotice(const QString& text); // long enough to be found
    // Everything that depends on what is shown is renewed a moment later; refreshDue() follows.
    void refreshSoon();
    bool isRefreshPending() const { return m_refresh.isActive(); }
    void show(const Document* document, const GraphCanvas* canvas); // null: nothing is open
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
    QTimer m_showWork; // short work is not worth a word
    QTimer m_refresh;
};

} // namespace lapidary
