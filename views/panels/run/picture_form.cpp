// SPDX-License-Identifier: Apache-2.0
#include "views/panels/run/picture_form.h"

#include "views/panels/base/obstacle.h"
#include "views/panels/base/tensor_figures.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>

#include <array>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

struct PixelRange {
    const char16_t* name;
    float mean;
    float std;
};

constexpr std::array<PixelRange, 4> pixelRanges{{
    {u"0 to 1", 0, 255},
    {u"\u22121 to 1", 127.5F, 127.5F},
    {u"0 to 255", 0, 1},
    {u"x \u2212 127.5", 127.5F, 1},
}};

int placeOf(float mean, float std)
{
    for (std::size_t i = 0; i < pixelRanges.size(); ++i)
        if (pixelRanges[i].mean == mean && pixelRanges[i].std == std)
            return int(i);
    return -1;
}

} // namespace

QString pixelRangeName(float mean, float std)
{
    const int place = placeOf(mean, std);
    return place < 0 ? QString() : QString::fromUtf16(pixelRanges[std::size_t(place)].name);
}

PictureForm::PictureForm(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"pictureForm"_s);
    setAttribute(Qt::WA_StyledBackground);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(8, 2, 8, 8);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(3);
    m_images = addPath(*grid, u"pictureFolder"_s, u"Pictures"_s, u"A folder of pictures"_s,
                       &PictureForm::imagesRequested);
    m_labels = addPath(*grid, u"pictureLabels"_s, u"Labels"_s,
                       u"A text file with one class per line"_s, &PictureForm::labelsRequested);
    m_truth = addPath(
        *grid, u"pictureTruth"_s, u"Classes"_s,
        u"A text file with a line FILE, tab, CLASS for each picture; without one, the class "
        u"follows the first _ in the file name"_s,
        &PictureForm::truthRequested);
    m_truth->setPlaceholderText(u"in the files' names"_s);
    m_pixels =
        addChoice(*grid, u"picturePixels"_s, u"Pixels"_s, u"Values of black and white pixels"_s);
    for (const PixelRange& range : pixelRanges)
        m_pixels->addItem(QString::fromUtf16(range.name));
    m_peer = addChoice(*grid, u"picturePeer"_s, u"Against"_s,
                       u"A state of the recipe that gets the same pictures"_s);
    m_beside = plainLabel(this, true);
    m_beside->setObjectName(u"pictureBeside"_s);
    m_beside->setWordWrap(true);
    m_beside->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_beside->setToolTip(u"Feeds of the other inputs, from the table Run (Shift+F7)"_s);
    grid->addWidget(m_beside, grid->rowCount(), 0, 1, 3);
    grid->setRowStretch(grid->rowCount(), 1);
    connect(m_pixels, &QComboBox::activated, this, &PictureForm::take);
    setPeers({u"no other state"_s});
}

QLineEdit* PictureForm::addPath(QGridLayout& grid, const QString& name, const QString& title,
                                const QString& tip, void (PictureForm::*wish)())
{
    const int row = grid.rowCount();
    QLabel* key = plainLabel(this, true);
    key->setText(title);
    auto* field = new QLineEdit(this);
    field->setObjectName(name);
    field->setAccessibleName(title);
    field->setToolTip(tip);
    auto* button = new QToolButton(this);
    button->setObjectName(name + u"Button"_s);
    button->setText(u"\u2026"_s);
    button->setAccessibleName(u"Choose: %1"_s.arg(title));
    button->setToolTip(u"Choose: %1"_s.arg(tip));
    grid.addWidget(key, row, 0);
    grid.addWidget(field, row, 1);
    grid.addWidget(button, row, 2);
    connect(field, &QLineEdit::textChanged, this, &PictureForm::take);
    connect(button, &QToolButton::clicked, this, wish);
    return field;
}

QComboBox* PictureForm::addChoice(QGridLayout& grid, const QString& name, const QString& title,
                                  const QString& tip)
{
    const int row = grid.rowCount();
    QLabel* key = plainLabel(this, true);
    key->setText(title);
    auto* choice = new QComboBox(this);
    choice->setObjectName(name);
    choice->setAccessibleName(title);
    choice->setToolTip(tip);
    choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    grid.addWidget(key, row, 0);
    grid.addWidget(choice, row, 1, 1, 2);
    return choice;
}

void PictureForm::take()
{
    m_fields.images = m_images->text();
    m_fields.labels = m_labels->text();
    m_fields.truth = m_truth->text();
    if (const int at = m_pixels->currentIndex(); at >= 0) {
        m_fields.mean = pixelRanges[std::size_t(at)].mean;
        m_fields.std = pixelRanges[std::size_t(at)].std;
    }
    emit edited();
}

void PictureForm::setFields(const PictureFields& fields)
{
    if (m_fields == fields)
        return;
    m_fields = fields;
    for (const auto& [field, text] :
         {std::pair(m_images, fields.images), {m_labels, fields.labels}, {m_truth, fields.truth}}) {
        const QSignalBlocker blocker(field);
        if (field->text() != text)
            field->setText(text);
    }
    m_pixels->setCurrentIndex(placeOf(fields.mean, fields.std));
}

void PictureForm::setPeers(const QStringList& names)
{
    QStringList old;
    for (int i = 0; i < m_peer->count(); ++i)
        old.append(m_peer->itemText(i));
    if (old == names)
        return;
    const QString chosen = m_peer->currentText();
    m_peer->clear();
    m_peer->addItems(names);
    m_peer->setCurrentIndex(std::max(0, m_peer->findText(chosen)));
    setObstacle(*m_peer, names.size() > 1
                             ? QString()
                             : u"Apply a step of a recipe first: there is one state"_s);
}

void PictureForm::setBeside(const QString& text)
{
    m_beside->setText(text);
    m_beside->setVisible(!text.isEmpty());
}

int PictureForm::peer() const
{
    return m_peer->currentIndex();
}

} // namespace lapidary
