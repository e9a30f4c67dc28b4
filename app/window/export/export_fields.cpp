// SPDX-License-Identifier: Apache-2.0
#include "app/window/export/export_fields.h"

#include "app/window/base/file_dialogs.h"
#include "app/window/base/tensor_names.h"
#include "views/models/display_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

enum Weights { Float32, Float16, Int8Weights, FullInt8 };
constexpr LoopForm loopForms[] = {LoopForm::Auto, LoopForm::Operators, LoopForm::Unrolled};
constexpr int firstInputRow = 2; // row after the target and the inputs

// Returns the text for a field of sizes. An open batch becomes 1, as on the command line; other
// open sizes become "?", for the user to replace.
QString sizesText(const Shape& shape)
{
    if (shape.unknownRank)
        return {};
    QStringList sizes;
    for (std::size_t i = 0; i < shape.dims.size(); ++i)
        sizes.append(shape.dims[i] >= 0 ? QString::number(shape.dims[i])
                     : i == 0           ? u"1"_s
                                        : u"?"_s);
    return sizes.isEmpty() ? u"scalar"_s : sizes.join(u", "_s);
}

bool isScalar(const ChosenTensor& tensor)
{
    return (tensor.shape.unknownRank && tensor.dtype == DType::Bool) ||
           (!tensor.shape.unknownRank && tensor.shape.dims.empty());
}

bool leavesOpen(const QString& sizes)
{
    return sizes.contains(u'?') || sizes.trimmed().isEmpty();
}

Error unfilled(std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message)};
}

Result<Shape> sizesOf(const std::string& tensor, const QString& text)
{
    const std::string name = tensorAsFlag(tensor);
    if (leavesOpen(text))
        return Error{ErrorCode::InvalidArgument,
                     "the size of " + name + " is open; " +
                         (text.isEmpty() ? "fill it in, such as 1, 224, 224, 3"
                                         : "put a number in place of each ?"),
                     ErrorReason::MissingSize, tensor};
    auto shape = parseShape(text.toStdString());
    if (!shape)
        return Error{ErrorCode::InvalidArgument,
                     "the size of " + name + ": " + shape.error().message, ErrorReason::MissingSize,
                     tensor};
    return shape;
}

Result<float> numberOf(const QLineEdit& field)
{
    bool isNumber = false;
    const float value = field.text().trimmed().toFloat(&isNumber);
    if (!isNumber)
        return unfilled(field.accessibleName().toStdString() + ": '" + field.text().toStdString() +
                        "' is not a number");
    return value;
}

} // namespace

ExportFields::ExportFields(ExportProposal proposal, QWidget* parent)
    : QWidget(parent)
    , m_proposal(std::move(proposal))
    , m_form(new QFormLayout(this))
    , m_target(addChoice(u"exportTarget"_s, u"Target"_s, {u"TFLite"_s, u"ONNX"_s}))
    , m_inputs(addLine(u"exportInputs"_s, u"Inputs"_s, u"tensors, separated by commas"_s))
    , m_outputs(addLine(u"exportOutputs"_s, u"Outputs"_s, u"tensors, separated by commas"_s))
    , m_weights(addChoice(u"exportWeights"_s, u"Weights"_s,
                          {u"float32"_s, u"float16"_s, u"int8 weights"_s, u"full int8"_s}))
    , m_loops(addChoice(u"exportLoops"_s, u"Loops"_s,
                        {u"as suits each"_s, u"as operators"_s, u"written out"_s}))
{
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_weights->setItemData(Float32, u"Largest; computes as the model does"_s, Qt::ToolTipRole);
    m_weights->setItemData(Float16, u"Half the size; computes in float"_s, Qt::ToolTipRole);
    m_weights->setItemData(Int8Weights, u"A quarter; the runtime computes in float"_s,
                           Qt::ToolTipRole);
    m_weights->setItemData(FullInt8, u"A quarter; computes in 8 bits"_s, Qt::ToolTipRole);
    m_loops->setItemData(0, u"Unrolled if the number of iterations is bounded, else operators"_s,
                         Qt::ToolTipRole);
    m_loops->setItemData(1, u"Smaller; the runtime runs the body once per iteration"_s,
                         Qt::ToolTipRole);
    m_loops->setItemData(2, u"One copy of the body per iteration; faster in most runtimes"_s,
                         Qt::ToolTipRole);
    buildRanges();
    m_checkpoint = addLine(u"exportCheckpoint"_s, u"Variables from"_s,
                           u"a checkpoint, such as train/model.ckpt-1000"_s);
    m_checkpoint->setText(m_proposal.checkpoint);
    m_path = addPath(u"exportFile"_s, u"File"_s, {}, [this] { browseFile(); });
    std::vector<std::string> inputs;
    for (const ChosenTensor& input : m_proposal.inputs)
        inputs.push_back(input.tensor);
    m_inputs->setText(namesText(inputs));
    m_outputs->setText(namesText(m_proposal.outputs));
    setPath(m_proposal.path);
    listInputs();
    connectFields();
    showWhatApplies();
}

