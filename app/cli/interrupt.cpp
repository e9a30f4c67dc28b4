// SPDX-License-Identifier: Apache-2.0
#include "app/cli/interrupt.h"

#include "app/base/exit_codes.h"
#include "runner/guard/running_node.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <string>

#include <unistd.h>

namespace lapidary {
namespace {

sigset_t interruptSignals()
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGUSR1); // sent by the destructor to end the thread
    return signals;
}

RunningNode& ownRecord()
{
    static RunningNode record;
    return record;
}

} // namespace

Interrupt::Interrupt()
{
    const sigset_t signals = interruptSignals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

Interrupt::~Interrupt()
{
    if (m_thread.joinable())
        pthread_kill(m_thread.native_handle(), SIGUSR1);
}

void Interrupt::start(double secondsAllowed)
{
    m_secondsAllowed = secondsAllowed;
    if (secondsAllowed > 0 && !isNotingNodes())
        noteNodesIn(&ownRecord());
    m_thread = std::jthread([this] { watch(); });
}

std::string Interrupt::timeOutText() const
{
    std::array<char, 40> seconds{};
    std::snprintf(seconds.data(), seconds.size(), "%g", m_secondsAllowed);
    const std::string node = notedNode();
    return (node.empty() ? "" : node + ": ") + "the time limit of " + seconds.data() +
           " seconds has passed; raise it with --time-limit";
}

int Interrupt::waitForSignal() const
{
    const sigset_t signals = interruptSignals();
    int signal = 0;
    if (m_secondsAllowed <= 0)
        return sigwait(&signals, &signal) == 0 ? signal : SIGUSR1;
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(m_secondsAllowed);
    while (true) {
        const double left = std::chrono::duration<double>(end - Clock::now()).count();
        if (left <= 0)
            return 0;
        const auto whole = std::time_t(left);
        const std::timespec time{.tv_sec = whole, .tv_nsec = long((left - double(whole)) * 1e9)};
        signal = sigtimedwait(&signals, nullptr, &time);
        if (signal > 0)
            return signal;
        if (errno != EAGAIN && errno != EINTR)
            return SIGUSR1;
    }
}

// Waits for signals until the destructor sends its own. A verb that waits for standard input, or
// runs inside a library, cannot check whether it should stop, so the process is ended after a
// moment.
void Interrupt::watch()
{
    const int signal = waitForSignal();
    if (signal == SIGUSR1)
        return;
    m_hasTimedOut = signal == 0;
    m_source.request_stop();
    const sigset_t signals = interruptSignals();
    // The other half of the half second is for the system to free a large memory.
    constexpr std::timespec moment{.tv_sec = 0, .tv_nsec = 250'000'000};
    if (sigtimedwait(&signals, nullptr, &moment) == SIGUSR1)
        return;
    if (!m_hasTimedOut)
        _exit(exit_code::cancelled);
    if (claimTimeOut()) {
        const std::string text = "lapidary: " + timeOutText() + "\n";
        static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
    }
    _exit(exit_code::failed);
}

} // namespace lapidary
