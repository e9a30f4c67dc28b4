// SPDX-License-Identifier: Apache-2.0
#include "views/panels/recipe/recipe_panel.h"

#include "views/models/recipe/pass_list_model.h"
#include "views/panels/base/button_row.h"
#include "views/panels/base/obstacle.h"
#include "views/panels/recipe/recipe_delegate.h"
#include "views/panels/recipe/recipe_text.h"
#include "views/panels/recipe/step_form.h"

#include <QAction>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

QListView* listView(const QString& name, const QString& title, QAbstractItemModel* model,
                    QWidget* parent)
{
    auto* list = new QListView(parent);
    list->setObjectName(name);
    list->setAccessibleName(title);
    list->setModel(model);
    list->setFrameShape(QFrame::NoFrame);
    list->setMouseTracking(true);
    list->setResizeMode(QListView::Adjust);
    list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    return list;
}

QLabel* mutedLabel(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setProperty("muted", true);
    label->setWordWrap(true);
    return label;
}

} // namespace

RecipePanel::RecipePanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new RecipeModel(this))
    , m_passes(new PassListModel(this))
    , m_pages(new QStackedWidget(this))
{
    setObjectName(u"recipePanel"_s);
    m_text = new RecipeText(m_pages);
    m_pages->addWidget(buildSteps());
    m_pages->addWidget(buildPasses());
    m_pages->addWidget(m_text);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_pages, 1);
    column->addWidget(buildButtons());
    connect(m_text, &RecipeText::edited, this, &RecipePanel::textEdited);
    connect(m_model, &RecipeModel::switchRequested, this, &RecipePanel::switchRequested);
    connect(m_model, &RecipeModel::moveRequested, this, &RecipePanel::moveRequested);
    connect(m_form, &StepForm::edited, this,
            [this](const RecipeStep& step, const QString& parameter) {
                if (currentStep() >= 0)
                    emit stepEdited(currentStep(), step, parameter);
            });
    setSummary({}, false);
    setRows({});
    setCanApply(false, false);
}

QWidget* RecipePanel::buildSteps()
{
    m_list = new QStackedWidget(m_pages);
    auto* page = new QWidget(m_list);
    m_steps = listView(u"recipeSteps"_s, u"Steps of the recipe"_s, m_model, page);
    m_steps->setItemDelegate(new RecipeDelegate(m_steps));
    m_steps->setDragDropMode(QAbstractItemView::InternalMove);
    m_steps->setDropIndicatorShown(true);
    m_steps->installEventFilter(this);
    connect(m_steps->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &RecipePanel::showCurrent);
    connect(m_steps, &QListView::doubleClicked, this,
            [this](const QModelIndex& index) { emit stepActivated(index.row()); });
    auto* findings = new QWidget(page);
    findings->setObjectName(u"stepFindings"_s);
    m_summary = mutedLabel({}, findings);
    m_summary->setObjectName(u"stepSummary"_s);
    m_findings =
        toolButton(u"showFindings"_s, u"Show"_s,
                   u"List what is rewritten, and what is skipped and why"_s, u"recipe.findings"_s);
    auto* row = new QHBoxLayout(findings);
    row->setContentsMargins(12, 6, 8, 6);
    row->addWidget(m_summary, 1);
    row->addWidget(m_findings);
    m_form = new StepForm;
    m_formArea = new QScrollArea(page);
    m_formArea->setObjectName(u"stepFormArea"_s);
    m_formArea->setWidget(m_form);
    m_formArea->setWidgetResizable(true);
    m_formArea->setFrameShape(QFrame::NoFrame);
    m_formArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_formArea->setFocusPolicy(Qt::NoFocus);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_steps, 3);
    column->addWidget(findings);
    column->addWidget(m_formArea, 2);
    m_list->addWidget(page);
    m_list->addWidget(buildEmpty());
    return m_list;
}

QWidget* RecipePanel::buildEmpty()
{
    auto* area = new QScrollArea(m_list);
    area->setObjectName(u"stepFormArea"_s);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    m_empty = new QWidget;
    m_empty->setObjectName(u"stepForm"_s);
    area->setWidget(m_empty);
    auto* column = new QVBoxLayout(m_empty);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(4);
    column->addWidget(mutedLabel(u"A recipe is a list of passes, each of which makes a new graph "
                                 u"from the one before. Begin with one of these, or add a pass."_s,
                                 m_empty));
    column->addSpacing(4);
    column->addStretch(1);
    return area;
}

