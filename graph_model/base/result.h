// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace lapidary {

enum class ErrorCode {
    InvalidArgument, // the caller or the user asked for something that makes no sense
    NotFound,        // a file, node or attribute does not exist
    BadFile,         // the file's content is damaged or of another kind
    Unsupported,     // valid, but not supported by this program
    Io,              // the operating system refused
    Cancelled,
    Internal,
};

// The failures that a user can remedy through the front end in use. The message of such an error
// ends without the remedy; each front end words it: a flag, a button, an argument.
enum class ErrorReason {
    None,
    MissingSize,   // the sizes of the inputs `subject`, separated by blanks, are unknown
    MissingFeed,   // the placeholder `subject` is needed and has no feed
    NoOutputs,     // there are no chosen outputs and no likely ones
    NoCounterpart, // the second graph has nothing that corresponds to the output `subject`
    MissingKernel, // an op that the computation needs has no kernel; `subject` names the op
    MemoryLimit,   // the memory limit would be exceeded
    TimeLimit,     // the time limit was exceeded
    ForeignFile,   // the graph asks for the file `subject`, which it may not use
    BackEnd,       // the 8-bit back end that was asked for does not run here
    PictureSize,   // a picture of the size that was asked for cannot be made
};

// `message` is one line without a trailing full stop that names the file, node or argument and says
// what to do, unless `reason` does; it can be shown to the user as it is.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    std::string message;
    ErrorReason reason = ErrorReason::None;
    std::string subject = {}; // what the reason is about: a tensor "x:0", an op, a file

    bool operator==(const Error&) const = default;

    // Returns the same error with "context: " before its message.
    Error within(std::string_view context) const
    {
        Error error = *this;
        error.message.insert(0, ": ").insert(0, context);
        return error;
    }
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

    // Returns the value; undefined if there is an error, as with std::optional.
    const T& operator*() const& { return *std::get_if<0>(&m_state); }
    T& operator*() & { return *std::get_if<0>(&m_state); }
    T&& operator*() && { return std::move(*std::get_if<0>(&m_state)); }
    const T* operator->() const { return std::get_if<0>(&m_state); }
    T* operator->() { return std::get_if<0>(&m_state); }
    const T& value() const& { return **this; }
    T& value() & { return **this; }
    T&& value() && { return *std::move(*this); }
    const Error& error() const { return *std::get_if<1>(&m_state); }

private:
    std::variant<T, Error> m_state;
};

struct Done {
    bool operator==(const Done&) const = default;
};
using Status = Result<Done>;

// The error that all cancelled work returns.
inline Error cancelledError()
{
    return {ErrorCode::Cancelled, "cancelled"};
}

#define LAPIDARY_JOIN_NAMES(a, b) a##b
#define LAPIDARY_UNIQUE_NAME(prefix, count) LAPIDARY_JOIN_NAMES(prefix, count)

// Returns the error of a Result or Status from the calling function, if it holds one.
#define RETURN_IF_ERROR(...)                                                                       \
    LAPIDARY_RETURN_IF_ERROR(LAPIDARY_UNIQUE_NAME(status, __COUNTER__), __VA_ARGS__)
#define LAPIDARY_RETURN_IF_ERROR(status, ...)                                                      \
    if (const auto& status = __VA_ARGS__; !status)                                                 \
    return status.error()

// ASSIGN_OR_RETURN(const Shape shape, readShape(node)): declares `shape` as the value of a Result,
// or returns its error from the calling function.
#define ASSIGN_OR_RETURN(declaration, ...)                                                         \
    LAPIDARY_ASSIGN_OR_RETURN(LAPIDARY_UNIQUE_NAME(result, __COUNTER__), declaration, __VA_ARGS__)
#define LAPIDARY_ASSIGN_OR_RETURN(result, declaration, ...)                                        \
    auto result = __VA_ARGS__;                                                                     \
    if (!result)                                                                                   \
        return result.error();                                                                     \
    declaration = *std::move(result)

} // namespace lapidary
