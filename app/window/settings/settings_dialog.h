// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QSpinBox;

namespace lapidary {

class Settings;
class ThemeSwitch;

// Shows the settings. Changes take effect at once. The dialog is modeless.
class SettingsDialog : public QDialog {
    Q_OBJECT
public:
    // Both must outlive it.
    SettingsDialog(Settings& settings, ThemeSwitch& theme, QWidget* parent);

private:
    QFormLayout* addPart(const QString& title, const QString& remark = {});
    QComboBox* addChoice(QFormLayout& form, const QString& name, const QString& label,
                         const QStringList& choices);
    QSpinBox* addNumber(QFormLayout& form, const QString& name, const QString& label);
    void buildWindowPart();
    void buildRunPart();
    void buildButtons();
    void connectFields();
    void showChoices();
    void takeLimits();

    Settings& m_settings;
    ThemeSwitch& m_themeSwitch;
    QComboBox* m_theme = nullptr;
    QComboBox* m_wheel = nullptr;
    QCheckBox* m_motion = nullptr;
    QSpinBox* m_threads = nullptr;
    QSpinBox* m_memory = nullptr;
    QSpinBox* m_seconds = nullptr;
    QSpinBox* m_values = nullptr;
};

// Shows the one dialog of the window, or brings it to the front.
void showSettings(Settings& settings, ThemeSwitch& theme, QWidget* window);

} // namespace lapidary
