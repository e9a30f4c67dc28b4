// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/wire_cursor.h"
#include "graph_model/read/schema.h"

#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// Prints encoded messages in protobuf's text form: fields in number order, map entries in key
// order, numbers with enough digits to give the same bits again. See dropped() for fields that the
// text form cannot express.
class TextPrinter {
public:
    // Prints the fields of a message at the outermost level.
    void printMessage(std::string_view message, MessageId type);
    // Prints one message field with its name and braces.
    void printField(const FieldSpec& field, std::string_view message);

    const std::string& text() const { return m_out; }
    std::string takeText() { return std::move(m_out); }
    // The fields that the schema does not contain, each once: "NodeDef field 7".
    const std::set<std::string>& dropped() const { return m_dropped; }

private:
    // A value of a field, or all values of a repeated one.
    struct Item {
        const FieldSpec* spec = nullptr;
        WireField field;
        std::string_view message; // of message fields
        std::string_view key;     // of map entries
    };
    struct Frame {
        std::vector<Item> items;
        std::size_t next = 0;
    };
    Frame collect(std::string_view message, MessageId type);
    void keepLast(std::vector<Item>& items);
    void run();
    void open(const Item& item);
    void printScalars(const Item& item);
    void printNumber(const FieldSpec& spec, std::uint64_t bits);
    void indent(std::size_t level) { m_out.append(2 * level, ' '); }

    std::string m_out;
    std::vector<Frame> m_stack;
    std::set<std::string> m_dropped;
    std::deque<std::string> m_merged; // singular messages that are split in the file
};

} // namespace lapidary
