// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/export/export_plan.h"

#include <QString>
#include <QWidget>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace lapidary {

// Shows the result of an export: the file and its errors, or the nodes that were refused and the
// part that can be exported.
class ExportReportView : public QWidget {
    Q_OBJECT
public:
    explicit ExportReportView(QWidget* parent);

    void showReport(const ExportReport& report, ExportTarget target, const QString& path);

signals:
    void cutRequested(); // export only the part that can be exported

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showFile(const ExportReport& report, const QString& path);
    void showRefusals(const ExportReport& report, ExportTarget target);
    void showCut(const ExportReport& report);
    void fitNames();

    QLabel* m_headline;
    QTreeWidget* m_rows;
    QLabel* m_cut;
    QPushButton* m_takeCut;
    int m_wantedNames = 0; // width of the column of names that shows them all
};

} // namespace lapidary
