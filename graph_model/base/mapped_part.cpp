// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/mapped_part.h"

#include "graph_model/base/file_mapping.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

namespace lapidary {
namespace {

// The layout of the parts in one stretch of memory: each in whole pages, after one page of its own.
struct Stretch {
    std::size_t at = 0;         // position of its own page
    std::size_t fileOffset = 0; // position of the first page of the file
    std::size_t inPage = 0;     // position of the part in it
    std::size_t size = 0;       // of the file's pages
};

std::vector<Stretch> stretchesOf(std::span<const FilePart> parts, std::size_t page,
                                 std::size_t& total)
{
    std::vector<Stretch> stretches;
    for (const FilePart& part : parts) {
        const std::size_t inPage = part.offset % page;
        const std::size_t size = (inPage + part.length + page - 1) / page * page;
        stretches.push_back({.at = total,
                             .fileOffset = std::size_t(part.offset) - inPage,
                             .inPage = inPage,
                             .size = size});
        total += page + size;
    }
    return stretches;
}

bool mapPart(char* memory, int descriptor, const FilePart& part, const Stretch& stretch,
             std::size_t page)
{
    char* const begin = memory + stretch.at;
    const auto size = stretch.size;
    if (mprotect(begin, page, PROT_READ | PROT_WRITE) != 0 ||
        mmap(begin + page, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, descriptor,
             off_t(stretch.fileOffset)) == MAP_FAILED)
        return false;
    char* const content = begin + page + stretch.inPage;
    std::memcpy(content - part.head.size(), part.head.data(), part.head.size());
    return mprotect(begin, page + size, PROT_READ) == 0;
}

bool mapAll(char* memory, int descriptor, std::span<const FilePart> parts,
            const std::vector<Stretch>& stretches, std::size_t page)
{
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (!mapPart(memory, descriptor, parts[i], stretches[i], page))
            return false;
    return true;
}

Error notMapped(const std::filesystem::path& path)
{
    return {ErrorCode::Io, path.string() + ": cannot be mapped"};
}

// Returns the bytes of each part of the file in memory.
std::vector<std::string_view> fileBytesOf(const char* memory, std::span<const FilePart> parts,
                                          const std::vector<Stretch>& stretches, std::size_t page)
{
    std::vector<std::string_view> bytes;
    bytes.reserve(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i)
        bytes.emplace_back(memory + stretches[i].at + page + stretches[i].inPage,
                           std::size_t(parts[i].length));
    return bytes;
}

bool areInFile(std::span<const FilePart> parts, std::uint64_t fileSize, std::size_t page)
{
    return std::all_of(parts.begin(), parts.end(), [&](const FilePart& part) {
        return part.length > 0 && part.offset <= fileSize &&
               part.length <= fileSize - part.offset && part.head.size() <= page;
    });
}

} // namespace

Result<MappedParts> mapFileParts(const std::filesystem::path& path, std::span<const FilePart> parts)
{
    const FileDescriptor file(path);
    struct stat status = {};
    const auto page = std::size_t(sysconf(_SC_PAGESIZE));
    if (file.number() < 0 || ::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode) ||
        parts.empty() || !areInFile(parts, std::uint64_t(status.st_size), page))
        return notMapped(path);
    std::size_t total = 0;
    const std::vector<Stretch> stretches = stretchesOf(parts, page, total);
    void* const address =
        mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address == MAP_FAILED)
        return notMapped(path);
    char* const memory = static_cast<char*>(address);
    const auto fileBytes = fileBytesOf(memory, parts, stretches, page);
    auto mapping = FileMapping::over({memory, total}, path, factsOf(status), fileBytes);
    if (!mapping || !mapAll(memory, file.number(), parts, stretches, page))
        return notMapped(path);
    MappedParts mapped{.buffer = std::move(mapping), .parts = {}};
    for (std::size_t i = 0; i < parts.size(); ++i)
        mapped.parts.emplace_back(fileBytes[i].data() - parts[i].head.size(),
                                  parts[i].head.size() + fileBytes[i].size());
    return mapped;
}

} // namespace lapidary
