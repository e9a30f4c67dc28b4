// SPDX-License-Identifier: Apache-2.0
#include "views/panels/run/value_panel.h"

#include "views/models/display_text.h"
#include "views/models/run/detection_text.h"
#include "views/models/tensor_table_model.h"
#include "views/panels/base/button_row.h"
#include "views/panels/base/elided_choice.h"
#include "views/panels/base/elided_label.h"
#include "views/panels/base/histogram_view.h"
#include "views/panels/base/obstacle.h"
#include "views/panels/base/one_line_label.h"
#include "views/panels/base/shape_question.h"
#include "views/panels/base/table_panels.h"
#include "views/panels/base/tensor_figures.h"
#include "views/panels/run/bars_view.h"
#include "views/panels/run/boxes_view.h"
#include "views/panels/run/detection_bar.h"
#include "views/panels/run/picture_view.h"
#include "views/panels/run/slice_bar.h"
#include "views/panels/run/wave_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
#include <QStyle>

#include <algorithm>
#include <limits>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int figuresWidth = 264;
constexpr std::int64_t fewestOfHistogram = 8;

QString viewName(ValueView view)
{
    switch (view) {
    case ValueView::Picture: return u"Picture"_s;
    case ValueView::Bars: return u"Largest values"_s;
    case ValueView::HeatMap: return u"Heat map"_s;
    case ValueView::Wave: return u"Waveform"_s;
    case ValueView::Boxes: return u"Boxes"_s;
    case ValueView::Table: break;
    }
    return u"Table"_s;
}

void nameChoice(QComboBox& field, const QString& name, const QString& title)
{
    field.setObjectName(name);
    field.setAccessibleName(title);
    field.setToolTip(title);
}

QComboBox* choiceField(const QString& name, const QString& title, QWidget* parent)
{
    auto* field = new QComboBox(parent);
    nameChoice(*field, name, title);
    field->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    return field;
}

QPushButton* actionButton(const QString& name, const QString& text, const QString& tip,
                          QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setObjectName(name);
    button->setAccessibleName(QString(text).remove(QChar(0x2026)));
    button->setToolTip(tip);
    return button;
}

} // namespace

ValuePanel::ValuePanel(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"valuePanel"_s);
    setAccessibleName(u"Values"_s);
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildHead());
    column->addWidget(buildReason(), 1);
    column->addWidget(buildBody(), 1);
    m_body->hide();
}

QWidget* ValuePanel::buildReason()
{
    m_reason = new QWidget(this);
    m_message = plainLabel(m_reason, true);
    m_message->setObjectName(u"valueMessage"_s);
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_ask = new ShapeQuestion(u"value"_s, m_reason);
    connect(m_ask, &ShapeQuestion::given, this, &ValuePanel::shapeGiven);
    auto* column = new QVBoxLayout(m_reason);
    column->setContentsMargins(12, 8, 12, 8);
    column->setSpacing(8);
    column->addWidget(m_message);
    column->addWidget(m_ask);
    column->addStretch();
    return m_reason;
}

QWidget* ValuePanel::buildHead()
{
    auto* head = new QWidget(this);
    m_title = new ElidedLabel(head);
    m_title->setObjectName(u"valueTitle"_s);
    m_title->setBold(true);
    m_outputs = new ElidedChoice(head);
    nameChoice(*m_outputs, u"valueOutput"_s, u"Output"_s);
    m_outputs->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_outputs->setMinimumContentsLength(10);
    m_size = plainLabel(head, true);
    m_size->setObjectName(u"valueSize"_s);
    m_memory = plainLabel(head, true);
    m_memory->setObjectName(u"valueMemory"_s);
    m_run = actionButton(u"valueRun"_s, u"Run to here"_s,
                         u"Computes the selection from the feeds (V)"_s, head);
    m_save = actionButton(u"valueSave"_s, u"Save\u2026"_s,
                          u"Writes the value as .npy, .csv or .png"_s, head);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(8, 6, 8, 6);
    row->setSpacing(8);
    row->addWidget(m_title, 1);
    row->addWidget(m_outputs, 1);
    row->addWidget(m_size);
    row->addWidget(m_memory);
    row->addWidget(m_run);
    row->addWidget(m_save);
    connect(m_outputs, &QComboBox::activated, this, [this] {
        m_choice = {};
        choose();
    });
    connect(m_run, &QPushButton::clicked, this, [this] { emit actionRequested("run.here"); });
    connect(m_save, &QPushButton::clicked, this, [this] { emit actionRequested("value.save"); });
    return head;
}

