// SPDX-License-Identifier: Apache-2.0
#include "app/window/recipe/edit_dialog.h"

#include "views/panels/recipe/step_form.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

EditDialog::EditDialog(const QString& title, const RecipeStep& step, const QString& parameter,
                       QWidget* parent)
    : QDialog(parent)
    , m_form(new StepForm(this))
    , m_fault(new QLabel(this))
{
    setObjectName(u"editDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(title);
    setMinimumWidth(460);
    m_fault->setObjectName(u"editFault"_s);
    m_fault->setTextFormat(Qt::PlainText);
    m_fault->setWordWrap(true);
    m_fault->setProperty("problem", true);
    m_fault->hide();
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_form);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    QPushButton* done = buttons->addButton(u"Add step"_s, QDialogButtonBox::AcceptRole);
    done->setObjectName(u"editConfirm"_s);
    done->setDefault(true);
    auto* column = new QVBoxLayout(this);
    column->addWidget(scroll, 1);
    column->addWidget(m_fault);
    column->addWidget(buttons);
    m_form->setStep(step);
    connect(m_form, &StepForm::edited, this, [this](const RecipeStep& edited, const QString&) {
        m_form->setStep(edited);
        m_fault->hide();
    });
    connect(buttons, &QDialogButtonBox::accepted, this, &EditDialog::confirmed);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    if (auto* field = m_form->findChild<QLineEdit*>(u"step_"_s + parameter)) {
        field->setFocus();
        field->selectAll();
    }
}

const RecipeStep& EditDialog::step() const
{
    return m_form->step();
}

void EditDialog::setFault(const QString& fault)
{
    m_fault->setText(fault);
    m_fault->show();
}

} // namespace lapidary
