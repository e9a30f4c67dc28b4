#include "graph_model/graph/node.h"

#include "graph_model/base/map_entry.h"
#include "graph_model/base/wire.h"

#include <algorithm>
#include <charconv>

namespace lapidary {
namespace {

// A run of digits as TensorFlow reads a port; nothing for anything else or above int32.
bool parsePort(std::string_view digits, std::int32_t& port)
{
    const char* end = digits.data() + digits.size();
    if (digits.empty() || digits[0] == '-' || digits[0] == '+')
        return false;
    const auto [stop, fault] = std::from_chars(digits.data(), end, port);
    return fault == std::errc() && stop == end;
}

constexpr std::uint32_t fieldName = 1;
constexpr std::uint32_t fieldOp = 2;
constexpr std::uint32_t fieldInput = 3;
constexpr std::uint32_t fieldDevice = 4;
constexpr std::uint32_t fieldAttr = 5;

Attr decodeAttr(std::string_view entry)
{
    const auto [name, value] = readMapEntry(entry);
    Attr attr;
    attr.name = name;
    attr.value = AttrValue(value);
    return attr;
}

} // namespace

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
        // "body:out": an output argument without an index, as function bodies have it.
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
    const auto found = std::find_if(m_attrs.rbegin(), m_attrs.rend(),
                                    [&](const Attr& attr) { return attr.name == name; });
    return found == m_attrs.rend() ? AttrValue() : found->value;
}

bool Node::hasAttr(std::string_view name) const
{
    return std::ranges::any_of(m_attrs, [&](const Attr& attr) { return attr.name == name; });
}

// Spans into vectors that grow cannot be set before the end, so nodes are kept with counts until
// finish().
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

NodeDraft NodeDraft::of(const Node& node)
{
    NodeDraft draft;
    draft.name = node.name();
    draft.op = node.op();
    draft.device = node.device();
    for (const Input& input : node.inputs())
        draft.inputs.emplace_back(input.text);
    for (const Attr& attr : node.attrs())
        draft.setAttr(attr.name, std::string(attr.value.encoded()));
    WireReader reader(node.encoded());
    while (reader.next())
        if (reader.field() > fieldAttr || reader.type() != WireType::Bytes)
            draft.unknownFields += reader.raw();
    return draft;
}

void NodeDraft::setAttr(std::string_view attrName, std::string encodedValue)
{
    for (auto& [key, value] : attrs) {
        if (key != attrName)
            continue;
        value = std::move(encodedValue);
        return;
    }
    attrs.emplace_back(attrName, std::move(encodedValue));
}

void NodeDraft::removeAttr(std::string_view attrName)
{
    std::erase_if(attrs, [&](const auto& entry) { return entry.first == attrName; });
}

std::string NodeDraft::encode() const
{
    std::string out;
    std::size_t bytes = name.size() + op.size() + device.size() + unknownFields.size() + 64;
    for (const std::string& input : inputs)
        bytes += input.size() + 8;
    for (const auto& [key, value] : attrs)
        bytes += key.size() + value.size() + 40;
    out.reserve(bytes);
    WireWriter writer(out);
    if (!name.empty())
        writer.bytes(fieldName, name);
    if (!op.empty())
        writer.bytes(fieldOp, op);
    for (const std::string& input : inputs)
        writer.bytes(fieldInput, input);
    if (!device.empty())
        writer.bytes(fieldDevice, device);
    std::vector<const std::pair<std::string, std::string>*> sorted;
    for (const auto& attr : attrs)
        sorted.push_back(&attr);
    std::ranges::sort(sorted, {}, [](const auto* attr) { return std::string_view(attr->first); });
    for (const auto* attr : sorted) {
        // The head of the entry as if its value were empty, then the value: weights are written
        // once.
        std::string head;
        WireWriter headWriter(head);
        headWriter.bytes(1, attr->first);
        appendVarint(head, (2U << 3U) | 2U);
        appendVarint(head, attr->second.size());
        appendVarint(out, (std::uint64_t(fieldAttr) << 3U) | 2U);
        appendVarint(out, head.size() + attr->second.size());
        out += head;
        out += attr->second;
    }
    writer.raw(unknownFields);
    return out;
}

NodePtr NodeDraft::finish(bool synthetic) const
{
    BufferPtr buffer = makeBuffer(encode());
    NodeBlockBuilder builder(buffer);
    builder.add(buffer->bytes(), synthetic);
    return std::move(builder).finish().front();
}

} // namespace lapidary
