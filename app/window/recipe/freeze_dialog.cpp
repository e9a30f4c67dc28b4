// SPDX-License-Identifier: Apache-2.0
#include "app/window/recipe/freeze_dialog.h"

#include "app/window/base/tensor_names.h"
#include "views/models/display_text.h"
#include "views/panels/base/obstacle.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

enum Column { NameColumn, SourceColumn, PartColumn, TypeColumn, ColumnCount };
constexpr int faultRole = Qt::UserRole; // reason why the variable has no value, in the first column

// Tells whether a signature computes something that can be kept, unlike a SavedModel's
// "__saved_model_init_op".
bool isForUse(const Signature& signature)
{
    return !signature.outputs.empty() && !signature.name.starts_with("__");
}

QString outputsOf(const Signature& signature)
{
    std::vector<std::string> tensors;
    for (const SignatureTensor& output : signature.outputs)
        tensors.push_back(output.tensor);
    return namesText(tensors);
}

QString sourceText(const VariableSource& source)
{
    switch (source.kind) {
    case VariableSource::Kind::Checkpoint:
    case VariableSource::Kind::SlicedPart: return plainText(source.key);
    case VariableSource::Kind::Initializer: return u"computed: "_s + plainText(source.key);
    case VariableSource::Kind::Missing: return u"missing"_s;
    }
    return {};
}

QTreeWidgetItem* rowOf(const VariableSource& source, const QString& name, bool isFrozen)
{
    auto* item = new QTreeWidgetItem;
    item->setText(NameColumn, name);
    item->setToolTip(NameColumn, name);
    const bool isDoubtful = !source.fault.empty() && source.kind != VariableSource::Kind::Missing;
    item->setText(SourceColumn,
                  sourceText(source) + (isDoubtful ? u" (does not fit)"_s : QString()));
    item->setToolTip(SourceColumn, plainText(source.fault));
    item->setText(PartColumn, plainText(source.part));
    const bool isScalar = source.shape.dims.empty() && !source.shape.unknownRank;
    if (source.dtype != DType::Invalid)
        item->setText(TypeColumn,
                      plainText(dtypeName(source.dtype) +
                                (isScalar ? " scalar" : " " + shapeText(source.shape))));
    item->setData(NameColumn, faultRole, plainText(source.fault));
    item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
    item->setCheckState(NameColumn, isFrozen ? Qt::Checked : Qt::Unchecked);
    return item;
}

} // namespace

FreezeDialog::FreezeDialog(GraphEntry entry, const FreezeRequest& wish, QWidget* parent)
    : QDialog(parent)
    , m_entry(std::move(entry))
    , m_wish(wish)
    , m_signature(new QComboBox(this))
    , m_outputs(new QLineEdit(namesText(wish.outputs), this))
    , m_checkpoint(new QLineEdit(plainText(wish.checkpoint.string()), this))
    , m_list(new QTreeWidget(this))
    , m_summary(new QLabel(this))
    , m_fault(new QLabel(this))
{
    setObjectName(u"freezeDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(u"Freeze variables"_s);
    resize(720, 480);
    auto* column = new QVBoxLayout(this);
    buildFields();
    buildList();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_done = buttons->addButton(u"Add step"_s, QDialogButtonBox::AcceptRole);
    m_done->setObjectName(u"freezeConfirm"_s);
    m_done->setDefault(true);
    column->addWidget(m_fault);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &FreezeDialog::confirmed);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    (wish.checkpoint.empty() ? m_checkpoint : m_outputs)->setFocus();
    listSources();
}

void FreezeDialog::buildFields()
{
    m_signature->setObjectName(u"freezeSignature"_s);
    m_signature->setAccessibleName(u"Signature"_s);
    m_signature->addItem(u"as chosen in the window"_s);
    for (const Signature& signature : m_entry.signatures)
        if (isForUse(signature))
            m_signature->addItem(plainText(signature.name), outputsOf(signature));
    m_outputs->setObjectName(u"freezeOutputs"_s);
    m_outputs->setAccessibleName(u"Outputs"_s);
    m_outputs->setPlaceholderText(u"nodes or tensors, separated by commas"_s);
    m_checkpoint->setObjectName(u"freezeCheckpoint"_s);
    m_checkpoint->setAccessibleName(u"Checkpoint"_s);
    m_checkpoint->setPlaceholderText(u"train/model.ckpt-1000"_s);
    auto* form = new QFormLayout;
    form->addRow(u"Signature"_s, m_signature);
    form->addRow(u"Outputs"_s, m_outputs);
    form->addRow(u"Checkpoint"_s, m_checkpoint);
    static_cast<QVBoxLayout*>(layout())->addLayout(form);
    // Done only now, because a label without a parent would be shown as a separate window.
    form->setRowVisible(m_signature, m_signature->count() > 1);
    connect(m_signature, &QComboBox::activated, this, &FreezeDialog::takeSignature);
    connect(m_outputs, &QLineEdit::editingFinished, this, &FreezeDialog::listSources);
    connect(m_checkpoint, &QLineEdit::editingFinished, this, &FreezeDialog::listSources);
}

