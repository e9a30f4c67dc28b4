// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/canvas/canvas_camera.h"
#include "views/canvas/canvas_highlights.h"
#include "views/canvas/paint/scene_index.h"
#include "views/canvas/paint/scene_painter.h"

#include <QAbstractScrollArea>
#include <QImage>
#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

namespace lapidary {

class Minimap;

// The effect of turning the wheel; with Ctrl it has the other one. On a touchpad two fingers scroll
// and a pinch zooms, whatever the wheel does.
enum class WheelAction { Scroll, Zoom };

// The drawing of one graph. It shows a scene, scrolls and zooms, selects items and walks along
// edges. It knows nothing of files or graphs: it requests changes by signal, and the owner sets a
// new scene.
class GraphCanvas : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit GraphCanvas(QWidget* parent = nullptr);
    ~GraphCanvas() override;

    // Replaces the picture. `acted` (or else the selection, or else the item in the middle) keeps
    // its position on screen. `index` may have been made on another thread.
    void setScene(ScenePtr scene, bool animate, ItemId acted = {}, SceneIndexPtr index = {});
    // Shows another graph, in which items have other IDs; `counterpart` maps them. The selection,
    // or else the item nearest to the middle that both graphs have, keeps its position on screen;
    // nothing is animated.
    void replaceScene(ScenePtr scene, SceneIndexPtr index,
                      const std::function<ItemId(ItemId)>& counterpart);
    // Sets the sentence that a scene without boxes shows; empty means none.
    void setEmptyText(const QString& text);
    const QString& emptyText() const { return m_emptyText; }
    const ScenePtr& scene() const { return m_painter.scene(); }

    void setTheme(const Theme& theme); // one of the two static tables
    const Theme& theme() const { return *m_theme; }

    void setWheelAction(WheelAction action) { m_wheelAction = action; }

    CanvasHighlights& highlights() { return m_highlights; }
    const CanvasHighlights& highlights() const { return m_highlights; }
    CanvasCamera& camera() { return m_camera; }
    const CanvasCamera& camera() const { return m_camera; }

    // Sets the text for assistive technology: "conv1, Conv2D, 1×56×56×64". By default it comes from
    // the scene, whose names may be cut; an owner that knows the graph can give better ones.
    using Describe = std::function<QString(ItemId)>;
    void setDescribe(Describe describe) { m_describe = std::move(describe); }
    QString describe(ItemId item) const;

    const SceneIndex& index() const { return m_painter.index(); }
    ItemId itemAt(const QPointF& viewPoint) const;
    // Returns the item's rectangle in the viewport; empty if the item has no box.
    QRectF viewRect(ItemId item) const;
    // Tells whether no animation is running and the picture on screen is sharp.
    bool isSettled() const;
    // Returns the visible part as it is on screen, without pointer and minimap.
    QImage picture();
    // Returns the boxes in the view except open scopes.
    std::vector<ItemId> visibleItems() const;

signals:
    void itemActivated(lapidary::ItemId item);      // double click or Enter: open or close
    void collapseRequested(lapidary::ItemId group); // Backspace
    void detailsRequested(lapidary::ItemId item);   // Space
    void walkedTo(lapidary::ItemId item);           // by key; the selection stays
    void toggleRequested(lapidary::ItemId item);    // adds it to the selection or removes it
    void areaSelected(const std::vector<lapidary::ItemId>& items, bool keepsOthers);
    void contextMenuRequested(lapidary::ItemId item, const QPoint& globalPosition);
    void hovered(lapidary::ItemId item);
    void stubActivated(lapidary::ItemId item); // the item at the other end of the stub
    void viewChanged();                        // the camera or the scene changed

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    struct Press {
        QPointF at;
        QPointF origin; // of the camera
        bool isDown = false;
        bool isDrag = false;
        bool isBand = false; // draws a frame around the items to select
    };
    // A rendered part of the scene, larger than the view, so that moving the view only copies
    // pixels.
    struct Sheet {
        QImage image;
        Camera camera;
        double cost = 0; // ms that the last rendering took
        bool isValid = false;
    };

    QSizeF viewSize() const { return viewport()->size(); }
    // Converts a camera of a view of size `before` to one of the current size.
    Camera resized(const Camera& camera, QSizeF before) const;
    PictureRequest request(const Camera& camera, QSizeF size, const PictureState& state) const;
    void connectParts();
    void invalidate();
    void renewSheet();
    bool sheetCoversView() const;
    void paintSheet(QPainter& painter);
    void paintMoving(QPainter& painter);
    void updateHover(const QPointF& at);
    void updateMinimap();
    QRect freeCorner(const QSize& size) const;
    bool isFree(const QRect& place) const;
    std::int32_t boxAt(const QPointF& viewPoint) const;
    bool isOnChevron(std::int32_t box, const QPointF& viewPoint) const;
    void clickAt(const QPointF& at, Qt::KeyboardModifiers modifiers);
    void selectInBand(bool keepsOthers);
    std::vector<ItemId> itemsIn(const Rect& area) const;
    void paintBand(QPainter& painter) const;
    ItemId anchorItem(ItemId acted) const;
    bool isLost(const Scene& next, const Rect& before, double scale) const;
    Camera cameraFor(const Scene& scene, ItemId anchor, bool wasActed) const;
    Camera cameraForOther(const Scene& next,
                          const std::function<ItemId(ItemId)>& counterpart) const;
    bool walkKey(int key);
    bool panKey(const QKeyEvent& event);
    void select(ItemId item);

    const Theme* m_theme;
    QString m_emptyText;
    WheelAction m_wheelAction = WheelAction::Scroll;
    CanvasHighlights m_highlights;
    ScenePainter m_painter;
    CanvasCamera m_camera;
    Sheet m_sheet;
    Press m_press;
    QRectF m_band; // in the viewport; empty: no frame is drawn
    QTimer m_sharpen;
    Minimap* m_minimap;
    Describe m_describe;
};

} // namespace lapidary
