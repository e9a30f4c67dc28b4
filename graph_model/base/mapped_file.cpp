// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/mapped_file.h"

#include "graph_model/base/file_mapping.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace lapidary {
namespace {

// Small files are read completely, so a later change of the file does not matter.
Result<BufferPtr> readWhole(const std::filesystem::path& path, int descriptor, std::uint64_t hint)
{
    std::string text;
    text.resize(std::size_t(hint));
    std::size_t filled = 0;
    while (true) {
        if (filled == text.size())
            text.resize(text.size() + std::max<std::size_t>(text.size() / 2, 4096));
        const ssize_t got = ::read(descriptor, text.data() + filled, text.size() - filled);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return systemError(path, "cannot be read");
        if (got == 0)
            break;
        filled += std::size_t(got);
    }
    text.resize(filled);
    return makeBuffer(std::move(text));
}

// The user sees only the link, so an error must name its target.
Error openingError(const std::filesystem::path& path)
{
    Error error = systemError(path, "cannot be opened");
    std::error_code fault;
    const auto target = std::filesystem::read_symlink(path, fault);
    if (errno == EACCES && !fault)
        error.message += "; it is a link to " + target.string() +
                         ", and the sandbox does not follow links out of the folder";
    return error;
}

} // namespace

void releasePages(const Buffer& buffer, std::string_view part)
{
    if (const auto* mapped = dynamic_cast<const FileMapping*>(&buffer))
        mapped->release(part);
}

Result<BufferPtr> openFile(const std::filesystem::path& path, std::uint64_t mapAbove)
{
    const FileDescriptor file(path);
    if (file.number() < 0)
        return openingError(path);
    struct stat status = {};
    if (::fstat(file.number(), &status) != 0)
        return systemError(path, "cannot be read");
    if (S_ISDIR(status.st_mode))
        return Error{ErrorCode::InvalidArgument, path.string() + ": is a folder; a file is needed"};
    if (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode) || S_ISSOCK(status.st_mode))
        return Error{ErrorCode::InvalidArgument, path.string() + ": is a device; a file is needed"};
    // The file was opened without waiting, so that a pipe without a writer ends at once; a pipe
    // with a writer is read to its end.
    if (::fcntl(file.number(), F_SETFL, 0) != 0)
        return systemError(path, "cannot be read");
    const FileFacts facts = factsOf(status);
    if (!S_ISREG(status.st_mode) || facts.size <= mapAbove)
        return readWhole(path, file.number(), S_ISREG(status.st_mode) ? facts.size + 1 : 4096);
    void* address =
        mmap(nullptr, std::size_t(facts.size), PROT_READ, MAP_PRIVATE, file.number(), 0);
    if (address == MAP_FAILED)
        return systemError(path, "cannot be mapped");
    const std::string_view memory(static_cast<const char*>(address), std::size_t(facts.size));
    if (auto mapping = FileMapping::over(memory, path, facts, {memory}))
        return BufferPtr(std::move(mapping));
    return readWhole(path, file.number(), facts.size + 1);
}

} // namespace lapidary
