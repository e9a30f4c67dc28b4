// SPDX-License-Identifier: Apache-2.0
#include "views/panels/tensor_section.h"

#include "views/models/display_text.h"
#include "views/panels/elided_label.h"
#include "views/panels/histogram_view.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

QLabel* plainLabel(QWidget* parent, bool isMuted)
{
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setProperty("muted", isMuted);
    label->setTextInteractionFlags(isMuted ? Qt::NoTextInteraction : Qt::TextSelectableByMouse);
    return label;
}

} // namespace

TensorSection::TensorSection(QWidget* parent)
    : QWidget(parent)
    , m_title(new ElidedLabel(this))
    , m_choice(new QComboBox(this))
    , m_size(plainLabel(this, true))
    , m_note(plainLabel(this, true))
    , m_histogram(new HistogramView(this))
    , m_heatMap(new HeatMapView(this))
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
    column->addWidget(buildFigures());
    column->addWidget(m_heatMap);
    column->addLayout(buttons);
    connect(m_choice, &QComboBox::activated, this, &TensorSection::ask);
    connect(m_table, &QPushButton::clicked, this, [this] { emit tableRequested(current()); });
    connect(m_save, &QPushButton::clicked, this, [this] { emit saveRequested(current()); });
    hide();
}

QWidget* TensorSection::buildFigures()
{
    m_figures = new QWidget(this);
    auto* grid = new QGridLayout(m_figures);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    const auto row = [this, grid](const QString& title) {
        const int at = grid->rowCount();
        QLabel* key = plainLabel(m_figures, true);
        key->setText(title);
        QLabel* value = plainLabel(m_figures, false);
        grid->addWidget(key, at, 0);
        grid->addWidget(value, at, 1);
        return value;
    };
    m_range = row(u"range"_s);
    m_mean = row(u"mean, std"_s);
    m_zeros = row(u"zeros"_s);
    m_odd = row(u"not finite"_s);
    return m_figures;
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
    m_range->setText(s.finite() == 0 ? u"\u2013"_s
                     : s.isConstant  ? u"all are "_s + valueText(s.minimum)
                                     : valueText(s.minimum) + u" \u2026 "_s + valueText(s.maximum));
    m_mean->setText(valueText(s.mean, 4) + u", "_s + valueText(s.deviation, 4));
    m_range->setToolTip(valueText(s.minimum) + u" \u2026 "_s + valueText(s.maximum));
    m_mean->setToolTip(valueText(s.mean) + u", "_s + valueText(s.deviation));
    m_zeros->setText(u"%1 of %2"_s.arg(exactText(s.zeros), exactText(s.elements)));
    m_odd->setText(u"%1 nan, %2 inf"_s.arg(exactText(s.nans), exactText(s.infinities)));
}

void TensorSection::setFailure(const QString& why)
{
    clearFigures(why);
}

} // namespace lapidary
