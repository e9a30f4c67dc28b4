// SPDX-License-Identifier: Apache-2.0
// Attacks by a graph that controls the process that runs it, tried one by one in a box.
#include "graph_model/write/byte_source.h"
#include "graph_model/write/write_model.h"
#include "runner/box/box.h"
#include "runner/guard/running_node.h"
#include "runner/kernels/kernel.h"
#include "tests/catch.h"
#include "tests/test_folder.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lapidary {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

std::string bytesOf(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

using Missing = std::vector<std::string>;

// Does `work` in a box; its result is the exit code.
BoxEnd boxed(const BoxGrants& grants, const std::function<int(const Missing&)>& work,
             std::chrono::duration<double> limit = 0s)
{
    const auto side = enterBox(grants, limit);
    REQUIRE(side.ok());
    if (side->end)
        return *side->end;
    _exit(work(side->missing));
}

constexpr int contained = 40;
constexpr int escaped = 41;
constexpr int notHere = 42; // this system cannot do it

bool lacks(const Missing& missing, std::string_view what)
{
    for (const std::string& one : missing)
        if (one.find(what) != std::string::npos)
            return true;
    return false;
}

// Expects that `attempt`, which is true if it succeeded, fails in a box.
void checkContained(const BoxGrants& grants, const char* needs,
                    const std::function<bool()>& attempt)
{
    const BoxEnd end = boxed(grants, [&](const Missing& missing) {
        return lacks(missing, needs) ? notHere : attempt() ? escaped : contained;
    });
    CHECK(end.signal == 0);
    CHECK((end.exitCode == contained || end.exitCode == notHere));
}

bool canOpen(const std::string& path, int flags)
{
    const int file = open(path.c_str(), flags | O_CLOEXEC, 0600);
    return file >= 0;
}

} // namespace

TEST_CASE("a box lets work end with its own code", "[box]")
{
    CHECK(boxed({}, [](const Missing&) { return 7; }).exitCode == 7);
    CHECK(endText(boxed({}, [](const Missing&) { return 0; })).empty());
}

TEST_CASE("a box opens what is granted and nothing else", "[box]")
{
    const TestFolder model;
    const TestFolder other;
    const std::string inside = model.write("weights", "w");
    const std::string outside = other.write("secret", "s");
    fs::create_symlink(outside, model.file("link"));
    BoxGrants grants;
    grants.readable = {model.path()};
    const BoxEnd end = boxed(
        grants, [&](const Missing&) { return canOpen(inside, O_RDONLY) ? contained : escaped; });
    CHECK(end.exitCode == contained);
    for (const std::string& path : {outside, model.file("link"), std::string("/etc/passwd"),
                                    std::string("/proc/1/environ"), std::string("/dev/tty")})
        checkContained(grants, "Landlock", [&] { return canOpen(path, O_RDONLY); });
    for (const std::string& path : {inside, model.file("new"), other.file("new"),
                                    std::string("/tmp/lapidary-box-test"), outside})
        checkContained(grants, "Landlock", [&] { return canOpen(path, O_WRONLY | O_CREAT); });
    checkContained(grants, "Landlock", [&] { return unlink(inside.c_str()) == 0; });
    checkContained(grants, "Landlock",
                   [&] { return rename(inside.c_str(), model.file("moved").c_str()) == 0; });
    checkContained(grants, "Landlock", [&] { return mkdir(model.file("d").c_str(), 0700) == 0; });
    checkContained(grants, "Landlock",
                   [&] { return symlink("/etc", model.file("l").c_str()) == 0; });
    checkContained(grants, "seccomp", [&] { return chmod(inside.c_str(), 0777) == 0; });
    CHECK(bytesOf(inside) == "w");
    CHECK(bytesOf(outside) == "s");
}

TEST_CASE("a box has no network, no programs and no other processes", "[box]")
{
    for (const int family : {AF_INET, AF_INET6, AF_UNIX, AF_NETLINK})
        checkContained({}, "seccomp", [=] { return socket(family, SOCK_STREAM, 0) >= 0; });
    checkContained({}, "seccomp", [] {
        execl("/bin/true", "true", nullptr);
        return errno != EPERM && errno != EACCES;
    });
    checkContained({}, "seccomp", [] {
        constexpr char push = '\n'; // typed into the terminal, for the shell to read
        return ioctl(STDIN_FILENO, TIOCSTI, &push) == 0 || errno != EPERM;
    });
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // they fork and kill
    const pid_t self = getpid();
    checkContained({}, "seccomp", [=] { return kill(self, 0) == 0; });
    checkContained({}, "seccomp", [] { return fork() >= 0; });
    checkContained({}, "seccomp",
                   [=] { return ptrace(PTRACE_ATTACH, self, nullptr, nullptr) == 0; });
#endif
#ifdef SYS_io_uring_setup
    checkContained({}, "seccomp",
                   [] { return syscall(SYS_io_uring_setup, 1, nullptr) >= 0 || errno != EPERM; });
#endif
}

