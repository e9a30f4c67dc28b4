#pragma once

#include <string>
#include <utility>
#include <variant>

namespace lapidary {

enum class ErrorCode {
    InvalidArgument, // the caller or the user asked for something that makes no sense
    NotFound,        // a file, node or attribute that does not exist
    BadFile,         // the file's content is damaged or of another kind
    Unsupported,     // known, but not something this program does
    Io,              // the operating system refused
    Cancelled,
    Internal,
};

// `message` is one line without a trailing full stop that names the file, node or argument and says
// what to do; it can be shown to the user as it is.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    std::string message;

    bool operator==(const Error&) const = default;
};

// Either a value or an Error. Cancelled is one of the error codes.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value)
        : m_state(std::in_place_index<0>, std::move(value))
    {
    }
    Result(Error error)
        : m_state(std::in_place_index<1>, std::move(error))
    {
    }

    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    const T& value() const& { return *std::get_if<0>(&m_state); }
    T& value() & { return *std::get_if<0>(&m_state); }
    T&& value() && { return std::move(*std::get_if<0>(&m_state)); }
    const Error& error() const { return *std::get_if<1>(&m_state); }

private:
    std::variant<T, Error> m_state;
};

struct Done {
    bool operator==(const Done&) const = default;
};
using Status = Result<Done>;

} // namespace lapidary
