// SPDX-License-Identifier: Apache-2.0
#include "graph_model/write/byte_source.h"
#include "graph_model/write/delegated_writing.h"
#include "graph_model/write/write_model.h"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

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

// A temporary file that is deleted unless it was renamed.
class TemporaryFile {
public:
    explicit TemporaryFile(const fs::path& target)
        : m_name((target.parent_path() / ("." + target.filename().string() + ".XXXXXX")).string())
        , m_descriptor(::mkostemp(m_name.data(), O_CLOEXEC))
    {
    }
    ~TemporaryFile()
    {
        if (m_descriptor < 0)
            return;
        ::close(m_descriptor);
        if (!m_isKept)
            ::unlink(m_name.c_str());
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    int descriptor() const { return m_descriptor; }
    bool renameTo(const fs::path& target)
    {
        m_isKept = ::rename(m_name.c_str(), target.c_str()) == 0;
        return m_isKept;
    }

private:
    std::string m_name;
    int m_descriptor;
    bool m_isKept = false;
};

bool writeAll(int descriptor, std::string_view bytes)
{
    while (!bytes.empty()) {
        const std::size_t chunk = std::min<std::size_t>(bytes.size(), std::size_t(1) << 30);
        const ssize_t written = ::write(descriptor, bytes.data(), chunk);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes.remove_prefix(std::size_t(written));
    }
    return true;
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

// Has the system begin to store large files while they are written, so that the fsync() at the end
// has little left to wait for.
class EarlyStore {
public:
    explicit EarlyStore(int descriptor)
        : m_descriptor(descriptor)
    {
    }
    void wrote(std::size_t bytes)
    {
        m_written += off_t(bytes);
        if (m_written - m_begun < atOnce)
            return;
        ::sync_file_range(m_descriptor, m_begun, m_written - m_begun, SYNC_FILE_RANGE_WRITE);
        m_begun = m_written;
    }

private:
    static constexpr off_t atOnce = off_t(32) << 20;
    int m_descriptor;
    off_t m_written = 0;
    off_t m_begun = 0; // to be stored
};

ByteSink into(int descriptor, const fs::path& path)
{
    return [descriptor, &path,
            store = EarlyStore(descriptor)](std::string_view bytes) mutable -> Status {
        if (!writeAll(descriptor, bytes))
            return systemError(path, "could not be written");
        store.wrote(bytes.size());
        return Done{};
    };
}

// Devices and pipes cannot be replaced.
Status writeThrough(const fs::path& path, const ByteSource& source)
{
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0)
        return systemError(path, "cannot be opened for writing");
    Status written = source(into(descriptor, path));
    ::close(descriptor);
    return written;
}

WriteFile& delegate()
{
    static WriteFile write;
    return write;
}

void syncFolder(const fs::path& folder)
{
    const int descriptor =
        ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    ::fsync(descriptor);
    ::close(descriptor);
}

} // namespace

void delegateWriting(WriteFile write)
{
    delegate() = std::move(write);
}

bool isTextPath(const fs::path& path)
{
    const fs::path extension = path.extension();
    return extension == ".pbtxt" || extension == ".txt";
}

Status writeFileAtomically(const fs::path& path, std::string_view bytes)
{
    return writeFileAtomically(path, [bytes](const ByteSink& sink) { return sink(bytes); });
}

Status writeFileAtomically(const fs::path& path, const ByteSource& source)
{
    if (delegate())
        return delegate()(path, source);
    std::error_code fault;
    const fs::file_status status = fs::status(path, fault);
    if (fs::is_directory(status))
        return Error{ErrorCode::InvalidArgument, path.string() + ": is a folder; name a file"};
    if (fs::exists(status) && !fs::is_regular_file(status))
        return writeThrough(path, source);
    // A link is kept, and the file that it leads to is written.
    fs::path target = fs::exists(status) ? fs::canonical(path, fault) : path;
    if (fault || target.empty())
        target = path;
    TemporaryFile temporary(target);
    if (temporary.descriptor() < 0)
        return systemError(path, "could not be written");
    RETURN_IF_ERROR(source(into(temporary.descriptor(), path)));
    if (::fsync(temporary.descriptor()) != 0)
        return systemError(path, "could not be written");
    if (::fchmod(temporary.descriptor(), permissionsFor(target)) != 0 ||
        !temporary.renameTo(target))
        return systemError(path, "cannot be replaced");
    syncFolder(target.parent_path());
    return Done{};
}

} // namespace lapidary
