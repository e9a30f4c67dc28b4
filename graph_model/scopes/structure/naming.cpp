// SPDX-License-Identifier: Apache-2.0
// Names for boxes without one: a word for the dominant ops, then the size of the last weights.
#include "graph_model/ops/op_registry.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/scopes/structure/structure.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>

namespace lapidary::structure {
namespace {

// Scopes whose names differ only in their number: "gradients", "gradients_1"...
struct Copies {
    std::uint32_t scopes = 0;
    std::uint32_t nodes = 0;
    std::uint32_t layers = 0;         // convolutions and products
    std::uint32_t first = UINT32_MAX; // least number
    std::uint32_t last = 0;
};

// The contents of a box, its own and those of inner boxes.
struct Content {
    std::unordered_map<std::string_view, std::uint32_t> ops;
    std::map<std::string_view, Copies> copies; // by name without number
    std::uint32_t all = 0;                     // number of nodes, including those in scopes
    std::uint32_t nodes = 0;
    std::uint32_t anchors = 0;
    std::uint32_t growing = 0;       // number of joins of previous joins with something new
    std::uint32_t lastAnchor = none; // item
    std::uint32_t lastItem = none;   // the last item with data
    std::uint32_t firstScope = none; // of the items that are named scopes
    std::uint32_t lastScope = none;
};

class Namer {
public:
    Namer(const ScopeDraft& draft, const Found& found)
        : m_draft(draft)
        , m_graph(*draft.graph)
        , m_flow(found.flow)
        , m_tree(found.tree)
        , m_names(m_tree.boxes.size())
    {
        for (const Box& box : m_tree.boxes)
            if (box.label != 0)
                ++m_members[box.label];
    }

    std::vector<BoxName> run()
    {
        std::vector<std::uint32_t> order{0};
        for (std::size_t i = 0; i < order.size(); ++i)
            for (const Part& part : m_tree.boxes[order[i]].parts)
                if (part.isBox)
                    order.push_back(part.index);
        std::vector<Content> contents(m_tree.boxes.size());
        for (auto box = order.rbegin(); box != order.rend(); ++box) {
            Content& content = contents[*box];
            for (const Part& part : m_tree.boxes[*box].parts)
                if (part.isBox)
                    take(content, contents[part.index]);
                else
                    count(content, part.index);
            m_names[*box] = name(m_tree.boxes[*box], content);
        }
        for (const std::uint32_t box : order)
            tellApart(box);
        return std::move(m_names);
    }

private:
    static void take(Content& content, Content& inner)
    {
        if (content.ops.size() < inner.ops.size())
            std::swap(content.ops, inner.ops);
        for (const auto& [op, n] : inner.ops)
            content.ops[op] += n;
        for (const auto& [name, copies] : inner.copies)
            add(content.copies[name], copies);
        content.all += inner.all;
        content.nodes += inner.nodes;
        content.anchors += inner.anchors;
        content.growing += inner.growing;
        if (inner.lastAnchor != none)
            content.lastAnchor = inner.lastAnchor;
        if (inner.lastItem != none)
            content.lastItem = inner.lastItem;
        if (content.firstScope == none)
            content.firstScope = inner.firstScope;
        if (inner.lastScope != none)
            content.lastScope = inner.lastScope;
        inner.ops.clear();
        inner.copies.clear();
    }

    static void add(Copies& copies, const Copies& more)
    {
        copies.scopes += more.scopes;
        copies.nodes += more.nodes;
        copies.layers += more.layers;
        copies.first = std::min(copies.first, more.first);
        copies.last = std::max(copies.last, more.last);
    }

    // Returns the nodes and layers in a scope.
    Copies contentOf(std::uint32_t group) const
    {
        Copies found;
        for (const ItemId child : m_draft.groups[group].children) {
            if (child.isNode()) {
                ++found.nodes;
                found.layers +=
                    opFamily(m_graph.node(child.node()).op()) == OpFamily::HeavyMaths ? 1 : 0;
                continue;
            }
            const Copies inner = contentOf(child.group().value);
            found.nodes += inner.nodes;
            found.layers += inner.layers;
        }
        return found;
    }

