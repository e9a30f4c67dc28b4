// SPDX-License-Identifier: Apache-2.0
#include "app/window/base/watchdog_application.h"

#include <QEvent>
#include <QMetaEnum>
#include <QPointer>

#include <chrono>
#include <ctime>

namespace lapidary {
namespace {

constexpr double aimMs = 16;
constexpr double limitMs = 50;

double threadMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

double wallMs()
{
    using namespace std::chrono;
    return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

std::string describe(const QObject* receiver, QEvent::Type type)
{
    const QMetaEnum names = QMetaEnum::fromType<QEvent::Type>();
    const char* name = names.valueToKey(type);
    return std::string(name != nullptr ? name : std::to_string(int(type))) + " " +
           receiver->metaObject()->className() + " " + receiver->objectName().toStdString();
}

} // namespace

WatchdogApplication::WatchdogApplication(int& argc, char** argv)
    : QApplication(argc, argv)
{
}

void WatchdogApplication::watch(const std::string& path)
{
    m_out = std::make_unique<std::ofstream>(path);
    *m_out << "verdict\tcpu_ms\twall_ms\tevent\n" << std::flush;
}

bool WatchdogApplication::notify(QObject* receiver, QEvent* event)
{
    if (!m_out || m_depth > 0) // only the outermost of nested events is timed
        return QApplication::notify(receiver, event);
    const std::string what = describe(receiver, event->type()); // both may be deleted by the event
    const QPointer<QObject> watched = receiver;
    const double cpu = threadMs();
    const double wall = wallMs();
    ++m_depth;
    const bool answer = QApplication::notify(receiver, event);
    --m_depth;
    if (const double used = threadMs() - cpu; used > aimMs)
        record(used, wallMs() - wall, what, watched && watched->property(exemptProperty).toBool());
    return answer;
}

void WatchdogApplication::record(double cpu, double wall, const std::string& what, bool isExempt)
{
    *m_out << (isExempt        ? "exempt"
               : cpu > limitMs ? "over50"
                               : "over16")
           << '\t' << cpu << '\t' << wall << '\t' << what << '\n'
           << std::flush;
}

} // namespace lapidary