QWidget* ValuePanel::buildOptions()
{
    auto* options = new ButtonRow(this); // the axes of a table move below if space is scarce
    m_views = choiceField(u"valueView"_s, u"Shown as"_s, options);
    m_mode = choiceField(u"valueMode"_s, u"Color or channels"_s, options);
    m_mode->addItems({u"Color"_s, u"Channels"_s});
    m_scale = choiceField(u"valueScale"_s, u"Scale of the channels"_s, options);
    m_scale->addItems({u"One scale"_s, u"A scale each"_s});
    m_picture = new QSpinBox(options);
    m_picture->setObjectName(u"valueBatch"_s);
    m_picture->setAccessibleName(u"Picture of the batch"_s);
    m_picture->setToolTip(u"Picture of the batch"_s);
    m_slice = new SliceBar(options);
    m_labels = actionButton(u"valueLabels"_s, u"Labels\u2026"_s,
                            u"Loads class names, one per line"_s, options);
    m_note = new OneLineLabel(options);
    m_note->setObjectName(u"valueNote"_s);
    m_note->wrapIntoTwo();
    auto* choices = new QWidget(options);
    auto* row = new QHBoxLayout(choices);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    for (QWidget* field :
         std::initializer_list<QWidget*>{m_views, m_mode, m_scale, m_picture, m_labels})
        row->addWidget(field);
    row->addWidget(m_note, 1);
    options->addButton(choices, 1);
    options->addButton(m_slice);
    connect(m_views, &QComboBox::activated, this, [this](int at) {
        if (m_report && std::size_t(at) < m_report->views.size())
            m_choice.view = m_report->views[std::size_t(at)];
        choose();
    });
    connect(m_mode, &QComboBox::activated, this, [this](int at) {
        m_choice.mode = at == 0 ? PictureMode::Color : PictureMode::Channels;
        choose();
    });
    connect(m_scale, &QComboBox::activated, this, [this](int at) {
        m_choice.scale = at == 0 ? PictureScale::Common : PictureScale::Each;
        choose();
    });
    connect(m_picture, &QSpinBox::valueChanged, this, [this](int picture) {
        m_choice.picture = picture;
        choose();
    });
    connect(m_slice, &SliceBar::chosen, this, [this](const TensorSlice& slice) {
        m_choice.slice = slice;
        choose();
    });
    connect(m_labels, &QPushButton::clicked, this,
            [this] { emit actionRequested("value.labels"); });
    return options;
}

QWidget* ValuePanel::buildBody()
{
    m_body = new QWidget(this);
    auto* left = new QWidget(m_body);
    left->setFixedWidth(figuresWidth);
    m_figures = new TensorFigures(left);
    m_histogram = new HistogramView(left);
    m_histogram->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    auto* figures = new QVBoxLayout(left);
    figures->setContentsMargins(0, 0, 0, 0);
    figures->setSpacing(8);
    figures->addWidget(m_figures);
    figures->addWidget(m_histogram, 1);
    m_detection = new DetectionBar(left); // replaces both if boxes are shown
    figures->addWidget(m_detection, 1);
    figures->addStretch(); // if there is no histogram
    m_pictureView = new PictureView(m_body);
    m_bars = new BarsView(m_body);
    m_wave = new WaveView(m_body);
    m_boxes = new BoxesView(m_body);
    m_heatMap = new HeatMapView(m_body);
    m_heatMap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    m_table = new PanelTable(u"Elements"_s, m_body);
    m_table->setObjectName(u"valueElements"_s);
    m_table->verticalHeader()->show();
    m_table->setSelectionBehavior(QAbstractItemView::SelectItems);
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->horizontalHeader()->setDefaultSectionSize(84);
    m_pages = new QStackedWidget(m_body);
    for (QWidget* page : std::initializer_list<QWidget*>{m_pictureView, m_bars, m_wave, m_boxes,
                                                         m_heatMap, m_table})
        m_pages->addWidget(page);
    auto* right = new QVBoxLayout;
    right->setSpacing(6);
    right->addWidget(buildOptions());
    connect(m_detection, &DetectionBar::chosen, this, [this](const DetectionChoice& boxes) {
        m_choice.boxes = boxes;
        choose();
    });
    right->addWidget(m_pages, 1);
    auto* row = new QHBoxLayout(m_body);
    row->setContentsMargins(8, 0, 8, 8);
    row->setSpacing(16);
    row->addWidget(left);
    row->addLayout(right, 1);
    return m_body;
}

