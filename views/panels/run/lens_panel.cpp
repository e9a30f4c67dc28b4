// SPDX-License-Identifier: Apache-2.0
#include "views/panels/run/lens_panel.h"

#include "views/models/display_text.h"
#include "views/models/run/lens_model.h"
#include "views/panels/base/panel_head.h"
#include "views/panels/base/sorted_table.h"
#include "views/panels/run/range_bar.h"

#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int leastNameWidth = 112;
constexpr int orderWidth = 52;    // for numbers of up to four digits
constexpr int figureWidth = 76;   // for "-13.2 dB", "0.0234567"
constexpr int roomForCodes = 880; // width of the panel, for all figures of a quantized tensor

} // namespace

LensPanel::LensPanel(QWidget* parent)
    : HeadedPanel(u"lens"_s, u"Numbers beside the original"_s, parent)
    , m_model(new LensModel(this))
    , m_table(addTable(u"Tensors beside the original"_s, *m_model, LensModel::SortRole))
    , m_range(new RangeBar(this))
{
    setUpTable();
    buildHead();
    m_range->hide();
    connect(m_range, &RangeBar::actionRequested, this, &LensPanel::actionRequested);
    column().insertWidget(column().indexOf(m_table), m_range);
    connect(m_table, &SortedTable::rowChosen, this, [this](int row) {
        if (const VerifiedPair* pair = m_model->pair(row))
            emit pairSelected(plainText(pair->b));
        emit currentChanged();
    });
}

void LensPanel::buildHead()
{
    m_threshold = new QDoubleSpinBox(&head());
    m_threshold->setObjectName(u"lensThreshold"_s);
    m_threshold->setAccessibleName(u"Threshold of the SQNR"_s);
    m_threshold->setToolTip(u"\u201CNext tensor that differs\u201D stops at tensors below it"_s);
    m_threshold->setPrefix(u"below "_s);
    m_threshold->setSuffix(u" dB"_s);
    m_threshold->setDecimals(1);
    m_threshold->setRange(-100, 200);
    head().wrapRemark();
    head().add(m_threshold);
    head().addButton(u"lensNext"_s, u"Next"_s, u"Goes to the next tensor below the threshold (E)"_s,
                     "lens.next");
    head().addButton(u"lensRun"_s, u"Compare"_s,
                     u"Runs the original and this state on the feeds (Q)"_s, "lens.compare");
    connect(m_threshold, &QDoubleSpinBox::valueChanged, this, &LensPanel::thresholdChosen);
}

void LensPanel::setUpTable()
{
    m_table->sortByColumn(LensModel::OrderColumn, Qt::AscendingOrder);
    m_table->horizontalHeader()->setStretchLastSection(false);
    fitColumns();
}

void LensPanel::resizeEvent(QResizeEvent* event)
{
    HeadedPanel::resizeEvent(event);
    fitColumns();
}

// Hides columns that no tensor has. In a narrow panel, columns about codes are preferred to those
// that only restate the SQNR, which are in its tip. Names get the remaining width.
void LensPanel::fitColumns()
{
    const bool hasCodes = m_model->hasCodes();
    for (const int column : {LensModel::SaturatedColumn, LensModel::ScaleColumn,
                             LensModel::ZeroColumn, LensModel::CodesColumn})
        m_table->setColumnHidden(column, !hasCodes);
    for (const int column : {LensModel::MostColumn, LensModel::MeanColumn, LensModel::CosineColumn})
        m_table->setColumnHidden(column, hasCodes && width() < roomForCodes);
    const QHeaderView& header = *m_table->horizontalHeader();
    for (int column = 0; column < LensModel::ColumnCount; ++column) {
        if (column == LensModel::TensorColumn || m_table->isColumnHidden(column))
            continue;
        const int figures = column == LensModel::OrderColumn ? orderWidth : figureWidth;
        m_table->setColumnWidth(column, std::max(header.sectionSizeHint(column), figures));
    }
    m_table->giveRestTo(LensModel::TensorColumn, leastNameWidth);
}

void LensPanel::setFound(const std::shared_ptr<const Verification>& found)
{
    {
        const QSignalBlocker blocker(m_table);
        m_model->setFound(found);
    }
    fitColumns();
    emit currentChanged();
}

std::optional<std::size_t> LensPanel::current() const
{
    const int row = m_table->currentRow();
    return row < 0 ? std::nullopt : std::optional(std::size_t(row));
}

void LensPanel::setThreshold(double decibels)
{
    const QSignalBlocker blocker(m_threshold);
    m_threshold->setValue(decibels);
}

void LensPanel::setCurrent(std::size_t pair)
{
    m_table->showRow(int(pair));
    emit currentChanged();
}

} // namespace lapidary