// Adds a button for each preset, with a description of it.
void RecipePanel::setPresets(const QList<QAction*>& presets)
{
    auto* menu = new QMenu(m_presets);
    menu->addActions(presets);
    m_presets->setMenu(menu);
    auto* column = qobject_cast<QVBoxLayout*>(m_empty->layout());
    int at = column->count() - 1; // before the stretch
    for (QAction* preset : presets) {
        auto* button = new QPushButton(preset->text(), m_empty);
        button->setObjectName(u"begin_"_s + preset->objectName());
        button->setProperty("list", true);
        connect(button, &QPushButton::clicked, preset, &QAction::trigger);
        column->insertWidget(at++, button);
        column->insertWidget(at++, mutedLabel(preset->statusTip(), m_empty));
        column->insertSpacing(at++, 6);
    }
}

QWidget* RecipePanel::buildPasses()
{
    auto* page = new QWidget(m_pages);
    m_filter = new QLineEdit(page);
    m_filter->setObjectName(u"passFilter"_s);
    m_filter->setAccessibleName(u"Find a pass"_s);
    m_filter->setPlaceholderText(u"Find a pass"_s);
    m_filter->installEventFilter(this);
    m_choices = listView(u"passList"_s, u"Passes"_s, m_passes, page);
    m_choices->setItemDelegate(new PassDelegate(m_choices));
    m_choices->installEventFilter(this);
    auto* back = toolButton(u"backToSteps"_s, u"Back"_s, u"Back to the steps (Esc)"_s, {});
    connect(back, &QToolButton::clicked, this, [this] { showPage(Page::Steps); });
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 8, 8, 8);
    head->addWidget(m_filter, 1);
    head->addWidget(back);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_choices, 1);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_passes->setFilter(text);
        m_choices->setCurrentIndex(m_passes->index(0));
    });
    connect(m_choices, &QListView::clicked, this, &RecipePanel::choosePass);
    return page;
}

QToolButton* RecipePanel::toolButton(const QString& name, const QString& text, const QString& help,
                                     const QString& action)
{
    auto* button = new QToolButton(this);
    button->setObjectName(name);
    button->setText(text);
    button->setToolTip(help);
    button->setAccessibleName(text);
    button->setAccessibleDescription(help);
    if (!action.isEmpty())
        connect(button, &QToolButton::clicked, this, [this, action] { emit requested(action); });
    return button;
}

QWidget* RecipePanel::buildButtons()
{
    auto* bar = new QWidget(this);
    bar->setObjectName(u"recipeButtons"_s);
    auto* add = toolButton(u"addPass"_s, u"+ Add a pass"_s, u"Choose a pass from the list"_s,
                           u"recipe.addPass"_s);
    add->setProperty("link", true);
    m_presets =
        toolButton(u"recipePresets"_s, u"Presets"_s, u"Replace the recipe by a built-in one"_s, {});
    m_presets->setPopupMode(QToolButton::InstantPopup);
    m_textSwitch = toolButton(u"recipeAsText"_s, u"Text"_s,
                              u"Show the recipe as text, or as steps"_s, u"recipe.text"_s);
    m_textSwitch->setCheckable(true);
    m_applyNext = new QPushButton(u"Apply next"_s, bar);
    m_applyNext->setObjectName(u"applyNext"_s);
    m_applyAll = new QPushButton(u"Apply all"_s, bar);
    m_applyAll->setObjectName(u"applyAll"_s);
    connect(m_applyNext, &QPushButton::clicked, this, [this] { emit requested(u"recipe.next"_s); });
    connect(m_applyAll, &QPushButton::clicked, this, [this] { emit requested(u"recipe.all"_s); });
    auto* first = new ButtonRow(bar);
    first->addButton(add);
    first->addStretch();
    first->addButton(m_presets);
    first->addButton(m_textSwitch);
    auto* second = new ButtonRow(bar);
    second->addButton(m_applyNext, 1);
    second->addButton(m_applyAll, 1);
    auto* column = new QVBoxLayout(bar);
    column->setContentsMargins(8, 4, 8, 10);
    column->setSpacing(6);
    column->addWidget(first);
    column->addWidget(second);
    second->setContentsMargins(4, 0, 4, 0);
    return bar;
}

