// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/trees/decision_tree.h"

#include "graph_model/base/wire.h"

#include <bit>
#include <cstring>

namespace lapidary {
namespace {

float floatOf(const WireReader& reader)
{
    return std::bit_cast<float>(std::uint32_t(reader.varint()));
}

// Fields of Leaf: a vector 1 of values 1, or a scalar 3.
bool readLeaf(std::string_view message, TreeNode& node)
{
    node.kind = TreeNode::Kind::Leaf;
    bool hasVector = false;
    float scalar = 0;
    WireReader reader(message);
    while (reader.next()) {
        if (reader.field() == 3 && reader.type() == WireType::Fixed32)
            scalar = floatOf(reader);
        if (reader.field() != 1 || reader.type() != WireType::Bytes)
            continue;
        hasVector = true;
        WireReader values(reader.bytes());
        while (values.next()) {
            if (values.field() == 1 && values.type() == WireType::Fixed32)
                node.logits.push_back(floatOf(values));
            if (values.field() != 1 || values.type() != WireType::Bytes)
                continue;
            const std::size_t count = values.bytes().size() / sizeof(float);
            const std::size_t before = node.logits.size();
            node.logits.resize(before + count);
            if (count > 0)
                std::memcpy(node.logits.data() + before, values.bytes().data(),
                            count * sizeof(float));
        }
        if (values.failed())
            return false;
    }
    if (!hasVector)
        node.logits = {scalar};
    return !reader.failed();
}

// Fields of all splits: feature 1, threshold or value 2, left 3, right 4.
bool readSplit(std::string_view message, TreeNode& node)
{
    WireReader reader(message);
    while (reader.next()) {
        const auto number = std::int64_t(std::int32_t(reader.varint()));
        switch (reader.field()) {
        case 1: node.feature = number; break;
        case 2:
            node.number = number;
            if (reader.type() == WireType::Fixed32)
                node.threshold = floatOf(reader);
            break;
        case 3: node.left = number; break;
        case 4: node.right = number; break;
        default: break;
        }
    }
    return !reader.failed();
}

// Fields of Node: leaf 1, bucketized 2, categorical 3, dense split 4; the last one counts.
bool readNode(std::string_view message, TreeNode& node)
{
    WireReader reader(message);
    while (reader.next()) {
        if (reader.type() != WireType::Bytes || reader.field() < 1 || reader.field() > 4)
            continue;
        node = {};
        if (reader.field() == 1 ? !readLeaf(reader.bytes(), node)
                                : !readSplit(reader.bytes(), node))
            return false;
        node.kind = TreeNode::Kind(reader.field());
    }
    return !reader.failed();
}

} // namespace

std::optional<DecisionTree> parseTree(std::string_view serialized)
{
    DecisionTree tree;
    WireReader reader(serialized);
    while (reader.next())
        if (reader.field() == 1 && reader.type() == WireType::Bytes &&
            !readNode(reader.bytes(), tree.emplace_back()))
            return std::nullopt;
    if (reader.failed())
        return std::nullopt;
    for (const TreeNode& node : tree)
        for (const std::int64_t child : {node.left, node.right})
            if (child < 0 || child >= std::int64_t(tree.size()))
                return std::nullopt;
    return tree;
}

Status giveSingleString(KernelContext& context, std::size_t output, const std::string& text)
{
    return context.setOutput(output, Value::ofStrings({}, {text}));
}

} // namespace lapidary
