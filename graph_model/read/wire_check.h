// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/wire_cursor.h"
#include "graph_model/read/schema.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

struct WireFault {
    std::string kind;
    const char* at = nullptr;
    bool isFatal = false; // protobuf refuses the message
    std::string what;     // half a sentence: "field op is not UTF-8 text"
};

// The maximum number of enclosing messages, as in protobuf.
inline constexpr int maxMessageDepth = 100;

// Checks a message and all messages in it against the schema. Examines tags, lengths and texts,
// never the bytes of tensors. Uses an explicit stack, no recursion.
class WireChecker {
public:
    // `depth` is the number of enclosing messages. Returns false if protobuf would refuse the
    // message.
    bool check(std::string_view message, MessageId type, int depth);
    const std::vector<WireFault>& faults() const { return m_faults; }
    void clearFaults() { m_faults.clear(); }
    std::uint64_t unknownFields() const { return m_unknownFields; }

private:
    struct Frame {
        WireCursor cursor;
        const MessageSpec* spec = nullptr;
    };
    bool fatal(const char* kind, const char* at, std::string what);
    bool checkField(const Frame& frame, const WireField& field, int depth);
    bool checkPacked(const FieldSpec& spec, const WireField& field);

    std::vector<Frame> m_stack;
    std::vector<WireFault> m_faults;
    std::uint64_t m_unknownFields = 0;
};

WireType wireTypeOf(FieldType type);

// Returns whether `bytes` can be split into fields up to their end, regardless of what the fields
// mean.
bool isWholeMessage(std::string_view bytes);

// Returns whether `bytes` look like the beginning of a message of that type which was cut off at
// their end. False after a wrong length.
bool looksCutShort(std::string_view bytes, MessageId type);

} // namespace lapidary