QComboBox* ExportFields::addChoice(const QString& name, const QString& label,
                                   const QStringList& choices)
{
    auto* field = new QComboBox(this);
    field->setObjectName(name);
    field->setAccessibleName(label);
    field->addItems(choices);
    m_form->addRow(label, field);
    return field;
}

QLineEdit* ExportFields::addLine(const QString& name, const QString& label, const QString& hint)
{
    auto* field = new QLineEdit(this);
    field->setObjectName(name);
    field->setAccessibleName(label);
    field->setPlaceholderText(hint);
    m_form->addRow(label, field);
    return field;
}

QLineEdit* ExportFields::addPath(const QString& name, const QString& label, const QString& hint,
                                 std::function<void()> browse)
{
    auto* both = new QWidget(this);
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    auto* field = new QLineEdit(both);
    field->setObjectName(name);
    field->setAccessibleName(label);
    field->setPlaceholderText(hint);
    auto* button = new QPushButton(u"Browse\u2026"_s, both);
    button->setAccessibleName(u"Browse for: "_s + label);
    button->setAutoDefault(false);
    row->addWidget(field, 1);
    row->addWidget(button);
    connect(button, &QPushButton::clicked, this, std::move(browse));
    m_form->addRow(label, both);
    return field;
}

QWidget* ExportFields::buildPixels()
{
    auto* both = new QWidget(this);
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    const auto number = [&](const QString& name, const QString& label, const QString& text) {
        auto* field = new QLineEdit(text, both);
        field->setObjectName(name);
        field->setAccessibleName(label);
        field->setMaximumWidth(field->fontMetrics().averageCharWidth() * 12);
        return field;
    };
    m_mean = number(u"exportMean"_s, u"Mean of pixels"_s, u"0"_s);
    m_std = number(u"exportStd"_s, u"Divisor of pixels"_s, u"255"_s);
    row->addWidget(new QLabel(u"0 to 255, minus"_s, both));
    row->addWidget(m_mean);
    row->addWidget(new QLabel(u"divided by"_s, both));
    row->addWidget(m_std);
    row->addStretch(1);
    return both;
}

void ExportFields::buildRanges()
{
    m_source = addChoice(u"exportRanges"_s, u"Ranges from"_s, {u"pictures"_s, u"observe log"_s});
    m_pictures = addPath(u"exportPictures"_s, u"Pictures"_s,
                         u"a folder of pictures to calibrate with"_s, [this] { browsePictures(); });
    m_log = addPath(u"exportLog"_s, u"Log"_s, u"a log of ranges, as observe writes it"_s,
                    [this] { browseLog(); });
    m_pixels = buildPixels();
    m_form->addRow(u"Pixels"_s, m_pixels);
    m_ends = addChoice(u"exportEnds"_s, u"Its inputs and outputs"_s, {u"float"_s, u"int8"_s});
    m_reduces = new QCheckBox(u"Weights of 7 bits, for x86 without VNNI"_s, this);
    m_reduces->setObjectName(u"exportReduces"_s);
    m_form->addRow(QString(), m_reduces);
}

void ExportFields::connectFields()
{
    connect(m_target, &QComboBox::currentIndexChanged, this, &ExportFields::followTarget);
    connect(m_weights, &QComboBox::currentIndexChanged, this, &ExportFields::showWhatApplies);
    connect(m_source, &QComboBox::currentIndexChanged, this, &ExportFields::showWhatApplies);
    connect(m_inputs, &QLineEdit::editingFinished, this, &ExportFields::listInputs);
}

bool ExportFields::isInt8() const
{
    return m_weights->currentIndex() == FullInt8;
}

bool ExportFields::isOnnx() const
{
    return m_target->currentIndex() == 1;
}

bool ExportFields::takesPictures() const
{
    return m_source->currentIndex() == 0;
}

void ExportFields::showWhatApplies()
{
    m_form->setRowVisible(m_loops, m_proposal.hasLoops);
    m_form->setRowVisible(m_checkpoint, m_proposal.hasVariables);
    m_form->setRowVisible(m_source, isInt8());
    m_form->setRowVisible(m_pictures->parentWidget(), isInt8() && takesPictures());
    m_form->setRowVisible(m_log->parentWidget(), isInt8() && !takesPictures());
    m_form->setRowVisible(m_pixels, isInt8());
    m_form->setRowVisible(m_ends, isInt8() && !isOnnx());
    m_form->setRowVisible(m_reduces, isInt8() && isOnnx());
}

