// SPDX-License-Identifier: Apache-2.0
#include "app/window/export/export_report_view.h"

#include "app/window/base/tensor_names.h"
#include "graph_model/interface/interface_flags.h"
#include "graph_model/tensor/shape.h"
#include "views/models/display_text.h"
#include "views/panels/base/elided_name.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

std::size_t sumOf(const std::map<std::string, std::size_t>& counts)
{
    std::size_t sum = 0;
    for (const auto& [name, count] : counts)
        sum += count;
    return sum;
}

QTreeWidgetItem* addRow(QTreeWidgetItem* parent, const QStringList& cells)
{
    auto* row = new QTreeWidgetItem(cells);
    for (int i = 0; i < cells.size(); ++i)
        row->setToolTip(i, cells[i]);
    parent->addChild(row);
    return row;
}

void addCounts(QTreeWidgetItem* parent, const QString& title,
               const std::map<std::string, std::size_t>& counts)
{
    if (counts.empty())
        return;
    QTreeWidgetItem* top = addRow(parent, {title, QString::number(sumOf(counts))});
    for (const auto& [name, count] : counts)
        addRow(top, {plainText(name), QString::number(count)});
}

void addEnds(QTreeWidgetItem* parent, const QString& title, const std::vector<ExportedEnd>& ends)
{
    QTreeWidgetItem* top = addRow(parent, {title, QString::number(ends.size())});
    for (const ExportedEnd& end : ends)
        addRow(top, {plainText(end.name),
                     plainText(dtypeName(end.dtype) + " " + shapeText({end.dims, false}))});
    top->setExpanded(true);
}

// Returns "9.1e-07 of at most 0.98, SQNR 121.4 dB, top-1 100.0 %".
QString errorText(const VerifiedPair& pair)
{
    const TensorAgreement& agreement = pair.agreement;
    if (agreement.maxAbs == 0)
        return u"the same numbers"_s;
    QString text = u"%1 of at most %2"_s.arg(valueText(agreement.maxAbs, 2),
                                             valueText(agreement.magnitude, 3));
    if (std::isfinite(agreement.sqnrDb))
        text += u", SQNR %1 dB"_s.arg(agreement.sqnrDb, 0, 'f', 1);
    if (agreement.top1)
        text += u", top-1 %1 %"_s.arg(*agreement.top1 * 100, 0, 'f', 1);
    return text;
}

void addCheck(QTreeWidgetItem* parent, const Verification& check)
{
    QTreeWidgetItem* top =
        addRow(parent, {u"Error of the outputs"_s,
                        u"on %1"_s.arg(counted(std::int64_t(check.samples), u"input"_s))});
    for (const VerifiedPair& pair : check.pairs)
        if (pair.isOutput)
            addRow(top, {plainText(tensorAsFlag(pair.a)), errorText(pair)});
    for (const std::string& text : check.incomparable)
        addRow(top, {u"not comparable"_s, plainText(text)});
    for (const MissingKernel& missing : check.missing)
        addRow(top, {u"not run"_s, u"no kernel for "_s + plainText(missing.op)});
    top->setExpanded(true);
    if (const VerifiedPair* worst = worstLayer(check)) {
        QTreeWidgetItem* layer = addRow(parent, {u"Worst layer"_s, {}});
        addRow(layer, {plainText(tensorAsFlag(worst->a)), errorText(*worst)});
        layer->setExpanded(true);
    }
}

} // namespace

