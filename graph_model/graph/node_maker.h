// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/graph/node.h"

#include <memory>
#include <optional>
#include <span>
#include <unordered_map>

namespace lapidary {

// Makes many nodes in a few large allocations, from drafts or from other nodes that they differ
// from in a few fields. Large attribute values are shared. A node keeps alive the buffers that it
// points into and the texts made with it, but no values of other nodes.
class NodeMaker {
public:
    struct Changes { // unset fields stay
        std::optional<std::string_view> name;
        std::optional<std::string_view> op;
        std::optional<std::string_view> device;
        const std::vector<std::string>* inputs = nullptr;
        // An alternative to `inputs`, for each input: the name of the node that it now reads; empty
        // if unchanged.
        std::span<const std::string_view> producers;
        std::optional<std::string_view> oldAttr; // renamed to `newAttr`; removed if that is unset
        std::optional<std::string_view> newAttr; // or if the node has it already
    };

    NodeMaker();
    ~NodeMaker();
    NodeMaker(const NodeMaker&) = delete;
    NodeMaker& operator=(const NodeMaker&) = delete;

    // Reserves memory for about as many nodes as will be added, most of them in one buffer.
    void expect(std::size_t nodes) { m_expected = nodes; }
    void add(const NodeDraft& draft, bool synthetic = false);
    void add(const Node& base, const Changes& changes);
    std::size_t size() const { return m_places.size(); }
    std::vector<NodePtr> finish() &&; // in the order in which they were added

private:
    struct Block;
    class Text;
    struct Place {
        std::size_t block = 0;
        std::size_t node = 0;
    };
    Input reading(const Input& input, std::string_view producer);
    std::size_t blockFor(const std::vector<BufferPtr>& holders);
    // Returns the block for nodes of this buffer; nothing if there are too many buffers to keep
    // alive.
    std::optional<std::size_t> blockOfOwner(const BufferPtr& owner);
    // Adds a node to a block. Its inputs and attributes are those of the block from these positions
    // on.
    void addNode(std::size_t block, Node node, std::size_t firstInput, std::size_t firstAttr);

    std::shared_ptr<Text> m_text;
    std::vector<std::shared_ptr<Block>> m_blocks;
    std::unordered_map<const Buffer*, std::size_t> m_blockOf; // by buffer, if only one
    const Buffer* m_lastOwner = nullptr; // most nodes are in the buffer of the node before
    std::optional<std::size_t> m_lastBlock;
    std::vector<Place> m_places;
    std::size_t m_expected = 0;
};

} // namespace lapidary
