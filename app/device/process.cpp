// SPDX-License-Identifier: Apache-2.0
#include "app/device/process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ; // NOLINT(readability-redundant-declaration): POSIX leaves it to us

namespace lapidary {
namespace {

constexpr int pollMilliseconds = 50;

// Both ends of a pipe; each can be closed when it is no longer needed.
class Pipe {
public:
    Pipe() { m_isOpen = ::pipe2(m_ends.data(), O_CLOEXEC) == 0; }
    ~Pipe()
    {
        closeReading();
        closeWriting();
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    bool isOpen() const { return m_isOpen; }
    int reading() const { return m_ends[0]; }
    int writing() const { return m_ends[1]; }
    void closeReading() { closeEnd(0); }
    void closeWriting() { closeEnd(1); }

private:
    void closeEnd(std::size_t end)
    {
        if (m_ends[end] >= 0)
            ::close(m_ends[end]);
        m_ends[end] = -1;
    }

    std::array<int, 2> m_ends{-1, -1};
    bool m_isOpen = false;
};

// Appends the available data; closes the pipe at its end.
void drain(Pipe& pipe, std::string& text)
{
    std::array<char, 65536> block{};
    const ssize_t got = ::read(pipe.reading(), block.data(), block.size());
    if (got > 0)
        text.append(block.data(), std::size_t(got));
    else if (got == 0 || errno != EINTR)
        pipe.closeReading();
}

int exitCodeOf(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int waitFor(pid_t process)
{
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return exitCodeOf(status);
}

Result<pid_t> start(const std::vector<std::string>& words, const Pipe& out, const Pipe& err)
{
    std::vector<char*> arguments;
    for (const std::string& word : words)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out.writing(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err.writing(), STDERR_FILENO);
    pid_t process = 0;
    const int fault =
        posix_spawnp(&process, words[0].c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (fault == ENOENT)
        return Error{ErrorCode::NotFound, "there is no " + words[0] + " on PATH; install it"};
    if (fault != 0)
        return Error{ErrorCode::Io,
                     words[0] + ": cannot be started: " + std::generic_category().message(fault)};
    return process;
}

} // namespace

Result<Finished> runProcess(const std::vector<std::string>& words, const Job& job)
{
    Pipe out;
    Pipe err;
    if (!out.isOpen() || !err.isOpen())
        return Error{ErrorCode::Io, "no pipe can be made for " + words[0]};
    ASSIGN_OR_RETURN(const pid_t process, start(words, out, err));
    out.closeWriting();
    err.closeWriting();
    Finished finished;
    bool isCancelled = false;
    while (out.reading() >= 0 || err.reading() >= 0) {
        if (job.cancelled() && !isCancelled) {
            isCancelled = true;
            ::kill(process, SIGTERM);
            break;
        }
        std::array<pollfd, 2> ends{pollfd{out.reading(), POLLIN, 0},
                                   pollfd{err.reading(), POLLIN, 0}};
        if (::poll(ends.data(), ends.size(), pollMilliseconds) <= 0)
            continue;
        if (ends[0].revents != 0)
            drain(out, finished.out);
        if (ends[1].revents != 0)
            drain(err, finished.err);
    }
    finished.exitCode = waitFor(process);
    if (isCancelled)
        return cancelledError();
    return finished;
}

} // namespace lapidary
