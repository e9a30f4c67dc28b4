// SPDX-License-Identifier: Apache-2.0
#include "runner/box/command_process.h"
#include "tests/catch.h"

#include <chrono>
#include <csignal>
#include <thread>

namespace lapidary {
namespace {

using namespace std::chrono_literals;

Command shell(const std::string& script, const std::vector<std::string_view>& inputs = {})
{
    Command command{"/bin/sh", {"-c", script}, {}};
    for (const std::string_view bytes : inputs)
        command.inputs.push_back(sourceOf(bytes));
    return command;
}

} // namespace

TEST_CASE("a command gives its outputs and how it ended", "[box]")
{
    const auto end = runCommand(shell("echo out; echo err >&2; exit 5"), Job());
    REQUIRE(end);
    CHECK(end->exitCode == 5);
    CHECK(end->out == "out\n");
    CHECK(end->err == "err\n");
    const auto killed = runCommand(shell("kill -SEGV $$"), Job());
    REQUIRE(killed);
    CHECK(killed->signal == SIGSEGV);
    const auto missing = runCommand({"/no/such/program", {}, {}}, Job());
    REQUIRE_FALSE(missing);
    CHECK(missing.error().message.starts_with("/no/such/program: "));
}

TEST_CASE("a command reads bytes that are in no file", "[box]")
{
    const std::string large(1'000'000, 'x');
    const auto end = runCommand(shell("cat {1} {0} | wc -c; cat {1}", {large, "second"}), Job());
    REQUIRE(end);
    CHECK(end->out == "1000006\nsecond");
}

TEST_CASE("the output of a command is read while it runs", "[box]")
{
    std::string heard;
    Command command = shell("echo one >&2; echo two >&2; echo three");
    command.hearErr = [&](std::string_view text) { heard += text; };
    const auto end = runCommand(command, Job());
    REQUIRE(end);
    CHECK(heard == "one\ntwo\n");
    CHECK(end->err.empty());
    CHECK(end->out == "three\n");
}

TEST_CASE("bytes that cannot be had start no command", "[box]")
{
    Command command = shell("exit 0");
    command.inputs.emplace_back([](const ByteSink&) -> Status {
        return Error{ErrorCode::Io, "model.pb: it has changed"};
    });
    const auto end = runCommand(command, Job());
    REQUIRE_FALSE(end);
    CHECK(end.error().message == "model.pb: it has changed");
}

TEST_CASE("a cancelled command is gone, and one that writes without end too", "[box]")
{
    std::stop_source source;
    const std::jthread canceller([&] {
        std::this_thread::sleep_for(100ms);
        source.request_stop();
    });
    const auto begin = std::chrono::steady_clock::now();
    const auto end = runCommand(shell("sleep 60"), Job(source.get_token()));
    REQUIRE_FALSE(end);
    CHECK(end.error().code == ErrorCode::Cancelled);
    CHECK(std::chrono::steady_clock::now() - begin < 30s);
    const auto endless = runCommand(shell("yes"), Job(), 100'000);
    REQUIRE_FALSE(endless);
    CHECK(endless.error().message.find("100000 bytes") != std::string::npos);
}

} // namespace lapidary