    // Counts a scope: "gradients_8" is number 8 of "gradients", which is number 0.
    void countScope(Content& content, std::uint32_t group) const
    {
        Copies copies = contentOf(group);
        content.all += copies.nodes;
        std::string_view name = m_draft.groups[group].name;
        std::uint32_t number = 0;
        if (const std::size_t line = name.rfind('_'); line != name.npos && line > 0) {
            const std::string_view digits = name.substr(line + 1);
            const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), number);
            if (!digits.empty() && end.ptr == digits.data() + digits.size())
                name = name.substr(0, line);
            else
                number = 0;
        }
        copies.scopes = 1;
        copies.first = copies.last = number;
        add(content.copies[name], copies);
    }

    void count(Content& content, std::uint32_t item) const
    {
        ++content.nodes;
        if (!m_flow.items[item].isNode()) {
            content.firstScope = content.firstScope == none ? item : content.firstScope;
            content.lastScope = item;
            countScope(content, m_flow.items[item].index);
            return;
        }
        ++content.all;
        const OpTraits& traits = m_flow.traits(item);
        if (traits.isParameter || traits.op.empty())
            return;
        content.lastItem = item;
        const bool isBias = isAddition(traits.op) && readsAny(item, [this](std::uint32_t source) {
                                return isWeight(source);
                            });
        if (!copiesInput(traits.op) && !isVariableRead(traits.op) && !isBias)
            ++content.ops[traits.op];
        if (isConcat(traits.op))
            content.growing += readsAny(
                item, [this](std::uint32_t source) { return isConcat(m_flow.traits(source).op); });
        if (traits.isAnchor) {
            ++content.anchors;
            content.lastAnchor = item;
        }
    }

    static bool isConcat(std::string_view op) { return op.starts_with("Concat"); }

    // Returns whether an item is a parameter, or made only from parameters in a few steps. False if
    // items read one another so often that there are too many paths.
    bool isWeight(std::uint32_t item) const
    {
        int looks = 1000;
        return isWeight(item, 4, looks);
    }
    bool isWeight(std::uint32_t item, int steps, int& looks) const
    {
        const auto inputs = m_flow.inputs[item];
        return --looks > 0 &&
               (m_flow.traits(item).isParameter ||
                (steps > 0 && !inputs.empty() && std::ranges::all_of(inputs, [&](const Wire& wire) {
                     return wire.source != none && isWeight(wire.source, steps - 1, looks);
                 })));
    }

    bool readsAny(std::uint32_t item, const auto& test) const
    {
        return std::ranges::any_of(m_flow.inputs[item], [&](const Wire& wire) {
            return wire.source != none && test(wire.source);
        });
    }

    static std::uint32_t has(const Content& content, std::string_view part)
    {
        std::uint32_t n = 0;
        for (const auto& [op, k] : content.ops)
            if (op.find(part) != std::string_view::npos)
                n += k;
        return n;
    }

    std::string word(const Content& content) const
    {
        const std::uint32_t depthwise = has(content, "Depthwise");
        const std::uint32_t conv =
            has(content, "Conv") + depthwise - (has(content, "DepthwiseConv"));
        const std::uint32_t products = has(content, "MatMul");
        if (has(content, "BatchMatMul") > 0 && has(content, "Softmax") > 0)
            return products >= 7 ? "Transformer block" : "Attention";
        if (conv + products + has(content, "LSTM") + has(content, "GRU") == 0)
            return wordWithoutWeights(content);
        if (depthwise > 0 && conv >= products)
            return conv > depthwise ? "Separable conv" : "Depthwise conv";
        if (has(content, "LSTM") > 0)
            return "LSTM";
        if (has(content, "GRU") > 0)
            return "GRU";
        if (products >= conv) {
            const bool gates = has(content, "Sigmoid") >= 2 && has(content, "Tanh") > 0;
            return gates ? "Recurrent step" : "Dense";
        }
        if (content.growing > 0 && conv > 2)
            return "Dense block";
        // A split before a join is one convolution in groups.
        if (has(content, "Concat") > has(content, "Split") && conv > 2)
            return "Inception block";
        const bool joins = std::ranges::any_of(
            content.ops, [](const auto& counted) { return isAddition(counted.first); });
        return joins && conv > 1 ? "Residual block" : conv > 3 ? "Conv stage" : "Conv block";
    }

