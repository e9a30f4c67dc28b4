// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/node.h"

#include "graph_model/base/map_entry.h"
#include "graph_model/base/wire.h"
#include "graph_model/graph/owner_list.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace lapidary {
namespace {

// Parses a run of digits as TensorFlow reads a port; returns nothing for anything else or above
// int32.
bool parsePort(std::string_view digits, std::int32_t& port)
{
    const char* end = digits.data() + digits.size();
    if (digits.empty() || digits[0] == '-' || digits[0] == '+')
        return false;
    const auto [stop, fault] = std::from_chars(digits.data(), end, port);
    return fault == std::errc() && stop == end;
}

// Longer lists of attributes of a made node, which are sorted, are searched by bisection.
constexpr std::size_t fewAttrs = 32;

constexpr std::uint32_t fieldName = 1;
constexpr std::uint32_t fieldOp = 2;
constexpr std::uint32_t fieldInput = 3;
constexpr std::uint32_t fieldDevice = 4;
constexpr std::uint32_t fieldAttr = 5;

// Returns the bytes of the map entry of an attribute.
std::uint64_t entrySize(const Attr& attr)
{
    return bytesFieldSize(attr.name.size()) + bytesFieldSize(attr.value.encoded().size());
}

Attr decodeAttr(std::string_view entry)
{
    const auto [name, value] = readMapEntry(entry);
    Attr attr;
    attr.name = name;
    attr.value = AttrValue(value);
    return attr;
}

} // namespace

std::string outputText(std::string_view node, std::int32_t port)
{
    return port == 0 ? std::string(node) : tensorName(node, port);
}

std::string tensorName(std::string_view node, std::int32_t port)
{
    return std::string(node) + ":" + std::to_string(port);
}

Input parseInput(std::string_view text)
{
    Input input;
    input.text = text;
    input.node = text;
    if (text.starts_with('^')) {
        input.node.remove_prefix(1);
        input.port = -1;
        return input;
    }
    const std::size_t last = text.rfind(':');
    if (last == std::string_view::npos)
        return input;
    std::int32_t port = 0;
    if (!parsePort(text.substr(last + 1), port)) {
        // "body:out": an output argument without an index, as in function bodies.
        input.output = text.substr(last + 1);
        input.node = text.substr(0, last);
        return input;
    }
    input.port = port;
    input.node = text.substr(0, last);
    const std::size_t first = input.node.rfind(':');
    if (first != std::string_view::npos) {
        input.output = input.node.substr(first + 1);
        input.node = input.node.substr(0, first);
    }
    return input;
}

AttrValue Node::attr(std::string_view name) const
{
    if (m_isMade && m_attrs.size() > fewAttrs) {
        const auto behind = std::ranges::upper_bound(m_attrs, name, {}, &Attr::name);
        const bool isFound = behind != m_attrs.begin() && std::prev(behind)->name == name;
        return isFound ? std::prev(behind)->value : AttrValue();
    }
    const auto found = std::find_if(m_attrs.rbegin(), m_attrs.rend(),
                                    [&](const Attr& attr) { return attr.name == name; });
    return found == m_attrs.rend() ? AttrValue() : found->value;
}

bool Node::hasAttr(std::string_view name) const
{
    if (m_isMade && m_attrs.size() > fewAttrs)
        return std::ranges::binary_search(m_attrs, name, {}, &Attr::name);
    return std::ranges::any_of(m_attrs, [&](const Attr& attr) { return attr.name == name; });
}

void Node::appendEncoded(std::string& out) const
{
    if (!m_isMade) {
        out += m_encoded;
        return;
    }
    out.reserve(out.size() + encodedSize());
    const auto append = [&](std::uint32_t field, std::string_view bytes) {
        if (!bytes.empty())
            WireWriter(out).bytes(field, bytes);
    };
    append(fieldName, m_name);
    append(fieldOp, m_op);
    for (const Input& input : m_inputs)
        WireWriter(out).bytes(fieldInput, input.text);
    append(fieldDevice, m_device);
    for (const Attr& attr : m_attrs) {
        const std::string_view value = attr.value.encoded();
        appendVarint(out, (std::uint64_t(fieldAttr) << 3U) | 2U);
        appendVarint(out, entrySize(attr));
        WireWriter(out).bytes(1, attr.name);
        WireWriter(out).bytes(2, value);
    }
    out += m_unknownFields;
}

std::string Node::encodedCopy() const
{
    std::string out;
    appendEncoded(out);
    return out;
}

