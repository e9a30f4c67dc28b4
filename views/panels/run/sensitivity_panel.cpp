// SPDX-License-Identifier: Apache-2.0
#include "views/panels/run/sensitivity_panel.h"

#include "views/models/recipe/autopilot_text.h"
#include "views/panels/base/obstacle.h"
#include "views/panels/base/panel_head.h"
#include "views/panels/base/sorted_table.h"

#include <QComboBox>
#include <QHeaderView>
#include <QPushButton>
#include <QSignalBlocker>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr LayerForm offered[]{LayerForm::Tensor8, LayerForm::Channel8, LayerForm::Tensor16,
                              LayerForm::Channel16};

} // namespace

SensitivityPanel::SensitivityPanel(QWidget* parent)
    : HeadedPanel(u"sensitivity"_s, u"Sensitivity of layers"_s, parent)
    , m_model(new SensitivityModel(this))
    , m_table(addTable(u"Noise of each layer"_s, *m_model, SensitivityModel::SortRole))
{
    setUpTable();
    buildHead();
    head().wrapRemark();
    connect(m_table, &SortedTable::rowChosen, this, [this](int row) {
        if (m_model->layer(row) != nullptr)
            emit layerSelected(std::size_t(row));
    });
}

void SensitivityPanel::buildHead()
{
    m_form = head().addChoice(u"sensitivityForm"_s, u"Storage format to test for each layer"_s);
    for (const LayerForm form : offered)
        m_form->addItem(formText(form));
    head().addButton(u"sensitivityNext"_s, u"Next worst"_s,
                     u"Goes to the worst layer, then to the next ones (Z)"_s, "sensitivity.next");
    m_run = head().addButton(u"sensitivityRun"_s, u"Measure"_s,
                             u"Quantizes one layer at a time and runs the graph (Shift+Z)"_s,
                             "sensitivity.measure");
}

void SensitivityPanel::setUpTable()
{
    m_table->sortByColumn(SensitivityModel::ShareColumn, Qt::DescendingOrder);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->horizontalHeader()->setSectionResizeMode(SensitivityModel::LayerColumn,
                                                      QHeaderView::Stretch);
    m_table->setColumnWidth(SensitivityModel::OrderColumn, 40);
    m_table->setColumnWidth(SensitivityModel::OpColumn, 164);
    m_table->setColumnWidth(SensitivityModel::SqnrColumn, 80);
    m_table->setColumnWidth(SensitivityModel::ShareColumn, 72);
    m_table->setColumnWidth(SensitivityModel::AgreementColumn, 104);
}

void SensitivityPanel::setFound(const SensitivityPtr& found)
{
    if (found == m_model->found())
        return;
    const QSignalBlocker blocker(m_table);
    m_model->setFound(found);
}

void SensitivityPanel::setObstacle(const QString& why)
{
    lapidary::setObstacle(*m_run, why);
}

LayerForm SensitivityPanel::form() const
{
    return offered[std::max(m_form->currentIndex(), 0)];
}

void SensitivityPanel::setForm(LayerForm form)
{
    m_form->setCurrentText(formText(form));
}

void SensitivityPanel::setCurrent(std::size_t layer)
{
    m_table->showRow(int(layer));
}

} // namespace lapidary
