// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/base/document_work.h"
#include "app/document/colors/picture_colors.h"
#include "app/document/data/data_session.h"
#include "app/document/document_memory.h"
#include "app/document/file/graph_check.h"
#include "app/document/file/graph_choice.h"
#include "app/document/file/interface_session.h"
#include "app/document/file/opened_file.h"
#include "app/document/file/search_session.h"
#include "app/document/file/shown_state.h"
#include "app/document/file/state_store.h"
#include "app/document/picture/open_scopes.h"
#include "app/document/picture/picture.h"
#include "app/document/profile/delta_session.h"
#include "app/document/profile/profile_session.h"
#include "app/document/recipe/autopilot_session.h"
#include "app/document/recipe/recipe_session.h"
#include "app/document/run/feed_session.h"
#include "app/document/run/lens_session.h"
#include "app/document/run/picture_session.h"
#include "app/document/run/sensitivity_session.h"
#include "app/document/run/value_session.h"
#include "app/document/selection/highlight.h"
#include "app/document/selection/item_selection.h"
#include "app/document/selection/note_session.h"
#include "app/document/target/target_session.h"

#include <QObject>

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace lapidary {

// The resources that all documents share.
struct DocumentContext {
    QThreadPool* layoutPool = nullptr; // of one thread: layouts must not overlap
    MeasureText measure;
    const StateStore* store = nullptr; // null: nothing is remembered
    QThreadPool* runPool = nullptr;    // of one thread: for everything that runs graphs
};

// One open file. Its parts do the work, and each knows only those parts that it needs. The document
// creates the parts and connects them. Views listen to the parts' signals and call their functions.
class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(DocumentContext context, QObject* parent = nullptr);
    ~Document() override;

    // Opens a file with a state from DocumentMemory::state(), instead of what is remembered of the
    // file.
    void open(const std::filesystem::path& path, const nlohmann::json& state);
    void cancelWork();
    void forgetListener(const QObject* listener); // disconnects it from all parts

    DocumentWork& work() const { return *m_work; }
    OpenedFile& file() const { return *m_file; }
    GraphChoice& graphs() const { return *m_graphs; }
    GraphCheck& check() const { return *m_check; }
    Picture& picture() const { return *m_picture; }
    OpenScopes& scopes() const { return *m_scopes; }
    ItemSelection& selection() const { return *m_selection; }
    Highlight& highlight() const { return *m_highlight; }
    PictureColors& colors() const { return *m_colors; }
    NoteSession& notes() const { return *m_notes; }
    SearchSession& search() const { return *m_search; }
    InterfaceSession& interface() const { return *m_interface; }
    // Returns the recipe of the graph of the file, not of the function that graph() may show.
    RecipeSession& recipe() const { return *m_recipe; }
    ShownState& state() const { return *m_state; }
    ProfileSession& profile() const { return *m_profile; }
    DeltaSession& delta() const { return *m_delta; }
    FeedSession& feeds() const { return *m_feeds; }
    ValueSession& values() const { return *m_values; }
    LensSession& lens() const { return *m_lens; }
    PictureSession& pictures() const { return *m_pictures; }
    SensitivitySession& sensitivity() const { return *m_sensitivity; }
    AutopilotSession& autopilot() const { return *m_autopilot; }
    TargetSession& target() const { return *m_target; }
    DataSession& data() const { return *m_data; }
    DocumentMemory& memory() const { return *m_memory; }

    // The graph that is shown, or will be shown next; null before the file is read.
    const GraphPtr& graph() const { return m_picture->graph(); }

signals:
    void fileChanged(); // another ModelFile, or another graph of it

private:
    std::vector<QObject*> signalers() const; // the parts that have signals
    void watchWork();
    void connectParts();
    void showFile(bool isAgain);
    void showEntry();
    void showGraph(const GraphPtr& graph, PictureLook look, const OpenPaths& open);
    void prepared();
    void lookAtTarget();
    void tellData();
    void takeDistances();
    void takeSensitivity();
    void pictureMade(Picture::Cause cause);

    // The parts, in an order in which each knows only those before it.
    std::unique_ptr<DocumentWork> m_work;
    std::unique_ptr<OpenedFile> m_file;
    std::unique_ptr<Picture> m_picture;
    std::unique_ptr<GraphChoice> m_graphs;
    std::unique_ptr<GraphCheck> m_check;
    std::unique_ptr<OpenScopes> m_scopes;
    std::unique_ptr<ItemSelection> m_selection;
    std::unique_ptr<InterfaceSession> m_interface;
    std::unique_ptr<Highlight> m_highlight;
    std::unique_ptr<NoteSession> m_notes;
    std::unique_ptr<SearchSession> m_search;
    std::unique_ptr<RecipeSession> m_recipe;
    std::unique_ptr<ShownState> m_state;
    std::unique_ptr<ProfileSession> m_profile;
    std::unique_ptr<DeltaSession> m_delta;
    std::unique_ptr<FeedSession> m_feeds;
    std::unique_ptr<ValueSession> m_values;
    std::unique_ptr<LensSession> m_lens;
    std::unique_ptr<PictureSession> m_pictures;
    std::unique_ptr<SensitivitySession> m_sensitivity;
    std::unique_ptr<AutopilotSession> m_autopilot;
    std::unique_ptr<TargetSession> m_target;
    std::unique_ptr<DataSession> m_data;
    std::unique_ptr<PictureColors> m_colors;
    std::unique_ptr<DocumentMemory> m_memory;
    std::set<std::string> m_openBefore; // groups that were open before the file was read again
    bool m_wantsNetwork = true;         // if the graph to show calls functions, show their network
};

// Returns the reason why the shown graph cannot be run, and what to do; empty if it can. The body
// of a function never can.
QString whyNotRun(const Document& document);
bool canProfile(const Document& document); // it can be run, and so measured
// Returns whyNotRun(), or that the graph is already being measured.
QString whyNotMeasured(const Document& document);
// Returns the graph that is shown, with the interface and the functions of the file's graph.
GraphEntry shownEntry(const Document& document);
// Runs the graph that is shown, in its current state, and measures it.
void runProfile(Document& document);
// Computes tensors of the graph that is shown, or of a function of the file, from the current
// feeds.
void runTo(Document& document, const ValueTarget& target);
// Computes the outputs of another node without showing them, so that their values are kept.
void computeBeside(Document& document, NodeId node);
// Compares the numbers of the shown graph with those of the file's graph, from the current feeds.
void compareNumbers(Document& document);

} // namespace lapidary
