#pragma once

#include "transforms/recipe/recipe.h"

#include <QWidget>

class QLabel;
class QPlainTextEdit;

namespace lapidary {

// The recipe as text. What is typed is read at once; a mistake is marked at its column and named
// below, and the recipe stays what it was.
class RecipeText : public QWidget {
    Q_OBJECT
public:
    explicit RecipeText(QWidget* parent = nullptr);

    // What is typed stays as it is where it says the same.
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

// "line 2, column 7" of a message of parseRecipe(), from 1; {0, 0} where it has none.
std::pair<int, int> placeOfFault(const QString& message);

} // namespace lapidary
