// SPDX-License-Identifier: Apache-2.0
#include "views/panels/run/feed_panel.h"

#include "views/panels/base/one_line_label.h"
#include "views/panels/base/panel_head.h"
#include "views/panels/base/table_panels.h"
#include "views/panels/run/feed_delegate.h"
#include "views/panels/run/feed_form.h"
#include "views/panels/run/picture_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QStyle>

#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int formWidth = 264;
constexpr int pictureSize = 96; // if there is one row
constexpr int smallPicture = 72;
constexpr int feedTitleHeight = 27;
constexpr int feedRowHeight = 24;
constexpr int tallRowHeight = 40;
constexpr int leastOfColumns = 560; // width of the table, for all columns

} // namespace

FeedPanel::FeedPanel(QWidget* parent)
    : HeadedPanel(u"feed"_s, u"Run"_s, parent)
    , m_model(new FeedModel(this))
    , m_form(new FeedForm(this))
{
    buildTable();
    m_form->setFixedWidth(formWidth);
    auto* inputs = new QVBoxLayout;
    inputs->setSpacing(0);
    inputs->addWidget(m_table, 1);
    inputs->addWidget(buildFed());
    auto* body = new QHBoxLayout;
    body->setSpacing(0);
    body->addLayout(inputs, 1);
    body->addWidget(m_form);
    buildHead();
    column().addLayout(body, 1);
    connect(m_model, &FeedModel::wordsEdited, this, &FeedPanel::wordsEdited);
    connect(m_model, &FeedModel::sizeEdited, this, &FeedPanel::sizeEdited);
    connect(m_model, &FeedModel::fileDropped, this, &FeedPanel::fileDropped);
    connect(m_form, &FeedForm::wordsChosen, this, &FeedPanel::wordsEdited);
    connect(m_form, &FeedForm::fileRequested, this,
            [this] { emit actionRequested("run.chooseFile"); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &FeedPanel::showCurrent);
    shareRoom();
    showCurrent();
}

void FeedPanel::buildHead()
{
    m_sets = head().addChoice(u"feedSets"_s, u"Feeds under a name"_s);
    m_sets->setToolTip(
        u"Type a name and press Enter to save the feeds; choose a name to feed them again"_s);
    m_sets->setEditable(true);
    m_sets->setInsertPolicy(QComboBox::NoInsert);
    m_sets->setMinimumContentsLength(12);
    m_sets->lineEdit()->setPlaceholderText(u"Keep feeds as"_s);
    m_sets->lineEdit()->setAccessibleName(u"Name of the feeds"_s);
    connect(m_sets, &QComboBox::activated, this,
            [this](int at) { emit setChosen(m_sets->itemText(at)); });
    connect(m_sets->lineEdit(), &QLineEdit::returnPressed, this, [this] {
        if (const QString name = m_sets->lineEdit()->text().trimmed(); !name.isEmpty())
            emit setNamed(name);
    });
    head().addButton(u"feedRun"_s, u"Run"_s, u"Computes the outputs from the feeds (Alt+F5)"_s,
                     "run.outputs");
    head().addButton(u"feedCopyLine"_s, u"Copy line"_s, u"Copies this run as a command line"_s,
                     "run.copyLine");
    head().addButton(u"feedPasteLine"_s, u"Paste line"_s,
                     u"Reads the feeds from a command line in the clipboard"_s, "run.pasteLine");
    head().addButton(u"feedReset"_s, u"Reset"_s, u"Feeds random numbers to every input again"_s,
                     "run.reset");
}

void FeedPanel::buildTable()
{
    m_table = new PanelTable(u"Inputs of the run"_s, this);
    m_table->setObjectName(u"feedTable"_s);
    m_table->setModel(m_model);
    m_rows = new FeedDelegate(m_table);
    m_table->setItemDelegate(m_rows);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_table->setAcceptDrops(true);
    m_table->setDragDropMode(QAbstractItemView::DropOnly);
    m_table->setDragDropOverwriteMode(true); // drop on a row, not between two
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->setColumnWidth(FeedModel::TypeColumn, 56);
    m_table->setColumnWidth(FeedModel::SizeColumn, 96);
    fitTable();
}

bool FeedPanel::isNarrow() const
{
    return width() - formWidth < leastOfColumns;
}

void FeedPanel::fitTable()
{
    const bool isNarrow = this->isNarrow();
    m_rows->setTwoLines(isNarrow);
    m_table->setColumnHidden(FeedModel::TypeColumn, isNarrow);
    m_table->setColumnHidden(FeedModel::FedColumn, isNarrow);
    m_table->horizontalHeader()->setSectionResizeMode(
        FeedModel::SourceColumn, isNarrow ? QHeaderView::Stretch : QHeaderView::Interactive);
    m_table->horizontalHeader()->setSectionResizeMode(
        FeedModel::FedColumn, isNarrow ? QHeaderView::Interactive : QHeaderView::Stretch);
    m_table->setColumnWidth(FeedModel::InputColumn, isNarrow ? 112 : 136);
    if (!isNarrow)
        m_table->setColumnWidth(FeedModel::SourceColumn, 136);
    m_table->verticalHeader()->setDefaultSectionSize(isNarrow ? tallRowHeight : feedRowHeight);
}

void FeedPanel::resizeEvent(QResizeEvent* event)
{
    HeadedPanel::resizeEvent(event);
    if (isNarrow() != m_rows->areTwoLines())
        fitTable();
}

// Shows the value of the current input: the picture as it is fed, and the text that does not fit
// into its row.
QWidget* FeedPanel::buildFed()
{
    auto* fed = new QWidget(this);
    m_picture = new PictureView(fed);
    m_picture->setObjectName(u"feedPicture"_s);
    m_picture->setAccessibleName(u"Picture that is fed"_s);
    m_says = new OneLineLabel(fed);
    m_says->setObjectName(u"feedSays"_s);
    m_says->setWordWrap(true);
    m_says->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_says->setFixedHeight(3 * m_says->fontMetrics().lineSpacing());
    auto* row = new QHBoxLayout(fed);
    row->setContentsMargins(8, 6, 8, 8);
    row->setSpacing(12);
    row->addWidget(m_picture);
    row->addWidget(m_says, 1);
    return fed;
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
    shareRoom();
    showCurrent();
}

// Makes two rows visible, so that files can be dropped on them, even in a low panel.
void FeedPanel::shareRoom()
{
    const bool hasSeveral = m_model->rowCount() > 1;
    m_table->setMinimumHeight(feedTitleHeight + (hasSeveral ? 2 : 1) * feedRowHeight);
    const int size = hasSeveral ? smallPicture : pictureSize;
    m_picture->setFixedSize(size, size);
}

void FeedPanel::showCurrent()
{
    const FeedRow* row = m_model->row(m_table->currentIndex().row());
    const auto picture = row != nullptr ? m_pictures.find(row->tensor) : m_pictures.end();
    const QString says = row != nullptr ? row->says : QString();
    m_form->setInput(row != nullptr ? row->tensor : QString(),
                     row != nullptr ? row->words : QString());
    m_picture->setVisible(picture != m_pictures.end());
    m_picture->setImage(picture != m_pictures.end() ? picture->second : QImage(), says);
    m_says->setText(says);
    const bool isWrong = row != nullptr && row->isWrong;
    m_says->setProperty("problem", isWrong);
    m_says->setProperty("muted", !isWrong);
    m_says->style()->unpolish(m_says);
    m_says->style()->polish(m_says);
}

void FeedPanel::setSets(const QStringList& names, const QString& current)
{
    const QSignalBlocker blocker(m_sets);
    const bool isTyping = m_sets->lineEdit()->hasFocus() && m_sets->lineEdit()->isModified();
    const QString typed = m_sets->lineEdit()->text();
    m_sets->clear();
    m_sets->addItems(names);
    m_sets->setCurrentIndex(int(names.indexOf(current)));
    if (isTyping)
        m_sets->lineEdit()->setText(typed);
    else if (current.isEmpty())
        m_sets->clearEditText();
}

void FeedPanel::editSetName()
{
    m_sets->setFocus();
    m_sets->lineEdit()->selectAll();
}

} // namespace lapidary
