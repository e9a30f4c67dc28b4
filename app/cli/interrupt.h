// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <stop_token>
#include <string>
#include <thread>

namespace lapidary {

// After start(), the first SIGINT or SIGTERM asks the running verb to stop, and so does its time
// limit; half a second later, or at a second signal, the process exits. Must be constructed before
// any other thread: threads inherit a signal mask that leaves these signals to this class, and
// signals that arrive before start() stay pending.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    void start(double secondsAllowed = 0); // 0: no limit
    bool hasTimedOut() const { return m_hasTimedOut; }
    // Returns a sentence that says that the time is over, with the node that was running; empty
    // before start().
    std::string timeOutText() const;
    // Returns true for the first caller, which should report that the time is over.
    bool claimTimeOut() { return !m_isSaid.exchange(true); }
    std::stop_token token() const { return m_source.get_token(); }

private:
    void watch();
    int waitForSignal() const; // 0: the time is over

    std::stop_source m_source;
    std::atomic<bool> m_hasTimedOut = false;
    std::atomic<bool> m_isSaid = false;
    double m_secondsAllowed = 0;
    std::jthread m_thread;
};

} // namespace lapidary
