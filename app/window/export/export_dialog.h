// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/window/export/export_fields.h"

#include <QDialog>
#include <QString>

#include <optional>

class QLabel;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace lapidary {

class ExportReportView;

// Asks what of a model is to be exported for phones and other devices, shows how far that is, and
// what became of it.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    ExportDialog(ExportProposal proposal, QWidget* parent);

    ExportFields& fields() { return *m_fields; }
    bool isRunning() const { return m_isRunning; }
    // Sizes are being looked for that fit inputs which leave some open.
    bool isProposing() const { return m_isProposing; }
    void setProposing(bool isProposing) { m_isProposing = isProposing; }
    // It runs now; with pictures or a log, ranges are measured first.
    void setRunning(bool measures);
    void setProgress(int permille);
    void setFault(const Error& fault); // it ended, or did not begin
    void setReport(const ExportReport& report, const ExportPlan& plan);
    QString writtenPath() const { return m_written; } // of the last file; empty: none yet

    void reject() override; // stops a running export first

signals:
    void confirmed();
    void stopRequested();
    void openRequested(const QString& path); // of what was written

private:
    void buildButtons();
    void showRunning(bool isRunning);
    void growForReport();
    void takeCut();

    ExportFields* m_fields;
    QProgressBar* m_bar;
    QLabel* m_step;
    QLabel* m_fault;
    ExportReportView* m_report;
    QPushButton* m_start = nullptr;
    QPushButton* m_open = nullptr;
    QPushButton* m_close = nullptr;
    QVBoxLayout* m_column;
    std::optional<ExportInterface> m_cut;
    QString m_written;
    bool m_isRunning = false;
    bool m_isProposing = false;
    bool m_measures = false;
};

} // namespace lapidary
