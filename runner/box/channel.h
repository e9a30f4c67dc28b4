// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/write/byte_source.h"
#include "graph_model/write/file_replacement.h"
#include "runner/box/grants.h"

#include <filesystem>
#include <memory>
#include <string>

namespace lapidary {

// A boxed process has the outer process write its files: they exchange messages on a socket of
// packets (SOCK_SEQPACKET), of which the first byte says what the rest is.
// The inside: asks for `path`, writes to the descriptor that it gets, reports the end and waits for
// the answer.
Status writeOutside(int socket, const std::filesystem::path& path, const ByteSource& source);

// The outside: opens granted files, and gives each its name when it is complete.
class GrantedFiles {
public:
    // Both must last as long as the object.
    GrantedFiles(int socket, const BoxGrants& grants);

    // Reads and answers one message. Returns false if the other end is closed.
    bool answer();
    bool isOpen() const { return m_file != nullptr; }
    // Must be called every few milliseconds while a file is open.
    void storeEarly() { m_file->storeEarly(); }

private:
    bool open(const std::string& path);
    bool finish();

    int m_socket;
    const BoxGrants& m_grants;
    std::unique_ptr<FileReplacement> m_file; // that is being written; null: none
};

} // namespace lapidary
