// SPDX-License-Identifier: Apache-2.0
#include "views/panels/run/pictures_panel.h"

#include "views/models/display_text.h"
#include "views/models/run/confusion_model.h"
#include "views/panels/base/obstacle.h"
#include "views/panels/base/panel_head.h"
#include "views/panels/base/table_panels.h"
#include "views/panels/base/tensor_figures.h"
#include "views/panels/run/confusion_view.h"
#include "views/panels/run/picture_form.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int pictureFormWidth = 264;
constexpr int roomForAll = 920; // width of the panel
constexpr int leastFileWidth = 64;

} // namespace

PicturesPanel::PicturesPanel(QWidget* parent)
    : HeadedPanel(u"pictures"_s, u"Pictures"_s, parent)
    , m_form(new PictureForm(this))
    , m_parts(new QSplitter(Qt::Horizontal, this))
    , m_model(new PictureListModel(this))
    , m_listed(new PictureFilter(*m_model, this))
    , m_confusion(new ConfusionModel(this))
    , m_matrix(new ConfusionView(*m_confusion, this))
{
    m_form->setFixedWidth(pictureFormWidth);
    m_list = buildList();
    m_parts->setChildrenCollapsible(false);
    m_parts->addWidget(m_matrix);
    m_parts->addWidget(m_list);
    m_parts->setStretchFactor(1, 1);
    auto* body = new QHBoxLayout;
    body->setSpacing(0);
    body->addWidget(m_form);
    body->addWidget(m_parts, 1);
    buildHead();
    column().addLayout(body, 1);
    connect(m_matrix, &ConfusionView::cellChosen, this, &PicturesPanel::chooseCell);
    setFound(nullptr);
}

void PicturesPanel::buildHead()
{
    m_wishes = new QPushButton(&head());
    m_wishes->setObjectName(u"picturesWishes"_s);
    m_wishes->setText(u"Settings"_s);
    m_wishes->setAccessibleName(u"Pictures, labels and pixels"_s);
    m_wishes->setToolTip(u"Shows the settings of the evaluation instead of the list"_s);
    m_wishes->setCheckable(true);
    head().wrapRemark();
    head().add(m_wishes);
    connect(m_wishes, &QPushButton::toggled, this, &PicturesPanel::arrange);
    head().addButton(
        u"picturesNext"_s, u"Next wrong"_s,
        u"Feeds the next misclassified picture, or one on which the states differ (W)"_s,
        "pictures.nextWrong");
    m_observe = head().addButton(
        u"picturesObserve"_s, u"Observe\u2026"_s,
        u"Measures the ranges of an 8-bit graph on the pictures, and freezes them in "
        "the recipe"_s,
        "pictures.observe");
    m_evaluate =
        head().addButton(u"picturesEvaluate"_s, u"Evaluate"_s,
                         u"Runs the graph on every picture (Alt+F8)"_s, "pictures.evaluate");
}

QWidget* PicturesPanel::buildList()
{
    auto* list = new QWidget(this);
    m_kind = new QComboBox(list);
    m_kind->setObjectName(u"pictureKind"_s);
    m_kind->setAccessibleName(u"Pictures that are listed"_s);
    m_kind->addItems({u"All pictures"_s, u"Wrong answers"_s, u"Different answers"_s});
    m_count = plainLabel(list, true);
    m_count->setObjectName(u"pictureCount"_s);
    m_count->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_table = new PanelTable(u"Pictures that were evaluated"_s, list);
    m_table->setObjectName(u"pictureTable"_s);
    m_table->setModel(m_listed);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(PictureListModel::FileColumn, Qt::AscendingOrder);
    m_table->horizontalHeader()->setStretchLastSection(false);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 2, 8, 4);
    row->setSpacing(8);
    row->addWidget(m_kind);
    row->addWidget(m_count, 1);
    auto* column = new QVBoxLayout(list);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_table, 1);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &PicturesPanel::chooseKind);
    connect(m_table, &QTableView::clicked, this, &PicturesPanel::choose);
    connect(m_table, &QTableView::activated, this, &PicturesPanel::choose);
    return list;
}

void PicturesPanel::choose(const QModelIndex& index)
{
    const Sample* picture = m_model->sample(m_listed->mapToSource(index).row());
    if (picture != nullptr)
        emit pictureChosen(QString::fromStdString(picture->path));
}

void PicturesPanel::chooseKind(int kind)
{
    m_listed->setKind(PictureFilter::Kind(kind));
    showCount();
}

