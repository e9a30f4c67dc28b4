// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"
#include "runner/kernels/resource_owner.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// A node of boosted_trees.Tree. Bucketized and dense splits go left if the feature is not above the
// threshold, categorical ones if it equals the value.
struct TreeNode {
    enum class Kind : std::uint8_t { None, Leaf, Bucketized, Categorical, Dense };

    Kind kind = Kind::None;
    std::int64_t feature = 0;
    std::int64_t number = 0; // threshold or value
    float threshold = 0;     // of a dense split
    std::int64_t left = 0;
    std::int64_t right = 0;
    std::vector<float> logits; // of a leaf; a scalar leaf has one
};
using DecisionTree = std::vector<TreeNode>;

// Returns nothing if the bytes are not a Tree.
std::optional<DecisionTree> parseTree(std::string_view serialized);

// Returns the leaf that an example reaches; goesLeft(node) decides at each split. Returns null if
// the tree has no such node, or has a cycle.
template <class GoesLeft>
const TreeNode* leafOf(const DecisionTree& tree, const GoesLeft& goesLeft)
{
    std::size_t at = 0;
    for (std::size_t steps = 0; steps < tree.size() && at < tree.size(); ++steps) {
        const TreeNode& node = tree[at];
        if (node.kind == TreeNode::Kind::Leaf)
            return &node;
        if (node.kind == TreeNode::Kind::None)
            return nullptr;
        at = std::size_t(goesLeft(node) ? node.left : node.right);
    }
    return nullptr;
}

// A resource whose content came from a serialized message.
template <class Content>
class TreeResource final : public ResourceOwner {
public:
    void clear() override { *this = {}; }

    std::optional<Content> content;
    std::string serialized;
    std::int64_t stamp = -1;
    std::shared_ptr<void> charge; // against the memory limit
};

// Sets output 0 to the session's resource with the node's name; makes it if there is none yet.
template <class Content>
Status giveTreeResource(KernelContext& context, std::string_view kind)
{
    std::string name(context.stringAttr("shared_name"));
    if (name.empty())
        name = context.node().name();
    ResourcePtr& slot =
        context.session().resources[std::string(kind) + "/" +
                                    std::string(context.stringAttr("container")) + "/" + name];
    auto resource = std::dynamic_pointer_cast<TreeResource<Content>>(slot);
    if (!resource) {
        resource = std::make_shared<TreeResource<Content>>();
        slot = resource;
    }
    return context.setOutput(0, Value::ofResource(DType::Resource, std::move(resource)));
}

// Returns the resource whose handle is input 0. With `mustHaveContent`, fails if it has none yet.
template <class Content>
Result<std::shared_ptr<TreeResource<Content>>> treeResource(const KernelContext& context,
                                                            bool mustHaveContent)
{
    auto resource = context.input(0).resource<TreeResource<Content>>();
    if (!resource)
        return context.error("its input 0 is not a handle of trees");
    if (mustHaveContent && !resource->content)
        return context.error("the trees have no content yet: what restores or makes them must run "
                             "first");
    return resource;
}

// Sets the content from input `i`, a string.
template <class Content, class Parse>
Status fillTreeResource(KernelContext& context, TreeResource<Content>& resource, std::size_t i,
                        const Parse& parse)
{
    if (!context.input(i).isScalar())
        return context.error("the serialized trees must be a single string, but is " +
                             dimsText(context.input(i).dims()));
    const std::string& text = context.input(i).strings()[0];
    // A parsed tree takes several times as much memory as its message.
    constexpr std::size_t growth = 32;
    ASSIGN_OR_RETURN(auto charge, context.session().pool.allocate(growth * text.size()));
    auto content = parse(text);
    if (!content)
        return context.error("input " + std::to_string(i) +
                             " is not the serialized message of its op");
    resource.content = std::move(content);
    resource.serialized = text;
    resource.charge = std::move(charge);
    return Done{};
}

Status giveSingleString(KernelContext& context, std::size_t output, const std::string& text);

} // namespace lapidary
