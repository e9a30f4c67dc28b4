// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/ops/op_registry.h"
#include "graph_model/scopes/prepared_scope.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lapidary {

// Scene units are pixels at 100 % zoom; y grows downwards; all positions are absolute.
struct Point {
    float x = 0;
    float y = 0;
    bool operator==(const Point&) const = default;
};
struct Rect {
    float x = 0;
    float y = 0;
    float w = 0;
    float h = 0;

    float right() const { return x + w; }
    float bottom() const { return y + h; }
    Point center() const { return {x + w / 2, y + h / 2}; }
    bool contains(Point p) const { return p.x >= x && p.x < right() && p.y >= y && p.y < bottom(); }
    bool intersects(const Rect& o) const
    {
        return x < o.right() && o.x < right() && y < o.bottom() && o.y < bottom();
    }
    bool operator==(const Rect&) const = default;
};

enum class BoxKind : std::uint8_t {
    Op,        // a node
    Group,     // a closed group: header line, summary, stacked cards if it repeats
    OpenGroup, // a frame around its children with a header
    Chip,      // a folded constant on the right edge of its consumer; parent = that consumer's box
    Stub,      // the far end of a hub edge: a small label with the other node's name
};

struct SceneBox {
    ItemId item;              // Chip: the folded node; Stub: the item at the other end
    std::int32_t parent = -1; // index of the enclosing box (always smaller), -1 at the root
    BoxKind kind = BoxKind::Op;
    OpFamily family = OpFamily::Unknown; // for a group: its dominant family
    bool isInput = false;                // marked or likely graph input; for a group: contains one
    bool isOutput = false;
    bool isAside = false; // a part of the graph beside the network
    bool isFed = false;   // for an op: tensors other than the folded ones arrive at it
    bool isPort = false;  // for an op: a value on the frame of a loop, drawn as a pill
    std::uint16_t depth = 0;
    std::uint32_t repeats = 1; // "x16"
    Rect rect;
    // The text of the face, already elided to fit: see elideMiddle.
    std::string title;    // last path component
    std::string subtitle; // op type, or "54 ops · 2.3 M weights"
    std::string detail;   // third line if there is space: "Conv2D ×3", "3×3, stride 2"
};

struct SceneEdge {
    std::int32_t from =
        -1; // box where it starts: a sibling, or the open group whose border it crosses
    std::int32_t to = -1;
    EdgeKind kind = EdgeKind::Data;
    bool isBack = false;
    std::uint32_t count = 1; // graph edges in the bundle
    float width = 1;         // 1..4, by log of the tensor's bytes
    std::uint32_t firstPoint =
        0; // into Scene::points; at least 2; first and last are on box borders
    std::uint32_t pointCount = 0;
    std::uint32_t firstLink = 0; // into Scene::links: the graph edges it carries
    std::uint32_t linkCount = 0;
    std::string label;       // shape, or "56 tensors"; empty: none
    bool isInferred = false; // the file does not state the label's shape
    Rect labelRect;          // free of boxes and other labels; empty: label not shown
};

// Everything that is visible for one state of expansion. Immutable; made off the GUI thread.
class Scene {
public:
    std::vector<SceneBox> boxes; // parents before children
    std::vector<SceneEdge> edges;
    std::vector<Point> points;
    std::vector<GraphEdge> links;
    std::unordered_map<ItemId, std::uint32_t> boxOf; // Op, Group and OpenGroup boxes
    Rect bounds;
    double layoutMilliseconds = 0;

    std::span<const Point> route(const SceneEdge& edge) const
    {
        return {points.data() + edge.firstPoint, edge.pointCount};
    }
    std::span<const GraphEdge> carried(const SceneEdge& edge) const
    {
        return {links.data() + edge.firstLink, edge.linkCount};
    }
};
using ScenePtr = std::shared_ptr<const Scene>;

enum class TextRole : std::uint8_t {
    Name,
    Muted,
    Heading,
    EdgeLabel,
    Chip,
    InferredLabel
}; // text sizes: 12, 11, 13 semibold, 10.5, 10.5, 10.5 slanted px

// Returns the width of a text in scene units. It must be safe to call from any thread.
using MeasureText = std::function<float(std::string_view text, TextRole role)>;

enum class Direction : std::uint8_t { Down, Right };

struct SceneOptions {
    Direction direction = Direction::Down;
    double aspect = 1.6;            // width/height of the window, for packing
    double budgetMilliseconds = 50; // ordering of one scope
    std::set<NodeId> inputs;        // drawn as graph inputs, at the top edge
    std::set<NodeId> outputs;
    bool edgeLabels = true;
};

// Shape and bytes of a tensor for labels and widths; the label is empty if unknown.
struct EdgeFace {
    std::string label;
    double bytes = 0;
    bool isInferred = false;                 // rather than stated in the file
    std::optional<std::int64_t> number = {}; // the value of a tensor with one element, if known
};
using DescribeEdge = std::function<EdgeFace(const Graph& graph, Endpoint from)>;

// Lays out the visible items. Keeps the layouts of scopes between calls: opening or closing a group
// lays out only that group and its ancestors, and all other items keep their order. One builder
// belongs to one Preparation; calls must not overlap.
class SceneBuilder {
public:
    SceneBuilder(PreparationPtr preparation, MeasureText measure, DescribeEdge describe);
    ~SceneBuilder();

    // `open` holds the groups that are expanded (the root always is). It may hold groups inside
    // closed groups. The only error is a cancelled job.
    Result<ScenePtr> build(const std::set<GroupId>& open, const SceneOptions& options,
                           const Job& job);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

// Returns the text elided in the middle to `width`, with more of its end kept:
// "resnet_v1_50/…/conv2".
std::string elideMiddle(std::string_view text, float width, TextRole role,
                        const MeasureText& measure);

} // namespace lapidary
