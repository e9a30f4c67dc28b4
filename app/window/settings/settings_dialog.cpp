// SPDX-License-Identifier: Apache-2.0
#include "app/window/settings/settings_dialog.h"

#include "app/document/run/value_store.h"
#include "app/window/parts/theme_switch.h"
#include "app/window/settings/settings.h"
#include "runner/guard/machine_memory.h"
#include "views/models/display_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QThread>
#include <QVBoxLayout>

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int usualWidth = 520;
constexpr int partGap = 12;
constexpr std::uint64_t megabyte = 1'000'000;
constexpr int mostSeconds = 24 * 60 * 60;

// In the order of the choices.
constexpr ThemeChoice themes[] = {ThemeChoice::System, ThemeChoice::Light, ThemeChoice::Dark};

} // namespace

SettingsDialog::SettingsDialog(Settings& settings, ThemeSwitch& theme, QWidget* parent)
    : QDialog(parent)
    , m_settings(settings)
    , m_themeSwitch(theme)
{
    setObjectName(u"settingsDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(u"Settings"_s);
    setMinimumWidth(usualWidth);
    new QVBoxLayout(this);
    buildWindowPart();
    buildRunPart();
    buildButtons();
    showChoices();
    connectFields();
    m_theme->setFocus();
}

QFormLayout* SettingsDialog::addPart(const QString& title, const QString& remark)
{
    auto* column = static_cast<QVBoxLayout*>(layout());
    auto* heading = new QLabel(title, this);
    heading->setProperty("heading", true);
    column->addWidget(heading);
    if (!remark.isEmpty()) {
        auto* text = new QLabel(remark, this);
        text->setProperty("muted", true);
        text->setWordWrap(true);
        column->addWidget(text);
    }
    auto* form = new QFormLayout;
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    column->addLayout(form);
    column->addSpacing(partGap);
    return form;
}

QComboBox* SettingsDialog::addChoice(QFormLayout& form, const QString& name, const QString& label,
                                     const QStringList& choices)
{
    auto* field = new QComboBox(this);
    field->setObjectName(name);
    field->setAccessibleName(QString(label).remove(u'&'));
    field->addItems(choices);
    form.addRow(label, field);
    return field;
}

QSpinBox* SettingsDialog::addNumber(QFormLayout& form, const QString& name, const QString& label)
{
    auto* field = new QSpinBox(this);
    field->setObjectName(name);
    field->setAccessibleName(QString(label).remove(u'&'));
    field->setKeyboardTracking(false); // a half-typed number is not a limit
    form.addRow(label, field);
    return field;
}

void SettingsDialog::buildWindowPart()
{
    QFormLayout* form = addPart(u"Window"_s);
    m_theme = addChoice(*form, u"settingsTheme"_s, u"&Theme"_s,
                        {u"As the system"_s, u"Light"_s, u"Dark"_s});
    m_wheel =
        addChoice(*form, u"settingsWheel"_s, u"Mouse &wheel"_s,
                  {u"Scrolls; zooms while Ctrl is held"_s, u"Zooms; scrolls while Ctrl is held"_s});
    m_motion = new QCheckBox(u"&Animate moves of the picture"_s, this);
    m_motion->setObjectName(u"settingsMotion"_s);
    form->addRow(QString(), m_motion);
}

void SettingsDialog::buildRunPart()
{
    QFormLayout* form =
        addPart(u"Runs"_s, u"For every run that begins from now on: to a node, for a profile, on "
                           u"pictures, or to check a step or an export."_s);
    const int cores = std::max(1, QThread::idealThreadCount());
    m_threads = addNumber(*form, u"settingsThreads"_s, u"Th&reads"_s);
    m_threads->setRange(0, cores);
    m_threads->setSpecialValueText(
        cores == 1 ? u"1"_s : u"All but one (%1 of %2)"_s.arg(cores - 1).arg(cores));
    const std::uint64_t most = usualMemoryLimit();
    m_memory = addNumber(*form, u"settingsMemory"_s, u"&Memory limit"_s);
    m_memory->setRange(0, int(std::clamp<std::uint64_t>(most / megabyte, 1, INT32_MAX)));
    m_memory->setSingleStep(256);
    m_memory->setSuffix(u" MB"_s);
    m_memory->setSpecialValueText(u"Three quarters of the machine's (%1)"_s.arg(bytesText(most)));
    m_seconds = addNumber(*form, u"settingsSeconds"_s, u"Time &limit"_s);
    m_seconds->setRange(0, mostSeconds);
    m_seconds->setSingleStep(10);
    m_seconds->setSuffix(u" s"_s);
    m_seconds->setSpecialValueText(u"None"_s);
    m_values = addNumber(*form, u"settingsValues"_s, u"Values &kept"_s);
    m_values->setRange(0, int(std::clamp<std::uint64_t>(most / megabyte, 1, INT32_MAX)));
    m_values->setSingleStep(256);
    m_values->setSuffix(u" MB"_s);
    m_values->setSpecialValueText(u"Up to %1"_s.arg(bytesText(ValueStore::usualLimit)));
}

void SettingsDialog::buildButtons()
{
    auto* buttons = new QDialogButtonBox(this);
    QPushButton* reset = buttons->addButton(u"Restore &defaults"_s, QDialogButtonBox::ResetRole);
    reset->setObjectName(u"settingsReset"_s);
    reset->setAutoDefault(false);
    QPushButton* close = buttons->addButton(QDialogButtonBox::Close);
    close->setObjectName(u"settingsClose"_s);
    close->setDefault(true);
    layout()->addWidget(buttons);
    connect(reset, &QPushButton::clicked, this, [this] {
        m_themeSwitch.choose(ThemeChoice::System);
        m_settings.reset();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void SettingsDialog::connectFields()
{
    connect(&m_settings, &Settings::changed, this, &SettingsDialog::showChoices);
    connect(&m_themeSwitch, &ThemeSwitch::changed, this, &SettingsDialog::showChoices);
    connect(m_theme, &QComboBox::currentIndexChanged, this,
            [this](int at) { m_themeSwitch.choose(themes[at]); });
    connect(m_wheel, &QComboBox::currentIndexChanged, this, [this](int at) {
        m_settings.setWheel(at == 1 ? WheelAction::Zoom : WheelAction::Scroll);
    });
    connect(m_motion, &QCheckBox::toggled, &m_settings, &Settings::setAnimated);
    for (QSpinBox* field : {m_threads, m_memory, m_seconds, m_values})
        connect(field, &QSpinBox::valueChanged, this, &SettingsDialog::takeLimits);
}

void SettingsDialog::showChoices()
{
    const QSignalBlocker blockers[] = {QSignalBlocker(m_theme),  QSignalBlocker(m_wheel),
                                       QSignalBlocker(m_motion), QSignalBlocker(m_threads),
                                       QSignalBlocker(m_memory), QSignalBlocker(m_seconds),
                                       QSignalBlocker(m_values)};
    m_theme->setCurrentIndex(
        int(std::ranges::find(themes, m_themeSwitch.choice()) - std::begin(themes)));
    m_wheel->setCurrentIndex(m_settings.wheel() == WheelAction::Zoom ? 1 : 0);
    m_motion->setChecked(m_settings.isAnimated());
    const RunLimits& limits = m_settings.limits();
    m_threads->setValue(limits.threads);
    m_memory->setValue(int(std::min<std::uint64_t>(limits.memory / megabyte, INT32_MAX)));
    m_seconds->setValue(limits.seconds);
    m_values->setValue(int(std::min<std::uint64_t>(limits.values / megabyte, INT32_MAX)));
}

void SettingsDialog::takeLimits()
{
    m_settings.setLimits({.threads = m_threads->value(),
                          .memory = std::uint64_t(m_memory->value()) * megabyte,
                          .seconds = m_seconds->value(),
                          .values = std::uint64_t(m_values->value()) * megabyte});
}

void showSettings(Settings& settings, ThemeSwitch& theme, QWidget* window)
{
    auto* dialog = window->findChild<SettingsDialog*>();
    if (dialog == nullptr)
        dialog = new SettingsDialog(settings, theme, window);
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

} // namespace lapidary