void FreezeDialog::buildList()
{
    m_list->setObjectName(u"freezeVariables"_s);
    m_list->setAccessibleName(u"Variables"_s);
    m_list->setColumnCount(ColumnCount);
    m_list->setHeaderLabels({u"Becomes a constant"_s, u"Value from"_s, u"Part"_s, u"Stored as"_s});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->header()->setStretchLastSection(true);
    m_summary->setObjectName(u"freezeSummary"_s);
    m_summary->setProperty("muted", true);
    m_fault->setObjectName(u"freezeFault"_s);
    m_fault->setTextFormat(Qt::PlainText);
    m_fault->setWordWrap(true);
    m_fault->setProperty("problem", true);
    m_fault->hide();
    layout()->addWidget(m_list);
    layout()->addWidget(m_summary);
    connect(m_list, &QTreeWidget::itemChanged, this, &FreezeDialog::showCount);
}

void FreezeDialog::takeSignature(int number)
{
    m_outputs->setText(number > 0 ? m_signature->itemData(number).toString()
                                  : namesText(m_wish.outputs));
    listSources();
}

FreezeRequest FreezeDialog::request() const
{
    FreezeRequest request;
    request.model = m_wish.model;
    request.checkpoint = m_checkpoint->text().trimmed().toStdString();
    request.outputs = namesIn(m_outputs->text());
    return request;
}

// Freezing is disabled until it is known which variables have a value: Return in a field lists them
// again, and must not confirm values that the user has not seen.
void FreezeDialog::listSources()
{
    const QString asked = m_outputs->text() + u'\n' + m_checkpoint->text();
    if (asked == m_listed)
        return;
    m_listed = asked;
    m_fault->hide();
    setObstacle(*m_done, u"Wait until the values of the variables are found"_s);
    m_summary->setText(u"Looking for values \u2026"_s);
    m_job.start([entry = m_entry, wanted = request()](
                    const Job& job) { return variableSources(entry, wanted, job); },
                [this](const Result<std::vector<VariableSource>>& sources) {
                    showSources(sources ? *sources : std::vector<VariableSource>());
                    if (!sources)
                        setFault(plainText(sources.error().message));
                });
}

void FreezeDialog::showSources(const std::vector<VariableSource>& sources)
{
    const QStringList stays = kept();
    const QSignalBlocker blocker(m_list);
    m_list->clear();
    QList<QTreeWidgetItem*> rows;
    for (const VariableSource& source : sources) {
        const QString name = plainText(m_entry.graph->node(source.variable).name());
        rows.append(rowOf(source, name, !stays.contains(name)));
    }
    m_list->addTopLevelItems(rows);
    constexpr int gap = 16; // so that the letters of a short header are not cut
    for (int i = 0; i < TypeColumn; ++i) {
        m_list->resizeColumnToContents(i);
        m_list->setColumnWidth(i, m_list->columnWidth(i) + gap);
    }
    if (!rows.empty())
        m_list->setCurrentItem(rows.front());
    showCount();
}

QStringList FreezeDialog::kept() const
{
    QStringList names;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i)
        if (const QTreeWidgetItem* item = m_list->topLevelItem(i);
            item->checkState(NameColumn) == Qt::Unchecked)
            names.append(item->text(NameColumn));
    return names;
}

// A variable without a value must stay a variable, or nothing can be frozen.
void FreezeDialog::showCount()
{
    const int all = m_list->topLevelItemCount();
    const int frozen = all - int(kept().size());
    const QTreeWidgetItem* faulty = nullptr;
    for (int i = 0; i < all && faulty == nullptr; ++i)
        if (const QTreeWidgetItem* item = m_list->topLevelItem(i);
            item->checkState(NameColumn) == Qt::Checked &&
            !item->data(NameColumn, faultRole).toString().isEmpty())
            faulty = item;
    m_summary->setText(
        all == 0 ? u"The outputs need no variable"_s
                 : u"%1 of %2 become constants"_s.arg(frozen).arg(counted(all, u"variable"_s)));
    if (faulty != nullptr)
        setFault(u"%1: %2. Uncheck it to keep it as a variable, or name another checkpoint."_s.arg(
            faulty->text(NameColumn), faulty->data(NameColumn, faultRole).toString()));
    else
        m_fault->hide();
    setObstacle(*m_done, faulty != nullptr ? u"A checked variable has no value; see above"_s
                         : frozen == 0     ? u"No variable is checked"_s
                                           : QString());
}

// The step contains only the parameters that differ from the model's defaults.
RecipeStep FreezeDialog::step() const
{
    RecipeStep step{"freeze_variables", {}};
    const FreezeRequest wanted = request();
    std::error_code ignored;
    const auto whole = [&](const std::filesystem::path& path) {
        const auto absolute = std::filesystem::absolute(path, ignored);
        return (absolute.empty() ? path : absolute).string();
    };
    if (wanted.checkpoint != m_wish.checkpoint)
        step.parameters.add("checkpoint", whole(wanted.checkpoint));
    else if (!wanted.checkpoint.empty())
        step.parameters.add("model", whole(wanted.model));
    if (wanted.outputs != m_wish.outputs)
        for (const std::string& output : wanted.outputs)
            step.parameters.add("output", output);
    for (const QString& name : kept())
        step.parameters.add("except", name.toStdString());
    return step;
}

void FreezeDialog::setFault(const QString& fault)
{
    m_fault->setText(fault);
    m_fault->show();
}

} // namespace lapidary
