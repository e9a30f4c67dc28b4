// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/write/byte_source.h"
#include "runner/box/grants.h"

#include <filesystem>

namespace lapidary {

// How a boxed process has files written: messages on a socket of packets (SOCK_SEQPACKET), of which
// the first byte says what the rest is. Inside: asks for `path`, gives the bytes, waits for the
// answer.
Status writeOutside(int socket, const std::filesystem::path& path, const ByteSource& source);

// Outside: answers one request, or does nothing where none has come. False where the other end is
// gone. Only what is granted is written.
bool answerWrite(int socket, const BoxGrants& grants);

} // namespace lapidary
