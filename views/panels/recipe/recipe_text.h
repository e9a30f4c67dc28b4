// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/recipe/recipe.h"

#include <QWidget>

class QLabel;
class QPlainTextEdit;

namespace lapidary {

// The recipe as text. It is parsed while the user types; a mistake is marked at its column and
// named below, and the recipe is not changed.
class RecipeText : public QWidget {
    Q_OBJECT
public:
    explicit RecipeText(QWidget* parent = nullptr);

    // Sets the text, unless the current text means the same recipe.
    void setRecipe(const Recipe& recipe);
    QPlainTextEdit* field() const { return m_field; }
    QString fault() const;

signals:
    void edited(const lapidary::Recipe& recipe);

private:
    void read();
    void showFault(const QString& fault);

    QPlainTextEdit* m_field;
    QLabel* m_fault;
};

// Returns line and column from the "line 2, column 7" in a message of parseRecipe(), both from 1;
// {0, 0} if it has none.
std::pair<int, int> placeOfFault(const QString& message);

} // namespace lapidary
