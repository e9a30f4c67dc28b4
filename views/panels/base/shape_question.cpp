// SPDX-License-Identifier: Apache-2.0
#include "views/panels/base/shape_question.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

ShapeQuestion::ShapeQuestion(const QString& name, QWidget* parent)
    : QWidget(parent)
    , m_label(new QLabel(this))
    , m_shape(new QLineEdit(this))
{
    constexpr int widestShape = 200;
    m_label->setTextFormat(Qt::PlainText);
    m_label->setBuddy(m_shape);
    m_shape->setObjectName(name + u"Shape"_s);
    m_shape->setAccessibleName(u"Shape of an input"_s);
    m_shape->setPlaceholderText(u"1,224,224,3"_s);
    m_shape->setMaximumWidth(widestShape);
    auto* run = new QPushButton(u"Run with this shape"_s, this);
    run->setObjectName(name + u"RunWithShape"_s);
    run->setAccessibleName(run->text());
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_label);
    row->addWidget(m_shape);
    row->addWidget(run);
    row->addStretch();
    const auto give = [this] { emit given(m_tensor, m_shape->text()); };
    connect(m_shape, &QLineEdit::returnPressed, this, give);
    connect(run, &QPushButton::clicked, this, give);
    hide();
}

void ShapeQuestion::ask(const QString& tensor, const QString& proposed)
{
    if (m_tensor == tensor)
        return;
    m_tensor = tensor;
    m_label->setText(u"Shape of %1"_s.arg(tensor));
    m_shape->setText(proposed);
    setVisible(isAsking());
}

} // namespace lapidary
