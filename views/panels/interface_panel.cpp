// SPDX-License-Identifier: Apache-2.0
#include "views/panels/interface_panel.h"

#include "views/models/display_text.h"
#include "views/panels/base/button_row.h"
#include "views/panels/base/obstacle.h"
#include "views/panels/interface_delegate.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QResizeEvent>
#include <QToolButton>
#include <QTreeView>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

// The height of a row depends on its reason, which is wrapped at the current width.
class InterfaceTree : public QTreeView {
public:
    using QTreeView::QTreeView;

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        if (event->oldSize().width() != event->size().width())
            scheduleDelayedItemsLayout();
        QTreeView::resizeEvent(event);
    }
};

QTreeView* buildTree(QWidget* parent, InterfaceModel* model)
{
    auto* tree = new InterfaceTree(parent);
    tree->setObjectName(u"interfaceTree"_s);
    tree->setAccessibleName(u"Inputs and outputs"_s);
    tree->setModel(model);
    tree->setItemDelegate(new InterfaceDelegate(tree));
    tree->setHeaderHidden(true);
    tree->setRootIsDecorated(false);
    tree->setIndentation(0);
    tree->setFrameShape(QFrame::NoFrame);
    tree->setMouseTracking(true);
    tree->setAcceptDrops(true);
    tree->setDropIndicatorShown(true);
    tree->setDragDropMode(QAbstractItemView::DropOnly);
    tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    tree->setExpandsOnDoubleClick(false);
    return tree;
}

} // namespace

InterfacePanel::InterfacePanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new InterfaceModel(this))
    , m_tree(buildTree(this, m_model))
{
    setObjectName(u"interfacePanel"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_tree, 1);
    column->addWidget(buildEditor());
    column->addWidget(buildButtons());
    connect(m_model, &InterfaceModel::markRequested, this, &InterfacePanel::markRequested);
    connect(m_model, &InterfaceModel::namesDropped, this, &InterfacePanel::namesDropped);
    connect(m_tree, &QTreeView::clicked, this, &InterfacePanel::activate);
    connect(m_tree, &QTreeView::activated, this, &InterfacePanel::activate);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &InterfacePanel::showRow);
    setInterface({}, {});
}

QWidget* InterfacePanel::buildEditor()
{
    m_editor = new QWidget(this);
    m_editor->setObjectName(u"interfaceEditor"_s);
    m_editor->setAttribute(Qt::WA_StyledBackground);
    m_editorTitle = new QLabel(m_editor);
    m_editorTitle->setTextFormat(Qt::PlainText);
    m_dtype = new QComboBox(m_editor);
    m_dtype->setObjectName(u"interfaceType"_s);
    m_dtype->setAccessibleName(u"Type"_s);
    for (int i = int(DType::Float); i <= int(DType::UInt64); ++i)
        m_dtype->addItem(plainText(dtypeName(DType(i))), i);
    m_shape = new QLineEdit(m_editor);
    m_shape->setObjectName(u"interfaceShape"_s);
    m_shape->setAccessibleName(u"Shape"_s);
    m_shape->setPlaceholderText(u"unknown"_s);
    m_shape->setToolTip(u"Sizes joined by commas or x; ? where unknown: ?,224,224,3"_s);
    m_fault = new QLabel(m_editor);
    m_fault->setObjectName(u"interfaceFault"_s);
    m_fault->setTextFormat(Qt::PlainText);
    m_fault->setProperty("problem", true);
    m_fault->setWordWrap(true);
    m_fault->hide();
    auto* grid = new QGridLayout(m_editor);
    grid->setContentsMargins(12, 8, 12, 8);
    grid->setSpacing(6);
    grid->addWidget(m_dtype, 0, 0);
    grid->addWidget(m_shape, 0, 1);
    grid->addWidget(m_fault, 1, 0, 1, 2);
    grid->setColumnStretch(1, 1);
    m_editorTitle->hide();
    m_editor->hide();
    connect(m_dtype, &QComboBox::activated, this, &InterfacePanel::applyEdit);
    connect(m_shape, &QLineEdit::textEdited, this, &InterfacePanel::applyEdit);
    return m_editor;
}

