// SPDX-License-Identifier: Apache-2.0
#include "app/window/export/export_dialog.h"

#include "app/window/export/export_report_view.h"
#include "views/models/display_text.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int usualWidth = 760;
constexpr int heightWithReport = 640;
constexpr int allProgress = 1000;

} // namespace

ExportDialog::ExportDialog(ExportProposal proposal, QWidget* parent)
    : QDialog(parent)
    , m_fields(new ExportFields(std::move(proposal), this))
    , m_bar(new QProgressBar(this))
    , m_step(new QLabel(this))
    , m_fault(new QLabel(this))
    , m_report(new ExportReportView(this))
    , m_column(new QVBoxLayout(this))
{
    setObjectName(u"exportDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(u"Export for a device"_s);
    setMinimumWidth(usualWidth);
    m_bar->setObjectName(u"exportProgress"_s);
    m_bar->setAccessibleName(u"Progress"_s);
    m_bar->setTextVisible(false);
    m_step->setObjectName(u"exportStep"_s);
    m_step->setProperty("muted", true);
    m_fault->setObjectName(u"exportFault"_s);
    m_fault->setTextFormat(Qt::PlainText);
    m_fault->setWordWrap(true);
    m_fault->setProperty("problem", true);
    m_column->addWidget(m_fields);
    m_column->addWidget(m_fault);
    m_column->addWidget(m_report, 1);
    m_column->addWidget(m_step);
    m_column->addWidget(m_bar);
    m_column->addStretch(0);
    m_fault->hide();
    m_report->hide();
    buildButtons();
    showRunning(false);
    connect(m_report, &ExportReportView::cutRequested, this, &ExportDialog::takeCut);
    m_fields->focusFirst();
}

void ExportDialog::buildButtons()
{
    auto* buttons = new QDialogButtonBox(this);
    m_close = buttons->addButton(QDialogButtonBox::Cancel);
    m_close->setObjectName(u"exportClose"_s);
    m_close->setAutoDefault(false);
    m_start = buttons->addButton(u"Export"_s, QDialogButtonBox::AcceptRole);
    m_start->setObjectName(u"exportStart"_s);
    m_start->setDefault(true);
    // The button is not in the button box, because that shows all of its buttons when the theme
    // changes.
    m_open = new QPushButton(u"Open the file"_s, this);
    m_open->setObjectName(u"exportOpen"_s);
    m_open->setAutoDefault(false);
    m_open->hide();
    auto* row = new QHBoxLayout;
    row->addWidget(m_open);
    row->addStretch(1);
    row->addWidget(buttons);
    m_column->addLayout(row);
    connect(buttons, &QDialogButtonBox::accepted, this, &ExportDialog::confirmed);
    connect(buttons, &QDialogButtonBox::rejected, this, &ExportDialog::reject);
    connect(m_open, &QPushButton::clicked, this, [this] { emit openRequested(m_written); });
}

void ExportDialog::showRunning(bool isRunning)
{
    m_isRunning = isRunning;
    m_fields->setEnabled(!isRunning);
    m_report->setEnabled(!isRunning);
    m_start->setEnabled(!isRunning);
    m_open->setEnabled(!isRunning);
    m_bar->setVisible(isRunning);
    m_step->setVisible(isRunning);
    m_close->setText(isRunning || m_written.isEmpty() ? u"Cancel"_s : u"Close"_s);
}

void ExportDialog::setRunning(bool measures)
{
    m_fault->hide();
    m_measures = measures;
    showRunning(true);
    setProgress(0);
}

// After the ranges are measured, it is not known how long the rest takes.
void ExportDialog::setProgress(int permille)
{
    if (!m_isRunning)
        return;
    const bool isKnown = permille > 0 && (!m_measures || permille < allProgress);
    m_bar->setRange(0, isKnown ? allProgress : 0);
    m_bar->setValue(permille);
    m_step->setText(!m_measures && permille == 0 ? u"Exporting \u2026"_s
                    : m_measures && permille < allProgress
                        ? u"Measuring ranges \u2026"_s
                        : u"Comparing the file with the model \u2026"_s);
}

void ExportDialog::setFault(const Error& fault)
{
    showRunning(false);
    m_report->hide(); // it is from a previous attempt
    m_open->hide();
    m_fault->setText(fault.reason == ErrorReason::MissingSize &&
                             fault.message.find(';') == std::string::npos
                         ? plainText(fault.message) + u"; fill in its size"_s
                         : plainText(fault.message));
    m_fault->show();
    if (fault.subject.empty() || !m_fields->focusSize(fault.subject))
        m_start->setFocus();
}

void ExportDialog::setReport(const ExportReport& report, const ExportPlan& plan)
{
    if (report.file)
        m_written = m_fields->path();
    m_cut = report.cut;
    showRunning(false);
    m_report->showReport(report, plan.target, m_fields->path());
    m_report->show();
    m_open->setVisible(bool(report.file));
    growForReport();
    m_start->setFocus();
}

// Keeps the dialog over the window when it grows.
void ExportDialog::growForReport()
{
    const QRect window = parentWidget()->window()->geometry();
    resize(width(), std::max(height(), std::min(heightWithReport, window.height())));
    const int lowest = window.bottom() - height();
    if (y() > lowest)
        move(x(), std::max(lowest, window.top()));
}

void ExportDialog::takeCut()
{
    if (!m_cut)
        return;
    m_fields->setInterface(*m_cut);
    emit confirmed();
}

void ExportDialog::reject()
{
    if (m_isRunning)
        emit stopRequested();
    else
        QDialog::reject();
}

} // namespace lapidary
