#pragma once

#include <QApplication>

#include <fstream>
#include <memory>
#include <string>

namespace lapidary {

// The application; on request it writes down every event that keeps the GUI thread too long: CPU
// time of the thread and wall time in milliseconds, the kind of event and its receiver.
class WatchdogApplication : public QApplication {
    Q_OBJECT
public:
    WatchdogApplication(int& argc, char** argv);

    void watch(const std::string& path);
    bool notify(QObject* receiver, QEvent* event) override;

private:
    void record(double cpu, double wall, const std::string& what);

    std::unique_ptr<std::ofstream> m_out;
    int m_depth = 0;
};

} // namespace lapidary
