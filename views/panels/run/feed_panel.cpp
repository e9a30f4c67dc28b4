// SPDX-License-Identifier: Apache-2.0
#include "views/panels/run/feed_panel.h"

#include "views/panels/run/feed_form.h"
#include "views/panels/table_panels.h"
#include "views/panels/tensor_figures.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QStyle>

#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int formWidth = 264;

} // namespace

FeedPanel::FeedPanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new FeedModel(this))
    , m_form(new FeedForm(this))
{
    setObjectName(u"feedPanel"_s);
    setAccessibleName(u"Run"_s);
    setAttribute(Qt::WA_StyledBackground);
    buildTable();
    m_form->setFixedWidth(formWidth);
    auto* body = new QHBoxLayout;
    body->setSpacing(0);
    body->addWidget(m_table, 1);
    body->addWidget(m_form);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildHead());
    column->addLayout(body, 1);
    connect(m_model, &FeedModel::wordsEdited, this, &FeedPanel::wordsEdited);
    connect(m_model, &FeedModel::sizeEdited, this, &FeedPanel::sizeEdited);
    connect(m_model, &FeedModel::fileDropped, this, &FeedPanel::fileDropped);
    connect(m_form, &FeedForm::wordsChosen, this, &FeedPanel::wordsEdited);
    connect(m_form, &FeedForm::fileRequested, this,
            [this] { emit actionRequested("run.chooseFile"); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &FeedPanel::showCurrent);
    showCurrent();
}

QWidget* FeedPanel::buildHead()
{
    auto* head = new QWidget(this);
    m_remark = plainLabel(head, true);
    m_remark->setObjectName(u"feedRemark"_s);
    m_remark->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(8, 6, 8, 6);
    row->setSpacing(8);
    row->addWidget(m_remark, 1);
    const auto add = [&](const QString& name, const QString& text, const QString& tip,
                         const char* action) {
        auto* button = new QPushButton(text, head);
        button->setObjectName(name);
        button->setAccessibleName(text);
        button->setToolTip(tip);
        row->addWidget(button);
        connect(button, &QPushButton::clicked, this,
                [this, action] { emit actionRequested(action); });
    };
    add(u"feedRun"_s, u"Run"_s, u"Computes the outputs from what is fed (Alt+F5)"_s, "run.outputs");
    add(u"feedCopyLine"_s, u"Copy line"_s, u"Copies this run as a command line"_s, "run.copyLine");
    add(u"feedPasteLine"_s, u"Paste line"_s, u"Takes a command line over from the clipboard"_s,
        "run.pasteLine");
    add(u"feedReset"_s, u"Reset"_s, u"Feeds random numbers to every input again"_s, "run.reset");
    return head;
}

void FeedPanel::buildTable()
{
    m_table = new PanelTable(u"Inputs of the run"_s, this);
    m_table->setObjectName(u"feedTable"_s);
    m_table->setModel(m_model);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_table->setAcceptDrops(true);
    m_table->setDragDropMode(QAbstractItemView::DropOnly);
    m_table->setDragDropOverwriteMode(true); // on a row, not between two
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setColumnWidth(FeedModel::InputColumn, 88);
    m_table->setColumnWidth(FeedModel::TypeColumn, 48);
    m_table->setColumnWidth(FeedModel::SizeColumn, 88);
    m_table->setColumnWidth(FeedModel::SourceColumn, 104);
}

QTableView* FeedPanel::table() const
{
    return m_table;
}

void FeedPanel::setInputs(std::vector<FeedRow> rows, std::map<QString, QImage> pictures)
{
    m_pictures = std::move(pictures);
    m_model->setRows(std::move(rows));
    if (!m_table->currentIndex().isValid() && m_model->rowCount() > 0)
        m_table->setCurrentIndex(m_model->index(0, FeedModel::InputColumn));
    showCurrent();
}

void FeedPanel::showCurrent()
{
    const FeedRow* row = m_model->row(m_table->currentIndex().row());
    if (row == nullptr) {
        m_form->setInput({}, {});
        m_form->setPicture({}, {});
        return;
    }
    m_form->setInput(row->tensor, row->words);
    const auto picture = m_pictures.find(row->tensor);
    m_form->setPicture(picture != m_pictures.end() ? picture->second : QImage(), row->says);
}

void FeedPanel::setRemark(const QString& text, bool isProblem)
{
    m_remark->setText(text);
    m_remark->setToolTip(text);
    m_remark->setProperty("problem", isProblem);
    m_remark->setProperty("muted", !isProblem);
    m_remark->style()->unpolish(m_remark);
    m_remark->style()->polish(m_remark);
}

} // namespace lapidary
