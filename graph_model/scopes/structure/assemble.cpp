// SPDX-License-Identifier: Apache-2.0
#include "graph_model/scopes/structure/assemble.h"

namespace lapidary::structure {

void describeUnit(const Sequence& sequence, Unit& unit)
{
    std::uint64_t label = unit.stretch.length();
    std::uint64_t detail = 0;
    std::uint64_t anchors = 0;
    for (std::uint32_t p = unit.stretch.begin; p <= unit.stretch.end; ++p) {
        label = mixHash(label, sequence.label[p]);
        detail = mixHash(detail, sequence.detail[p]);
        for (const Sequence::Input& input : sequence.inputs[p]) {
            std::uint64_t from = 2; // from outside, or from a hub
            if (!input.isHub && input.source >= unit.stretch.begin)
                from = 3 + (p - input.source);
            label = mixHash(label, from);
        }
        if (sequence.anchor[p] != 0)
            anchors = mixHash(anchors, sequence.anchor[p]);
    }
    unit.label = label;
    unit.detail = mixHash(label, detail);
    unit.isHeavy = anchors != 0;
    unit.family = anchors != 0 ? anchors : label;
    if (unit.stretch.length() == 1)
        unit.family = sequence.family[unit.stretch.begin];
}

bool isWired(const Sequence& sequence, Stretch first, Stretch second)
{
    for (std::uint32_t p = second.begin; p <= second.end; ++p)
        for (const Sequence::Input& input : sequence.inputs[p])
            if (!input.isHub && input.source >= first.begin && input.source <= first.end)
                return true;
    return false;
}

std::uint32_t addUnit(Assembly& assembly, Way way, std::vector<std::uint32_t> parts)
{
    Unit unit;
    const Unit& front = assembly.pool[parts.front()];
    unit.way = way;
    unit.stretch = {front.stretch.begin, assembly.pool[parts.back()].stretch.end};
    if (way == Way::Run) { // regardless of their number
        unit.label = mixHash(front.label, 17);
        unit.detail = mixHash(front.detail, 17);
        unit.family = mixHash(front.family, 17);
        unit.isHeavy = front.isHeavy;
    } else {
        std::uint64_t families = 0;
        for (const std::uint32_t part : parts) {
            const Unit& inner = assembly.pool[part];
            unit.label = mixHash(unit.label, inner.label);
            unit.detail = mixHash(unit.detail, inner.detail);
            if (inner.isHeavy)
                families = mixHash(families, inner.family);
            unit.isHeavy |= inner.isHeavy;
        }
        unit.family = unit.isHeavy ? families : unit.label;
    }
    unit.parts = std::move(parts);
    assembly.pool.push_back(std::move(unit));
    return std::uint32_t(assembly.pool.size() - 1);
}

Assembly assemble(const Sequence& sequence, const Cut& cut)
{
    Assembly assembly;
    for (const Stretch& part : cut.parts) {
        Unit unit;
        unit.stretch = part;
        describeUnit(sequence, unit);
        assembly.top.push_back(std::uint32_t(assembly.pool.size()));
        assembly.pool.push_back(std::move(unit));
    }
    if (cut.way == Way::Parallel)
        return assembly;
    joinLightUnits(sequence, cut.way == Way::Chain, assembly);
    pairUnits(sequence, assembly);
    return assembly;
}

} // namespace lapidary::structure
