// SPDX-License-Identifier: Apache-2.0
#include "graph_model/write/file_replacement.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

Error systemError(const fs::path& path, const char* what)
{
    return {ErrorCode::Io,
            path.string() + ": " + what + ": " + std::generic_category().message(errno)};
}

// Returns the permissions of the file that is replaced, or those of any new file.
mode_t permissionsFor(const fs::path& target)
{
    struct stat status = {};
    if (::stat(target.c_str(), &status) == 0)
        return status.st_mode & 0777;
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
}

fs::path folderOf(const fs::path& target)
{
    return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

void syncFolder(const fs::path& folder)
{
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    ::fsync(descriptor);
    ::close(descriptor);
}

int openWithoutName([[maybe_unused]] const fs::path& folder)
{
#ifdef O_TMPFILE
    return ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#else
    return -1;
#endif
}

} // namespace

Status writeTo(int descriptor, const fs::path& path, std::string_view bytes)
{
    while (!bytes.empty()) {
        const std::size_t chunk = std::min<std::size_t>(bytes.size(), std::size_t(1) << 30);
        const ssize_t written = ::write(descriptor, bytes.data(), chunk);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return systemError(path, "could not be written");
        bytes.remove_prefix(std::size_t(written));
    }
    return Done{};
}

FileReplacement::FileReplacement(const fs::path& path)
    : m_path(path)
    , m_target(path)
{
}

FileReplacement::~FileReplacement()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
    if (!m_temporary.empty())
        ::unlink(m_temporary.c_str());
}

Result<std::unique_ptr<FileReplacement>> FileReplacement::begin(const fs::path& path)
{
    std::error_code fault;
    const fs::file_status status = fs::status(path, fault);
    if (fs::is_directory(status))
        return Error{ErrorCode::InvalidArgument, path.string() + ": is a folder; name a file"};
    std::unique_ptr<FileReplacement> file(new FileReplacement(path));
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        file->m_descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (file->m_descriptor < 0)
            return systemError(path, "cannot be opened for writing");
        return file;
    }
    // A link is kept, and its target is replaced.
    if (fs::exists(status))
        file->m_target = fs::canonical(path, fault);
    if (fault || file->m_target.empty())
        file->m_target = path;
    RETURN_IF_ERROR(file->openTemporary());
    return file;
}

Status FileReplacement::openTemporary()
{
    m_isReplaced = true;
    m_descriptor = openWithoutName(folderOf(m_target));
    if (m_descriptor >= 0)
        return Done{};
    std::string name = (m_target.parent_path() / ("." + m_target.filename().string() + ".XXXXXX"));
    m_descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (m_descriptor < 0)
        return systemError(m_path, "could not be written");
    m_temporary = std::move(name);
    return Done{};
}

void FileReplacement::storeEarly()
{
    constexpr off_t atOnce = off_t(32) << 20;
    const off_t written = m_isReplaced ? ::lseek(m_descriptor, 0, SEEK_CUR) : 0;
    if (written - m_begun < atOnce)
        return;
    ::sync_file_range(m_descriptor, m_begun, written - m_begun, SYNC_FILE_RANGE_WRITE);
    m_begun = written;
}

// A file without a name cannot replace another, so this gives it a temporary one.
bool FileReplacement::nameTemporary()
{
    static std::atomic<unsigned> count = 0;
    const std::string file = "/proc/self/fd/" + std::to_string(m_descriptor);
    for (int tries = 0; m_temporary.empty() && tries < 100; ++tries) {
        const std::string ending = std::to_string(::getpid()) + "-" + std::to_string(++count);
        std::string name = m_target.parent_path() / ("." + m_target.filename().string() + ending);
        if (::linkat(AT_FDCWD, file.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0)
            m_temporary = std::move(name);
        else if (errno != EEXIST)
            return false;
    }
    return !m_temporary.empty();
}

Status FileReplacement::commit()
{
    if (!m_isReplaced)
        return Done{};
    if (::fsync(m_descriptor) != 0)
        return systemError(m_path, "could not be written");
    if (::fchmod(m_descriptor, permissionsFor(m_target)) != 0 || !nameTemporary() ||
        ::rename(m_temporary.c_str(), m_target.c_str()) != 0)
        return systemError(m_path, "cannot be replaced");
    m_temporary.clear();
    syncFolder(folderOf(m_target));
    return Done{};
}

} // namespace lapidary
