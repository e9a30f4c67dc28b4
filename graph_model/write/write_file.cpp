#include "graph_model/write/write_model.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

namespace lapidary {
namespace {

// What went wrong, or empty. Closes the file in any case.
std::string writeAll(int file, std::string_view bytes)
{
    std::string fault;
    while (!bytes.empty() && fault.empty()) {
        const ssize_t written = write(file, bytes.data(), bytes.size());
        if (written >= 0)
            bytes.remove_prefix(std::size_t(written));
        else if (errno != EINTR)
            fault = std::strerror(errno);
    }
    if (close(file) != 0 && fault.empty())
        fault = std::strerror(errno);
    return fault;
}

// A file that is replaced keeps its rights; a new one gets those that the umask leaves.
mode_t wantedMode(const std::filesystem::path& path)
{
    struct stat facts {};
    if (stat(path.c_str(), &facts) == 0)
        return facts.st_mode & 07777U;
    const mode_t mask = umask(0);
    umask(mask);
    return 0666U & ~mask;
}

} // namespace

Status writeFileAtomically(const std::filesystem::path& path, std::string_view bytes)
{
    const auto failure = [&path](const std::string& why) {
        return Error{ErrorCode::Io, path.string() + ": could not be written: " + why};
    };
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return failure("it is a folder; name a file in it");
    std::string temporary = path.string() + ".XXXXXX";
    const int file = mkstemp(temporary.data());
    if (file < 0)
        return failure(std::strerror(errno));
    std::string fault = fchmod(file, wantedMode(path)) == 0 ? "" : std::strerror(errno);
    const std::string writing = writeAll(file, bytes);
    if (fault.empty())
        fault = writing;
    if (fault.empty() && std::rename(temporary.c_str(), path.c_str()) != 0)
        fault = std::strerror(errno);
    if (fault.empty())
        return Done{};
    unlink(temporary.c_str());
    return failure(fault);
}

} // namespace lapidary
