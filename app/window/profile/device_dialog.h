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

// Asks for the phone or board to measure a graph on, and shows the progress.
class DeviceDialog : public QDialog {
    Q_OBJECT
public:
    // `request` has the model, its interface and the folder for the results; they fill the fields.
    DeviceDialog(DeviceRequest request, QWidget* parent);

    DeviceRequest request() const;
    void setSteps(QStringList titles); // shows a measurement with these steps
    void setProgress(int permille);
    void setFault(const QString& fault); // the measurement ended, or could not begin
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
