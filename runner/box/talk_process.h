// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/box/child_process.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace lapidary {

// The answer to a question, or the end of the process without one.
struct TalkAnswer {
    std::string text;
    std::optional<CommandEnd> end; // set if it ended without an answer
};

// A program that answers one question after the other until this object is destroyed. Questions and
// answers pass through its standard input, which is a socket; the program calls answerQuestions().
// Used by one thread at a time.
class TalkProcess {
public:
    static constexpr std::size_t mostBytes = std::size_t(2) << 30; // of an answer

    Status start(Command command, const Job& job);
    bool isRunning() const; // false also if it ended by itself
    void end();

    // Asks a question and waits for the answer. A cancelled job makes the program stop its work. If
    // that takes longer than a moment, or the time limit (0: none) is over, it is killed.
    Result<TalkAnswer> ask(std::string_view question, std::chrono::seconds timeLimit,
                           const Job& job);

private:
    class Exchange;

    Command m_command;
    std::optional<ChildProcess> m_child;
    Descriptor m_socket;
};

// The side of the program: answers each question, in this thread, until the other end of the socket
// is closed, which ends the process. The job of `answer` is cancelled when the answer is no longer
// wanted.
[[noreturn]] void
answerQuestions(int socket, const std::function<std::string(std::string_view, const Job&)>& answer);

} // namespace lapidary
