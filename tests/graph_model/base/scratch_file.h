// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <stdlib.h>
#include <unistd.h>

namespace lapidary {

// A file with a name of its own in the folder of temporary files, removed by the destructor.
class ScratchFile {
public:
    explicit ScratchFile(const std::string& content)
    {
        std::string name = (std::filesystem::temp_directory_path() / "lapidary-XXXXXX").string();
        ::close(mkstemp(name.data()));
        m_path = name;
        std::ofstream(m_path, std::ios::binary) << content;
    }
    ~ScratchFile() { std::filesystem::remove(m_path); }
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

} // namespace lapidary