TEST_CASE("threads and memory work in a box", "[box]")
{
    const BoxEnd end = boxed({}, [](const Missing&) {
        int sum = 0;
        std::thread([&] { sum = 5; }).join();
        std::string text(std::size_t(50) << 20, 'x');
        return sum == 5 && text.back() == 'x' ? 0 : 1;
    });
    CHECK(end.signal == 0);
    CHECK(end.exitCode == 0);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("a box has no more memory than is granted", "[box]")
{
    BoxGrants grants;
    grants.memory = std::uint64_t(64) << 20;
    checkContained(grants, "RLIMIT", [] {
        constexpr std::size_t much = std::size_t(1) << 30;
        void* page =
            mmap(nullptr, much, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return page != MAP_FAILED || std::malloc(much) != nullptr;
    });
}
#endif

TEST_CASE("a crash in a box is known with the node that ran", "[box]")
{
    const Kernel planted{.op = "Planted", .run = [](KernelContext& context) -> Status {
                             noteNode(context.node().name(), context.node().op());
                             std::signal(SIGSEGV, SIG_DFL);
                             std::raise(SIGSEGV);
                             return Done{};
                         }};
    NodeDraft draft;
    draft.name = "bad/node";
    draft.op = "Planted";
    const NodePtr node = draft.finish();
    const BoxEnd end = boxed({}, [&](const Missing&) {
        SessionState session(1 << 20);
        std::any state;
        const Job job;
        const CallFunction noCalls;
        KernelContext context(*node, {}, {}, session, state, job, noCalls);
        return runChecked(planted, context) ? 0 : 1;
    });
    CHECK((end.signal != 0 || end.exitCode != 0));
    CHECK(end.node == "bad/node (Planted)");
    if (end.signal == SIGSEGV)
        CHECK(endText(end) == "crashed (SIGSEGV)");
}

TEST_CASE("a process that ignores its time limit is killed", "[box]")
{
    const auto begin = std::chrono::steady_clock::now();
    const BoxEnd end = boxed(
        {},
        [](const Missing&) {
            noteNode("loop", "While");
            for (;;)
                pause();
            return 0;
        },
        100ms);
    CHECK(end.isTimedOut);
    CHECK(end.signal == SIGKILL);
    CHECK(end.node == "loop (While)");
    CHECK(std::chrono::steady_clock::now() - begin < 20s);
}

TEST_CASE("a box ends when the other end of its socket is closed", "[box]")
{
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    const pid_t asker = fork(); // a box requires a single thread
    REQUIRE(asker >= 0);
    if (asker == 0) {
        close(ends[1]);
        std::this_thread::sleep_for(100ms);
        _exit(0);
    }
    close(ends[0]);
    const auto side = enterBox({}, 0s, ends[1]);
    REQUIRE(side.ok());
    if (!side->end)
        for (;;)
            pause();
    CHECK(side->end->signal == SIGKILL);
    CHECK(endText(*side->end).empty());
    close(ends[1]);
    waitpid(asker, nullptr, 0);
}

TEST_CASE("a box that stops while it writes a file leaves nothing of it", "[box]")
{
    const TestFolder folder;
    BoxGrants grants;
    grants.writable = {folder.file("out")};
    const BoxEnd end = boxed(
        grants,
        [&](const Missing&) {
            const ByteSource stuck = [&](const ByteSink& sink) -> Status {
                RETURN_IF_ERROR(sink(std::string(1 << 20, 'x')));
                for (;;)
                    pause();
            };
            return writeFileAtomically(fs::path(folder.file("out")), stuck) ? escaped : contained;
        },
        100ms);
    CHECK(end.isTimedOut);
    CHECK(end.signal == SIGKILL);
    CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("a box may write into the file that it asked for, and no more with it", "[box]")
{
    const TestFolder folder;
    BoxGrants grants;
    grants.writable = {folder.file("out")};
    const auto attempt = [&](const std::function<bool(int)>& with) {
        checkContained(grants, "seccomp", [&] {
            bool isOut = false;
            const ByteSource source = [&](const ByteSink& sink) -> Status {
                RETURN_IF_ERROR(sink("x"));
                for (int file = 3; file < 64; ++file) // the file's descriptor is among them
                    isOut |= with(file);
                return Done{};
            };
            return !writeFileAtomically(fs::path(folder.file("out")), source) || isOut;
        });
    };
    attempt([](int file) { return fchmod(file, 0777) == 0; });
    attempt([&](int file) {
        const std::string own = "/proc/self/fd/" + std::to_string(file);
        return linkat(AT_FDCWD, own.c_str(), AT_FDCWD, folder.file("other").c_str(),
                      AT_SYMLINK_FOLLOW) == 0 ||
               openat(file, "..", O_RDONLY) >= 0;
    });
    CHECK(bytesOf(folder.file("out")) == "x");
    CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("a box writes the files that are granted, whole, by asking", "[box]")
{
    const TestFolder folder;
    const std::string wanted = folder.file("out");
    const std::string other = folder.write("other", "before");
    std::string large(300'000, 'a');
    large += "end";
    BoxGrants grants;
    grants.writable = {wanted};
    grants.writablePrefix = folder.file("result-");
    const auto writes = [&](const std::string& path) {
        return boxed(grants,
                     [&](const Missing&) {
                         return writeFileAtomically(path, large) ? contained : escaped;
                     })
            .exitCode;
    };
    CHECK(writes(wanted) == contained);
    CHECK(bytesOf(wanted) == large);
    CHECK(writes(folder.file("result-1")) == contained);
    CHECK(writes(other) == escaped);
    CHECK(writes(folder.file("result-/../other")) == escaped);
    CHECK(bytesOf(other) == "before");
    // A failing source, or a process that ends, leaves the file unchanged.
    const ByteSource failing = [&](const ByteSink& sink) -> Status {
        RETURN_IF_ERROR(sink(large));
        return Error{ErrorCode::Internal, "no more"};
    };
    const ByteSource ending = [&](const ByteSink& sink) -> Status {
        RETURN_IF_ERROR(sink("half"));
        _exit(contained);
    };
    for (const ByteSource& source : {failing, ending}) {
        const BoxEnd end = boxed(grants, [&](const Missing&) {
            const Status status = writeFileAtomically(fs::path(wanted), source);
            return !status && status.error().message == "no more" ? contained : escaped;
        });
        CHECK(end.exitCode == contained);
        CHECK(bytesOf(wanted) == large);
    }
    CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 3);
}

} // namespace lapidary
