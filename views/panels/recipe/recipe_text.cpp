// SPDX-License-Identifier: Apache-2.0
#include "views/panels/recipe/recipe_text.h"

#include "views/models/display_text.h"
#include "views/panels/base/theme_of.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QTextBlock>
#include <QVBoxLayout>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

std::pair<int, int> placeOfFault(const QString& message)
{
    static const QRegularExpression place(u"line (\\d+), column (\\d+)"_s);
    const auto found = place.match(message);
    return {found.captured(1).toInt(), found.captured(2).toInt()};
}

RecipeText::RecipeText(QWidget* parent)
    : QWidget(parent)
    , m_field(new QPlainTextEdit(this))
    , m_fault(new QLabel(this))
{
    setObjectName(u"recipeTextPage"_s);
    m_field->setObjectName(u"recipeText"_s);
    m_field->setAccessibleName(u"Recipe as text"_s);
    m_field->setPlaceholderText(u"strip_unused_nodes\nfold_batch_norms\n"
                                u"round_weights(num_steps=256)"_s);
    m_field->setTabChangesFocus(true);
    QFont font = m_field->font();
    font.setFamilies({u"monospace"_s});
    font.setStyleHint(QFont::Monospace);
    m_field->setFont(font);
    m_fault->setObjectName(u"recipeFault"_s);
    m_fault->setTextFormat(Qt::PlainText);
    m_fault->setProperty("problem", true);
    m_fault->setWordWrap(true);
    m_fault->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 8);
    column->setSpacing(6);
    column->addWidget(m_field, 1);
    column->addWidget(m_fault);
    connect(m_field, &QPlainTextEdit::textChanged, this, &RecipeText::read);
}

QString RecipeText::fault() const
{
    return m_fault->text();
}

void RecipeText::setRecipe(const Recipe& recipe)
{
    const auto mine = parseRecipe(m_field->toPlainText().toStdString(), RecipeSyntax::Strict);
    const bool isTyping = m_field->hasFocus() && !mine;
    if (isTyping || (mine && mine.value() == recipe))
        return;
    const QSignalBlocker blocker(m_field);
    m_field->setPlainText(QString::fromStdString(printRecipe(recipe)));
    showFault({});
}

void RecipeText::read()
{
    const auto recipe = parseRecipe(m_field->toPlainText().toStdString(), RecipeSyntax::Strict);
    showFault(recipe ? QString() : plainText(recipe.error().message));
    if (recipe)
        emit edited(*recipe);
}

void RecipeText::showFault(const QString& fault)
{
    m_fault->setText(fault);
    m_fault->setVisible(!fault.isEmpty());
    m_field->setAccessibleDescription(fault);
    QList<QTextEdit::ExtraSelection> marks;
    const auto [line, column] = placeOfFault(fault);
    const QTextBlock block = m_field->document()->findBlockByNumber(line - 1);
    if (line > 0 && block.isValid()) {
        const int length = int(block.text().size());
        QTextEdit::ExtraSelection mark;
        mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        mark.format.setUnderlineColor(themeOf(*this)[Role::Problem]);
        mark.cursor = QTextCursor(block);
        // At the end of a line, the last character is marked.
        mark.cursor.setPosition(block.position() + std::min(column - 1, std::max(length - 1, 0)));
        mark.cursor.movePosition(QTextCursor::NextCharacter, QTextCursor::KeepAnchor);
        if (column <= length)
            mark.cursor.movePosition(QTextCursor::EndOfWord, QTextCursor::KeepAnchor);
        marks.append(mark);
    }
    m_field->setExtraSelections(marks);
}

} // namespace lapidary
