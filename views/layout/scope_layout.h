// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/layout/scope_plan.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace lapidary {

struct ScopeLayout;
using ScopeLayoutPtr = std::shared_ptr<const ScopeLayout>;

// A scope's picture relative to the top left corner of its frame.
struct ScopeLayout {
    struct Item {
        Rect box;
        std::vector<Rect> pills; // as in ScopePlan::pills
    };
    struct Edge {
        int prepared = 0;
        std::uint32_t firstPoint = 0;
        std::uint32_t pointCount = 0;
        Rect label; // empty if there is no label
    };
    std::vector<Item> items;
    std::vector<Edge> edges;
    std::vector<Point> points;
    std::vector<float> ports; // position of each port along its border
    float width = 0;
    float height = 0;
    std::uint64_t serial = 0;             // unique; for the keys of enclosing layouts
    std::vector<std::uint64_t> key;       // the plan that it was made from
    std::vector<ScopeLayoutPtr> children; // per item; null if closed
};

// Label and width of each prepared edge, without sizes of boxes.
struct EdgeFaces {
    std::vector<std::string> labels;
    std::vector<float> labelWidths;
    std::vector<bool> inferred; // the label is an inferred shape
    std::vector<float> widths;
};

struct ScopeLayoutInput {
    const ScopePlan& plan;
    const EdgeFaces& edges;
    std::vector<ScopeLayoutPtr> children;
    std::vector<const ScopePlan*> childPlans; // per item; null if closed
    Direction direction = Direction::Down;
    double aspect = 1.6;
    bool isRoot = false;
    float headerWidth = 0;
    bool labels = true;
};

Result<std::shared_ptr<ScopeLayout>> layOutScope(const ScopeLayoutInput& input, const Job& job);

} // namespace lapidary