void RecipePanel::setRows(std::vector<RecipeRow> rows)
{
    const bool isLonger = int(rows.size()) > m_model->rowCount();
    m_model->setRows(std::move(rows));
    m_steps->doItemsLayout();
    m_list->setCurrentIndex(m_model->rowCount() == 0 ? 1 : 0);
    if (currentStep() < 0 && m_model->rowCount() > 0 && !isLonger)
        setCurrentStep(0);
    m_formArea->setVisible(currentStep() >= 0);
}

void RecipePanel::setRecipe(const Recipe& all, const Recipe& text)
{
    m_recipe = all;
    m_text->setRecipe(text);
    const int row = currentStep();
    if (row >= 0 && std::size_t(row) < m_recipe.size())
        m_form->setStep(m_recipe[std::size_t(row)]);
}

void RecipePanel::setSummary(const QString& text, bool hasFindings)
{
    m_summary->setText(text);
    m_findings->setVisible(hasFindings);
    m_summary->parentWidget()->setVisible(!text.isEmpty());
}

void RecipePanel::setCanApply(bool next, bool all)
{
    const QString why =
        m_recipe.empty() ? u"Add a pass first (Ctrl+Shift+A)"_s : u"Every step is applied"_s;
    setObstacle(*m_applyNext, next ? QString() : why);
    setObstacle(*m_applyAll, all ? QString() : why);
}

int RecipePanel::currentStep() const
{
    return m_steps->currentIndex().row();
}

void RecipePanel::setCurrentStep(int row)
{
    m_steps->setCurrentIndex(m_model->index(row));
}

void RecipePanel::showCurrent()
{
    const int row = currentStep();
    m_formArea->setVisible(row >= 0);
    if (row >= 0 && std::size_t(row) < m_recipe.size())
        m_form->setStep(m_recipe[std::size_t(row)]);
    emit currentChanged(row);
    keepCurrentInView();
}

// The form, and the summary of a step, take their height from the list above.
void RecipePanel::keepCurrentInView()
{
    QTimer::singleShot(0, m_steps, [this] { m_steps->scrollTo(m_steps->currentIndex()); });
}

void RecipePanel::showPage(Page page)
{
    m_pages->setCurrentIndex(int(page));
    m_textSwitch->setChecked(page == Page::Text);
    if (page == Page::Passes) {
        m_filter->clear();
        m_choices->setCurrentIndex(m_passes->index(0));
        m_filter->setFocus();
    } else if (page == Page::Text) {
        m_text->field()->setFocus();
    } else {
        m_steps->setFocus();
    }
}

RecipePanel::Page RecipePanel::page() const
{
    return Page(m_pages->currentIndex());
}

void RecipePanel::choosePass()
{
    const QModelIndex index = m_choices->currentIndex();
    if (!index.isValid())
        return;
    const QString pass = index.data().toString();
    showPage(Page::Steps);
    emit passChosen(pass);
}

bool RecipePanel::stepKey(int key, Qt::KeyboardModifiers modifiers)
{
    const bool isMove = modifiers == Qt::AltModifier;
    if (isMove && (key == Qt::Key_Up || key == Qt::Key_Down)) {
        emit requested(key == Qt::Key_Up ? u"recipe.moveUp"_s : u"recipe.moveDown"_s);
        return true;
    }
    if (key == Qt::Key_Delete) {
        emit requested(u"recipe.remove"_s);
        return true;
    }
    if ((key == Qt::Key_Return || key == Qt::Key_Enter) && currentStep() >= 0) {
        emit stepActivated(currentStep());
        return true;
    }
    return false;
}

bool RecipePanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && watched == m_steps)
        keepCurrentInView();
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto* press = static_cast<QKeyEvent*>(event);
    if (watched == m_steps)
        return stepKey(press->key(), press->modifiers());
    if (press->key() == Qt::Key_Return || press->key() == Qt::Key_Enter) {
        choosePass();
        return true;
    }
    if (press->key() == Qt::Key_Escape) {
        showPage(Page::Steps);
        return true;
    }
    const bool isStep = press->key() == Qt::Key_Down || press->key() == Qt::Key_Up;
    if (watched == m_filter && isStep) {
        const int row = m_choices->currentIndex().row() + (press->key() == Qt::Key_Down ? 1 : -1);
        m_choices->setCurrentIndex(
            m_passes->index(std::clamp(row, 0, std::max(m_passes->rowCount() - 1, 0))));
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace lapidary