void ValuePanel::setNode(const QString& name, const QStringList& outputs)
{
    m_title->setText(name);
    if (m_title->property("node").toString() != name)
        m_choice = {};
    m_title->setProperty("node", name);
    QStringList shown;
    for (int i = 0; i < m_outputs->count(); ++i)
        shown.append(m_outputs->itemText(i));
    if (shown != outputs) {
        m_outputs->clear();
        m_outputs->addItems(outputs);
    }
    m_outputs->setVisible(outputs.size() > 1);
    m_title->setVisible(outputs.size() <= 1); // the choice has the same name
    if (!outputs.isEmpty())
        choose();
}

int ValuePanel::output() const
{
    return m_outputs->currentIndex();
}

void ValuePanel::choose()
{
    emit chosen();
}

void ValuePanel::setMessage(const QString& text, bool isProblem)
{
    m_report.reset();
    m_body->hide();
    m_size->clear();
    lapidary::setObstacle(*m_save, u"No value is shown: compute one first (V)"_s);
    m_message->setText(text);
    m_reason->show();
    m_message->setProperty("problem", isProblem);
    m_message->setProperty("muted", !isProblem);
    m_message->style()->unpolish(m_message);
    m_message->style()->polish(m_message);
}

void ValuePanel::askForShape(const QString& tensor, const QString& proposed)
{
    m_ask->ask(tensor, proposed);
}

void ValuePanel::setMemory(const QString& text, const QString& tip)
{
    m_memory->setText(text);
    m_memory->setToolTip(tip);
}

void ValuePanel::setLabels(const QStringList& labels)
{
    m_bars->setLabels(labels);
    m_boxes->setLabels(labels);
}

void ValuePanel::setDetection(const QImage& picture, const QStringList& tensors)
{
    m_boxes->setPicture(picture);
    m_detectionTensors = tensors;
}

void ValuePanel::setObstacle(const QString& why)
{
    lapidary::setObstacle(*m_run, why);
}

void ValuePanel::setReport(std::shared_ptr<const ValueReport> report)
{
    m_report = std::move(report);
    const TensorReport& figures = m_report->figures;
    m_reason->hide();
    m_body->show();
    lapidary::setObstacle(*m_save, {});
    m_size->setText(
        plainText(shapeLabel(figures.shape)) + u" \u00B7 "_s + plainText(dtypeName(figures.dtype)) +
        (figures.bytes > 0 ? u" \u00B7 "_s + bytesText(figures.bytes) : QString()) +
        (m_times > 1 ? u" \u00B7 last of %1"_s.arg(exactText(std::int64_t(m_times))) : QString()));
    m_size->setToolTip(counted(figures.elements, u"element"_s) +
                       (m_times > 1 ? u"\nComputed %1 times in the run, in a loop or by a function "
                                      u"that is called; this is the last value"_s.arg(
                                          exactText(std::int64_t(m_times)))
                                    : QString()));
    const bool hasFigures =
        figures.hasNumbers && figures.elements > 0 && m_report->view != ValueView::Boxes;
    m_figures->setVisible(hasFigures);
    m_figures->setStatistics(figures.statistics);
    m_histogram->setVisible(hasFigures && figures.elements >= fewestOfHistogram &&
                            !figures.statistics.isConstant);
    m_histogram->setStatistics(figures.statistics);
    fillViews();
    showView();
}

