// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QApplication>

#include <fstream>
#include <memory>
#include <string>

namespace lapidary {

// Set this property to true on an object whose event has just done something that no user waits
// for, such as saving a picture for a script: the event is recorded as exempt.
inline constexpr const char* exemptProperty = "watchdogExempt";

// The application. On request it records every event that keeps the GUI thread too long: CPU time
// of the thread and wall time in milliseconds, the kind of event, and its receiver.
class WatchdogApplication : public QApplication {
    Q_OBJECT
public:
    WatchdogApplication(int& argc, char** argv);

    void watch(const std::string& path);
    bool notify(QObject* receiver, QEvent* event) override;

private:
    void record(double cpu, double wall, const std::string& what, bool isExempt);

    std::unique_ptr<std::ofstream> m_out;
    int m_depth = 0;
};

} // namespace lapidary
