// SPDX-License-Identifier: Apache-2.0
#include "runner/box/talk_process.h"
#include "tests/catch.h"

#include <chrono>
#include <csignal>
#include <thread>

#include <sys/socket.h>
#include <sys/wait.h>

namespace lapidary {
namespace {

using namespace std::chrono_literals;

// Returns each message, as cat copies its input.
Command echo()
{
    return {"/bin/sh", {"-c", "exec cat <&0 >&0"}, {}};
}

Command talkingShell(const std::string& script)
{
    return {"/bin/sh", {"-c", script}, {}};
}

} // namespace

TEST_CASE("a process answers one question after the other", "[box]")
{
    TalkProcess talk;
    CHECK_FALSE(talk.isRunning());
    REQUIRE(talk.start(echo(), Job()));
    CHECK(talk.isRunning());
    for (const std::size_t bytes : {1U, 100U, 5'000'000U, 20U}) {
        const std::string question(bytes, 'q');
        const auto answer = talk.ask(question, 0s, Job());
        REQUIRE(answer);
        CHECK_FALSE(answer->end);
        CHECK(answer->text == question);
    }
}

TEST_CASE("a process that ends while it is asked leaves what it said", "[box]")
{
    TalkProcess talk;
    REQUIRE(talk.start(talkingShell("head -c 9 >/dev/null; echo why; exit 3"), Job()));
    const auto answer = talk.ask("1", 0s, Job());
    REQUIRE(answer);
    REQUIRE(answer->end);
    CHECK(answer->end->exitCode == 3);
    CHECK(answer->end->out == "why\n");
    CHECK_FALSE(talk.isRunning());
    REQUIRE(talk.start(echo(), Job()));
    CHECK(talk.ask("again", 0s, Job())->text == "again");
}

TEST_CASE("a process that ended by itself is known before it is asked", "[box]")
{
    TalkProcess talk;
    REQUIRE(talk.start(talkingShell("exit 0"), Job()));
    for (int i = 0; i < 6000 && talk.isRunning(); ++i)
        std::this_thread::sleep_for(10ms);
    CHECK_FALSE(talk.isRunning());
}

TEST_CASE("a process that does not answer is ended by a cancelled job and by the limit", "[box]")
{
    TalkProcess talk;
    REQUIRE(talk.start(talkingShell("cat >/dev/null"), Job()));
    std::stop_source stop;
    const std::jthread canceller([&] {
        std::this_thread::sleep_for(100ms);
        stop.request_stop();
    });
    const auto cancelled = talk.ask("?", 0s, Job(stop.get_token()));
    REQUIRE_FALSE(cancelled);
    CHECK(cancelled.error().code == ErrorCode::Cancelled);
    CHECK_FALSE(talk.isRunning());
    REQUIRE(talk.start(talkingShell("cat >/dev/null"), Job()));
    const auto late = talk.ask("?", 1s, Job());
    REQUIRE_FALSE(late);
    CHECK(late.error().reason == ErrorReason::TimeLimit);
    CHECK_FALSE(talk.isRunning());
}

TEST_CASE("an answer of any length is not waited for", "[box]")
{
    TalkProcess talk;
    REQUIRE(talk.start(
        talkingShell("printf '\\377\\377\\377\\377\\377\\377\\377\\177' >&0; sleep 60"), Job()));
    const auto answer = talk.ask("?", 0s, Job());
    REQUIRE_FALSE(answer);
    CHECK(answer.error().message.find("2 GB") != std::string::npos);
}

TEST_CASE(
    "a process that answers is told when the answer is no longer wanted, and ends with its caller",
    "[box]")
{
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        close(ends[0]);
        answerQuestions(ends[1], [](std::string_view question, const Job& job) {
            while (question == "wait" && !job.cancelled())
                std::this_thread::sleep_for(1ms);
            return std::string(job.cancelled() ? "stopped" : "done");
        });
    }
    close(ends[1]);
    const auto send = [&](const std::string& text) {
        const std::uint64_t length = text.size();
        REQUIRE(write(ends[0], &length, sizeof length) == sizeof length);
        REQUIRE(write(ends[0], text.data(), text.size()) == ssize_t(text.size()));
    };
    const auto answer = [&] {
        std::uint64_t length = 0;
        REQUIRE(recv(ends[0], &length, sizeof length, MSG_WAITALL) == sizeof length);
        std::string text(length, '\0');
        REQUIRE(recv(ends[0], text.data(), length, MSG_WAITALL) == ssize_t(length));
        return text;
    };
    send("go");
    CHECK(answer() == "done");
    send("wait");
    send("");
    CHECK(answer() == "stopped");
    send("go");
    CHECK(answer() == "done");
    send("wait"); // it is not finished, and ends nevertheless
    close(ends[0]);
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
}

} // namespace lapidary
