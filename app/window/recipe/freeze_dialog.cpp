// SPDX-License-Identifier: Apache-2.0
#include "app/window/recipe/freeze_dialog.h"

#include "views/models/display_text.h"

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

QString namesText(const std::vector<std::string>& names)
{
    QStringList texts;
    for (const std::string& name : names)
        texts.append(plainText(name));
    return texts.join(u", "_s);
}

QString outputsOf(const Signature& signature)
{
    std::vector<std::string> tensors;
    for (const SignatureTensor& output : signature.outputs)
        tensors.push_back(output.tensor);
    return namesText(tensors);
}

std::vector<std::string> namesIn(const QString& text)
{
    std::vector<std::string> names;
    for (const QString& name : text.split(u',', Qt::SkipEmptyParts))
        if (!name.trimmed().isEmpty())
            names.push_back(name.trimmed().toStdString());
    return names;
}

QString sourceText(const VariableSource& source)
{
    switch (source.kind) {
    case VariableSource::Kind::Checkpoint:
    case VariableSource::Kind::Slice: return plainText(source.key);
    case VariableSource::Kind::Initializer: return u"computed: "_s + plainText(source.key);
    case VariableSource::Kind::Missing: return u"missing"_s;
    }
    return {};
}

} // namespace

FreezeDialog::FreezeDialog(GraphEntry entry, const FreezeRequest& wish, QWidget* parent)
    : QDialog(parent)
    , m_entry(std::move(entry))
    , m_model(wish.model)
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
    listSources();
}

void FreezeDialog::buildFields()
{
    m_signature->setObjectName(u"freezeSignature"_s);
    m_signature->setAccessibleName(u"Signature"_s);
    m_signature->addItem(u"as chosen in the window"_s);
    for (const Signature& signature : m_entry.signatures)
        m_signature->addItem(plainText(signature.name), outputsOf(signature));
    m_outputs->setObjectName(u"freezeOutputs"_s);
    m_outputs->setAccessibleName(u"Outputs"_s);
    m_outputs->setPlaceholderText(u"nodes or tensors, with commas between"_s);
    m_checkpoint->setObjectName(u"freezeCheckpoint"_s);
    m_checkpoint->setAccessibleName(u"Checkpoint"_s);
    m_checkpoint->setPlaceholderText(u"train/model.ckpt-1000"_s);
    auto* form = new QFormLayout;
    form->addRow(u"Signature"_s, m_signature);
    form->addRow(u"Outputs"_s, m_outputs);
    form->addRow(u"Checkpoint"_s, m_checkpoint);
    form->setRowVisible(m_signature, !m_entry.signatures.empty());
    static_cast<QVBoxLayout*>(layout())->addLayout(form);
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
    if (number > 0)
        m_outputs->setText(m_signature->itemData(number).toString());
    listSources();
}

FreezeRequest FreezeDialog::request() const
{
    FreezeRequest request;
    request.model = m_model;
    request.checkpoint = m_checkpoint->text().trimmed().toStdString();
    request.outputs = namesIn(m_outputs->text());
    return request;
}

void FreezeDialog::listSources()
{
    m_fault->hide();
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
    for (const VariableSource& source : sources) {
        const QString name = plainText(m_entry.graph->node(source.variable).name());
        auto* item = new QTreeWidgetItem(m_list);
        item->setText(NameColumn, name);
        item->setText(SourceColumn, sourceText(source));
        item->setText(PartColumn, plainText(source.part));
        if (source.dtype != DType::Invalid)
            item->setText(TypeColumn,
                          plainText(dtypeName(source.dtype) + " " + shapeText(source.shape)));
        item->setToolTip(SourceColumn, plainText(source.fault));
        item->setData(NameColumn, Qt::UserRole, !source.fault.empty());
        if (!source.fault.empty() && source.kind != VariableSource::Kind::Missing)
            item->setText(SourceColumn, sourceText(source) + u" (does not fit)"_s);
        item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
        item->setCheckState(NameColumn, stays.contains(name) ? Qt::Unchecked : Qt::Checked);
    }
    for (int i = 0; i < TypeColumn; ++i)
        m_list->resizeColumnToContents(i);
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

// Variables without a value have to stay, or nothing can be frozen.
void FreezeDialog::showCount()
{
    int frozen = 0;
    int faults = 0;
    QString first;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        const QTreeWidgetItem* item = m_list->topLevelItem(i);
        const bool isFrozen = item->checkState(NameColumn) == Qt::Checked;
        frozen += isFrozen ? 1 : 0;
        if (isFrozen && item->data(NameColumn, Qt::UserRole).toBool()) {
            ++faults;
            first = first.isEmpty() ? item->toolTip(SourceColumn) : first;
        }
    }
    const int all = m_list->topLevelItemCount();
    m_summary->setText(u"%1 of %2 become constants"_s.arg(frozen).arg(counted(all, u"variable"_s)));
    if (faults > 0)
        setFault(u"%1; uncheck it to keep it as a variable, or name another checkpoint"_s.arg(
            first.isEmpty() ? u"%1 without a value"_s.arg(counted(faults, u"variable"_s)) : first));
    else
        m_fault->hide();
    m_done->setEnabled(faults == 0 && frozen > 0);
}

RecipeStep FreezeDialog::step() const
{
    RecipeStep step{"freeze_variables", {}};
    const FreezeRequest wanted = request();
    if (!wanted.model.empty())
        step.parameters.add("model", wanted.model.string());
    if (!wanted.checkpoint.empty())
        step.parameters.add("checkpoint", wanted.checkpoint.string());
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
