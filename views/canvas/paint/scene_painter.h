// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/canvas/paint/picture_state.h"
#include "views/canvas/paint/scene_index.h"
#include "views/canvas/paint/text_cache.h"
#include "views/theme/theme.h"

#include <QImage>
#include <QPointF>
#include <QSizeF>

#include <memory>
#include <vector>

class QPainter;

namespace lapidary {

struct PaintContext;

// The positions of boxes and routes while they move; sizes as in the scene.
struct MovedGeometry {
    std::vector<Rect> rects;
    std::vector<Point> points;
};

// The part of the scene to paint, its size and its look. `origin` is the scene point at the
// painter's (0, 0).
struct PictureRequest {
    QPointF origin;
    QSizeF size; // on screen
    double scale = 1;
    double pixelRatio = 1; // device pixels per screen unit
    const Theme& theme;
    const PictureState& state;
    const MovedGeometry* moved = nullptr;
    bool isMap = false; // a minimap: no titles
    QRectF inView = {}; // the part that is in view, where more is painted; empty: all of it

    Rect area() const
    {
        return {float(origin.x()), float(origin.y()), float(size.width() / scale),
                float(size.height() / scale)};
    }
};

// The only painter of graphs, for screen, minimap, PNG, SVG and PDF. GUI thread only (it keeps
// laid-out texts). O(visible items).
class ScenePainter {
public:
    ScenePainter();
    ~ScenePainter();

    // `index` may have been made by indexOf() on another thread; if null, it is made here.
    void setScene(ScenePtr scene, SceneIndexPtr index = {});
    const ScenePtr& scene() const { return m_scene; }
    const SceneIndex& index() const { return *m_index; }

    // Draws boxes, edges and texts with colors and dimming, on a background of the canvas color.
    void paint(QPainter& painter, const PictureRequest& request);
    // Draws the same picture; if thousands of small boxes are visible, it writes pixels itself.
    void paint(QImage& image, const PictureRequest& request);
    // Draws everything that changes with every pointer move: rings of selection, hover and hits,
    // accented edges, marks. On screen it also draws the headers of open groups whose top is out of
    // sight.
    void paintOverlay(QPainter& painter, const PictureRequest& request, bool stickyHeaders);

private:
    struct Visible {
        std::vector<std::uint32_t> boxes;
        std::vector<std::uint32_t> edges;
    };
    struct FarColors;

    Visible visibleIn(const PictureRequest& request) const;
    PaintContext contextOf(QPainter& painter, const PictureRequest& request);
    void paintVisible(const PaintContext& context, const Visible& visible);
    void paintEdges(const PaintContext& context, const Visible& visible);
    void paintFarTitles(const PaintContext& context, const Visible& visible);
    void rasterize(QImage& image, const PictureRequest& request, const Visible& visible);
    void rasterizeShapes(QImage& image, const PictureRequest& request, const Visible& visible);
    void rasterizeEdges(QImage& image, const PictureRequest& request, const Visible& visible);
    void rasterizeBoxes(QImage& image, const PictureRequest& request, const Visible& visible,
                        bool frames);
    void paintMixed(QImage& image, const PictureRequest& request, const Visible& visible);
    void paintFaces(const PaintContext& context, const Visible& visible, bool frames);
    void paintTexts(const PaintContext& context, const Visible& visible);
    const FarColors& farColors(const PictureRequest& request);
    void paintRings(const PaintContext& context);
    void paintAccentEdges(const PaintContext& context, ItemId item, const QColor& color);
    void paintStickyHeaders(const PaintContext& context, const PictureRequest& request);
    const std::vector<std::uint32_t>& edgesOfItem(ItemId item);
    std::vector<std::uint32_t> boxesOf(ItemId item) const;

    ScenePtr m_scene;
    SceneIndexPtr m_index;
    TextCache m_texts;
    std::unique_ptr<FarColors> m_far;
    std::unordered_multimap<ItemId, std::uint32_t> m_extraBoxes; // chips and stubs
    // Where lines enter open groups, by box.
    std::unordered_map<std::uint32_t, std::vector<float>> m_entries;
    ItemId m_edgesOwner[2];
    std::vector<std::uint32_t> m_edgesFound[2]; // for the last two items asked for
    int m_edgesNext = 0;
};

} // namespace lapidary
