// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/structure/level.h"

#include <algorithm>

namespace lapidary::structure {
namespace {

// The elements at both sides of a wire, in the lowest context that contains both.
struct Lifted {
    std::uint32_t context;
    std::uint32_t from;
    std::uint32_t to;
};

Lifted lift(const Contexts& contexts, const Levels& levels, std::uint32_t from, std::uint32_t to)
{
    std::uint32_t a = contexts.ofItem[from];
    std::uint32_t b = contexts.ofItem[to];
    std::uint32_t x = levels.elementOfItem[from];
    std::uint32_t y = levels.elementOfItem[to];
    while (a != b) {
        const bool liftFrom = contexts.contexts[a].depth >= contexts.contexts[b].depth;
        const bool liftTo = contexts.contexts[b].depth >= contexts.contexts[a].depth;
        if (liftFrom) {
            x = levels.elementOfContext[a];
            a = contexts.contexts[a].parent;
        }
        if (liftTo) {
            y = levels.elementOfContext[b];
            b = contexts.contexts[b].parent;
        }
    }
    return {a, x, y};
}

// Drops wires that close cycles: in a depth-first walk, those to elements that are still open.
void dropCycles(Level& level)
{
    enum : std::uint8_t { Unseen, Open, Done };
    std::vector<std::uint8_t> state(level.size(), Unseen);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> stack;
    level.topological.clear();
    level.topological.reserve(level.size());
    for (std::uint32_t root = 0; root < level.size(); ++root) {
        if (state[root] != Unseen)
            continue;
        state[root] = Open;
        stack.emplace_back(root, 0);
        while (!stack.empty()) {
            const std::uint32_t at = stack.back().first;
            const std::span<Wire> wires = level.inputs[at];
            if (stack.back().second == wires.size()) {
                state[at] = Done;
                level.topological.push_back(at);
                stack.pop_back();
                continue;
            }
            Wire& wire = wires[stack.back().second++];
            if (state[wire.source] == Open) {
                wire.source = none;
            } else if (state[wire.source] == Unseen) {
                state[wire.source] = Open;
                stack.emplace_back(wire.source, 0);
            }
        }
    }
}

void rebuildWires(Level& level)
{
    std::vector<std::pair<std::uint32_t, Wire>> wires;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> readers;
    for (std::uint32_t e = 0; e < level.size(); ++e)
        for (const Wire& wire : level.inputs[e])
            if (wire.source != none) {
                wires.emplace_back(e, wire);
                readers.emplace_back(wire.source, e);
            }
    level.inputs = Rows<Wire>(level.size(), wires);
    level.readers = Rows<std::uint32_t>(level.size(), readers);
}

void hashCones(Level& level)
{
    level.cone.assign(level.size(), 0);
    std::vector<std::uint64_t> readersHash(level.size(), 0);
    for (std::uint32_t e = 0; e < level.size(); ++e)
        for (const std::uint32_t reader : level.readers[e])
            readersHash[e] += mixHash(level.content[reader], 5);
    for (const std::uint32_t e : level.topological) {
        const std::span<Wire> wires = level.inputs[e];
        const bool isSuper = level.isSuper(e);
        if (isSuper) {
            std::stable_sort(wires.begin(), wires.end(), [&](const Wire& a, const Wire& b) {
                if (level.cone[a.source] != level.cone[b.source])
                    return level.cone[a.source] < level.cone[b.source];
                return readersHash[a.source] < readersHash[b.source];
            });
        }
        std::uint64_t hash = level.content[e];
        for (std::uint32_t i = 0; i < wires.size(); ++i) {
            if (isSuper)
                wires[i].slot = i;
            hash = mixHash(
                hash, mixHash(level.cone[wires[i].source],
                              (std::uint64_t(wires[i].slot) << 32) + std::uint32_t(wires[i].port)));
        }
        level.cone[e] = hash;
    }
}

} // namespace

const OpTraits& Level::traits(std::uint32_t e) const
{
    static const OpTraits super = traitsOf({});
    return isContext(e) ? super : flow->traits(element[e]);
}

Levels makeLevels(const Flow& flow, const Contexts& contexts)
{
    Levels out;
    out.levels.resize(contexts.contexts.size());
    out.elementOfItem.resize(flow.size());
    out.elementOfContext.assign(contexts.contexts.size(), none);
    const auto add = [&](std::uint32_t context, std::uint32_t element, std::uint64_t content,
                         std::uint64_t kind, std::uint64_t detail) {
        Level& level = out.levels[context];
        level.element.push_back(element);
        level.content.push_back(content);
        level.kind.push_back(kind);
        level.detail.push_back(detail);
        return std::uint32_t(level.element.size() - 1);
    };
    for (std::uint32_t i = 0; i < flow.size(); ++i)
        out.elementOfItem[i] =
            add(contexts.ofItem[i], i, flow.content[i], flow.kind[i], flow.detail[i]);
    for (std::uint32_t c = 1; c < contexts.contexts.size(); ++c)
        out.elementOfContext[c] = add(contexts.contexts[c].parent, c | Level::contextFlag, c, c, 0);
    std::vector<std::vector<std::pair<std::uint32_t, Wire>>> wires(contexts.contexts.size());
    for (std::uint32_t i = 0; i < flow.size(); ++i)
        for (const Wire& wire : flow.inputs[i]) {
            const Lifted lifted = lift(contexts, out, wire.source, i);
            if (lifted.from != lifted.to)
                wires[lifted.context].push_back({lifted.to, {lifted.from, wire.slot, wire.port}});
        }
    for (std::size_t c = 0; c < out.levels.size(); ++c) {
        Level& level = out.levels[c];
        level.flow = &flow;
        level.inputs = Rows<Wire>(level.size(), wires[c]);
        level.isLive.assign(level.size(), false);
        level.isBackward.assign(level.size(), false);
        level.foldedInto.assign(level.size(), none);
    }
    return out;
}

void arrangeLevel(Level& level)
{
    dropCycles(level);
    rebuildWires(level);
    hashCones(level);
}

} // namespace lapidary::structure
