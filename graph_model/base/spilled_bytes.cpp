// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/spilled_bytes.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace lapidary {
namespace {

class SpilledBytes final : public Buffer {
public:
    SpilledBytes(void* address, std::size_t size)
    {
        m_bytes = {static_cast<const char*>(address), size};
    }
    ~SpilledBytes() override { munmap(const_cast<char*>(m_bytes.data()), m_bytes.size()); }
};

// A file that is deleted when it is closed; no other process can change it.
class UnnamedFile {
public:
    explicit UnnamedFile(const std::filesystem::path& folder)
        : m_name((folder / "lapidary-XXXXXX").string())
        , m_number(::mkostemp(m_name.data(), O_CLOEXEC))
    {
        if (m_number >= 0)
            ::unlink(m_name.c_str());
    }
    ~UnnamedFile()
    {
        if (m_number >= 0)
            ::close(m_number);
    }
    UnnamedFile(const UnnamedFile&) = delete;
    UnnamedFile& operator=(const UnnamedFile&) = delete;

    int number() const { return m_number; }
    bool write(std::string_view bytes) const
    {
        while (!bytes.empty()) {
            const ssize_t written = ::write(m_number, bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR)
                continue;
            if (written <= 0)
                return false;
            bytes.remove_prefix(std::size_t(written));
        }
        return true;
    }

private:
    std::string m_name;
    int m_number;
};

} // namespace

Result<BufferPtr> spillBytes(std::string_view head, std::string_view body)
{
    std::error_code fault;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(fault);
    const std::size_t size = head.size() + body.size();
    const UnnamedFile file(folder);
    void* address = MAP_FAILED;
    if (!fault && size > 0 && file.number() >= 0 && file.write(head) && file.write(body))
        address = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
    if (address == MAP_FAILED)
        return Error{ErrorCode::Io,
                     folder.string() + ": there is no room for " + std::to_string(size) + " bytes"};
    return BufferPtr(std::make_shared<const SpilledBytes>(address, size));
}

} // namespace lapidary
