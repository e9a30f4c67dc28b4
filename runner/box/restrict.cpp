// SPDX-License-Identifier: Apache-2.0
#include "runner/box/restrict.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>

#include <sys/resource.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace lapidary {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool isForChecking = true; // its shadow is larger than any limit
#else
constexpr bool isForChecking = false;
#endif

// Returns the bytes of private writable memory, which RLIMIT_DATA counts; 0 if unknown.
std::uint64_t dataBytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        std::istringstream words(line);
        std::string key;
        std::uint64_t kilobytes = 0;
        if (words >> key >> kilobytes && key == "VmData:")
            return kilobytes << 10;
    }
    return 0;
}

constexpr const char* fileAccess = "file access (Landlock)";
constexpr const char* networkAndPrograms = "network and programs (seccomp)";

} // namespace

namespace detail {

// The count of the heap stops a run early enough and names the node; this limit covers what
// libraries allocate past that count, and stacks.
bool restrictMemory(std::uint64_t bytes)
{
    if (bytes == 0 || isForChecking)
        return true;
    const std::uint64_t before = dataBytes();
    constexpr std::uint64_t room = std::uint64_t(192) << 20; // stacks of threads, and rounding
    std::uint64_t most = 0;
    if (before == 0 || __builtin_add_overflow(bytes, bytes / 20 + before + room, &most))
        return before != 0;
    rlimit limit{};
    if (getrlimit(RLIMIT_DATA, &limit) != 0)
        return false;
    limit.rlim_max = limit.rlim_cur = std::min<rlim_t>(most, limit.rlim_max);
    return setrlimit(RLIMIT_DATA, &limit) == 0;
}

} // namespace detail

Result<std::vector<std::string>> restrictProcess(const BoxGrants& grants)
{
    std::vector<std::string> missing;
    const rlimit none{};
    setrlimit(RLIMIT_CORE, &none); // a core dump would write the memory to a file
    if (!detail::restrictMemory(grants.memory))
        missing.emplace_back("memory (RLIMIT_DATA)");
#ifdef __linux__
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return Error{ErrorCode::Io,
                     "the sandbox cannot be entered: " + std::generic_category().message(errno)};
#endif
    if (!grants.allFiles && !detail::restrictFiles(grants))
        missing.emplace_back(fileAccess);
    if (!detail::restrictCalls())
        missing.emplace_back(networkAndPrograms);
    return missing;
}

std::vector<std::string> sandboxLacks()
{
    std::vector<std::string> lacks;
    if (!detail::canRestrictFiles())
        lacks.emplace_back(fileAccess);
    if (!detail::canRestrictCalls())
        lacks.emplace_back(networkAndPrograms);
    return lacks;
}

} // namespace lapidary
