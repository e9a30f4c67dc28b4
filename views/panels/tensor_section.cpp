// SPDX-License-Identifier: Apache-2.0
#include "views/panels/tensor_section.h"

#include "views/models/display_text.h"
#include "views/panels/base/elided_choice.h"
#include "views/panels/base/elided_label.h"
#include "views/panels/base/histogram_view.h"
#include "views/panels/base/tensor_figures.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

TensorSection::TensorSection(QWidget* parent)
    : QWidget(parent)
    , m_title(new ElidedLabel(this))
    , m_choice(new ElidedChoice(this))
    , m_size(plainLabel(this, true))
    , m_note(plainLabel(this, true))
    , m_histogram(new HistogramView(this))
    , m_heatMap(new HeatMapView(this))
    , m_figures(new TensorFigures(this))
    , m_table(new QPushButton(u"Table"_s, this))
    , m_save(new QPushButton(u"Save .npy"_s, this))
{
    setObjectName(u"tensorSection"_s);
    setAttribute(Qt::WA_StyledBackground);
    m_title->setBold(true);
    m_choice->setAccessibleName(u"Constant"_s);
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_note->setWordWrap(true);
    m_table->setObjectName(u"tensorTable"_s);
    m_save->setObjectName(u"tensorSave"_s);
    auto* head = new QHBoxLayout;
    head->addWidget(m_title, 1);
    head->addWidget(m_choice, 1);
    head->addWidget(m_size);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_table);
    buttons->addWidget(m_save);
    buttons->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 10);
    column->setSpacing(8);
    column->addLayout(head);
    column->addWidget(m_note);
    column->addWidget(m_histogram);
    column->addWidget(m_figures);
    column->addWidget(m_heatMap);
    column->addLayout(buttons);
    connect(m_choice, &QComboBox::activated, this, &TensorSection::ask);
    connect(m_table, &QPushButton::clicked, this, [this] { emit tableRequested(current()); });
    connect(m_save, &QPushButton::clicked, this, [this] { emit saveRequested(current()); });
    hide();
}

void TensorSection::setTensors(const GraphPtr& graph, const std::vector<NodeId>& nodes)
{
    m_nodes = nodes;
    setVisible(!nodes.empty());
    m_choice->clear();
    if (nodes.empty())
        return;
    for (const NodeId id : nodes)
        m_choice->addItem(plainText(graph->node(id).name()));
    m_choice->setVisible(nodes.size() > 1);
    m_title->setVisible(nodes.size() == 1);
    m_title->setText(m_choice->itemText(0));
    ask();
}

NodeId TensorSection::current() const
{
    const int at = m_choice->currentIndex();
    return at >= 0 && std::size_t(at) < m_nodes.size() ? m_nodes[std::size_t(at)] : NodeId{};
}

void TensorSection::ask()
{
    clearFigures(u"Reading values\u2026"_s);
    if (current().isValid())
        emit chosen(current());
}

void TensorSection::clearFigures(const QString& note)
{
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    m_figures->hide();
    m_histogram->hide();
    m_heatMap->hide();
    m_size->clear();
}

void TensorSection::setReport(const TensorReport& report)
{
    if (report.node != current())
        return;
    clearFigures({});
    m_size->setText(plainText(shapeLabel(report.shape)) + u" \u00B7 "_s +
                    (report.bytes > 0 ? bytesText(report.bytes) + u" \u00B7 "_s : QString()) +
                    plainText(dtypeName(report.dtype)));
    m_size->setToolTip(counted(report.elements, u"element"_s));
    const TensorStatistics& s = report.statistics;
    const bool hasFigures = report.hasNumbers && report.elements > 0;
    m_figures->setVisible(hasFigures);
    m_histogram->setVisible(hasFigures && report.elements > 1 && !s.isConstant);
    m_heatMap->setVisible(hasFigures && report.elements > 1 && !s.isConstant);
    m_histogram->setStatistics(s);
    m_heatMap->setGrid(report.grid);
    m_figures->setStatistics(s);
}

void TensorSection::setFailure(const QString& why)
{
    clearFigures(why);
}

} // namespace lapidary
