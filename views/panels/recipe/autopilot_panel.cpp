// SPDX-License-Identifier: Apache-2.0
#include "views/panels/recipe/autopilot_panel.h"

#include "views/models/recipe/point_layer_model.h"
#include "views/panels/base/obstacle.h"
#include "views/panels/base/panel_head.h"
#include "views/panels/base/sorted_table.h"
#include "views/panels/recipe/autopilot_form.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int formWidth = 248;
constexpr int tableWidth = 380;
constexpr int roomForBoth = 920; // width of the panel

} // namespace

AutopilotPanel::AutopilotPanel(QWidget* parent)
    : QWidget(parent)
    , m_form(new AutopilotForm(this))
    , m_front(new FrontView(this))
    , m_model(new PointLayerModel(this))
    , m_table(new SortedTable(u"How the layers of the file are stored"_s, *m_model,
                              PointLayerModel::SortRole, this))
    , m_head(new PanelHead(u"autopilotRemark"_s, this))
{
    setObjectName(u"autopilotPanel"_s);
    setAccessibleName(u"Autopilot"_s);
    setAttribute(Qt::WA_StyledBackground);
    m_head->wrapRemark();
    setUpLayers();
    auto* wishes = buildWishes();
    auto* parts = new QSplitter(Qt::Horizontal, this);
    parts->setChildrenCollapsible(false);
    parts->addWidget(m_front);
    parts->addWidget(m_table);
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 2);
    auto* found = new QVBoxLayout;
    found->setSpacing(0);
    found->addWidget(m_head);
    found->addWidget(parts, 1);
    found->addWidget(buildButtons());
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(wishes);
    row->addLayout(found, 1);
    setCurrent({});
}

// The form, with the buttons that begin and end a search below it.
QWidget* AutopilotPanel::buildWishes()
{
    auto* wishes = new QWidget(this);
    wishes->setFixedWidth(formWidth);
    m_stop =
        addButton(wishes, u"autopilotStop"_s, u"Stop"_s,
                  u"Ends the search; the files that were built stay (Ctrl+.)"_s, "graph.cancel");
    m_search = addButton(wishes, u"autopilotSearch"_s, u"Search"_s,
                         u"Searches for files, for the time set in the form (Ctrl+F9)"_s,
                         "autopilot.search");
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 0, 8, 4);
    row->addWidget(m_stop, 1);
    row->addWidget(m_search, 1);
    auto* column = new QVBoxLayout(wishes);
    column->setContentsMargins(0, 2, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_form);
    column->addLayout(row);
    column->addStretch(1);
    return wishes;
}

QPushButton* AutopilotPanel::addButton(QWidget* row, const QString& name, const QString& text,
                                       const QString& tip, const char* action)
{
    auto* button = new QPushButton(text, row);
    button->setObjectName(name);
    button->setAccessibleName(text);
    button->setToolTip(tip);
    connect(button, &QPushButton::clicked, this, [this, action] { emit actionRequested(action); });
    return button;
}

// Makes the buttons for the selected file.
QWidget* AutopilotPanel::buildButtons()
{
    auto* buttons = new QWidget(this);
    m_layers = new QToolButton(buttons);
    m_layers->setObjectName(u"autopilotShowLayers"_s);
    m_layers->setText(u"Layers"_s);
    m_layers->setAccessibleName(u"Layers of the file"_s);
    m_layers->setToolTip(u"Lists the storage format of each layer instead of the plot"_s);
    m_layers->setCheckable(true);
    connect(m_layers, &QToolButton::toggled, this, &AutopilotPanel::arrange);
    m_use = addButton(buttons, u"autopilotUse"_s, u"Use"_s,
                      u"Applies the recipe of this file (Ctrl+Shift+F9)"_s, "autopilot.use");
    m_compare = addButton(buttons, u"autopilotCompare"_s, u"Compare"_s,
                          u"Shows what differs from the original (Ctrl+Shift+K)"_s,
                          "graph.compareOriginal");
    m_save = addButton(buttons, u"autopilotSave"_s, u"Save\u2026"_s,
                       u"Saves the graph that is shown (Ctrl+Shift+S)"_s, "file.saveAs");
    auto* row = new QHBoxLayout(buttons);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(8);
    row->addWidget(m_layers);
    row->addStretch(1);
    for (QPushButton* button : {m_use, m_compare, m_save})
        row->addWidget(button);
    return buttons;
}

void AutopilotPanel::setUpLayers()
{
    m_table->setObjectName(u"autopilotLayers"_s);
    m_table->sortByColumn(PointLayerModel::LayerColumn, Qt::AscendingOrder);
    m_table->setMinimumWidth(tableWidth);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->horizontalHeader()->setSectionResizeMode(PointLayerModel::LayerColumn,
                                                      QHeaderView::Stretch);
    m_table->setColumnWidth(PointLayerModel::FormColumn, 132);
    m_table->setColumnWidth(PointLayerModel::BytesColumn, 72);
    m_table->setColumnWidth(PointLayerModel::ShareColumn, 72);
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
        const int row = m_table->rowOf(index);
        emit layerChosen(m_model->index(row, PointLayerModel::LayerColumn).data().toString());
    });
}

void AutopilotPanel::arrange()
{
    const bool hasRoom = width() >= roomForBoth;
    const bool hasPoint = m_model->rowCount() > 0;
    m_layers->setVisible(!hasRoom);
    setObstacle(*m_layers, hasPoint ? QString() : u"Search for files first (Ctrl+F9)"_s);
    const bool isTableShown = hasPoint && (hasRoom || m_layers->isChecked());
    m_table->setVisible(isTableShown);
    m_front->setVisible(hasRoom || !isTableShown);
}

void AutopilotPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void AutopilotPanel::setFound(const AutopilotPtr& found, const AutopilotOptions& limits)
{
    m_found = found;
    m_front->setFound(found, limits);
}

void AutopilotPanel::setCurrent(std::optional<std::size_t> point)
{
    const bool isThere = point && m_found && *point < m_found->points.size();
    m_front->setCurrent(isThere ? point : std::nullopt);
    m_model->setPoint(isThere ? std::optional(m_found->points[*point]) : std::nullopt);
    arrange();
}

void AutopilotPanel::setRemark(const QString& text, bool isProblem)
{
    m_head->setRemark(text, isProblem);
}

void AutopilotPanel::setSearching(bool isSearching, const QString& obstacle)
{
    m_stop->setVisible(isSearching);
    m_search->setVisible(!isSearching);
    setObstacle(*m_search, obstacle);
    setObstacle(*m_form, obstacle);
}

void AutopilotPanel::setCanUse(bool canUse, bool isUsed)
{
    const QString none = u"Search for files first (Ctrl+F9)"_s;
    setObstacle(*m_use, !canUse  ? none
                        : isUsed ? u"Its recipe is on the timeline already"_s
                                 : QString());
    for (QPushButton* button : {m_compare, m_save})
        setObstacle(*button, isUsed   ? QString()
                             : canUse ? u"Use the file first (Ctrl+Shift+F9)"_s
                                      : none);
}

void AutopilotPanel::edit()
{
    if (auto* goal = m_form->findChild<QComboBox*>())
        goal->setFocus();
}

} // namespace lapidary
