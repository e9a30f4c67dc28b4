// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/device/device_plan.h"

#include <QDialog>
#include <QStringList>

class QComboBox;
class QDialogButtonBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace lapidary {

// Asks on what phone or board a graph is to be measured, and shows how far that is.
class DeviceDialog : public QDialog {
    Q_OBJECT
public:
    // `request` has the model, its interface and the folder for the results; it is filled in.
    DeviceDialog(DeviceRequest request, QWidget* parent);

    DeviceRequest request() const;
    void setSteps(QStringList titles); // it runs now
    void setProgress(int permille);
    void setFault(const QString& fault); // it ended, or did not begin
    bool isRunning() const { return !m_steps.isEmpty(); }

    void reject() override; // stops a running measurement first

signals:
    void confirmed();
    void stopRequested();

private:
    void buildFields();
    QLineEdit* addLine(const QString& name, const QString& label, const std::string& text,
                       const QString& hint);
    void setRunning(bool isRunning);

    DeviceRequest m_request;
    QWidget* m_fields;
    QFormLayout* m_form;
    QComboBox* m_abi;
    QLineEdit* m_tool = nullptr;
    QLineEdit* m_folder = nullptr;
    QLineEdit* m_serial = nullptr;
    QLineEdit* m_cores = nullptr;
    QSpinBox* m_threads;
    QSpinBox* m_runs;
    QProgressBar* m_bar;
    QLabel* m_step;
    QLabel* m_fault;
    QPushButton* m_start = nullptr;
    QStringList m_steps;
};

} // namespace lapidary
