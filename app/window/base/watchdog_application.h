// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QApplication>

#include <fstream>
#include <memory>
#include <string>

namespace lapidary {

// Set to true of an object whose event has just done what no user waits for, such as a picture that
// a script saves: it is written down as exempt.
inline constexpr const char* exemptProperty = "watchdogExempt";

// The application; on request it writes down every event that keeps the GUI thread too long: CPU
// time of the thread and wall time in milliseconds, the kind of event and its receiver.
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
