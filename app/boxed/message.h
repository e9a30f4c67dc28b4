// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/base/parsed_json.h"
#include "graph_model/base/result.h"
#include "graph_model/interface/interface_flags.h"
#include "graph_model/read/model_file.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace lapidary {

// Messages between the process that needs a graph run and the one that runs it: documents in the
// binary form CBOR, which keeps every number, infinite ones too.
using Message = nlohmann::json;
using TensorShapes = std::vector<std::pair<std::string, Shape>>;

std::string encodeMessage(const Message& message);
// Passes the document to `read` and returns its result. Fails if the bytes are not a message, or
// not one that `read` accepts: a graph may have taken control of the process that wrote it.
template <class Read>
auto decodeMessage(std::string_view bytes, const Read& read)
    -> Result<decltype(read(std::declval<const Message&>()))>
{
    const Error unreadable{ErrorCode::Internal,
                           "the process that runs graphs gave an answer that cannot be read"};
    if (nestsTooDeep(bytes, Message::input_format_t::cbor))
        return unreadable;
    try {
        return read(Message::from_cbor(bytes));
    } catch (const nlohmann::json::exception&) {
        return unreadable;
    }
}

// Returns none if the message is null.
template <class T>
std::optional<T> optionalOf(const Message& message)
{
    return message.is_null() ? std::nullopt : std::optional<T>(message.get<T>());
}

// Encodes an entry without its graph and its problems.
Message messageOf(const GraphEntry& entry);
GraphEntry entryOf(const Message& message);

Message messageOf(const InterfaceChoice& choice);
InterfaceChoice choiceOf(const Message& message);

Message messageOf(const TensorShapes& shapes);
TensorShapes shapesOf(const Message& message);

Message messageOf(const Error& error);
Error errorOf(const Message& message);

} // namespace lapidary