    // Returns a name for a box of named items: "conv1 – pool1".
    std::string range(const Content& content) const
    {
        const auto nameOf = [&](std::uint32_t item) {
            const std::string& name = m_draft.groups[m_flow.items[item].index].name;
            return name.substr(0, name.find('/'));
        };
        const std::string first = nameOf(content.firstScope);
        const std::string last = nameOf(content.lastScope);
        return first == last ? first : first + " – " + last;
    }

    std::string wordWithoutWeights(const Content& content) const
    {
        if (content.firstScope != none)
            return range(content);
        if (has(content, "Rsqrt") > 0 && (has(content, "Mean") > 0 || has(content, "Moment") > 0))
            return "Normalization";
        if (has(content, "FusedBatchNorm") > 0)
            return "Normalization";
        std::vector<std::pair<std::uint32_t, std::string_view>> ops;
        for (const auto& [op, n] : content.ops)
            ops.emplace_back(n, op);
        std::sort(ops.begin(), ops.end(), [](const auto& a, const auto& b) {
            return a.first != b.first ? a.first > b.first : a.second < b.second;
        });
        if (ops.empty())
            return "Parameters";
        std::string text(ops[0].second);
        if (ops.size() > 1)
            text += ", " + std::string(ops[1].second);
        return text;
    }

    std::string suffix(const Content& content) const
    {
        if (content.lastAnchor == none)
            return {};
        const auto shape = weightShape(m_graph, m_flow, content.lastAnchor);
        if (!shape || shape->unknownRank)
            return {};
        const std::vector<std::int64_t>& dims = shape->dims;
        const bool isDepthwise =
            m_flow.traits(content.lastAnchor).op.find("Depthwise") != std::string_view::npos;
        if (dims.size() == 4)
            return std::to_string(dims[0]) + "×" + std::to_string(dims[1]) + ", " +
                   std::to_string(isDepthwise ? dims[2] * dims[3] : dims[3]);
        if (dims.size() == 2)
            return std::to_string(dims[0]) + "→" + std::to_string(dims[1]);
        return {};
    }

    // Names a box after the numbered copies of one scope if they contain most of its nodes. Copies
    // without layers only serve those that have some, as normalizations do.
    static std::string copiesName(const Content& content)
    {
        const auto most = std::ranges::find_if(content.copies, [&](const auto& named) {
            return named.second.scopes > 1 && named.second.nodes > content.all / 2;
        });
        if (most == content.copies.end())
            return {};
        const auto working = std::ranges::max_element(content.copies, {}, [](const auto& named) {
            return named.second.scopes > 1 ? named.second.layers : 0;
        });
        const bool works = most->second.layers > 0;
        const bool isServed = working->second.scopes > 1 && working->second.layers > 0;
        if (!works && !isServed && content.anchors > 0)
            return {}; // the layers have no scopes
        const auto& [name, copies] = works || !isServed ? *most : *working;
        return std::string(name) + " " + std::to_string(copies.first) + "…" +
               std::to_string(copies.last);
    }

    BoxName name(const Box& box, const Content& content) const
    {
        BoxName result;
        result.name = copiesName(content);
        if (result.name.empty()) {
            result.name = word(content);
            if (const std::string size = suffix(content); !size.empty())
                result.name += " · " + size;
        }
        const auto members = m_members.find(box.label);
        const int count = members == m_members.end() ? 1 : members->second;
        result.reason = "found by wiring: few tensors cross its border";
        if (count > 1)
            result.reason = "the same wiring occurs " + std::to_string(count) + " times";
        byWay(box, result);
        if (box.way == Way::Loose && !isTied(box)) {
            result.name = "Not connected";
            result.reason = "no data leads from or to the rest of the graph";
        }
        return result;
    }

