// SPDX-License-Identifier: Apache-2.0
// Restricts system calls by seccomp: those that computing needs are listed, all others fail with
// EPERM.
#include "runner/box/restrict.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define LAPIDARY_HAS_SECCOMP 1
#include <cerrno>
#include <cstddef>
#include <vector>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace lapidary::detail {

#ifdef LAPIDARY_HAS_SECCOMP
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#endif

constexpr std::uint32_t refused = SECCOMP_RET_ERRNO | EPERM;
constexpr std::uint32_t unknown = SECCOMP_RET_ERRNO | ENOSYS; // the C library then uses others

// The calls that are harmless in themselves, or refused by Landlock if they are not.
constexpr int allowed[] = {
    // memory
    SYS_brk,
    SYS_madvise,
    SYS_membarrier,
    SYS_memfd_create,
    SYS_mincore,
    SYS_mlock,
    SYS_mmap,
    SYS_mprotect,
    SYS_mremap,
    SYS_munlock,
    SYS_munmap,
    // descriptors
    SYS_close,
    SYS_close_range,
    SYS_dup,
    SYS_dup3,
    SYS_fadvise64,
    SYS_fallocate,
    SYS_fdatasync,
    SYS_flock,
    SYS_fstat,
    SYS_fsync,
    SYS_ftruncate,
    SYS_getdents64,
    SYS_lseek,
    SYS_pipe2,
    SYS_ppoll,
    SYS_pread64,
    SYS_preadv,
    SYS_pwrite64,
    SYS_pwritev,
    SYS_read,
    SYS_readv,
    SYS_recvfrom,
    SYS_recvmsg,
    SYS_sendmsg,
    SYS_sendto,
    SYS_write,
    SYS_writev,
    // names
    SYS_faccessat,
    SYS_getcwd,
    SYS_mkdirat,
    SYS_newfstatat,
    SYS_openat,
    SYS_openat2,
    SYS_readlinkat,
    SYS_renameat2,
    SYS_statfs,
    SYS_fstatfs,
    SYS_statx,
    SYS_umask,
    SYS_unlinkat,
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
    // threads and time
    SYS_clock_getres,
    SYS_clock_gettime,
    SYS_clock_nanosleep,
    SYS_exit,
    SYS_exit_group,
    SYS_futex,
    SYS_getcpu,
    SYS_getrusage,
    SYS_gettid,
    SYS_gettimeofday,
    SYS_nanosleep,
    SYS_restart_syscall,
    SYS_rseq,
    SYS_sched_get_priority_max,
    SYS_sched_get_priority_min,
    SYS_sched_getaffinity,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_sched_yield,
    SYS_set_robust_list,
    SYS_set_tid_address,
    SYS_times,
    // itself
    SYS_getegid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getpid,
    SYS_getppid,
    SYS_getrandom,
    SYS_getuid,
    SYS_rt_sigaction,
    SYS_rt_sigpending,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_rt_sigsuspend,
    SYS_rt_sigtimedwait,
    SYS_sigaltstack,
    SYS_sysinfo,
    SYS_uname,
#ifdef __x86_64__
    SYS_access,
    SYS_arch_prctl,
    SYS_dup2,
    SYS_getdents,
    SYS_lstat,
    SYS_mkdir,
    SYS_open,
    SYS_pipe,
    SYS_poll,
    SYS_readlink,
    SYS_rename,
    SYS_select,
    SYS_stat,
    SYS_time,
    SYS_unlink,
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    // The search for leaks at the end is a process that reads this one.
    SYS_clone,
    SYS_kill,
    SYS_prctl,
    SYS_process_vm_readv,
    SYS_ptrace,
    SYS_wait4,
    SYS_personality,
#endif
};

constexpr std::uint32_t numberAt = offsetof(seccomp_data, nr);
constexpr std::uint32_t architectureAt = offsetof(seccomp_data, arch);
// Returns the offset of the lower half of an argument: both architectures are little-endian.
constexpr std::uint32_t argumentAt(int i)
{
    return std::uint32_t(offsetof(seccomp_data, args)) + 8 * std::uint32_t(i);
}

class Filter {
public:
    void load(std::uint32_t at) { add(BPF_LD | BPF_W | BPF_ABS, at, 0, 0); }
    void end(std::uint32_t answer) { add(BPF_RET | BPF_K, answer, 0, 0); }
    void endIf(std::uint32_t value, std::uint32_t answer)
    {
        add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
        end(answer);
    }
    void endUnless(std::uint32_t value, std::uint32_t answer)
    {
        add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
        end(answer);
    }
    // Allows the call `number` if its argument `i` has one of the values.
    void allowWith(int number, int i, std::initializer_list<std::uint32_t> values)
    {
        add(BPF_JMP | BPF_JEQ | BPF_K, std::uint32_t(number), 0,
            std::uint8_t(2 * values.size() + 2));
        load(argumentAt(i));
        for (const std::uint32_t value : values)
            endIf(value, SECCOMP_RET_ALLOW);
        end(refused);
    }
    // Allows new threads, but no new processes.
    void allowThreads()
    {
        add(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4);
        load(argumentAt(0));
        add(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1);
        end(SECCOMP_RET_ALLOW);
        end(refused);
    }
    std::vector<sock_filter>& steps() { return m_steps; }

private:
    void add(int code, std::uint32_t k, std::uint8_t ifTrue, std::uint8_t ifFalse)
    {
        m_steps.push_back({std::uint16_t(code), ifTrue, ifFalse, k});
    }
    std::vector<sock_filter> m_steps;
};

Filter makeFilter()
{
    const auto self = std::uint32_t(getpid());
    Filter filter;
    filter.load(architectureAt);
    filter.endUnless(architecture, refused);
    filter.load(numberAt);
    for (const int number : allowed)
        filter.endIf(std::uint32_t(number), SECCOMP_RET_ALLOW);
#ifdef SYS_clone3
    filter.endIf(SYS_clone3, unknown);
#endif
    filter.allowThreads();
    filter.allowWith(SYS_ioctl, 1, {TCGETS, TIOCGWINSZ, FIONREAD});
    filter.allowWith(SYS_tgkill, 0, {self}); // abort()
    filter.allowWith(SYS_kill, 0, {self});
    filter.allowWith(SYS_prlimit64, 0, {0, self});
    constexpr std::uint32_t nameMemory = 0x53564d41; // PR_SET_VMA, which older headers lack
    filter.allowWith(SYS_prctl, 0, {PR_SET_NAME, PR_GET_NAME, nameMemory});
    filter.allowWith(SYS_fcntl, 1, {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL});
    filter.end(refused);
    return filter;
}

} // namespace

bool canRestrictCalls()
{
    const std::uint32_t action = SECCOMP_RET_ERRNO;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

bool restrictCalls()
{
    Filter filter = makeFilter();
    const sock_fprog program{std::uint16_t(filter.steps().size()), filter.steps().data()};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
#else
bool canRestrictCalls()
{
    return false;
}

bool restrictCalls()
{
    return false;
}
#endif

} // namespace lapidary::detail
