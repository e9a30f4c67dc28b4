// SPDX-License-Identifier: Apache-2.0
// A message is a length (eight bytes in the order of this machine) and so many bytes. An empty one
// from outside is a request to stop.
#include "runner/box/talk_process.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sys/socket.h>

namespace lapidary {
namespace {

using Clock = std::chrono::steady_clock;
using Length = std::array<char, sizeof(std::uint64_t)>;

Length lengthOf(std::size_t bytes)
{
    return std::bit_cast<Length>(std::uint64_t(bytes));
}

Error lostSocket(const Command& command)
{
    return {ErrorCode::Io, command.program.string() +
                               ": communication failed: " + std::generic_category().message(errno)};
}

std::optional<Error> tooLongError()
{
    return Error{ErrorCode::Unsupported,
                 "the process that runs graphs gives an answer of more than 2 GB and was killed"};
}

// Decides how long to wait for an answer.
class Patience {
public:
    explicit Patience(std::chrono::seconds limit)
        : m_limit(limit)
    {
    }

    bool isStopping() const { return m_stopping.has_value(); }
    void startStopping() { m_stopping = Clock::now(); }
    void lose() { m_isLost = true; }
    std::optional<Error> fault() const
    {
        constexpr std::chrono::milliseconds grace{100}; // from the request to stop to the end
        const auto now = Clock::now();
        if (m_isLost || (m_stopping && now - *m_stopping > grace))
            return cancelledError();
        if (m_limit.count() > 0 && now - m_began > m_limit)
            return timeLimitError(m_limit);
        return {};
    }

private:
    std::chrono::seconds m_limit;
    Clock::time_point m_began = Clock::now();
    std::optional<Clock::time_point> m_stopping;
    bool m_isLost = false;
};

} // namespace

// The transfer of one question and its answer, in pieces as the socket accepts and has them.
class TalkProcess::Exchange {
public:
    Exchange(int socket, std::string_view question)
        : m_socket(socket)
        , m_head(lengthOf(question.size()))
        , m_question(question)
    {
    }

    short wanted() const { return short(isSent() ? POLLIN : POLLIN | POLLOUT); }
    bool isSent() const { return m_sent == m_head.size() + m_question.size(); }
    bool isGone() const { return m_isGone; }
    bool isAnswered() const { return m_length && m_received == *m_length; }
    std::string takeText() // the answer must be complete
    {
        m_text.resize(m_received);
        return std::move(m_text);
    }
    bool isTooLong() const { return m_length.value_or(0) > mostBytes; }

    void go(short events)
    {
        if ((events & POLLOUT) != 0)
            sendSome();
        if ((events & (POLLIN | POLLHUP | POLLERR)) != 0)
            receiveSome();
    }
    bool sendStop() const
    {
        const Length none = lengthOf(0);
        return ::send(m_socket, none.data(), none.size(), MSG_NOSIGNAL) == ssize_t(none.size());
    }

private:
    void sendSome()
    {
        while (!isSent()) {
            const std::string_view head(m_head.data(), m_head.size());
            const std::string_view part = m_sent < head.size()
                                              ? head.substr(m_sent)
                                              : m_question.substr(m_sent - head.size());
            const ssize_t sent = ::send(m_socket, part.data(), part.size(), MSG_NOSIGNAL);
            if (sent < 0)
                return noteFault();
            m_sent += std::size_t(sent);
        }
    }

    // Receives available bytes without waiting.
    void receiveSome()
    {
        while (!isAnswered()) {
            const auto [place, size] = freePlace();
            const ssize_t got = ::recv(m_socket, place, size, 0);
            if (got < 0)
                return noteFault();
            m_isGone = got == 0;
            if (m_isGone)
                return;
            m_received += std::size_t(got);
            if (!m_length && m_received == m_answerHead.size()) {
                m_length = std::size_t(std::bit_cast<std::uint64_t>(m_answerHead));
                m_received = 0;
                if (*m_length > mostBytes)
                    return;
            }
        }
    }

    // Returns memory for more bytes. It grows as bytes come, because the length may be wrong.
    std::pair<char*, std::size_t> freePlace()
    {
        if (!m_length)
            return {m_answerHead.data() + m_received, m_answerHead.size() - m_received};
        if (m_received == m_text.size())
            m_text.resize(std::min(*m_length, std::max(room, 2 * m_received)));
        return {m_text.data() + m_received, m_text.size() - m_received};
    }

    void noteFault()
    {
        m_isGone = m_isGone || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
    }