QWidget* InterfacePanel::buildButtons()
{
    auto* bar = new QWidget(this);
    m_copy = new QToolButton(bar);
    m_copy->setObjectName(u"copyFlags"_s);
    m_copy->setText(u"Copy flags"_s);
    m_copy->setToolTip(u"Copy the choice as a tool's flags"_s);
    m_copy->setAccessibleName(u"Copy flags"_s);
    m_copy->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_copy);
    const std::array<std::pair<QString, FlagStyle>, 4> styles{
        {{u"For transform_graph"_s, FlagStyle::TransformGraph},
         {u"For benchmark_model"_s, FlagStyle::BenchmarkModel},
         {u"For freeze_graph"_s, FlagStyle::FreezeGraph},
         {u"As Python"_s, FlagStyle::Python}}};
    for (const auto& [label, style] : styles)
        menu->addAction(label, this, [this, style = style] { emit copyRequested(style); });
    m_copy->setMenu(menu);
    m_showKept = new QPushButton(u"Show what is kept"_s, bar);
    m_showKept->setObjectName(u"showKept"_s);
    m_showKept->setCheckable(true);
    m_showKept->setToolTip(u"Dim everything that this choice would prune"_s);
    connect(m_showKept, &QPushButton::clicked, this, &InterfacePanel::showKeptRequested);
    m_kept = new QLabel(bar);
    m_kept->setObjectName(u"keptSummary"_s);
    m_kept->setProperty("muted", true);
    m_kept->hide();
    auto* row = new ButtonRow(bar);
    row->addButton(m_copy);
    row->addButton(m_showKept);
    row->addStretch();
    auto* column = new QVBoxLayout(bar);
    column->setContentsMargins(12, 6, 12, 10);
    column->addWidget(row);
    column->addWidget(m_kept);
    return bar;
}

void InterfacePanel::setInterface(const InterfaceGuess& guess, const InterfaceChoice& choice,
                                  const InterfaceModel::KnownShape& known)
{
    bool isMoreOpen[2];
    for (const auto side : {InterfaceModel::Side::Inputs, InterfaceModel::Side::Outputs}) {
        const QModelIndex heading = m_model->heading(side);
        const int last = m_model->rowCount(heading) - 1;
        isMoreOpen[int(side)] = last >= 0 && m_tree->isExpanded(m_model->index(last, 0, heading));
    }
    const auto currentSide = m_currentSide;
    const std::string currentTensor = m_currentTensor;
    m_model->setInterface(guess, choice, known);
    for (const auto side : {InterfaceModel::Side::Inputs, InterfaceModel::Side::Outputs}) {
        const QModelIndex heading = m_model->heading(side);
        m_tree->expand(heading);
        if (isMoreOpen[int(side)] && m_model->rowCount(heading) > 0)
            m_tree->expand(m_model->index(m_model->rowCount(heading) - 1, 0, heading));
    }
    setObstacle(*m_copy,
                choice.isEmpty() ? u"Mark inputs or outputs first (I and O)"_s : QString());
    setObstacle(*m_showKept, choice.outputs.empty() ? u"Mark an output first (O)"_s : QString());
    const QModelIndex again = m_model->indexOf(currentSide, currentTensor);
    if (again.isValid())
        m_tree->setCurrentIndex(again);
    else
        m_editor->hide();
}

void InterfacePanel::setShowKept(bool isOn)
{
    m_showKept->setChecked(isOn);
}

void InterfacePanel::setKeptSummary(const QString& text)
{
    m_kept->setText(text);
    m_kept->setVisible(!text.isEmpty());
}

void InterfacePanel::showRow(const QModelIndex& index)
{
    const InterfaceRow* row = m_model->row(index);
    const bool isEditable = row != nullptr && row->isChosen;
    m_editor->setVisible(isEditable);
    if (row == nullptr)
        return;
    m_currentTensor = row->tensor.tensor;
    m_currentSide = m_model->side(index);
    if (m_shape->hasFocus())
        return; // the user is typing: the text is not changed
    m_dtype->setCurrentIndex(m_dtype->findData(int(withoutReference(row->tensor.dtype))));
    m_shape->setText(row->tensor.shape.unknownRank
                         ? QString()
                         : plainText(shapeLabel(row->tensor.shape)).replace(QChar(0xD7), u','));
    m_fault->hide();
}

void InterfacePanel::applyEdit()
{
    const InterfaceRow* row = m_model->row(m_tree->currentIndex());
    if (row == nullptr)
        return;
    const auto shape = parseShape(m_shape->text().toStdString());
    m_fault->setVisible(!shape.ok());
    if (!shape) {
        m_fault->setText(plainText(shape.error().message));
        return;
    }
    ChosenTensor tensor = row->tensor;
    tensor.shape = *shape;
    if (m_dtype->currentIndex() >= 0)
        tensor.dtype = DType(m_dtype->currentData().toInt());
    if (tensor != row->tensor)
        emit edited(m_currentSide, tensor);
}

void InterfacePanel::activate(const QModelIndex& index)
{
    if (const InterfaceRow* row = m_model->row(index))
        emit nodeActivated(row->tensor.node);
    else
        m_tree->setExpanded(index, !m_tree->isExpanded(index));
}

} // namespace lapidary
