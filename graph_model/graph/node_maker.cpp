// SPDX-License-Identifier: Apache-2.0
#include "graph_model/graph/node_maker.h"

#include "graph_model/base/wire.h"
#include "graph_model/graph/owner_list.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <utility>

namespace lapidary {
namespace {

// The size up to which the parts of a node are shared; of others only large values are.
constexpr std::size_t mostOwners = 32;
constexpr std::size_t mostAttrs = 64;

// Returns whether the attributes of a node can be shared: few, and without duplicates.
bool canShareAttrs(const Node& node)
{
    const auto attrs = node.attrs();
    if (attrs.size() > mostAttrs)
        return false;
    for (std::size_t i = 1; i < attrs.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (attrs[i].name == attrs[k].name)
                return false;
    return true;
}

// Returns whether a value is too large for a node to keep alive after it has lost it.
bool isLarge(const AttrValue& value)
{
    return value.encoded().size() >= 1024;
}

NodeDraft changedDraft(const Node& base, const NodeMaker::Changes& changes)
{
    NodeDraft draft = NodeDraft::of(base);
    draft.name = changes.name.value_or(base.name());
    draft.op = changes.op.value_or(base.op());
    draft.device = changes.device.value_or(base.device());
    if (changes.inputs != nullptr)
        draft.inputs = *changes.inputs;
    for (std::size_t i = 0; i < changes.producers.size(); ++i)
        if (const Input& input = base.inputs()[i]; !changes.producers[i].empty())
            draft.inputs[i].replace(std::size_t(input.node.data() - input.text.data()),
                                    input.node.size(), changes.producers[i]);
    if (changes.oldAttr) {
        draft.removeAttr(*changes.oldAttr);
        if (changes.newAttr && !base.hasAttr(*changes.newAttr))
            draft.shareAttr(*changes.newAttr, base.attr(*changes.oldAttr), base);
    }
    return draft;
}

} // namespace

// Texts whose addresses do not change once they are added.
class NodeMaker::Text final : public Buffer {
public:
    std::string_view add(std::string_view text)
    {
        if (text.empty())
            return {};
        if (text == m_last) // because many nodes have the same device
            return m_last;
        if (text.size() > m_left) {
            m_chunkSize = std::min<std::size_t>(m_chunkSize * 2, 65536);
            m_left = std::max(m_chunkSize, text.size());
            m_chunks.push_back(std::make_unique<char[]>(m_left));
            m_next = m_chunks.back().get();
        }
        std::memcpy(m_next, text.data(), text.size());
        m_last = {m_next, text.size()};
        m_next += text.size();
        m_left -= text.size();
        return m_last;
    }
    // Returns the parts joined in order.
    std::string_view add(std::initializer_list<std::string_view> parts)
    {
        m_joined.clear();
        for (const std::string_view part : parts)
            m_joined += part;
        return add(m_joined);
    }

private:
    std::vector<std::unique_ptr<char[]>> m_chunks;
    std::string_view m_last;
    std::string m_joined;
    char* m_next = nullptr;
    std::size_t m_left = 0;
    std::size_t m_chunkSize = 256;
};

// Nodes that point into the same buffers. Spans into growing vectors cannot be set before the end,
// so they are kept as counts until finish().
struct NodeMaker::Block {
    struct Counts {
        std::uint32_t inputs = 0;
        std::uint32_t attrs = 0;
    };
    BufferPtr owner;
    std::vector<Node> nodes;
    std::vector<Counts> counts;
    std::vector<Input> inputs;
    std::vector<Attr> attrs;