std::uint64_t Node::encodedSize() const
{
    return m_isMade ? plainSize() + m_unknownFields.size() : m_encoded.size();
}

std::uint64_t Node::plainSize() const
{
    std::uint64_t size = 0;
    for (const std::string_view text : {m_name, m_op, m_device})
        size += text.empty() ? 0 : bytesFieldSize(text.size());
    for (const Input& input : m_inputs)
        size += bytesFieldSize(input.text.size());
    for (const Attr& attr : m_attrs) {
        size += bytesFieldSize(entrySize(attr));
    }
    return size;
}

std::string Node::unknownFields() const
{
    if (m_isMade)
        return std::string(m_unknownFields);
    std::string unknown;
    if (isPlain())
        return unknown;
    WireReader reader(m_encoded);
    while (reader.next())
        if (reader.field() > fieldAttr || reader.type() != WireType::Bytes)
            unknown += reader.raw();
    return unknown;
}

// Returns whether the message in the file is as long as its known fields: any other field would
// make it longer. Only an entry without a name or value could make it shorter.
bool Node::isPlain() const
{
    const bool isWhole = std::ranges::none_of(m_attrs, [](const Attr& attr) {
        return attr.name.empty() || attr.value.encoded().empty();
    });
    return isWhole && plainSize() == m_encoded.size();
}

const BufferPtr& Node::holderOf(std::string_view part) const
{
    const auto* owners = m_isMade ? dynamic_cast<const OwnerList*>(m_owner.get()) : nullptr;
    const BufferPtr* holder = owners == nullptr ? nullptr : owners->holderOf(part);
    return holder == nullptr ? m_owner : *holder;
}

// Spans into growing vectors cannot be set before the end, so nodes keep counts until finish().
struct NodeBlockBuilder::Block {
    struct Counts {
        std::uint32_t inputs = 0;
        std::uint32_t attrs = 0;
    };
    std::vector<Node> nodes;
    std::vector<Counts> counts;
    std::vector<Input> inputs;
    std::vector<Attr> attrs;
};

NodeBlockBuilder::NodeBlockBuilder(BufferPtr owner)
    : m_block(std::make_shared<Block>())
    , m_owner(std::move(owner))
{
}

NodeBlockBuilder::~NodeBlockBuilder() = default;

void NodeBlockBuilder::reserve(std::size_t nodes)
{
    m_block->nodes.reserve(nodes);
    m_block->counts.reserve(nodes);
    m_block->inputs.reserve(nodes * 2);
    m_block->attrs.reserve(nodes * 2);
}

void NodeBlockBuilder::add(std::string_view nodeDef, bool synthetic)
{
    Node node;
    node.m_encoded = nodeDef;
    node.m_synthetic = synthetic;
    const std::size_t inputsBefore = m_block->inputs.size();
    const std::size_t attrsBefore = m_block->attrs.size();
    WireReader reader(nodeDef);
    while (reader.next()) {
        if (reader.type() != WireType::Bytes)
            continue;
        switch (reader.field()) {
        case fieldName: node.m_name = reader.bytes(); break;
        case fieldOp: node.m_op = reader.bytes(); break;
        case fieldInput: m_block->inputs.push_back(parseInput(reader.bytes())); break;
        case fieldDevice: node.m_device = reader.bytes(); break;
        case fieldAttr: m_block->attrs.push_back(decodeAttr(reader.bytes())); break;
        default: break;
        }
    }
    m_block->nodes.push_back(std::move(node));
    m_block->counts.push_back({std::uint32_t(m_block->inputs.size() - inputsBefore),
                               std::uint32_t(m_block->attrs.size() - attrsBefore)});
}

std::vector<NodePtr> NodeBlockBuilder::finish() &&
{
    const std::shared_ptr<Block> block = std::move(m_block);
    const Input* input = block->inputs.data();
    const Attr* attr = block->attrs.data();
    std::vector<NodePtr> nodes;
    nodes.reserve(block->nodes.size());
    for (std::size_t i = 0; i < block->nodes.size(); ++i) {
        Node& node = block->nodes[i];
        node.m_owner = m_owner;
        node.m_inputs = {input, block->counts[i].inputs};
        node.m_attrs = {attr, block->counts[i].attrs};
        input += block->counts[i].inputs;
        attr += block->counts[i].attrs;
        nodes.emplace_back(block, &node);
    }
    return nodes;
}

} // namespace lapidary