ExportReportView::ExportReportView(QWidget* parent)
    : QWidget(parent)
    , m_headline(new QLabel(this))
    , m_rows(new QTreeWidget(this))
    , m_cut(new QLabel(this))
    , m_takeCut(new QPushButton(u"Export this part"_s, this))
{
    m_headline->setObjectName(u"exportSummary"_s);
    m_headline->setTextFormat(Qt::PlainText);
    m_headline->setWordWrap(true);
    m_rows->setObjectName(u"exportReport"_s);
    m_rows->setAccessibleName(u"Report"_s);
    m_rows->setUniformRowHeights(true);
    m_rows->setMinimumHeight(180);
    m_rows->setTextElideMode(Qt::ElideRight);
    m_rows->setItemDelegateForColumn(0, new NameDelegate(m_rows));
    m_rows->header()->setStretchLastSection(true);
    m_cut->setObjectName(u"exportCut"_s);
    m_cut->setTextFormat(Qt::PlainText);
    m_cut->setWordWrap(true);
    m_takeCut->setObjectName(u"exportTakeCut"_s);
    m_takeCut->setAutoDefault(false);
    auto* cut = new QHBoxLayout;
    cut->addWidget(m_cut, 1);
    cut->addWidget(m_takeCut);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_headline);
    column->addWidget(m_rows, 1);
    column->addLayout(cut);
    connect(m_takeCut, &QPushButton::clicked, this, &ExportReportView::cutRequested);
}

void ExportReportView::showReport(const ExportReport& report, ExportTarget target,
                                  const QString& path)
{
    m_rows->clear();
    m_rows->setRootIsDecorated(bool(report.file));
    if (report.file)
        showFile(report, path);
    else
        showRefusals(report, target);
    showCut(report);
    for (int i = 0; i + 1 < m_rows->columnCount(); ++i)
        m_rows->resizeColumnToContents(i);
    m_wantedNames = m_rows->columnWidth(0);
    fitNames();
    m_rows->setCurrentItem(m_rows->topLevelItem(0));
}

// Gives names at most half of the width; their tips show the whole names.
void ExportReportView::fitNames()
{
    m_rows->setColumnWidth(0, std::min(m_wantedNames, width() / 2));
}

void ExportReportView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitNames();
}

void ExportReportView::showFile(const ExportReport& report, const QString& path)
{
    m_headline->setText(u"Written to %1: %2 bytes, %3"_s.arg(
        QFileInfo(path).fileName(), exactText(std::int64_t(report.file->size())),
        counted(std::int64_t(sumOf(report.operators)), u"operator"_s)));
    m_rows->setColumnCount(2);
    m_rows->setHeaderLabels({u"The file"_s, QString()});
    QTreeWidgetItem* root = m_rows->invisibleRootItem();
    if (report.check)
        addCheck(root, *report.check);
    for (const std::string& note : report.notes)
        addRow(root, {u"Note"_s, plainText(note)});
    addEnds(root, u"Inputs"_s, report.inputs);
    addEnds(root, u"Outputs"_s, report.outputs);
    addCounts(root, u"Operators"_s, report.operators);
    addCounts(root, u"Merged into others"_s, report.merged);
    addCounts(root, u"Only passed their input on"_s, report.dropped);
}

void ExportReportView::showRefusals(const ExportReport& report, ExportTarget target)
{
    const auto count = std::int64_t(report.refused.size());
    QString text = u"%1 no counterpart in %2; nothing was written"_s.arg(
        counted(count, u"node has"_s, u"nodes have"_s), plainText(exportTargetName(target)));
    for (const std::string& note : report.notes)
        text += u'\n' + plainText(note);
    m_headline->setText(text);
    m_rows->setColumnCount(3);
    m_rows->setHeaderLabels({u"Node"_s, u"Op"_s, u"Why"_s});
    for (const ExportRefusal& refusal : report.refused)
        addRow(m_rows->invisibleRootItem(),
               {plainText(refusal.node), plainText(refusal.op), plainText(refusal.reason)});
}

void ExportReportView::showCut(const ExportReport& report)
{
    m_cut->setVisible(!report.refused.empty());
    m_takeCut->setVisible(report.cut.has_value());
    if (report.cut)
        m_cut->setText(u"What can be exported: from %1 to %2"_s.arg(
            namesText(report.cut->inputs), namesText(report.cut->outputs)));
    else
        m_cut->setText(u"No part between other inputs and outputs can be exported"_s);
}

} // namespace lapidary
