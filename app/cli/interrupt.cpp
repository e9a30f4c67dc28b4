// SPDX-License-Identifier: Apache-2.0
#include "app/cli/interrupt.h"

#include "app/base/exit_codes.h"

#include <csignal>
#include <ctime>

#include <unistd.h>

namespace lapidary {
namespace {

sigset_t interruptSignals()
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGUSR1); // the destructor's call to end the thread
    return signals;
}

// Waits for signals until the destructor's. A verb that waits for its standard input cannot check
// whether it should stop, so it is ended after a moment.
void watch(const std::stop_source& source)
{
    const sigset_t signals = interruptSignals();
    constexpr std::timespec moment{.tv_sec = 0, .tv_nsec = 500'000'000};
    int signal = 0;
    if (sigwait(&signals, &signal) != 0 || signal == SIGUSR1)
        return;
    source.request_stop();
    if (sigtimedwait(&signals, nullptr, &moment) != SIGUSR1)
        _exit(exit_code::cancelled);
}

} // namespace

Interrupt::Interrupt()
{
    const sigset_t signals = interruptSignals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    m_thread = std::jthread([source = m_source] { watch(source); });
}

Interrupt::~Interrupt()
{
    pthread_kill(m_thread.native_handle(), SIGUSR1);
}

} // namespace lapidary
