// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/wire.h"
#include "graph_model/graph/node_maker.h"

#include <algorithm>
#include <unordered_map>

namespace lapidary {
namespace {

constexpr std::size_t sharedSize = 1024; // bytes: smaller values are cheaper to copy

AttrBytes sharedBytes(const AttrValue& value, const Node& from)
{
    const std::string_view bytes = value.encoded();
    if (bytes.size() < sharedSize)
        return {std::string(bytes)};
    return {bytes, from.holderOf(bytes)};
}

// Copies all attributes of a node that may have very many. If two have the same name, the last one
// counts.
void shareMany(const Node& node, NodeDraft& draft)
{
    std::unordered_map<std::string_view, AttrValue> values;
    for (const Attr& attr : node.attrs())
        values.insert_or_assign(attr.name, attr.value);
    for (const Attr& attr : node.attrs())
        if (const auto value = values.extract(attr.name))
            draft.attrs.emplace_back(attr.name, sharedBytes(value.mapped(), node));
}

} // namespace

AttrBytes::AttrBytes(std::string bytes)
{
    if (bytes.size() < sharedSize) {
        m_small = std::move(bytes);
        return;
    }
    m_holder = makeBuffer(std::move(bytes));
    m_large = m_holder->bytes();
}

AttrBytes::AttrBytes(std::string_view bytes, const BufferPtr& holder)
{
    if (bytes.size() < sharedSize || !holder) {
        m_small = bytes;
        return;
    }
    m_holder = holder;
    m_large = bytes;
}

bool AttrBytes::is(std::string_view other) const
{
    const std::string_view own = view();
    return own.size() == other.size() && (own.data() == other.data() || own == other);
}

NodeDraft NodeDraft::of(const Node& node)
{
    NodeDraft draft;
    draft.name = node.name();
    draft.op = node.op();
    draft.device = node.device();
    draft.inputs.reserve(node.inputs().size());
    for (const Input& input : node.inputs())
        draft.inputs.emplace_back(input.text);
    draft.attrs.reserve(node.attrs().size());
    constexpr std::size_t few = 32; // a linear search is faster
    if (node.attrs().size() > few)
        shareMany(node, draft);
    else
        for (const Attr& attr : node.attrs())
            draft.shareAttr(attr.name, attr.value, node);
    draft.unknownFields = node.unknownFields();
    return draft;
}

void NodeDraft::shareAttr(std::string_view attrName, const AttrValue& value, const Node& from)
{
    setAttr(attrName, sharedBytes(value, from));
}

void NodeDraft::setAttr(std::string_view attrName, AttrBytes encodedValue)
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
    return finish()->encodedCopy();
}

NodePtr NodeDraft::finish(bool synthetic) const
{
    NodeMaker maker;
    maker.add(*this, synthetic);
    return std::move(maker).finish().front();
}

} // namespace lapidary
