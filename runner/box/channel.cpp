// SPDX-License-Identifier: Apache-2.0
#include "runner/box/channel.h"

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>

#include <sys/socket.h>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

// First bytes of messages.
constexpr char askFor = 'P';   // a path
constexpr char piece = 'D';    // bytes
constexpr char complete = 'E'; // no more bytes
constexpr char giveUp = 'X';   // the bytes cannot be made: write nothing
constexpr char written = 'K';
constexpr char failed = 'F'; // the error's code and message

constexpr std::size_t mostBytes = 64 << 10; // of a message

bool send(int socket, char kind, std::string_view text)
{
    std::string message(1, kind);
    message += text;
    ssize_t sent = -1;
    do
        sent = ::send(socket, message.data(), message.size(), MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == ssize_t(message.size());
}

// Empty: the other end is gone.
std::string receive(int socket)
{
    std::string message(mostBytes + 1, '\0');
    ssize_t got = -1;
    do
        got = ::recv(socket, message.data(), message.size(), 0);
    while (got < 0 && errno == EINTR);
    message.resize(std::size_t(std::max<ssize_t>(got, 0)));
    return message;
}

Error goneError(const fs::path& path)
{
    return {ErrorCode::Io, path.string() + ": could not be written: the other process is gone"};
}

Status sendPieces(int socket, const fs::path& path, std::string_view bytes)
{
    while (!bytes.empty()) {
        const std::string_view part = bytes.substr(0, mostBytes);
        if (!send(socket, piece, part))
            return goneError(path);
        bytes.remove_prefix(part.size());
    }
    return Done{};
}

bool isGranted(const std::string& path, const BoxGrants& grants)
{
    return grants.allFiles ||
           std::ranges::find(grants.writable, fs::path(path)) != grants.writable.end() ||
           (!grants.writablePrefix.empty() && path.starts_with(grants.writablePrefix) &&
            path.find('/', grants.writablePrefix.size()) == std::string::npos);
}

Status takePieces(int socket, const std::string& path, const ByteSink& sink)
{
    while (true) {
        const std::string message = receive(socket);
        if (message.empty())
            return goneError(path);
        if (message[0] == complete)
            return Done{};
        if (message[0] != piece)
            return Error{ErrorCode::Cancelled, "given up"};
        RETURN_IF_ERROR(sink(std::string_view(message).substr(1)));
    }
}

// After an error of the sink: what still comes is dropped, so that the answer is heard.
void dropPieces(int socket)
{
    std::string message;
    do
        message = receive(socket);
    while (!message.empty() && message[0] == piece);
}

} // namespace

Status writeOutside(int socket, const fs::path& path, const ByteSource& source)
{
    if (!send(socket, askFor, path.string()))
        return goneError(path);
    const Status given =
        source([&](std::string_view bytes) { return sendPieces(socket, path, bytes); });
    if (!send(socket, given ? complete : giveUp, {}))
        return given ? Status(goneError(path)) : given;
    const std::string answer = receive(socket);
    if (!given)
        return given;
    if (answer.empty())
        return goneError(path);
    if (answer[0] == written)
        return Done{};
    return Error{answer.size() > 1 && answer[1] == 'A' ? ErrorCode::InvalidArgument : ErrorCode::Io,
                 answer.substr(std::min<std::size_t>(2, answer.size()))};
}

bool answerWrite(int socket, const BoxGrants& grants)
{
    const std::string request = receive(socket);
    if (request.empty())
        return false;
    if (request[0] != askFor)
        return true;
    const std::string path = request.substr(1);
    bool isRead = false; // to the end of what the other side gives
    Status status = Error{ErrorCode::Io, path + ": the sandbox does not let it be written"};
    if (isGranted(path, grants))
        status = writeFileAtomically(fs::path(path), [&](const ByteSink& sink) {
            bool sinkFailed = false;
            const Status taken = takePieces(socket, path, [&](std::string_view bytes) {
                Status put = sink(bytes);
                sinkFailed = !put;
                return put;
            });
            isRead = !sinkFailed;
            return taken;
        });
    if (!isRead)
        dropPieces(socket);
    if (status)
        return send(socket, written, {});
    const bool isArgument = status.error().code == ErrorCode::InvalidArgument;
    const std::string text = (isArgument ? "A" : "I") + status.error().message;
    return send(socket, failed, std::string_view(text).substr(0, mostBytes));
}

} // namespace lapidary
