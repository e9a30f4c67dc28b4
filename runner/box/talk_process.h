// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/box/child_process.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace lapidary {

// The answer to a question, or why there is none.
struct TalkAnswer {
    std::string text;
    std::optional<CommandEnd> end; // it ended without an answer, and this is what it left
};

// A program that answers one question after the other until it is destroyed: on its standard input,
// which is a socket, as answerQuestions() does. Used by one thread at a time.
class TalkProcess {
public:
    static constexpr std::size_t mostBytes = std::size_t(2) << 30; // of an answer

    Status start(Command command, const Job& job);
    bool isRunning() const; // and has not ended by itself
    void end();

    // A cancelled job makes it stop; if that takes longer than a moment, or the time limit (0:
    // none) is over, it is killed, and no longer runs.
    Result<TalkAnswer> ask(std::string_view question, std::chrono::seconds timeLimit,
                           const Job& job);

private:
    class Exchange;

    Command m_command;
    std::optional<ChildProcess> m_child;
    Descriptor m_socket;
};

// The other side: answers each question, in this thread, until the other end of the socket is
// closed, which ends the process. The job of `answer` is cancelled when the answer is no longer
// wanted.
[[noreturn]] void
answerQuestions(int socket, const std::function<std::string(std::string_view, const Job&)>& answer);

} // namespace lapidary
