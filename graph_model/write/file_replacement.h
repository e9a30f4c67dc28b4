// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/byte_sink.h"

#include <filesystem>
#include <memory>
#include <string>

#include <sys/types.h>

namespace lapidary {

// A file that is written anew. It replaces an existing one when it is complete, or nothing happens:
// no file is left if it is abandoned, even by a process that is killed, if the file system supports
// files without a name.
class FileReplacement {
public:
    // Devices and pipes cannot be replaced, and are written through.
    static Result<std::unique_ptr<FileReplacement>> begin(const std::filesystem::path& path);
    ~FileReplacement();
    FileReplacement(const FileReplacement&) = delete;
    FileReplacement& operator=(const FileReplacement&) = delete;

    // Where the bytes go, one after the other.
    int descriptor() const { return m_descriptor; }
    // Has the system begin to store what was written by now, so that commit() has little left to
    // wait for. Worth a call after each megabyte or a few milliseconds.
    void storeEarly();
    // Must be called once, when all bytes are written.
    Status commit();

private:
    explicit FileReplacement(const std::filesystem::path& path);
    Status openTemporary();
    bool nameTemporary();

    std::filesystem::path m_path;   // as it was named
    std::filesystem::path m_target; // where links lead
    std::string m_temporary;        // the name that it has for now; empty: none
    int m_descriptor = -1;
    bool m_isReplaced = false; // false: written through
    off_t m_begun = 0;         // to be stored
};

// Writes to a descriptor that is open for the file of this path.
Status writeTo(int descriptor, const std::filesystem::path& path, std::string_view bytes);

} // namespace lapidary
