// SPDX-License-Identifier: Apache-2.0
#include "runner/box/child_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>

extern char** environ; // NOLINT

namespace lapidary {
namespace {

namespace fs = std::filesystem;

Error systemError(const fs::path& program, int code)
{
    return {ErrorCode::Io,
            program.string() + ": cannot be started: " + std::generic_category().message(code)};
}

Status writeAll(int file, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return Error{ErrorCode::Io, std::generic_category().message(errno)};
        bytes.remove_prefix(std::size_t(written));
    }
    return Done{};
}

// Puts bytes into a file in memory, which can be opened only by its descriptor.
Result<Descriptor> fileOf(const ByteSource& source, const Job& job)
{
    Descriptor file(memfd_create("lapidary", MFD_CLOEXEC));
    if (!file.isOpen())
        return Error{ErrorCode::Io, std::generic_category().message(errno)};
    RETURN_IF_ERROR(source([&](std::string_view bytes) {
        return job.cancelled() ? Status(cancelledError()) : writeAll(file.number(), bytes);
    }));
    return file;
}

std::string withPaths(std::string argument, std::size_t inputs, int first)
{
    for (std::size_t i = 0; i < inputs; ++i) {
        const std::string mark = "{" + std::to_string(i) + "}";
        const std::string path = "/proc/self/fd/" + std::to_string(first + int(i));
        for (std::size_t at = argument.find(mark); at != std::string::npos;
             at = argument.find(mark, at + path.size()))
            argument.replace(at, mark.size(), path);
    }
    return argument;
}

} // namespace

Error timeLimitError(std::chrono::seconds limit)
{
    return {ErrorCode::Unsupported,
            "the run took longer than " + std::to_string(limit.count()) +
                (limit.count() == 1 ? " second" : " seconds") + " and was stopped",
            ErrorReason::TimeLimit};
}

bool Pipe::open()
{
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        return false;
    reading = Descriptor(ends[0]);
    writing = Descriptor(ends[1]);
    return true;
}

ChildProcess::~ChildProcess()
{
    if (m_id > 0) {
        ::kill(m_id, SIGKILL);
        waitpid(m_id, nullptr, 0);
    }
}

Status ChildProcess::start(const Command& command, const Job& job, int input)
{
    constexpr int firstInput = 10; // the child's first descriptor for inputs
    if (!m_out.open() || !m_err.open())
        return systemError(command.program, errno);
    std::vector<Descriptor> inputs;
    for (const ByteSource& source : command.inputs) {
        ASSIGN_OR_RETURN(const Descriptor file, fileOf(source, job));
        // Above the numbers that the child gets, so that none is overwritten before it is copied.
        inputs.emplace_back(fcntl(file.number(), F_DUPFD_CLOEXEC, 100));
        if (!inputs.back().isOpen())
            return systemError(command.program, errno);
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (input >= 0)
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    else
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, m_out.writing.number(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, m_err.writing.number(), STDERR_FILENO);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        posix_spawn_file_actions_adddup2(&actions, inputs[i].number(), firstInput + int(i));
    std::vector<std::string> words{command.program.string()};
    for (const std::string& argument : command.arguments)
        words.push_back(withPaths(argument, inputs.size(), firstInput));
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    // The child gets the signals as from a shell: threads of a window block some.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    const int fault =
        posix_spawn(&m_id, command.program.c_str(), &actions, &attributes, argv.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    m_out.writing.close();
    m_err.writing.close();
    if (fault == 0)
        return Done{};
    m_id = -1;
    return systemError(command.program, fault);
}

bool ChildProcess::readMore(const Command& command, CommandEnd& end, pollfd* other)
{
    constexpr int look = 50; // milliseconds
    std::array<pollfd, 3> sources{pollfd{m_out.reading.number(), POLLIN, 0},
                                  pollfd{m_err.reading.number(), POLLIN, 0},
                                  other != nullptr ? *other : pollfd{-1, 0, 0}};
    const int ready = poll(sources.data(), sources.size(), look);
    if (other != nullptr)
        other->revents = ready > 0 ? sources.back().revents : short(0);
    if (ready <= 0)
        return true;
    const std::array<std::pair<Pipe*, std::string*>, 2> targets{
        {{&m_out, &end.out}, {&m_err, &end.err}}};
    for (std::size_t i = 0; i < targets.size(); ++i) {
        if (sources[i].revents == 0)
            continue;
        std::array<char, 1 << 16> room;
        const ssize_t got = read(sources[i].fd, room.data(), room.size());
        if (got > 0 && i == 1 && command.hearErr)
            command.hearErr({room.data(), std::size_t(got)});
        else if (got > 0)
            targets[i].second->append(room.data(), std::size_t(got));
        else if (got == 0 || errno != EINTR)
            targets[i].first->reading.close();
    }
    return m_out.reading.isOpen() || m_err.reading.isOpen();
}

void ChildProcess::wait(CommandEnd& end)
{
    int status = 0;
    while (waitpid(m_id, &status, 0) < 0 && errno == EINTR) {
    }
    m_id = -1;
    if (WIFSIGNALED(status))
        end.signal = WTERMSIG(status);
    else
        end.exitCode = WEXITSTATUS(status);
}

} // namespace lapidary
