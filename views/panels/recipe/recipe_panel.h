// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/pass/pass.h"
#include "transforms/recipe/recipe.h"
#include "views/models/recipe/recipe_model.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QListView;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QToolButton;

namespace lapidary {

class PassListModel;
class RecipeText;
class StepForm;

// The editor of a recipe: its steps, the form of the current one, passes to choose from, and the
// same recipe as text. Requests changes by signal.
class RecipePanel : public QWidget {
    Q_OBJECT
public:
    enum class Page { Steps, Passes, Text };
    explicit RecipePanel(QWidget* parent = nullptr);

    void setRows(std::vector<RecipeRow> rows);
    void setRecipe(const Recipe& all, const Recipe& text);  // `all`: every step, also those that
                                                            // are off; `text`: for the text page
    void setSummary(const QString& text, bool hasFindings); // for the findings of the current step
    void setCanApply(bool next, bool all);
    void setPresets(const QList<QAction*>& presets);

    int currentStep() const; // -1: none
    void setCurrentStep(int row);
    void showPage(Page page);
    Page page() const;
    QListView* steps() const { return m_steps; }
    StepForm* form() const { return m_form; }
    RecipeText* text() const { return m_text; }

signals:
    void requested(const QString& action); // an ID of the table of actions
    void passChosen(const QString& pass);
    void stepEdited(int row, const lapidary::RecipeStep& step, const QString& parameter);
    void textEdited(const lapidary::Recipe& recipe);
    void switchRequested(int row, bool isOn);
    void moveRequested(int from, int to);
    void currentChanged(int row);
    void stepActivated(int row); // double click or Enter

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* buildSteps();
    QWidget* buildEmpty();
    QWidget* buildPasses();
    QWidget* buildButtons();
    QToolButton* toolButton(const QString& name, const QString& text, const QString& help,
                            const QString& action);
    void showCurrent();
    void keepCurrentInView();
    void choosePass();
    bool stepKey(int key, Qt::KeyboardModifiers modifiers);

    RecipeModel* m_model;
    PassListModel* m_passes;
    Recipe m_recipe;
    QStackedWidget* m_pages;
    QStackedWidget* m_list = nullptr; // the steps, or an introduction while there are none
    QListView* m_steps = nullptr;
    QScrollArea* m_formArea = nullptr;
    StepForm* m_form = nullptr;
    QWidget* m_empty = nullptr;
    QLineEdit* m_filter = nullptr;
    QListView* m_choices = nullptr;
    QLabel* m_passHelp = nullptr;
    RecipeText* m_text = nullptr;
    QLabel* m_summary = nullptr;
    QToolButton* m_findings = nullptr;
    QToolButton* m_presets = nullptr;
    QToolButton* m_textSwitch = nullptr;
    QPushButton* m_applyNext = nullptr;
    QPushButton* m_applyAll = nullptr;
    int m_shownStep = -1;
};

} // namespace lapidary
