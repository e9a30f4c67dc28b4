// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/wire.h"
#include "graph_model/checkpoint/checkpoint.h"
#include "graph_model/checkpoint/table.h"
#include "tests/fuzz/targets/targets.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace lapidary::fuzz {
namespace {

// A folder of this process, removed by the destructor.
class Folder {
public:
    Folder()
    {
        std::string pattern = std::filesystem::temp_directory_path() / "checkpoint-XXXXXX";
        promise(mkdtemp(pattern.data()) != nullptr, "a folder for the files can be made");
        m_path = pattern;
    }
    ~Folder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    void write(std::string_view name, std::string_view bytes) const
    {
        std::ofstream(m_path / name, std::ios::binary) << bytes;
    }
    std::filesystem::path path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

void readAll(const std::filesystem::path& prefix)
{
    const OpenedCheckpoint opened = openCheckpoint(prefix, Job());
    if (!opened.checkpoint)
        return;
    for (const CheckpointVariable& variable : opened.checkpoint->variables()) {
        const CheckpointRead read = opened.checkpoint->read(variable.name);
        promise(read.problem || read.value.dims.size() <= 254, "a value has few sizes");
    }
    (void)checkValues(*opened.checkpoint, Job());
}

} // namespace

void readSortedTable(std::string_view bytes)
{
    const Table table = readTable(bytes, Job());
    promise(table.fault || !bytes.empty(), "an empty file is not a table");
}

// Two bytes, the length of the index (little-endian), then the index, then the data. A length of 0
// says that what follows is a checkpoint of version 1.
void readCheckpoint(std::string_view bytes)
{
    if (bytes.size() < 2)
        return;
    static const Folder folder;
    const std::size_t length = std::size_t(static_cast<unsigned char>(bytes[0])) +
                               (std::size_t(static_cast<unsigned char>(bytes[1])) << 8U);
    bytes.remove_prefix(2);
    if (length == 0) {
        folder.write("old", bytes);
        return readAll(folder.path() / "old");
    }
    folder.write("model.index", bytes.substr(0, length));
    folder.write("model.data-00000-of-00001", bytes.substr(std::min(length, bytes.size())));
    readAll(folder.path() / "model");
}

} // namespace lapidary::fuzz