    void reserve(std::size_t size)
    {
        nodes.reserve(size);
        counts.reserve(size);
        inputs.reserve(size * 2);
        attrs.reserve(size * 4);
    }
};

NodeMaker::NodeMaker()
    : m_text(std::make_shared<Text>())
{
}

NodeMaker::~NodeMaker() = default;

Input NodeMaker::reading(const Input& input, std::string_view producer)
{
    const auto start = std::size_t(input.node.data() - input.text.data());
    return parseInput(m_text->add(
        {input.text.substr(0, start), producer, input.text.substr(start + input.node.size())}));
}

std::size_t NodeMaker::blockFor(const std::vector<BufferPtr>& holders)
{
    const bool isShared =
        std::ranges::all_of(holders, [&](const auto& holder) { return holder == holders.front(); });
    if (isShared) {
        const Buffer* key = holders.empty() ? nullptr : holders.front().get();
        const auto [at, isNew] = m_blockOf.try_emplace(key, m_blocks.size());
        if (!isNew)
            return at->second;
    }
    std::vector<BufferPtr> owners = holders;
    owners.push_back(m_text);
    m_blocks.push_back(std::make_shared<Block>());
    m_blocks.back()->owner = OwnerList::make(owners);
    if (isShared && !holders.empty())
        m_blocks.back()->reserve(std::exchange(m_expected, 0));
    return m_blocks.size() - 1;
}

std::optional<std::size_t> NodeMaker::blockOfOwner(const BufferPtr& owner)
{
    if (owner == nullptr || owner.get() != m_lastOwner) {
        const auto* list = dynamic_cast<const OwnerList*>(owner.get());
        const bool isTooLong = list != nullptr && list->size() >= mostOwners;
        m_lastBlock = isTooLong ? std::nullopt : std::optional(blockFor({owner}));
        m_lastOwner = owner.get();
    }
    return m_lastBlock;
}

void NodeMaker::addNode(std::size_t block, Node node, std::size_t firstInput, std::size_t firstAttr)
{
    Block& to = *m_blocks[block];
    node.m_isMade = true;
    std::ranges::sort(to.attrs.begin() + std::ptrdiff_t(firstAttr), to.attrs.end(), {},
                      &Attr::name);
    m_places.push_back({block, to.nodes.size()});
    to.nodes.push_back(std::move(node));
    to.counts.push_back(
        {std::uint32_t(to.inputs.size() - firstInput), std::uint32_t(to.attrs.size() - firstAttr)});
}

void NodeMaker::add(const NodeDraft& draft, bool synthetic)
{
    std::vector<BufferPtr> holders;
    for (const auto& [key, value] : draft.attrs)
        if (value.isShared())
            holders.push_back(value.holder());
    const std::size_t block = blockFor(holders);
    Block& to = *m_blocks[block];
    const std::size_t firstInput = to.inputs.size();
    const std::size_t firstAttr = to.attrs.size();
    Node node;
    node.m_synthetic = synthetic;
    node.m_name = m_text->add(draft.name);
    node.m_op = m_text->add(draft.op);
    node.m_device = m_text->add(draft.device);
    node.m_unknownFields = m_text->add(draft.unknownFields);
    for (const std::string& input : draft.inputs)
        to.inputs.push_back(parseInput(m_text->add(input)));
    for (const auto& [key, value] : draft.attrs)
        to.attrs.push_back(
            {m_text->add(key), AttrValue(value.isShared() ? value.view() : m_text->add(value))});
    addNode(block, std::move(node), firstInput, firstAttr);
}

void NodeMaker::add(const Node& base, const Changes& changes)
{
    const bool canShare =
        canShareAttrs(base) && !(changes.oldAttr && isLarge(base.attr(*changes.oldAttr)));
    const auto block = canShare ? blockOfOwner(base.owner()) : std::nullopt;
    if (!block) {
        add(changedDraft(base, changes), base.isSynthetic());
        return;
    }
    Block& to = *m_blocks[*block];
    const std::size_t firstInput = to.inputs.size();
    const std::size_t firstAttr = to.attrs.size();
    const auto changed = [&](std::string_view text, std::optional<std::string_view> other) {
        return other && *other != text ? m_text->add(*other) : text;
    };
    Node node;
    node.m_synthetic = base.m_synthetic;
    node.m_name = changed(base.m_name, changes.name);
    node.m_op = changed(base.m_op, changes.op);
    node.m_device = changed(base.m_device, changes.device);
    node.m_unknownFields = base.m_isMade ? base.m_unknownFields : m_text->add(base.unknownFields());
    to.inputs.insert(to.inputs.end(), base.m_inputs.begin(), base.m_inputs.end());
    if (changes.inputs != nullptr) {
        to.inputs.resize(firstInput + changes.inputs->size());
        for (std::size_t i = 0; i < changes.inputs->size(); ++i)
            if (Input& input = to.inputs[firstInput + i]; input.text != (*changes.inputs)[i])
                input = parseInput(m_text->add((*changes.inputs)[i]));
    }
    for (std::size_t i = 0; i < changes.producers.size(); ++i)
        if (!changes.producers[i].empty())
            to.inputs[firstInput + i] = reading(base.m_inputs[i], changes.producers[i]);
    const bool isRemoved = !changes.newAttr || base.hasAttr(*changes.newAttr);
    for (const Attr& attr : base.m_attrs) {
        if (!changes.oldAttr || attr.name != *changes.oldAttr)
            to.attrs.push_back(attr);
        else if (!isRemoved)
            to.attrs.push_back({m_text->add(*changes.newAttr), attr.value});
    }
    addNode(*block, std::move(node), firstInput, firstAttr);
}

std::vector<NodePtr> NodeMaker::finish() &&
{
    for (const std::shared_ptr<Block>& block : m_blocks) {
        const Input* input = block->inputs.data();
        const Attr* attr = block->attrs.data();
        for (std::size_t i = 0; i < block->nodes.size(); ++i) {
            Node& node = block->nodes[i];
            node.m_owner = block->owner;
            node.m_inputs = {input, block->counts[i].inputs};
            node.m_attrs = {attr, block->counts[i].attrs};
            input += block->counts[i].inputs;
            attr += block->counts[i].attrs;
        }
    }
    std::vector<NodePtr> nodes;
    nodes.reserve(m_places.size());
    for (const Place& place : m_places)
        nodes.emplace_back(m_blocks[place.block], &m_blocks[place.block]->nodes[place.node]);
    return nodes;
}

} // namespace lapidary