// Choosing the same cell again shows all classes.
void PicturesPanel::chooseCell(const QModelIndex& cell)
{
    const PictureFilter::Cell chosen{m_confusion->classAt(cell.row()),
                                     m_confusion->classAt(cell.column())};
    const bool isAgain = m_listed->cell() == chosen;
    m_wishes->setChecked(false); // the list replaces the form
    m_cellName = u"%1 classified as %2"_s.arg(
        m_confusion->headerData(cell.row(), Qt::Vertical, Qt::DisplayRole).toString(),
        m_confusion->headerData(cell.column(), Qt::Horizontal, Qt::DisplayRole).toString());
    m_listed->setCell(isAgain ? std::nullopt : std::optional(chosen));
    if (isAgain)
        m_matrix->clearSelection();
    showCount();
}

void PicturesPanel::showCount()
{
    const int all = m_model->rowCount();
    const int listed = m_listed->rowCount();
    QString text;
    if (all > 0 && m_listed->cell())
        text = u"%1 of %2: %3"_s.arg(exactText(listed), exactText(all)).arg(m_cellName);
    else if (all > 0)
        text = listed == all ? counted(all, u"picture"_s)
                             : u"%1 of %2"_s.arg(exactText(listed), exactText(all));
    m_count->setText(text);
}

void PicturesPanel::setFound(const FolderEvaluationPtr& found)
{
    if (found == m_model->found() && m_model->rowCount() > 0)
        return;
    m_listed->setCell(std::nullopt);
    m_model->setFound(found);
    m_confusion->setFound(found);
    m_wishes->setChecked(false);
    m_table->setColumnHidden(PictureListModel::ClassColumn,
                             !found || found->classes.labels.empty());
    m_table->setColumnHidden(PictureListModel::OtherColumn, !found || !found->other);
    arrange();
    showCount();
}

void PicturesPanel::setObstacle(const QString& why)
{
    lapidary::setObstacle(*m_evaluate, why);
    lapidary::setObstacle(*m_observe, why);
}

// A narrow panel shows either the results or the form.
void PicturesPanel::arrange()
{
    const bool hasClasses = m_confusion->rowCount() > 0;
    const bool isFound = m_model->rowCount() > 0;
    const bool hasRoom = width() >= roomForAll;
    m_wishes->setVisible(isFound && !hasRoom);
    const bool isFormShown = hasRoom || !isFound || m_wishes->isChecked();
    m_form->setVisible(isFormShown);
    m_list->setVisible(hasRoom || !isFound || !m_wishes->isChecked());
    m_matrix->setVisible(hasClasses);
    const int room = width() - (isFormShown ? pictureFormWidth : 0);
    const int matrix = hasClasses ? std::min(m_matrix->usualWidth(), room * 11 / 20) : 0;
    fitList(room - matrix);
    if (hasClasses && !m_list->isHidden())
        m_parts->setSizes({matrix, room - matrix});
}

// Files get the width that the answers leave; the score is always in view.
void PicturesPanel::fitList(int room)
{
    const bool isWide = width() >= roomForAll;
    room -= m_table->verticalScrollBar()->sizeHint().width() + m_parts->handleWidth();
    for (const int column : {PictureListModel::ClassColumn, PictureListModel::AnswerColumn,
                             PictureListModel::ScoreColumn, PictureListModel::OtherColumn}) {
        const int narrow = column == PictureListModel::ScoreColumn ? 64 : 78; // for their titles
        m_table->setColumnWidth(column, isWide ? 100 : narrow);
        room -= m_table->columnWidth(column); // 0: hidden
    }
    m_table->setColumnWidth(PictureListModel::FileColumn, std::max(room, leastFileWidth));
}

void PicturesPanel::resizeEvent(QResizeEvent* event)
{
    HeadedPanel::resizeEvent(event);
    arrange();
}

bool PicturesPanel::goToNextWrong()
{
    m_wishes->setChecked(false);
    const int rows = m_listed->rowCount();
    const int from = m_table->currentIndex().isValid() ? m_table->currentIndex().row() + 1 : 0;
    for (int step = 0; step < rows; ++step) {
        const QModelIndex index =
            m_listed->index((from + step) % rows, PictureListModel::FileColumn);
        const int row = m_listed->mapToSource(index).row();
        if (!m_model->isWrong(row) && !m_model->areDifferent(row))
            continue;
        m_table->setCurrentIndex(index);
        m_table->scrollTo(index);
        choose(index);
        return true;
    }
    return false;
}

QString PicturesPanel::currentPicture() const
{
    const Sample* picture = m_model->sample(m_listed->mapToSource(m_table->currentIndex()).row());
    return picture != nullptr ? QString::fromStdString(picture->path) : QString();
}

} // namespace lapidary
