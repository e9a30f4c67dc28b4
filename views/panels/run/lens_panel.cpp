// SPDX-License-Identifier: Apache-2.0
#include "views/panels/run/lens_panel.h"

#include "views/models/display_text.h"
#include "views/models/run/lens_model.h"
#include "views/panels/run/panel_head.h"
#include "views/panels/run/range_bar.h"
#include "views/panels/table_panels.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

LensPanel::LensPanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new LensModel(this))
    , m_sorted(new QSortFilterProxyModel(this))
{
    setObjectName(u"lensPanel"_s);
    setAccessibleName(u"Numbers beside the original"_s);
    setAttribute(Qt::WA_StyledBackground);
    buildTable();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    buildHead();
    column->addWidget(m_head);
    m_range = new RangeBar(this);
    m_range->hide();
    connect(m_range, &RangeBar::actionRequested, this, &LensPanel::actionRequested);
    column->addWidget(m_range);
    column->addWidget(m_table, 1);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                const VerifiedPair* pair = m_model->pair(m_sorted->mapToSource(current).row());
                if (!m_isFollowing && pair != nullptr)
                    emit pairSelected(plainText(pair->b));
                emit currentChanged();
            });
}

void LensPanel::buildHead()
{
    m_head = new PanelHead(u"lensRemark"_s, this);
    connect(m_head, &PanelHead::actionRequested, this, &LensPanel::actionRequested);
    m_threshold = new QDoubleSpinBox(m_head);
    m_threshold->setObjectName(u"lensThreshold"_s);
    m_threshold->setAccessibleName(u"Threshold of the SQNR"_s);
    m_threshold->setToolTip(
        u"Tensors with less are steps of \u201CNext tensor that differs\u201D"_s);
    m_threshold->setPrefix(u"below "_s);
    m_threshold->setSuffix(u" dB"_s);
    m_threshold->setDecimals(1);
    m_threshold->setRange(-100, 200);
    m_head->add(m_threshold);
    m_head->addButton(u"lensNext"_s, u"Next"_s,
                      u"Goes to the next tensor below the threshold (E)"_s, "lens.next");
    m_head->addButton(u"lensRun"_s, u"Compare"_s,
                      u"Runs the original and this state on what is fed (Q)"_s, "lens.compare");
    connect(m_threshold, &QDoubleSpinBox::valueChanged, this, &LensPanel::thresholdChosen);
}

void LensPanel::buildTable()
{
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(LensModel::SortRole);
    m_table = new PanelTable(u"Tensors beside the original"_s, this);
    m_table->setObjectName(u"lensTable"_s);
    m_table->setModel(m_sorted);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(LensModel::OrderColumn, Qt::AscendingOrder);
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->setColumnWidth(LensModel::OrderColumn, 48);
    m_table->setColumnWidth(LensModel::TensorColumn, 240);
}

void LensPanel::setFound(const std::shared_ptr<const Verification>& found)
{
    m_isFollowing = true;
    m_model->setFound(found);
    m_isFollowing = false;
    emit currentChanged();
}

std::optional<std::size_t> LensPanel::current() const
{
    const int row = m_sorted->mapToSource(m_table->currentIndex()).row();
    return row < 0 ? std::nullopt : std::optional(std::size_t(row));
}

void LensPanel::setRemark(const QString& text, bool isProblem)
{
    m_head->setRemark(text, isProblem);
}

void LensPanel::setThreshold(double decibels)
{
    const QSignalBlocker blocker(m_threshold);
    m_threshold->setValue(decibels);
}

void LensPanel::setCurrent(std::size_t pair)
{
    m_isFollowing = true;
    const QModelIndex index =
        m_sorted->mapFromSource(m_model->index(int(pair), LensModel::TensorColumn));
    m_table->setCurrentIndex(index);
    m_table->scrollTo(index);
    m_isFollowing = false;
}

} // namespace lapidary
