// SPDX-License-Identifier: Apache-2.0
#include "runner/box/box.h"

#include "graph_model/write/delegated_writing.h"
#include "runner/box/channel.h"
#include "runner/box/restrict.h"
#include "runner/guard/running_node.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;
using Moment = std::optional<Clock::time_point>;

// The sockets and memory that both sides hold.
struct Link {
    std::array<int, 2> sockets{-1, -1}; // outside, inside
    RunningNode* node = nullptr;        // in shared memory

    void close()
    {
        for (int& socket : sockets)
            if (socket >= 0)
                ::close(std::exchange(socket, -1));
        if (node != nullptr)
            munmap(std::exchange(node, nullptr), sizeof *node);
    }
};

Error systemError(const char* what)
{
    return {ErrorCode::Io, std::string("the sandbox cannot be made: ") + what + ": " +
                               std::generic_category().message(errno)};
}

Result<Link> makeLink()
{
    Link link;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, link.sockets.data()) != 0)
        return systemError("socketpair");
    void* page = mmap(nullptr, sizeof(RunningNode), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
        Error error = systemError("mmap");
        link.close();
        return error;
    }
    link.node = new (page) RunningNode;
    return link;
}

sigset_t watchedSignals()
{
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGCHLD, SIGINT, SIGTERM})
        sigaddset(&signals, signal);
    return signals;
}

// The work of the outer process, from the split to the end of the inner one.
class Outside {
public:
    Outside(pid_t child, Link& link, const BoxGrants& grants, std::chrono::duration<double> limit,
            int socket)
        : m_child(child)
        , m_link(link)
        , m_files(link.sockets[0], grants)
        , m_socket(socket)
    {
        constexpr std::chrono::seconds grace{2};
        if (limit.count() > 0)
            m_killAt = Clock::now() + std::chrono::duration_cast<Clock::duration>(limit) + grace;
        const sigset_t signals = watchedSignals();
        // Another thread may take a signal between poll() and read(); then read() must not wait.
        m_signals = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    }
    ~Outside()
    {
        if (m_signals >= 0)
            close(m_signals);
    }
    Outside(const Outside&) = delete;
    Outside& operator=(const Outside&) = delete;

    BoxEnd wait()
    {
        while (!hasEnded()) {
            std::array<pollfd, 3> sources{pollfd{m_signals, POLLIN, 0},
                                          pollfd{m_isGone ? -1 : m_link.sockets[0], POLLIN, 0},
                                          pollfd{m_socket, POLLRDHUP, 0}};
            const int ready = poll(sources.data(), sources.size(), millisecondsLeft());
            if (m_killAt && Clock::now() >= *m_killAt)
                kill();
            if (m_files.isOpen())
                m_files.storeEarly();
            if (ready <= 0)
                continue;
            if (sources[1].revents != 0)
                m_isGone = !m_files.answer();
            if (sources[0].revents != 0)
                takeSignal();
            if (sources[2].revents != 0)
                hangUp();
        }
        m_end.node = notedNode(*m_link.node);
        return m_end;
    }

private:
    bool hasEnded()
    {
        int status = 0;
        const pid_t ended = waitpid(m_child, &status, WNOHANG);
        if (ended == 0 || (ended < 0 && errno == EINTR))
            return false;
        if (ended == m_child && WIFEXITED(status))
            m_end.exitCode = WEXITSTATUS(status);
        else if (ended == m_child && WIFSIGNALED(status))
            m_end.signal = WTERMSIG(status);
        return true;
    }

    int millisecondsLeft() const
    {
        constexpr int moment = 2; // milliseconds, if the inner process is about to end
        constexpr int early = 5;  // milliseconds, if a file is being written
        const int longest = m_files.isOpen() ? early : 1000;
        if (m_isGone)
            return moment;
        if (!m_killAt)
            return longest;
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(*m_killAt - Clock::now());
        return int(std::clamp<std::int64_t>(left.count() + 1, 0, longest));
    }

    void kill()
    {
        m_end.isTimedOut = !m_end.isCancelled;
        ::kill(m_child, SIGKILL);
        m_killAt.reset();
    }

    // Called when the answer of the inner process is no longer wanted.
    void hangUp()
    {
        m_socket = -1;
        m_end.isCancelled = true;
        kill();
    }

    void takeSignal()
    {
        signalfd_siginfo info{};
        if (read(m_signals, &info, sizeof info) != ssize_t(sizeof info) ||
            info.ssi_signo == SIGCHLD)
            return;
        // A terminal sends its signals to both processes.
        if (info.ssi_code != SI_KERNEL)
            ::kill(m_child, int(info.ssi_signo));
        if (!m_end.isCancelled) {
            constexpr std::chrono::milliseconds grace{1500};
            m_killAt = Clock::now() + grace;
        }
        m_end.isCancelled = true;
    }

    pid_t m_child;
    Link& m_link;
    GrantedFiles m_files;
    int m_socket; // -1: none, or its other end is closed
    int m_signals = -1;
    bool m_isGone = false; // the other end of the socket is closed
    Moment m_killAt;
    BoxEnd m_end;
};

Result<BoxSide> goOnInside(Link link, const BoxGrants& grants, pid_t outside)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != outside)
        _exit(EXIT_FAILURE);
    ::close(link.sockets[0]);
    noteNodesIn(link.node);
    delegateWriting(
        [socket = link.sockets[1]](const std::filesystem::path& path, const ByteSource& source) {
            return writeOutside(socket, path, source);
        });
    ASSIGN_OR_RETURN(auto missing, restrictProcess(grants));
    return BoxSide{.end = {}, .missing = std::move(missing)};
}

} // namespace

Result<BoxSide> enterBox(const BoxGrants& grants, std::chrono::duration<double> timeLimit,
                         int socket)
{
    ASSIGN_OR_RETURN(Link link, makeLink());
    const sigset_t signals = watchedSignals();
    sigset_t before;
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    const pid_t self = getpid();
    const pid_t child = fork();
    if (child < 0) {
        Error error = systemError("fork");
        link.close();
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        return error;
    }
    if (child == 0) {
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        return goOnInside(link, grants, self);
    }
    ::close(std::exchange(link.sockets[1], -1));
    BoxSide side{.end = Outside(child, link, grants, timeLimit, socket).wait(), .missing = {}};
    link.close();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return side;
}

std::string endText(const BoxEnd& end)
{
    if (end.signal == 0 || end.isCancelled)
        return {};
    if (end.isTimedOut)
        return "did not stop at the time limit and was killed";
    switch (end.signal) {
    case SIGSEGV: return "crashed (SIGSEGV)";
    case SIGABRT: return "crashed (SIGABRT)";
    case SIGBUS: return "crashed (SIGBUS)";
    case SIGFPE: return "crashed (SIGFPE)";
    case SIGILL: return "crashed (SIGILL)";
    case SIGKILL: return "was killed, probably because the system ran out of memory";
    default: return "was killed by signal " + std::to_string(end.signal);
    }
}

std::string endSentence(const BoxEnd& end)
{
    return (end.node.empty() ? "the sandboxed process " : end.node + ": the graph ") + endText(end);
}

} // namespace lapidary
