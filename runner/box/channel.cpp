// SPDX-License-Identifier: Apache-2.0
#include "runner/box/channel.h"

#include "runner/box/child_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include <sys/socket.h>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

// First bytes of messages.
constexpr char askFor = 'P';   // a path
constexpr char opened = 'O';   // comes with the descriptor
constexpr char complete = 'E'; // no more bytes
constexpr char giveUp = 'X';   // the bytes cannot be made: nothing must be written
constexpr char written = 'K';
constexpr char failed = 'F'; // the error's code and message

constexpr std::size_t mostBytes = 64 << 10; // of a message
constexpr int none = -1;                    // no descriptor

// The buffer for one descriptor sent along with a message.
struct Beside {
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> bytes{};

    void put(msghdr& message, int descriptor)
    {
        message.msg_control = bytes.data();
        message.msg_controllen = bytes.size();
        cmsghdr* const head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof descriptor);
        std::memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
    }
    static int take(msghdr& message)
    {
        const cmsghdr* const head = CMSG_FIRSTHDR(&message);
        int descriptor = none;
        if (head != nullptr && head->cmsg_type == SCM_RIGHTS &&
            head->cmsg_len == CMSG_LEN(sizeof descriptor))
            std::memcpy(&descriptor, CMSG_DATA(head), sizeof descriptor);
        return descriptor;
    }
};

bool send(int socket, char kind, std::string_view text, int descriptor = none)
{
    std::array<iovec, 2> parts{iovec{&kind, 1}, iovec{const_cast<char*>(text.data()), text.size()}};
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    Beside beside;
    if (descriptor != none)
        beside.put(message, descriptor);
    ssize_t sent = -1;
    do
        sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == ssize_t(1 + text.size());
}

struct Message {
    std::string text; // empty: the other end is closed

    char kind() const { return text.empty() ? '\0' : text.front(); }
    std::string rest() const { return text.substr(std::min<std::size_t>(1, text.size())); }
};

// Receives a message. The system closes descriptors that come with it if none is expected.
Message receive(int socket, Descriptor* descriptor = nullptr)
{
    Message received{std::string(mostBytes + 1, '\0')};
    iovec part{received.text.data(), received.text.size()};
    Beside beside;
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (descriptor != nullptr) {
        message.msg_control = beside.bytes.data();
        message.msg_controllen = beside.bytes.size();
    }
    ssize_t got = -1;
    do
        got = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    received.text.resize(std::size_t(std::max<ssize_t>(got, 0)));
    if (got > 0 && descriptor != nullptr)
        *descriptor = Descriptor(Beside::take(message));
    return received;
}

Error goneError(const fs::path& path)
{
    return {ErrorCode::Io, path.string() + ": could not be written: the other process is gone"};
}

// Returns the error that the other side reports.
Error toldError(const Message& message, const fs::path& path)
{
    const std::string text = message.rest();
    if (message.kind() != failed || text.empty())
        return goneError(path);
    return {text[0] == 'A' ? ErrorCode::InvalidArgument : ErrorCode::Io, text.substr(1)};
}

bool tell(int socket, const Error& error)
{
    const bool isArgument = error.code == ErrorCode::InvalidArgument;
    const std::string text = (isArgument ? "A" : "I") + error.message;
    return send(socket, failed, std::string_view(text).substr(0, mostBytes));
}

bool isGranted(const std::string& path, const BoxGrants& grants)
{
    return grants.allFiles ||
           std::ranges::find(grants.writable, fs::path(path)) != grants.writable.end() ||
           (!grants.writablePrefix.empty() && path.starts_with(grants.writablePrefix) &&
            path.find('/', grants.writablePrefix.size()) == std::string::npos);
}

} // namespace

Status writeOutside(int socket, const fs::path& path, const ByteSource& source)
{
    if (!send(socket, askFor, path.string()))
        return goneError(path);
    Descriptor file;
    const Message begun = receive(socket, &file);
    if (begun.kind() != opened || !file.isOpen())
        return toldError(begun, path);
    const Status given =
        source([&](std::string_view bytes) { return writeTo(file.number(), path, bytes); });
    file.close();
    if (!send(socket, given ? complete : giveUp, {}))
        return given ? Status(goneError(path)) : given;
    if (!given)
        return given;
    const Message answer = receive(socket);
    if (answer.kind() == written)
        return Done{};
    return toldError(answer, path);
}

GrantedFiles::GrantedFiles(int socket, const BoxGrants& grants)
    : m_socket(socket)
    , m_grants(grants)
{
}

bool GrantedFiles::answer()
{
    const Message request = receive(m_socket);
    switch (request.kind()) {
    case '\0': m_file.reset(); return false;
    case askFor: return open(request.rest());
    case complete: return finish();
    case giveUp: m_file.reset(); return true;
    default: return true;
    }
}

bool GrantedFiles::open(const std::string& path)
{
    m_file.reset();
    if (!isGranted(path, m_grants))
        return tell(m_socket, {ErrorCode::Io, path + ": the sandbox does not let it be written"});
    auto file = FileReplacement::begin(path);
    if (!file)
        return tell(m_socket, file.error());
    m_file = *std::move(file);
    return send(m_socket, opened, {}, m_file->descriptor());
}

bool GrantedFiles::finish()
{
    const auto file = std::exchange(m_file, nullptr);
    if (file == nullptr)
        return true;
    const Status done = file->commit();
    return done ? send(m_socket, written, {}) : tell(m_socket, done.error());
}

} // namespace lapidary
