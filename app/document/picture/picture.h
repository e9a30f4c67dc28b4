// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/picture/scene_request.h"
#include "views/models/latest_job.h"

#include <QObject>

#include <functional>

namespace lapidary {

class DocumentWork;

// The picture of one graph. It is prepared and laid out off the GUI thread; only the newest request
// counts, and the previous picture is shown until the new one is ready.
class Picture : public QObject {
    Q_OBJECT
public:
    // The reason why a new picture was made.
    enum class Cause {
        First,  // of another graph
        Again,  // of the same graph: other nodes are hidden, or other groups are taken apart
        State,  // another state of the graph
        Layout, // other groups are open, or the layout failed
    };
    struct Facts { // of the graph, as it is drawn
        std::vector<OpCount> ops;
        std::int64_t folded = 0;             // nodes drawn inside others
        std::size_t hidden = 0;              // by the user
        std::optional<InterfaceGuess> guess; // set while prepared() is emitted for a first picture
    };

    // `pool` has one thread: layouts must not overlap.
    Picture(DocumentWork& work, QThreadPool* pool, MeasureText measure, QObject* parent = nullptr);
    ~Picture() override;

    // Shows another graph. The likely interface of `entry` is drawn as such from then on.
    void start(GraphPtr graph, PictureLook look, OpenPaths open,
               std::shared_ptr<const GraphEntry> entry);
    void forget(); // nothing should be shown any more; the last picture is kept
    // Shows another state of the graph instead; must not be called before the first picture
    // exists.
    void replace(const GraphPtr& graph, const ShapeOptions& shapes);
    void giveShapes(const ShapeOptions& shapes); // those of inputs

    const GraphPtr& graph() const { return m_graph; }
    const GraphViewPtr& view() const { return m_view; } // null until the first picture is ready
    PreparationPtr preparation() const { return m_view ? m_view->sharedPreparation() : nullptr; }
    // Returns the inferred tensors of preparation()'s graph; null until they are known.
    GraphShapesPtr shapes() const { return m_view ? m_view->shapes() : nullptr; }
    const ScenePtr& scene() const { return m_scene; }
    const SceneIndexPtr& sceneIndex() const { return m_sceneIndex; }
    ItemId acted() const { return m_acted; } // the item whose change requested the last scene
    const Facts& facts() const { return m_facts; }
    // True while sceneChanged() is emitted for another state; then counterpart() maps an item of
    // the previous one, to an invalid ID if there is no item of that name.
    bool isReplacing() const { return m_replaced.graph != nullptr; }
    bool isAsOpened() const { return m_isAsOpened; }
    double aspect() const { return m_aspect; } // of the view that the scene was laid out for
    ItemId counterpart(ItemId before) const;

    const PictureLook& look() const { return m_look; }
    void change(const std::function<void(PictureLook&)>& edit);
    // Makes the first picture again for a view of another shape, as if it had been opened there:
    // the number of columns changes, and other groups may be open. Does nothing once the picture is
    // no longer the first one, or if the shape is nearly the same.
    void refit(double aspect);
    const std::set<GroupId>& openGroups() const { return m_open; }
    // Opens exactly these groups. If `reveals`, revealed() follows for `acted`.
    void setOpen(std::set<GroupId> open, ItemId acted, bool reveals = false);

signals:
    void prepared(); // a new preparation: trees and panels must be filled again
    void sceneChanged(bool isFirst);
    void revealed(lapidary::ItemId item);      // it has a box now
    void made(lapidary::Picture::Cause cause); // after the other signals
    void shapesChanged();                      // other shapes were given

private:
    struct Replaced {
        GraphPtr graph;
        PreparationPtr preparation;
    };
    SceneRequest request() const;
    void prepare();
    void layOut(std::set<GroupId> open, ItemId acted);
    void show(MadePicture made, Cause cause);
    void showState(const GraphPtr& graph, MadePicture made);
    void showScene(MadePicture made);
    void setView(GraphViewPtr view);
    void rememberOpen();
    GraphViewPtr knownView(const GraphPtr& graph, const ShapeOptions& shapes) const;
    void keepView(const GraphViewPtr& view);
    void forgetViews();

    DocumentWork& m_work;
    MeasureText m_measure;
    GraphPtr m_graph;
    GraphViewPtr m_view;
    std::vector<GraphViewPtr> m_views; // views of states that were shown lately, the newest last
    Replaced m_replaced;
    ScenePtr m_scene;
    SceneIndexPtr m_sceneIndex;
    Facts m_facts;
    PictureLook m_look;
    PictureLook m_viewLook; // the look that m_view was made with
    ShapeOptions m_shapes;  // the given shapes, for the next view
    std::set<NodeId> m_inputs;
    std::set<NodeId> m_outputs;
    std::set<GroupId> m_open;
    std::set<std::string> m_openAnywhere; // groups to open in states that have them
    // True until the first picture is ready.
    bool m_isFirst = true;
    bool m_isAsOpened = false; // no other groups, nodes or states were requested since then
    double m_aspect = 1;       // of the view that the scene was laid out for
    OpenPaths m_firstOpen;
    std::shared_ptr<const GraphEntry> m_entry;
    bool m_isReplacingSoon = false;
    ItemId m_acted;
    ItemId m_toReveal;
    LatestJob m_layoutJob;
    LatestJob m_shapeJob;
};

// Returns the paths of the groups that are open; empty until there is a picture.
std::set<std::string> openPaths(const Picture& picture);

} // namespace lapidary
