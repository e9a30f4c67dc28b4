// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/write/byte_source.h"
#include "graph_model/write/file_replacement.h"
#include "runner/box/grants.h"

#include <filesystem>
#include <memory>
#include <string>

namespace lapidary {

// How a boxed process has files written: messages on a socket of packets (SOCK_SEQPACKET), of which
// the first byte says what the rest is. Inside: asks for `path`, writes into the descriptor that
// comes, says that this is all and waits for the answer.
Status writeOutside(int socket, const std::filesystem::path& path, const ByteSource& source);

// Outside: opens what is granted, and gives it its name when it is whole.
class GrantedFiles {
public:
    // Both must last as long as the object.
    GrantedFiles(int socket, const BoxGrants& grants);

    // Takes one message. False where the other end is gone.
    bool answer();
    bool isOpen() const { return m_file != nullptr; }
    // Must be called every few milliseconds while a file is open.
    void storeEarly() { m_file->storeEarly(); }

private:
    bool open(const std::string& path);
    bool finish();

    int m_socket;
    const BoxGrants& m_grants;
    std::unique_ptr<FileReplacement> m_file; // that is being written
};

} // namespace lapidary