    // Returns whether nodes of a box exchange data with nodes outside of the scope's network: they
    // read an input, or compute a choice of an output, that is drawn separately.
    bool isTied(const Box& box) const
    {
        std::vector<const Box*> open{&box};
        while (!open.empty()) {
            const Box& at = *open.back();
            open.pop_back();
            for (const Part& part : at.parts)
                if (part.isBox)
                    open.push_back(&m_tree.boxes[part.index]);
                else if (isTied(m_flow.items[part.index]))
                    return true;
        }
        return false;
    }

    bool isTied(ItemId item) const
    {
        if (!item.isNode())
            return false;
        const auto isRead = [](const Consumer& reader) { return !reader.isControl(); };
        const auto isMade = [this](const Endpoint& from) {
            return from.node.isValid() && !from.isControl() &&
                   !isConstant(m_graph.node(from.node).op());
        };
        return std::ranges::any_of(m_graph.consumers(item.node()), isRead) ||
               std::ranges::any_of(m_graph.inputs(item.node()), isMade);
    }

    static void byWay(const Box& box, BoxName& result)
    {
        switch (box.way) {
        case Way::Run:
            result.kind = GroupKind::Repeat;
            for (const Part& part : box.parts)
                result.repeats += part.isBox;
            result.repeats = std::max(result.repeats, 2U) - 1;
            result.reason = std::to_string(result.repeats) + " neighbors of equal wiring";
            break;
        case Way::Forward:
            result.name = "Forward";
            result.reason = "nodes before the first gradient";
            break;
        case Way::Backward:
            result.name = "Backward";
            result.reason = "gradients and updates, and the nodes that only they read";
            break;
        case Way::Loop:
            result.name = "Loop: " + result.name;
            result.reason = "between the Enter and Exit ops of one frame";
            break;
        case Way::Condition:
            result.name = "Condition: " + result.name;
            result.reason = "controlled by one predicate";
            break;
        case Way::Shared:
            result.name = "Shared parameters";
            result.reason = "read by several blocks here";
            break;
        case Way::Loose: result.reason = "connected only to nodes outside the blocks"; break;
        case Way::Ordered:
            result.name = "Control only";
            result.reason = "connected to the rest only by control edges";
            break;
        case Way::SideCone: result.reason = "an op with the nodes that only it uses"; break;
        case Way::Section: result.kind = GroupKind::Section; break;
        default: break;
        }
        if (box.sections > 0) {
            result.kind = GroupKind::Section;
            result.name =
                "Part " + std::to_string(box.section) + " of " + std::to_string(box.sections);
            result.reason = "a section by position, because there are too many nodes to show at "
                            "once";
        }
    }

    // Adds numbers to equal names of neighbors, in order.
    void tellApart(std::uint32_t box)
    {
        std::unordered_map<std::string, std::uint32_t> uses;
        for (const Part& part : m_tree.boxes[box].parts)
            if (part.isBox)
                ++uses[m_names[part.index].name];
        std::unordered_map<std::string, std::uint32_t> next;
        for (const Part& part : m_tree.boxes[box].parts) {
            if (!part.isBox || uses[m_names[part.index].name] < 2)
                continue;
            std::string& text = m_names[part.index].name;
            const std::string number = " " + std::to_string(++next[text]);
            const std::size_t dot = text.find(" · ");
            text.insert(std::min(dot, text.size()), number);
        }
    }

    const ScopeDraft& m_draft;
    const Graph& m_graph;
    const Flow& m_flow;
    const BoxTree& m_tree;
    std::vector<BoxName> m_names;
    std::unordered_map<std::uint64_t, int> m_members;
};

} // namespace

std::vector<BoxName> nameBoxes(const ScopeDraft& draft, const Found& found)
{
    return Namer(draft, found).run();
}

} // namespace lapidary::structure
