// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/picture/scene_request.h"

#include <QImage>
#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>

#include <nlohmann/json_fwd.hpp>

namespace lapidary {

class Document;
class StateStore;

// The part of the picture on the screen, see Camera. A scale of 0 means unknown.
struct KeptCamera {
    double x = 0;
    double y = 0;
    double scale = 0;
    bool operator==(const KeptCamera&) const = default;
};

// The state of a document that is kept after the program ends: the chosen graph, its open groups,
// selection, camera, interface and recipe.
class DocumentMemory : public QObject {
    Q_OBJECT
public:
    // If `store` is null, nothing is remembered.
    DocumentMemory(Document& document, const StateStore* store, QObject* parent = nullptr);
    ~DocumentMemory() override;

    // Replaces what is remembered of the file.
    void give(const nlohmann::json& state);
    nlohmann::json state() const; // everything that is kept; null if nothing of the file is shown
    void save() const;
    void saveSoon();                         // does nothing while there is no picture
    void addToRecent(const QImage& picture); // adds the file to the list of recent ones, and saves

    bool knowsGraph() const;    // something is remembered of the graph to show
    int entry() const;          // index of the graph that was shown last, else of the one to serve
    void restoreRecipe() const; // that of the chosen graph
    // Returns the look of the chosen graph, and sets `open` to its open groups. Interface, camera
    // and selection are kept until the graph is prepared.
    PictureLook recallView(OpenPaths& open);
    void forgetView();    // for a graph of which nothing is remembered
    void recallNetwork(); // restores feeds, choices and notes of the network that is shown
    void restoreInterface();
    void restoreSelection();

    void keepCamera(const KeptCamera& camera);
    // Returns the camera of the last session, if there is one. Until the state that it belongs to
    // is shown, it is returned for every picture; then once more, and not again.
    std::optional<KeptCamera> takeCamera();

private:
    nlohmann::json known() const; // what was remembered of the file before
    nlohmann::json knownOf(const char* kind) const;
    nlohmann::json knownOfGraph() const;
    nlohmann::json work() const;
    void recallWork(const nlohmann::json& mine);
    nlohmann::json view() const;

    Document& m_document;
    const StateStore* m_store;
    std::shared_ptr<nlohmann::json> m_given;     // null: the state in the store counts
    std::shared_ptr<nlohmann::json> m_interface; // until the graph is prepared
    std::shared_ptr<nlohmann::json> m_feeds;     // until the graph is prepared
    std::shared_ptr<nlohmann::json> m_notes;     // likewise
    std::shared_ptr<nlohmann::json> m_pictures;  // likewise
    std::shared_ptr<nlohmann::json> m_autopilot; // likewise
    std::shared_ptr<nlohmann::json> m_values;    // likewise
    std::shared_ptr<nlohmann::json> m_data;      // likewise
    std::shared_ptr<nlohmann::json> m_colors;    // likewise
    std::shared_ptr<nlohmann::json> m_selection; // until the graph is prepared
    KeptCamera m_camera;
    std::optional<KeptCamera> m_wantedCamera;
    QTimer m_saveDelay;
};

} // namespace lapidary
