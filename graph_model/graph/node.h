// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/buffer.h"
#include "graph_model/graph/attr_value.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapidary {

// One input string of a NodeDef, and its meaning.
//   "conv1" -> conv1 port 0    "split:2" -> split port 2    "^init" -> control, port -1
//   "body:out:1" (function bodies) -> node body, output "out", port 1 within it
struct Input {
    std::string_view text;
    std::string_view node;
    std::string_view output; // name of the output argument; only in function bodies
    std::int32_t port = 0;

    bool isControl() const { return port < 0; }
};

Input parseInput(std::string_view text);

// Returns the text by which an input refers to an output: "split", "split:2".
std::string outputText(std::string_view node, std::int32_t port);
// Returns the name of an output in runs, reports and options: "split:0", "split:2".
std::string tensorName(std::string_view node, std::int32_t port);

struct Attr {
    std::string_view name;
    AttrValue value;
};

// A NodeDef (name 1, op 2, input 3, device 4, attr 5, experimental debug info 6). Immutable; every
// view points into bytes that `owner` keeps alive. Names may be any bytes.
class Node {
public:
    std::string_view name() const { return m_name; }
    std::string_view op() const { return m_op; }
    std::string_view device() const { return m_device; }
    std::span<const Input> inputs() const { return m_inputs; }
    std::span<const Attr> attrs() const { return m_attrs; }

    // Returns a value of kind None if the node has no such attribute. If there are two of that name
    // in the file, the last one counts.
    AttrValue attr(std::string_view name) const;
    bool hasAttr(std::string_view name) const;
    // Returns the decoded tensor of attr `name` (a Const's "value").
    Result<Tensor> tensor(std::string_view name = "value") const;

    // Append or return the NodeDef message: that of the file, unknown fields included, or for a
    // node that was made here one with attributes in key order. These copy weights, so do not use
    // them to make a node from another.
    void appendEncoded(std::string& out) const;
    std::string encodedCopy() const;
    std::uint64_t encodedSize() const;
    // Other fields of the message, as in the file.
    std::string unknownFields() const;
    // The buffer that keeps everything alive that the node's views point into.
    const BufferPtr& owner() const { return m_owner; }
    // Returns the buffer, one of those in owner(), that holds a part of the node, such as an
    // attribute's value.
    const BufferPtr& holderOf(std::string_view part) const;
    // Whether the reader made this node for something other than a NodeDef (a function's argument).
    bool isSynthetic() const { return m_synthetic; }

private:
    friend class NodeBlockBuilder;
    friend class NodeMaker;

    bool isPlain() const;
    std::uint64_t plainSize() const; // size of the known fields

    BufferPtr m_owner;
    std::string_view m_encoded; // the message in the file
    std::string_view m_name;
    std::string_view m_op;
    std::string_view m_device;
    std::span<const Input> m_inputs;
    std::span<const Attr> m_attrs;
    bool m_synthetic = false;
    bool m_isMade = false;
    std::string_view m_unknownFields; // those of a node that was made
};

using NodePtr = std::shared_ptr<const Node>;

// Decodes many NodeDefs into a few large allocations. Of a damaged message, it keeps the fields
// that can be read.
class NodeBlockBuilder {
public:
    explicit NodeBlockBuilder(BufferPtr owner);
    ~NodeBlockBuilder();
    NodeBlockBuilder(const NodeBlockBuilder&) = delete;
    NodeBlockBuilder& operator=(const NodeBlockBuilder&) = delete;

    void reserve(std::size_t nodes);
    // `nodeDef` must be within the owner's bytes.
    void add(std::string_view nodeDef, bool synthetic = false);
    std::vector<NodePtr> finish() &&;

private:
    struct Block;
    std::shared_ptr<Block> m_block;
    BufferPtr m_owner;
};

// The encoded AttrValue of a draft. Small values are copied; large ones, such as weights, are
// shared with their holder.
class AttrBytes {
public:
    AttrBytes() = default;
    AttrBytes(std::string bytes); // NOLINT(google-explicit-constructor): drafts are lists of these
    // `bytes` are kept alive by `holder`.
    AttrBytes(std::string_view bytes, const BufferPtr& holder);

    std::string_view view() const { return m_holder ? m_large : std::string_view(m_small); }
    operator std::string_view() const { return view(); } // NOLINT(google-explicit-constructor)
    std::size_t size() const { return view().size(); }
    bool isShared() const { return m_holder != nullptr; }
    const BufferPtr& holder() const { return m_holder; }
    bool operator==(const AttrBytes& other) const { return is(other.view()); }
    // Compares the bytes; bytes at the same address are not read.
    bool is(std::string_view other) const;

private:
    std::string m_small;
    BufferPtr m_holder;
    std::string_view m_large;
};

// A NodeDef under construction: plain values. Attribute values are encoded AttrValue messages (see
// lapidary::attr).
struct NodeDraft {
    std::string name;
    std::string op;
    std::string device;
    std::vector<std::string> inputs;
    std::vector<std::pair<std::string, AttrBytes>> attrs;
    std::string unknownFields; // appended after the known fields

    static NodeDraft of(const Node& node);
    void setAttr(std::string_view attrName, AttrBytes encodedValue);
    // `value` must be one of `from`: weights are shared, not copied.
    void shareAttr(std::string_view attrName, const AttrValue& value, const Node& from);
    void removeAttr(std::string_view attrName);
    std::string encode() const; // attributes in key order
    NodePtr finish(bool synthetic = false) const;
};

} // namespace lapidary
