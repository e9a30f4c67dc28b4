// SPDX-License-Identifier: Apache-2.0
// Restricts files by Landlock: a list in the kernel of the files that a process may open, which
// nothing in the process can extend.
#include "runner/box/restrict.h"

#if defined(__linux__) && __has_include(<linux/landlock.h>)
#define LAPIDARY_HAS_LANDLOCK 1
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace lapidary::detail {

#if defined(LAPIDARY_HAS_LANDLOCK) && defined(SYS_landlock_create_ruleset)
namespace {

constexpr std::uint64_t readFile = LANDLOCK_ACCESS_FS_READ_FILE;
constexpr std::uint64_t readFolder = LANDLOCK_ACCESS_FS_READ_DIR;

// Returns 0 or less if the system has no Landlock.
long landlockVersion()
{
    return syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

// Returns the bits of all kinds of access that a version of Landlock can refuse. Does not use the
// names in the header, which may be older than the kernel.
std::uint64_t refusable(long version)
{
    constexpr int first = 13; // execute, write, read, list, remove and make: version 1
    int bits = first;
    bits += version >= 2 ? 1 : 0; // refer
    bits += version >= 3 ? 1 : 0; // truncate
    bits += version >= 5 ? 1 : 0; // ioctl of devices
    return (std::uint64_t(1) << bits) - 1;
}

void allow(int ruleset, const char* path)
{
    const int place = open(path, O_PATH | O_CLOEXEC);
    struct stat status {};
    if (place < 0)
        return; // a missing file cannot be read
    if (fstat(place, &status) == 0) {
        landlock_path_beneath_attr rule{};
        rule.allowed_access = S_ISDIR(status.st_mode) ? readFile | readFolder : readFile;
        rule.parent_fd = place;
        syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
    close(place);
}

// The files that the C library and the sanitizers read.
constexpr const char* systemFiles[] = {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    "/proc/self", // its threads, in the search for leaks
#endif
    "/dev/null",     "/dev/urandom",    "/etc/localtime",         "/proc/cpuinfo",
    "/proc/meminfo", "/proc/self/maps", "/sys/devices/system/cpu"};

} // namespace

bool canRestrictFiles()
{
    return landlockVersion() >= 1;
}

bool restrictFiles(const BoxGrants& grants)
{
    const long version = landlockVersion();
    if (version < 1)
        return false;
    // The rest of the structure is newer than some headers, and not needed: seccomp refuses sockets
    // and signals.
    std::uint64_t handled = refusable(version);
    const long ruleset = syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
    if (ruleset < 0)
        return false;
    for (const auto& path : grants.readable)
        allow(int(ruleset), path.c_str());
    for (const char* path : systemFiles)
        allow(int(ruleset), path);
    const bool done = syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
    close(int(ruleset));
    return done;
}
#else
bool canRestrictFiles()
{
    return false;
}

bool restrictFiles(const BoxGrants& /*grants*/)
{
    return false;
}
#endif

} // namespace lapidary::detail