void ExportFields::followTarget()
{
    const QString path = this->path();
    for (const QString& ending : {u".tflite"_s, u".onnx"_s})
        if (path.endsWith(ending))
            m_path->setText(path.chopped(ending.size()) + (isOnnx() ? u".onnx"_s : u".tflite"_s));
    showWhatApplies();
}

void ExportFields::addInputRow(const ChosenTensor& tensor)
{
    const QString name = plainText(tensorAsFlag(tensor.tensor));
    const QString setting = plainText(m_proposal.setting(tensor.tensor));
    const bool isSetting = !setting.isEmpty() && tensor.shape.unknownRank;
    const bool isValue = isScalar(tensor) || isSetting;
    const QString number = QString::number(m_rows.size());
    const QString label =
        (isValue ? u"Value of %1"_s : u"Size of %1"_s).arg(lastPathPart(name.toStdString()));
    auto* field = new QLineEdit(isSetting ? setting
                                : isValue ? QString()
                                          : sizesText(tensor.shape),
                                this);
    field->setObjectName((isValue ? u"exportValue"_s : u"exportSize"_s) + number);
    field->setAccessibleName((isValue ? u"Value of %1"_s : u"Size of %1"_s).arg(name));
    field->setToolTip(name);
    field->setPlaceholderText(isValue ? u"empty: stays an input"_s : u"such as 1, 224, 224, 3"_s);
    m_form->insertRow(firstInputRow + int(m_rows.size()), label, field);
    m_form->labelForField(field)->setObjectName(u"exportInputLabel"_s + number);
    setTabOrder(m_rows.empty() ? m_inputs : m_rows.back().field, field);
    m_rows.push_back({tensor.tensor, field, isValue, tensor});
}

void ExportFields::listInputs()
{
    if (m_inputs->text() == m_listed)
        return;
    m_listed = m_inputs->text();
    for (const InputRow& row : m_rows)
        m_form->removeRow(row.field);
    m_rows.clear();
    for (const std::string& name : namesIn(m_listed)) {
        const auto proposed =
            std::ranges::find(m_proposal.inputs, tensorAsFlag(name),
                              [](const ChosenTensor& input) { return tensorAsFlag(input.tensor); });
        ChosenTensor tensor =
            proposed != m_proposal.inputs.end() ? *proposed : m_proposal.describe(name);
        tensor.tensor = name;
        addInputRow(tensor);
    }
    if (!m_rows.empty())
        setTabOrder(m_rows.back().field, m_outputs);
    emit inputsListed();
}

bool ExportFields::InputRow::isOpen() const
{
    return !isValue && leavesOpen(field->text());
}

std::vector<ChosenTensor> ExportFields::inputs() const
{
    std::vector<ChosenTensor> all;
    for (const InputRow& row : m_rows)
        all.push_back(row.known);
    return all;
}

std::vector<std::string> ExportFields::openInputs() const
{
    std::vector<std::string> open;
    for (const InputRow& row : m_rows)
        if (row.isOpen())
            open.push_back(row.tensor);
    return open;
}

void ExportFields::propose(const std::string& input, const Shape& shape)
{
    const auto row = std::ranges::find(m_rows, input, &InputRow::tensor);
    if (row == m_rows.end() || !row->isOpen() || row->field->isModified())
        return;
    row->field->setText(sizesText(shape));
    auto* label = qobject_cast<QLabel*>(m_form->labelForField(row->field));
    const QString own = label->text();
    label->setText(u"Proposed size of %1"_s.arg(
        lastPathPart(plainText(tensorAsFlag(row->tensor)).toStdString())));
    connect(row->field, &QLineEdit::textEdited, label, [label, own] { label->setText(own); });
}

Status ExportFields::addInputs(ExportInterface& interface) const
{
    for (const std::string& name : namesIn(m_inputs->text())) {
        const auto row = std::ranges::find(m_rows, name, &InputRow::tensor);
        const QString text = row == m_rows.end() ? QString() : row->field->text().trimmed();
        if (row != m_rows.end() && row->isValue && !text.isEmpty()) {
            interface.fixed.emplace_back(name, text.toStdString());
            continue;
        }
        interface.inputs.push_back(name);
        if (row == m_rows.end() || row->isValue)
            continue;
        ASSIGN_OR_RETURN(auto shape, sizesOf(name, text));
        interface.shapes.emplace_back(name, std::move(shape));
    }
    return Done{};
}

