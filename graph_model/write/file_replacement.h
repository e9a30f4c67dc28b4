// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/byte_sink.h"

#include <filesystem>
#include <memory>
#include <string>

#include <sys/types.h>

namespace lapidary {

// Writes a new file that replaces an existing one when it is complete. If it is abandoned, even by
// a process that is killed, no file is left, provided that the file system supports files without a
// name.
class FileReplacement {
public:
    // Devices and pipes cannot be replaced; they are written to directly.
    static Result<std::unique_ptr<FileReplacement>> begin(const std::filesystem::path& path);
    ~FileReplacement();
    FileReplacement(const FileReplacement&) = delete;
    FileReplacement& operator=(const FileReplacement&) = delete;

    // The file descriptor for the bytes.
    int descriptor() const { return m_descriptor; }
    // Makes the system begin to store the bytes written so far, so that commit() has little left to
    // wait for. Worth calling after each megabyte or a few milliseconds.
    void storeEarly();
    // Must be called once, when all bytes are written.
    Status commit();

private:
    explicit FileReplacement(const std::filesystem::path& path);
    Status openTemporary();
    bool nameTemporary();

    std::filesystem::path m_path;   // as given
    std::filesystem::path m_target; // with links resolved
    std::string m_temporary;        // its temporary name; empty: none
    int m_descriptor = -1;
    bool m_isReplaced = false; // false: written to directly
    off_t m_begun = 0;         // bytes whose storing has begun
};

// Writes to an open descriptor; `path` is for error messages.
Status writeTo(int descriptor, const std::filesystem::path& path, std::string_view bytes);

} // namespace lapidary
