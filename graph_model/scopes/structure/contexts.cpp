// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/structure/contexts.h"

#include "graph_model/ops/op_traits.h"

#include <functional>
#include <unordered_map>

namespace lapidary::structure {
namespace {

constexpr std::uint32_t deepest = 48; // contexts nested deeper are not opened

class Finder {
public:
    Finder(const Flow& flow, const ScopeDraft& draft)
        : m_flow(flow)
        , m_draft(draft)
        , m_out(flow.size(), 0)
    {
        for (const OpTraits& traits : flow.ops)
            m_roleOfOp.push_back(controlFlow(traits.op));
        m_result.contexts.emplace_back();
        m_result.ofItem.assign(flow.size(), 0);
    }

    Contexts run()
    {
        bool needed = false;
        for (const ControlFlow role : m_roleOfOp)
            needed |= role != ControlFlow::None;
        if (!needed)
            return std::move(m_result);
        for (const std::uint32_t item : kahnOrder())
            place(item);
        moveSources();
        return std::move(m_result);
    }

private:
    ControlFlow role(std::uint32_t item) const { return m_roleOfOp[m_flow.opOf[item]]; }

    bool isCut(std::uint32_t source, std::uint32_t reader) const
    {
        return role(source) == ControlFlow::NextIteration && role(reader) == ControlFlow::Merge;
    }

    // Returns the items, each after the items that it reads; in a remaining cycle, file order
    // decides.
    std::vector<std::uint32_t> kahnOrder() const
    {
        const auto n = std::uint32_t(m_flow.size());
        std::vector<std::uint32_t> open(n, 0);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
        const auto count = [&](const Rows<Wire>& wires) {
            for (std::uint32_t i = 0; i < n; ++i)
                for (const Wire& wire : wires[i])
                    if (!isCut(wire.source, i)) {
                        ++open[i];
                        pairs.emplace_back(wire.source, i);
                    }
        };
        count(m_flow.inputs);
        count(m_flow.controls);
        const Rows<std::uint32_t> readers(n, pairs);
        std::vector<std::uint32_t> order;
        order.reserve(n);
        std::vector<bool> isQueued(n, false);
        for (std::uint32_t i = 0; i < n; ++i)
            if (open[i] == 0) {
                order.push_back(i);
                isQueued[i] = true;
            }
        std::uint32_t stuck = 0;
        for (std::size_t next = 0; next < n; ++next) {
            while (next == order.size()) {
                if (!isQueued[stuck]) {
                    order.push_back(stuck);
                    isQueued[stuck] = true;
                }
                ++stuck;
            }
            for (const std::uint32_t reader : readers[order[next]])
                if (--open[reader] == 0 && !isQueued[reader]) {
                    order.push_back(reader);
                    isQueued[reader] = true;
                }
        }
        return order;
    }

    void place(std::uint32_t item)
    {
        std::uint32_t context = 0;
        const auto deepen = [&](std::span<const Wire> wires) {
            for (const Wire& wire : wires)
                if (depth(m_out[wire.source]) > depth(context) && !isCut(wire.source, item))
                    context = m_out[wire.source];
        };
        deepen(m_flow.inputs[item]);
        deepen(m_flow.controls[item]);
        std::uint32_t after = context;
        switch (role(item)) {
        case ControlFlow::Enter: context = after = open(context, frame(item), true, item); break;
        case ControlFlow::Exit:
            for (after = context; after != 0 && !m_result.contexts[after].isLoop;)
                after = m_result.contexts[after].parent;
            if (after != 0) {
                context = after;
                after = m_result.contexts[after].parent;
            }
            break;
        case ControlFlow::Switch:
            if (const std::uint32_t predicate = predicateOf(item); predicate != none)
                context = after = open(context, predicate, false, item);
            break;
        case ControlFlow::Merge:
            if (context != 0 && !m_result.contexts[context].isLoop)
                after = m_result.contexts[context].parent;
            break;
        default: break;
        }
        m_result.ofItem[item] = context;
        m_out[item] = after;
    }

    std::uint32_t depth(std::uint32_t context) const { return m_result.contexts[context].depth; }

    std::uint64_t frame(std::uint32_t item) const
    {
        const auto name =
            m_draft.graph->node(m_flow.items[item].node()).attr("frame_name").asString();
        return std::hash<std::string_view>()(name.value_or(""));
    }

    // Returns the predicate of a condition; nothing for the switches of a loop.
    std::uint32_t predicateOf(std::uint32_t item) const
    {
        std::uint32_t predicate = none;
        for (const Wire& wire : m_flow.inputs[item])
            if (wire.slot == 1)
                predicate = wire.source;
        std::uint32_t origin = predicate;
        for (int steps = 0; origin != none && steps < 8; ++steps) {
            if (role(origin) == ControlFlow::LoopCond)
                return none;
            if (!copiesInput(m_flow.traits(origin).op) || m_flow.inputs[origin].empty())
                break;
            origin = m_flow.inputs[origin][0].source;
        }
        return predicate;
    }

    std::uint32_t open(std::uint32_t parent, std::uint64_t key, bool isLoop, std::uint32_t item)
    {
        if (depth(parent) >= deepest)
            return parent;
        // A switch on the predicate of its enclosing condition opens no other context.
        if (!isLoop && m_keyOf.contains(parent) && m_keyOf[parent] == mixHash(key, 2))
            return parent;
        const std::uint64_t full = mixHash(mixHash(parent, key), isLoop ? 1 : 2);
        const auto next = std::uint32_t(m_result.contexts.size());
        const auto [found, isNew] = m_byKey.try_emplace(full, next);
        if (isNew) {
            m_result.contexts.push_back({parent, depth(parent) + 1, isLoop, item});
            m_keyOf[next] = mixHash(key, isLoop ? 1 : 2);
        }
        return found->second;
    }

    // Moves items without inputs that only one context reads into that context.
    void moveSources()
    {
        for (std::uint32_t i = 0; i < m_flow.size(); ++i) {
            if (!m_flow.inputs[i].empty() || m_flow.readers[i].empty() ||
                role(i) != ControlFlow::None)
                continue;
            const std::uint32_t context = m_result.ofItem[m_flow.readers[i][0]];
            bool isOnly = true;
            for (const std::uint32_t reader : m_flow.readers[i])
                isOnly &= m_result.ofItem[reader] == context;
            if (isOnly && depth(context) > depth(m_result.ofItem[i]))
                m_result.ofItem[i] = context;
        }
    }

    const Flow& m_flow;
    const ScopeDraft& m_draft;
    std::vector<ControlFlow> m_roleOfOp;
    std::vector<std::uint32_t> m_out; // the context of an item's outputs
    std::unordered_map<std::uint64_t, std::uint32_t> m_byKey;
    std::unordered_map<std::uint32_t, std::uint64_t> m_keyOf;
    Contexts m_result;
};

} // namespace

Contexts findContexts(const Flow& flow, const ScopeDraft& draft)
{
    return Finder(flow, draft).run();
}

} // namespace lapidary::structure
