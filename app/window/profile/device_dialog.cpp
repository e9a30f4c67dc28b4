// SPDX-License-Identifier: Apache-2.0
#include "app/window/profile/device_dialog.h"

#include "views/models/display_text.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int mostThreads = 256;
constexpr int mostRuns = 100000;

QSpinBox* numberField(const QString& name, const QString& label, int most, const QString& none)
{
    auto* field = new QSpinBox;
    field->setObjectName(name);
    field->setAccessibleName(label);
    field->setRange(0, most);
    field->setSpecialValueText(none);
    return field;
}

} // namespace

DeviceDialog::DeviceDialog(DeviceRequest request, QWidget* parent)
    : QDialog(parent)
    , m_request(std::move(request))
    , m_fields(new QWidget(this))
    , m_form(new QFormLayout(m_fields))
    , m_abi(new QComboBox(m_fields))
    , m_threads(numberField(u"deviceThreads"_s, u"Threads"_s, mostThreads, u"the tool's default"_s))
    , m_runs(numberField(u"deviceRuns"_s, u"Runs"_s, mostRuns, u"the tool's default"_s))
    , m_bar(new QProgressBar(this))
    , m_step(new QLabel(this))
    , m_fault(new QLabel(this))
{
    setObjectName(u"deviceDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(u"Run on a device"_s);
    setMinimumWidth(520);
    buildFields();
    m_bar->setObjectName(u"deviceProgress"_s);
    m_bar->setRange(0, 1000);
    m_bar->setTextVisible(false);
    m_step->setObjectName(u"deviceStep"_s);
    m_step->setTextFormat(Qt::PlainText);
    m_step->setProperty("muted", true);
    m_fault->setObjectName(u"deviceFault"_s);
    m_fault->setTextFormat(Qt::PlainText);
    m_fault->setWordWrap(true);
    m_fault->setProperty("problem", true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_start = buttons->addButton(u"Run"_s, QDialogButtonBox::AcceptRole);
    m_start->setObjectName(u"deviceStart"_s);
    m_start->setDefault(true);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_fields);
    column->addWidget(m_step);
    column->addWidget(m_bar);
    column->addWidget(m_fault);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &DeviceDialog::confirmed);
    connect(buttons, &QDialogButtonBox::rejected, this, &DeviceDialog::reject);
    m_fault->hide();
    setRunning(false);
    m_abi->setFocus();
}

QLineEdit* DeviceDialog::addLine(const QString& name, const QString& label, const std::string& text,
                                 const QString& hint)
{
    auto* field = new QLineEdit(plainText(text), m_fields);
    field->setObjectName(name);
    field->setAccessibleName(label);
    field->setPlaceholderText(hint);
    m_form->addRow(label, field);
    return field;
}

void DeviceDialog::buildFields()
{
    m_form->setContentsMargins(0, 0, 0, 0);
    m_abi->setObjectName(u"deviceAbi"_s);
    m_abi->setAccessibleName(u"ABI"_s);
    for (const std::string_view abi : deviceAbis())
        m_abi->addItem(plainText(abi));
    m_form->addRow(u"ABI"_s, m_abi);
    m_tool = addLine(u"deviceTool"_s, u"benchmark_model"_s, m_request.tool,
                     u"TensorFlow's tool, built for the device"_s);
    m_folder = addLine(u"deviceFolder"_s, u"Folder there"_s, m_request.folder, {});
    m_form->addRow(u"Threads"_s, m_threads);
    m_cores = addLine(u"deviceCores"_s, u"Cores"_s, m_request.cores,
                      u"a mask for taskset, such as f0; empty: all"_s);
    m_form->addRow(u"Runs"_s, m_runs);
    m_serial = addLine(u"deviceSerial"_s, u"Serial number"_s, m_request.serial,
                       u"of several devices; empty: the only one"_s);
    m_threads->setValue(std::max(m_request.threads, 0));
    m_runs->setValue(m_request.runs);
}

// The names of the files on this machine contain the model's name and the ABI.
DeviceRequest DeviceDialog::request() const
{
    DeviceRequest request = m_request;
    request.abi = m_abi->currentText().toStdString();
    request.tool = m_tool->text().trimmed().toStdString();
    request.folder = m_folder->text().trimmed().toStdString();
    request.serial = m_serial->text().trimmed().toStdString();
    request.cores = m_cores->text().trimmed().toStdString();
    request.threads = m_threads->value() > 0 ? m_threads->value() : -1;
    request.runs = m_runs->value();
    request.log = m_request.log + "." + request.abi + ".log";
    request.results = m_request.results + "." + request.abi + ".results";
    return request;
}

void DeviceDialog::setRunning(bool isRunning)
{
    m_fields->setEnabled(!isRunning);
    m_start->setEnabled(!isRunning);
    m_bar->setVisible(isRunning);
    m_step->setVisible(isRunning);
    if (!isRunning)
        m_steps.clear();
}

void DeviceDialog::setSteps(QStringList titles)
{
    m_fault->hide();
    setRunning(true);
    m_steps = std::move(titles);
    setProgress(0);
}

void DeviceDialog::setProgress(int permille)
{
    if (m_steps.isEmpty())
        return;
    m_bar->setValue(permille);
    const qsizetype step = permille * m_steps.size() / 1000;
    m_step->setText(m_steps[std::clamp<qsizetype>(step, 0, m_steps.size() - 1)] + u" \u2026"_s);
}

void DeviceDialog::setFault(const QString& fault)
{
    setRunning(false);
    m_fault->setText(fault);
    m_fault->show();
    m_start->setFocus();
}

void DeviceDialog::reject()
{
    if (isRunning())
        emit stopRequested();
    else
        QDialog::reject();
}

} // namespace lapidary
