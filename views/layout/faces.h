#pragma once

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
    std::vector<int> edges;  // of the prepared scope, of a stub
    bool isIncoming = false; // of a stub: the edge ends at the box
};

// What a box says and how large that makes it while it is closed.
struct Face {
    OpFamily family = OpFamily::Unknown;
    std::uint32_t repeats = 1;
    std::string title;
    std::string subtitle;
    std::string detail;
    float width = 0;
    float height = 0;
    float headerWidth = 0; // of the title alone, where the group is open
    bool isFed = false;    // see SceneBox
};

inline constexpr float pillHeight = 18;
inline constexpr float groupHeader = 28;

// Makes faces of items. Everything that it refers to must outlive it.
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
    // The face of an input or output of the graph says the tensor's shape and type instead of the
    // op, where they are known.
    Face endFace(NodeId id) const;
    // Neighbours that differ only where their names are cut begin where they differ instead.
    void tellApart(const std::vector<PreparedItem>& items, std::vector<Face>& faces) const;
    // Folded constants, those that say the same together ("4 × 64"), at most four pills.
    std::vector<Pill> chips(const PreparedItem& item) const;
    Pill stub(ItemId item, const std::string& text) const;
    std::string titleOf(ItemId item) const;
    std::string_view nodeName(NodeId id) const; // not elided

private:
    Face opFace(NodeId id, std::string_view subtitle) const;
    Face groupFace(const Group& group) const;
    bool beginAt(ItemId item, const std::string& rest, Face& face) const;
    std::string chipText(NodeId id) const;

    const Preparation& m_preparation;
    const MeasureText& m_measure;
    const DescribeEdge& m_describe;
};

} // namespace lapidary
