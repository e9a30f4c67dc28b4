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

// Asks what to export from a model for phones and other devices, and shows the progress and the
// result.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    ExportDialog(ExportProposal proposal, QWidget* parent);

    ExportFields& fields() { return *m_fields; }
    bool isRunning() const { return m_isRunning; }
    // True while sizes are searched for inputs that leave some open.
    bool isProposing() const { return m_isProposing; }
    void setProposing(bool isProposing) { m_isProposing = isProposing; }
    // Shows that the export is running. `measures`: ranges are measured on pictures first.
    void setRunning(bool measures);
    void setProgress(int permille);
    void setFault(const Error& fault); // the export ended, or could not begin
    void setReport(const ExportReport& report, const ExportPlan& plan);
    QString writtenPath() const { return m_written; } // the last file; empty: none yet

    void reject() override; // stops a running export first

signals:
    void confirmed();
    void stopRequested();
    void openRequested(const QString& path); // the written file

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
