// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/buffer.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include <sys/stat.h>

namespace lapidary {

// Identifies a state of a file without reading its content.
struct FileFacts {
    std::uint64_t size = 0;
    std::int64_t seconds = 0;
    std::int64_t nanoseconds = 0;
    std::uint64_t inode = 0;
    std::uint64_t device = 0;

    bool operator==(const FileFacts&) const = default;
};

FileFacts factsOf(const struct stat& status);

// Returns an error that says what failed and the text of errno.
Error systemError(const std::filesystem::path& path, const char* what);

// Owns a file that is open for reading.
class FileDescriptor {
public:
    // Opens without waiting, so that a pipe without a writer does not stall the program.
    explicit FileDescriptor(const std::filesystem::path& path);
    ~FileDescriptor();
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    int number() const { return m_number; } // negative if not open; see errno

private:
    int m_number;
};

struct MappingSlot;

// Pages of a file that are mapped into memory. If the file is cut short, reads give zeros instead
// of a signal, and intact() fails.
class FileMapping final : public Buffer {
public:
    // Takes over `memory`, which munmap() must be able to unmap as a whole. `fileBytes` are the
    // parts of it that show the file and nothing else, in ascending order: only their pages are
    // released. If too many files are mapped already, unmaps the memory and returns null.
    static std::shared_ptr<FileMapping> over(std::string_view memory,
                                             const std::filesystem::path& path,
                                             const FileFacts& facts,
                                             std::vector<std::string_view> fileBytes);
    ~FileMapping() override;
    Status intact() const override;
    // Releases the whole pages of `part` that show only the file.
    void release(std::string_view part) const;

private:
    FileMapping(std::string_view memory, std::filesystem::path path, const FileFacts& facts,
                std::vector<std::string_view> fileBytes, MappingSlot* slot);

    std::filesystem::path m_path;
    FileFacts m_facts;
    std::vector<std::string_view> m_fileBytes;
    MappingSlot* m_slot;
};

} // namespace lapidary
