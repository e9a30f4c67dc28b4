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

// The state of a document that is kept after the program ends: which graph, what is open and
// selected in it, camera, interface, recipe.
class DocumentMemory : public QObject {
    Q_OBJECT
public:
    // `store` null: nothing is remembered.
    DocumentMemory(Document& document, const StateStore* store, QObject* parent = nullptr);
    ~DocumentMemory() override;

    // Replaces what is remembered of the file.
    void give(const nlohmann::json& state);
    nlohmann::json state() const; // all that was made of the file; null: nothing is shown of it
    void save() const;
    void saveSoon();                         // does nothing while there is no picture
    void addToRecent(const QImage& picture); // the file, to the list of recent ones; saves too

    bool knowsGraph() const;    // something of the one that is to be shown
    int entry() const;          // that was shown last, else the one to serve
    void restoreRecipe() const; // of the graph that is chosen
    // Look and open groups of the graph that is chosen; interface, camera and selection are kept
    // until they are asked for.
    PictureLook recallView(OpenPaths& open);
    void forgetView();    // of a graph of which nothing is remembered
    void recallNetwork(); // what was fed, chosen and noted in the network that is shown
    void restoreInterface();
    void restoreSelection();

    void keepCamera(const KeptCamera& camera);
    // Returns the camera of the last session; it counts for every picture until the state that it
    // was on is there.
    std::optional<KeptCamera> takeCamera();

private:
    nlohmann::json known() const; // of the file, from before
    nlohmann::json knownOf(const char* kind) const;
    nlohmann::json knownOfGraph() const;
    nlohmann::json work() const;
    void recallWork(const nlohmann::json& mine);
    nlohmann::json view() const;

    Document& m_document;
    const StateStore* m_store;
    std::shared_ptr<nlohmann::json> m_given;     // null: what the store says counts
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