Result<RangeSource> ExportFields::ranges() const
{
    RangeSource source;
    const QString path = (takesPictures() ? m_pictures : m_log)->text().trimmed();
    if (path.isEmpty())
        return unfilled(takesPictures() ? "8 bits need the range of each tensor; name a folder of "
                                          "pictures"
                                        : "8 bits need the range of each tensor; name a log");
    (takesPictures() ? source.pictures : source.log) = path.toStdString();
    ASSIGN_OR_RETURN(source.feed.mean, numberOf(*m_mean));
    ASSIGN_OR_RETURN(source.feed.std, numberOf(*m_std));
    if (source.feed.std == 0)
        return unfilled("pixels cannot be divided by 0");
    return source;
}

Result<ExportPlan> ExportFields::plan() const
{
    ExportPlan plan;
    plan.target = isOnnx() ? ExportTarget::Onnx : ExportTarget::Tflite;
    plan.description = "made by Lapidary " LAPIDARY_VERSION;
    RETURN_IF_ERROR(addInputs(plan.interface));
    plan.interface.outputs = namesIn(m_outputs->text());
    plan.interface.loops = loopForms[m_loops->currentIndex()];
    if (plan.interface.outputs.empty())
        return unfilled("the file has no output; name one");
    switch (m_weights->currentIndex()) {
    case Float16: plan.weights = WeightFormat::Float16; break;
    case Int8Weights: plan.weights = WeightFormat::Int8; break;
    default: break;
    }
    if (isInt8()) {
        ASSIGN_OR_RETURN(plan.ranges, ranges());
        if (!isOnnx() && m_ends->currentIndex() == 1)
            plan.ends = QuantizedEnds::Int8;
        plan.reducesRange = isOnnx() && m_reduces->isChecked();
    }
    if (path().isEmpty())
        return unfilled("name the file to write");
    return plan;
}

Result<ExportWish> ExportFields::wish() const
{
    ASSIGN_OR_RETURN(ExportPlan plan, this->plan());
    const QString checkpoint = m_checkpoint->text().trimmed();
    const bool isOwn = !m_proposal.hasVariables || checkpoint == m_proposal.checkpoint;
    return ExportWish{std::move(plan), isOwn ? std::string() : checkpoint.toStdString()};
}

QString ExportFields::path() const
{
    return m_path->text().trimmed();
}

void ExportFields::setPath(const QString& path)
{
    m_path->setText(path);
    if (path.endsWith(u".onnx"_s) || path.endsWith(u".tflite"_s))
        m_target->setCurrentIndex(path.endsWith(u".onnx"_s) ? 1 : 0);
}

void ExportFields::setInterface(const ExportInterface& interface)
{
    for (const auto& [name, shape] : interface.shapes) {
        ChosenTensor tensor = m_proposal.describe(name);
        tensor.tensor = name;
        tensor.shape = shape;
        std::erase_if(m_proposal.inputs, [&](const ChosenTensor& input) {
            return tensorAsFlag(input.tensor) == tensorAsFlag(name);
        });
        m_proposal.inputs.push_back(std::move(tensor));
    }
    std::vector<std::string> inputs = interface.inputs;
    for (const auto& [name, value] : interface.fixed)
        inputs.push_back(name);
    m_inputs->setText(namesText(inputs));
    m_outputs->setText(namesText(interface.outputs));
    m_listed.clear();
    listInputs();
    for (const auto& [name, value] : interface.fixed)
        for (const InputRow& row : m_rows)
            if (row.isValue && tensorAsFlag(row.tensor) == tensorAsFlag(name))
                row.field->setText(plainText(value));
}

bool ExportFields::focusSize(const std::string& input)
{
    for (const InputRow& row : m_rows)
        if (!row.isValue && tensorAsFlag(row.tensor) == tensorAsFlag(input)) {
            row.field->setFocus();
            row.field->selectAll();
            return true;
        }
    return false;
}

void ExportFields::focusFirst()
{
    m_target->setFocus();
}

void ExportFields::browsePictures()
{
    askForFileToOpen(this, {u"A folder of pictures"_s, {}, m_pictures->text(), {}},
                     QFileDialog::Directory,
                     [this](const QString& path) { m_pictures->setText(path); });
}

void ExportFields::browseLog()
{
    askForFileToOpen(this, {u"A log of observe"_s, anyFilter, m_log->text(), {}},
                     QFileDialog::ExistingFile,
                     [this](const QString& path) { m_log->setText(path); });
}

void ExportFields::browseFile()
{
    const QFileInfo now(path());
    askForFileToWrite(this,
                      {u"Export the model"_s, u"TFLite (*.tflite);;ONNX (*.onnx)"_s,
                       now.absolutePath(), now.fileName()},
                      [this](const QString& path) { setPath(path); });
}

} // namespace lapidary
