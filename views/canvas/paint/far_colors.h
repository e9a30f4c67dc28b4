// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/canvas/paint/picture_state.h"
#include "views/layout/scene.h"
#include "views/theme/theme.h"

#include <QRgb>

#include <cstdint>
#include <vector>

namespace lapidary {

struct FarEdge {
    std::uint32_t firstPoint = 0;
    std::uint32_t endPoint = 0;
    QRgb color = 0;
};

// The colors of a whole scene in compact arrays, for the picture at small zooms: reading the
// scene's own structures for every frame would take too long.
struct FarColorTable {
    FarColorTable(const Scene& scene, const Theme& theme, const PictureState& state);
    bool isFor(const Theme& theme, const PictureState& state) const;

    std::vector<QRgb> fill;
    std::vector<QRgb> outline;
    std::vector<QRgb> bar;
    std::vector<std::uint8_t> isFrame;
    std::vector<std::uint8_t> hasBar;
    std::vector<std::uint8_t> isBold;
    std::vector<std::uint8_t> isPlain; // see isPlainShape
    std::vector<FarEdge> edges;

private:
    const Theme* m_theme;
    ItemSetPtr m_lit;
    ColoringPtr m_coloring;
};

} // namespace lapidary
