// SPDX-License-Identifier: Apache-2.0
#include "views/panels/run/sensitivity_panel.h"

#include "views/models/recipe/autopilot_text.h"
#include "views/panels/run/panel_head.h"
#include "views/panels/table_panels.h"

#include <QComboBox>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr LayerForm offered[]{LayerForm::Tensor8, LayerForm::Channel8, LayerForm::Tensor16,
                              LayerForm::Channel16};

} // namespace

SensitivityPanel::SensitivityPanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new SensitivityModel(this))
    , m_sorted(new QSortFilterProxyModel(this))
{
    setObjectName(u"sensitivityPanel"_s);
    setAccessibleName(u"Sensitivity of layers"_s);
    setAttribute(Qt::WA_StyledBackground);
    buildTable();
    buildHead();
    m_head->wrapRemark();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_head);
    column->addWidget(m_table, 1);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                const int row = m_sorted->mapToSource(current).row();
                if (!m_isFollowing && m_model->layer(row) != nullptr)
                    emit layerSelected(std::size_t(row));
            });
}

void SensitivityPanel::buildHead()
{
    m_head = new PanelHead(u"sensitivityRemark"_s, this);
    connect(m_head, &PanelHead::actionRequested, this, &SensitivityPanel::actionRequested);
    m_form = new QComboBox(m_head);
    m_form->setObjectName(u"sensitivityForm"_s);
    m_form->setAccessibleName(u"How one layer after the other is stored"_s);
    m_form->setToolTip(u"How one layer after the other is stored"_s);
    for (const LayerForm form : offered)
        m_form->addItem(formText(form));
    m_head->add(m_form);
    m_head->addButton(u"sensitivityNext"_s, u"Next worst"_s,
                      u"Goes to the worst layer, then to the next ones (Z)"_s, "sensitivity.next");
    m_run =
        m_head->addButton(u"sensitivityRun"_s, u"Measure"_s,
                          u"Stores one layer after the other so, and runs the graph (Shift+Z)"_s,
                          "sensitivity.measure");
}

void SensitivityPanel::buildTable()
{
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(SensitivityModel::SortRole);
    m_table = new PanelTable(u"Noise of each layer"_s, this);
    m_table->setObjectName(u"sensitivityTable"_s);
    m_table->setModel(m_sorted);
    m_table->setSortingEnabled(true);
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
    m_isFollowing = true;
    m_model->setFound(found);
    m_isFollowing = false;
}

void SensitivityPanel::setRemark(const QString& text, bool isProblem)
{
    m_head->setRemark(text, isProblem);
}

void SensitivityPanel::setCanRun(bool canRun)
{
    m_run->setEnabled(canRun);
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
    m_isFollowing = true;
    const QModelIndex index =
        m_sorted->mapFromSource(m_model->index(int(layer), SensitivityModel::LayerColumn));
    m_table->setCurrentIndex(index);
    m_table->scrollTo(index);
    m_isFollowing = false;
}

} // namespace lapidary