void ValuePanel::fillViews()
{
    const QSignalBlocker blocker(m_views);
    m_views->clear();
    for (const ValueView view : m_report->views) {
        m_views->addItem(viewName(view));
        if (view == m_report->view)
            m_views->setCurrentIndex(m_views->count() - 1);
    }
}

void ValuePanel::showView()
{
    const ValueView view = m_report->view;
    const bool isPicture = view == ValueView::Picture && m_report->picture;
    m_mode->setVisible(isPicture && m_report->picture->allChannels == 3);
    m_scale->setVisible(isPicture && m_report->mode == PictureMode::Channels &&
                        m_report->picture->allChannels > 1);
    m_picture->setVisible(isPicture && m_report->picture->pictures > 1);
    m_slice->setVisible(view == ValueView::Table && m_report->figures.shape.dims.size() > 1);
    m_detection->setVisible(view == ValueView::Boxes);
    m_labels->setVisible(view == ValueView::Bars || view == ValueView::Boxes);
    m_note->clear();
    switch (view) {
    case ValueView::Picture: showPicture(); break;
    case ValueView::Bars:
        m_bars->setElements(m_report->best);
        m_pages->setCurrentWidget(m_bars);
        break;
    case ValueView::HeatMap:
        m_heatMap->setGrid(m_report->figures.grid);
        m_note->setText(u"%1 by %2: the last axis across"_s.arg(
            exactText(m_report->figures.grid.tensorRows),
            exactText(m_report->figures.grid.tensorColumns)));
        m_pages->setCurrentWidget(m_heatMap);
        break;
    case ValueView::Table: showTable(); break;
    case ValueView::Wave:
        m_wave->setWave(m_report->wave, m_report->spectrogram);
        m_note->setText(m_wave->text());
        m_note->setToolTip(m_note->text());
        m_pages->setCurrentWidget(m_wave);
        break;
    case ValueView::Boxes:
        m_detection->setChoice(m_choice.boxes, m_detectionTensors, m_report->found);
        m_boxes->setFault(m_report->fault);
        m_boxes->setBoxes(m_report->found.boxes);
        if (m_report->fault.isEmpty())
            m_note->setText(foundText(m_report->found));
        m_note->setToolTip(m_boxes->text() + u'\n' + takenText(m_report->found));
        m_pages->setCurrentWidget(m_boxes);
        break;
    }
}

void ValuePanel::showPicture()
{
    if (!m_report->picture)
        return;
    const TensorPicture& picture = *m_report->picture;
    const bool isColor = m_report->mode == PictureMode::Color;
    QString note = u"%1\u00D7%2"_s.arg(picture.tileWidth).arg(picture.tileHeight);
    if (!isColor && picture.allChannels > 1)
        note +=
            u", %1 of %2"_s.arg(picture.channels).arg(counted(picture.allChannels, u"channel"_s));
    if (isColor || m_choice.scale == PictureScale::Common)
        note +=
            u", black %1, white %2"_s.arg(valueText(picture.low, 4), valueText(picture.high, 4));
    m_note->setText(note);
    m_note->setToolTip(note);
    {
        const QSignalBlocker mode(m_mode);
        m_mode->setCurrentIndex(isColor ? 0 : 1);
        const QSignalBlocker scale(m_scale);
        m_scale->setCurrentIndex(m_choice.scale == PictureScale::Common ? 0 : 1);
        const QSignalBlocker batch(m_picture);
        m_picture->setRange(
            0, int(std::min<std::int64_t>(picture.pictures - 1, std::numeric_limits<int>::max())));
        m_picture->setValue(int(m_choice.picture));
    }
    m_pictureView->setImage(
        imageOf(picture), note,
        {{picture.tileWidth, picture.tileHeight}, isColor ? 1 : picture.channels});
    m_pages->setCurrentWidget(m_pictureView);
}

void ValuePanel::showTable()
{
    m_slice->setSlice(m_report->figures.shape, m_report->slice);
    QAbstractItemModel* old = m_table->model();
    auto* model =
        new TensorTableModel(m_report->table ? *m_report->table : m_report->tensor, m_table);
    m_table->setModel(model);
    m_note->setText(model->note());
    delete old;
    m_pages->setCurrentWidget(m_table);
}

} // namespace lapidary
