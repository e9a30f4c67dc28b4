// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/schema.h"
#include "graph_model/read/text_lexer.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lapidary {

// A scalar from a text message, ready to be encoded.
struct TextScalar {
    std::uint64_t bits = 0;      // varint value, or the bits of a float or double
    const char* fault = nullptr; // the fault of the spelling; null if there is none
};

// `isNegative`: a minus sign precedes the token. Must not be called for String, Bytes and Message.
TextScalar readTextScalar(const FieldSpec& field, const TextToken& token, bool isNegative);

} // namespace lapidary
