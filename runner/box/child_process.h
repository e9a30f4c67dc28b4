// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/box/command_process.h"

#include <chrono>
#include <utility>

#include <poll.h>
#include <sys/types.h>
#include <unistd.h>

namespace lapidary {

class Descriptor {
public:
    explicit Descriptor(int number = -1)
        : m_number(number)
    {
    }
    ~Descriptor() { close(); }
    Descriptor(Descriptor&& other) noexcept
        : m_number(std::exchange(other.m_number, -1))
    {
    }
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        std::swap(m_number, other.m_number);
        return *this;
    }

    int number() const { return m_number; }
    bool isOpen() const { return m_number >= 0; }
    void close()
    {
        if (m_number >= 0)
            ::close(std::exchange(m_number, -1));
    }

private:
    int m_number;
};

struct Pipe {
    Descriptor reading;
    Descriptor writing;

    bool open();
};

// A started program. The destructor leaves nothing of it running.
class ChildProcess {
public:
    ChildProcess() = default;
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    // `input`: the descriptor of its standard input; negative: it has none.
    Status start(const Command& command, const Job& job, int input = -1);
    // Waits at most 50 ms for more output, which it adds to `end`, or for the events of the
    // descriptor `other`. Returns false at the end of both outputs.
    bool readMore(const Command& command, CommandEnd& end, pollfd* other = nullptr);
    void wait(CommandEnd& end);

private:
    Pipe m_out;
    Pipe m_err;
    pid_t m_id = -1;
};

Error timeLimitError(std::chrono::seconds limit);

} // namespace lapidary