    static constexpr std::size_t room = 4 << 20; // bytes at the beginning
    int m_socket;
    Length m_head;
    std::string_view m_question;
    std::size_t m_sent = 0;
    Length m_answerHead{};
    std::optional<std::size_t> m_length; // of the answer
    std::size_t m_received = 0;          // bytes of its length, and then of its text
    std::string m_text;
    bool m_isGone = false; // the other end of the socket is closed
};

Status TalkProcess::start(Command command, const Job& job)
{
    end();
    m_command = std::move(command);
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return lostSocket(m_command);
    Descriptor own(ends[0]);
    const Descriptor other(ends[1]);
    if (fcntl(own.number(), F_SETFL, O_NONBLOCK) != 0)
        return lostSocket(m_command);
    m_child.emplace();
    const Status started = m_child->start(m_command, job, other.number());
    if (!started)
        m_child.reset();
    else
        m_socket = std::move(own);
    return started;
}

bool TalkProcess::isRunning() const
{
    pollfd look{m_socket.number(), 0, 0};
    return m_child && poll(&look, 1, 0) == 0;
}

void TalkProcess::end()
{
    m_child.reset();
    m_socket.close();
}

Result<TalkAnswer> TalkProcess::ask(std::string_view question, std::chrono::seconds timeLimit,
                                    const Job& job)
{
    if (!m_child)
        return Error{ErrorCode::Internal, "no program was started"};
    Exchange exchange(m_socket.number(), question);
    Patience patience(timeLimit);
    CommandEnd left;
    for (bool goesOn = true; !exchange.isAnswered() && goesOn;) {
        pollfd socket{exchange.isGone() ? -1 : m_socket.number(), exchange.wanted(), 0};
        goesOn = m_child->readMore(m_command, left, &socket);
        exchange.go(socket.revents);
        if (job.cancelled() && !patience.isStopping()) {
            patience.startStopping();
            if (!exchange.isSent() || !exchange.sendStop())
                patience.lose();
        }
        const auto fault = exchange.isTooLong() ? tooLongError() : patience.fault();
        if (fault) {
            end();
            return *fault;
        }
    }
    TalkAnswer answer;
    if (exchange.isAnswered()) {
        answer.text = exchange.takeText();
    } else {
        m_child->wait(left);
        answer.end = std::move(left);
        end();
    }
    if (job.cancelled())
        return cancelledError();
    return answer;
}

namespace {

// Reads the questions, and meanwhile notices when an answer is no longer wanted.
class QuestionListener {
public:
    explicit QuestionListener(int socket)
        : m_socket(socket)
        , m_thread([this] { listen(); })
    {
        m_thread.detach(); // until the process ends
    }

    struct Question {
        std::string text;
        std::stop_token stop;
    };
    Question next()
    {
        std::unique_lock lock(m_mutex);
        m_come.wait(lock, [this] { return m_question.has_value(); });
        Question question{*std::move(m_question), m_stop.get_token()};
        m_question.reset();
        return question;
    }

private:
    void receive(char* place, std::size_t bytes) const
    {
        while (bytes > 0) {
            const ssize_t got = ::recv(m_socket, place, bytes, 0);
            if (got < 0 && errno == EINTR)
                continue;
            if (got <= 0)
                _exit(EXIT_SUCCESS); // the answer is no longer wanted
            place += got;
            bytes -= std::size_t(got);
        }
    }

    void listen()
    {
        while (true) {
            Length head{};
            receive(head.data(), head.size());
            const auto length = std::size_t(std::bit_cast<std::uint64_t>(head));
            std::string text(length, '\0');
            receive(text.data(), length);
            const std::scoped_lock lock(m_mutex);
            if (length == 0) {
                m_stop.request_stop();
                continue;
            }
            m_stop = std::stop_source();
            m_question = std::move(text);
            m_come.notify_one();
        }
    }

    int m_socket;
    std::mutex m_mutex;
    std::condition_variable m_come;
    std::optional<std::string> m_question;
    std::stop_source m_stop;
    std::thread m_thread;
};

void sendWhole(int socket, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            _exit(EXIT_SUCCESS);
        bytes.remove_prefix(std::size_t(sent));
    }
}

} // namespace

void answerQuestions(int socket,
                     const std::function<std::string(std::string_view, const Job&)>& answer)
{
    QuestionListener listener(socket);
    while (true) {
        const QuestionListener::Question question = listener.next();
        const std::string text = answer(question.text, Job(question.stop));
        const Length head = lengthOf(text.size());
        sendWhole(socket, {head.data(), head.size()});
        sendWhole(socket, text);
    }
}

} // namespace lapidary
