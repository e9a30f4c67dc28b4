// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/loop_turns.h"
#include "views/layout/scene.h"

#include <string>
#include <vector>

namespace lapidary {

// A pill beside a box: a folded constant, or the other end of an edge that is not drawn through.
struct Pill {
    BoxKind kind = BoxKind::Chip;
    ItemId item;
    OpFamily family = OpFamily::Unknown;
    std::string text;
    float width = 0;
    std::vector<int> edges;  // index of a stub in the prepared scope
    bool isIncoming = false; // for a stub: the edge arrives at the box
};

// The text of a box, and the size that the box has while it is closed.
struct Face {
    OpFamily family = OpFamily::Unknown;
    std::uint32_t repeats = 1;
    std::string title;
    std::string subtitle;
    std::string detail;
    float width = 0;
    float height = 0;
    float headerWidth = 0; // width of the header of a group that is open
    bool isFed = false;    // see SceneBox
    bool isPort = false;
    bool isAside = false;
};

inline constexpr float pillHeight = 18;
inline constexpr float groupHeader = 28;

// Makes the faces of items. Everything that it refers to must outlive it.
class FaceMaker {
public:
    FaceMaker(const Preparation& preparation, const MeasureText& measure,
              const DescribeEdge& describe)
        : m_preparation(preparation)
        , m_measure(measure)
        , m_describe(describe)
    {
    }

    Face face(ItemId item) const;
    // Returns the face of an output or input of the graph, which shows the tensor's shape and type,
    // if known, instead of the op. An input with several tensors shows the largest: "128×9 +2".
    Face endFace(NodeId id) const;
    Face inputFace(NodeId id) const;
    // Makes neighbors distinguishable: if their names differ only in the elided part, their titles
    // begin where they differ.
    void tellApart(const std::vector<PreparedItem>& items, std::vector<Face>& faces) const;
    // Returns pills of the folded constants, at most four; constants with the same text share one
    // ("4 × 64"). A computation of sizes is one "size".
    std::vector<Pill> chips(const PreparedItem& item) const;
    Pill stub(ItemId item, const std::string& text) const;
    std::string titleOf(ItemId item) const;
    std::string_view nodeName(NodeId id) const; // not elided

private:
    Face opFace(NodeId id, std::string_view subtitle) const;
    Face groupFace(const Group& group) const;
    Face portFace(NodeId id, const LoopPort& port) const;
    // Returns the text in a loop's header: "until time ≥ 25 · 25 turns".
    std::string loopText(std::uint32_t loop) const;
    KnownNumber knownNumber() const;
    bool beginAt(ItemId item, const std::string& rest, Face& face) const;
    NodeId valueOf(NodeId id) const;
    bool servesSize(NodeId id) const;
    bool dependsOnSize(NodeId id) const;
    std::string chipText(NodeId id) const;
    std::string sizeText(NodeId id) const; // of a node that is folded because it depends on sizes

    const Preparation& m_preparation;
    const MeasureText& m_measure;
    const DescribeEdge& m_describe;
};

} // namespace lapidary
