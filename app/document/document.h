// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/coloring.h"
#include "app/document/graph_view.h"
#include "app/document/interface_session.h"
#include "app/document/profile/profile_session.h"
#include "app/document/recipe/recipe_session.h"
#include "app/document/search_session.h"
#include "app/document/state_store.h"
#include "graph_model/explore/trace.h"
#include "graph_model/graph/function.h"
#include "graph_model/read/model_file.h"
#include "views/canvas/scene_index.h"
#include "views/models/latest_job.h"
#include "views/models/op_table_model.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lapidary {

using ModelFilePtr = std::shared_ptr<const ModelFile>;

// What documents share.
struct DocumentContext {
    QThreadPool* layoutPool = nullptr; // of one thread: layouts must not overlap
    MeasureText measure;
    const StateStore* store = nullptr; // null: nothing is remembered
    QThreadPool* runPool = nullptr;    // of one thread: everything that runs graphs
};

// What part of the picture is on the screen: see Camera. A scale of 0: none is known.
struct KeptCamera {
    double x = 0;
    double y = 0;
    double scale = 0;
    bool operator==(const KeptCamera&) const = default;
};

// One open file: the only writer of what is shown of it. Loads, prepares and lays out off the GUI
// thread; the newest request wins. Views hear by signal and ask for changes by the functions here.
class Document : public QObject {
    Q_OBJECT
public:
    enum class Stage { Empty, Loading, Preparing, Shown, Failed };

    explicit Document(DocumentContext context, QObject* parent = nullptr);
    ~Document() override;

    void open(const std::filesystem::path& path);
    // The same, with what state() gave in the place of what is remembered of the file.
    void open(const std::filesystem::path& path, const nlohmann::json& state);
    nlohmann::json state() const; // all that was made of the file; null: nothing is shown of it
    // A file that was read already, or one made of another's graph; not watched on disk.
    void show(ModelFilePtr file, const std::filesystem::path& path);
    void reload();
    void cancelWork();
    void remember(const QImage& picture); // of the file, for the list of recent ones
    // What is shown of the picture, to be there again when the file is opened next.
    void keepCamera(const KeptCamera& camera);
    // Where the camera was; for every picture until the state is there that it was on.
    std::optional<KeptCamera> rememberedCamera();

    Stage stage() const { return m_stage; }
    bool isBusy() const;
    QString jobTitle() const; // "Reading", "Laying out"; empty while idle
    const QString& failure() const { return m_failure; }
    const std::filesystem::path& path() const { return m_path; }
    QString title() const;

    // The file; null until it is read.
    const ModelFilePtr& file() const { return m_file; }
    // That lies with the file, for the values of variables; empty: there is none.
    const std::filesystem::path& checkpoint() const { return m_checkpoint; }
    QStringList graphTitles() const; // meta graphs first, then functions
    int graphNumber() const;
    void chooseGraph(int number);
    QStringList graphPath() const; // titles from the file's graph to the function shown
    void openFunction(const std::string& name);
    void closeFunctions(int depth); // back to the graph at this depth of the path
    Problems problems() const;      // of the file and the graph shown, as far as known
    // The graph is checked when its first picture is there.
    enum class Check { Pending, Done, Stopped };
    Check check() const { return m_check; }
    const std::vector<OpCount>& ops() const { return m_ops; }

    const GraphPtr& graph() const { return m_graph; }
    // The graph of the file, not a state that its recipe led to; function bodies are of the file.
    bool isOriginal() const;
    std::uint64_t shownBytes() const; // of the file, or of the state shown
    // While sceneChanged() tells of another graph: what an item of the one before has become, an
    // invalid id where there is nothing of that name.
    bool isReplacing() const { return m_replaced.graph != nullptr; }
    ItemId counterpart(ItemId before) const;
    // Null until the graph is prepared.
    PreparationPtr preparation() const { return m_view ? m_view->sharedPreparation() : nullptr; }
    // What is known of the tensors of preparation()'s graph; null until then.
    GraphShapesPtr shapes() const { return m_view ? m_view->shapes() : nullptr; }
    const ScenePtr& scene() const { return m_scene; }
    const SceneIndexPtr& sceneIndex() const { return m_sceneIndex; }
    ItemId acted() const { return m_acted; } // what the last scene was asked for by

    const std::set<GroupId>& openGroups() const { return m_open; }
    void expand(GroupId id);
    void collapse(GroupId id);
    void toggle(ItemId item);
    void expandAll();
    void collapseAll();
    void expandInside(GroupId id); // one level
    void setOpenGroups(std::set<GroupId> open);
    void makeVisible(ItemId item); // opens what is around it; revealed() when it has a box

    ItemId selected() const { return m_selected; }
    void select(ItemId item); // and nothing else
    // Everything that is selected, each item once; selected() is the one with the focus, and stands
    // last. Edits are done to all of it.
    std::vector<ItemId> selection() const;
    bool hasSeveralSelected() const { return selection().size() > 1; }
    void toggleSelected(ItemId item); // takes it into the selection, or out of it
    void keepSelected();              // stays selected while walkTo() goes on; or no longer
    bool isKept(ItemId item) const;
    void walkTo(ItemId item); // gives it the focus; what was kept stays selected
    void selectItems(const std::vector<ItemId>& items, bool keepsOthers);

    void showAlone(NodeId id);                // X20: never folded, never cut
    void takeApart(const std::string& group); // of a group found by structure, by its path
    void resetStructure();
    bool hasOwnStructure() const { return !m_pinned.empty() || !m_ungrouped.empty(); }

    void hideOp(const std::string& op, bool isHidden);
    void hideNodes(const std::vector<NodeId>& nodes);
    void showHidden();
    QStringList hiddenOps() const;
    bool hasHidden() const { return !m_hiddenOps.empty() || !m_hiddenNodes.empty(); }
    std::size_t hiddenCount() const { return m_hiddenCount; }
    std::int64_t foldedCount() const { return m_foldedCount; } // drawn inside others

    Direction direction() const { return m_direction; }
    void setDirection(Direction direction);
    void setAspect(double aspect) { m_aspect = aspect; } // counts from the next layout on
    ColorMode colorMode() const { return m_colorMode; }
    void setColorMode(ColorMode mode);
    const ColorClasses& colors() const { return m_colors; }

    void traceUp(const std::vector<NodeId>& from);
    void traceDown(const std::vector<NodeId>& from);
    void tracePaths(NodeId a, NodeId b);
    void clearTrace();
    const QString& traceSummary() const { return m_traceSummary; }
    // What is to stay bright: the trace, or what the interface keeps; null: everything.
    ItemSetPtr lit() const { return m_traceItems ? m_traceItems : m_interface.keptItems(); }

    SearchSession& search() { return m_search; }
    InterfaceSession& interface() { return m_interface; }
    // Of the graph of the file; what it shows is what graph() is, outside of functions.
    RecipeSession& recipe() { return m_recipe; }
    const RecipeSession& recipe() const { return m_recipe; }
    // Runs the graph that is shown, as it stands, and measures it: see profile().
    void runProfile();
    bool canProfile() const; // a graph is shown, and no function's body
    ProfileSession& profile() { return m_profile; }
    const ProfileSession& profile() const { return m_profile; }

signals:
    void stageChanged();
    void busyChanged();
    void progressed(int permille);
    void fileChanged();     // a new ModelFile, or another graph of it
    void problemsChanged(); // the graph was checked, or will not be
    void graphPrepared();   // a new preparation: trees and panels start anew
    void sceneChanged(bool isFirst);
    void revealed(lapidary::ItemId item);
    void selectionChanged();
    void litChanged();
    void colorsChanged();
    void shapesChanged();             // other input shapes were given
    void notice(const QString& text); // one line for the status bar

private:
    struct Loaded;
    struct Prepared;
    struct Laid;
    struct Frame { // a graph that a function body was opened from
        QString title;
        GraphPtr graph;
        std::set<std::string> open;
    };

    void setStage(Stage stage);
    void fail(const Error& error);
    void loaded(const Loaded& result);
    void startGraph(int number);
    void setGraph(GraphPtr graph, const nlohmann::json& state);
    void prepare();
    void prepared(Prepared result);
    void layOut(std::set<GroupId> open, ItemId acted);
    void laid(Laid result);
    void startCheck();
    void setCheck(Check check);
    void startRecipe();
    nlohmann::json rememberedRecipe() const;
    void restoreRecipe(const nlohmann::json& state);
    nlohmann::json rememberedView() const;
    void restoreView(const nlohmann::json& state);
    void restoreSelection();
    void saveSoon();
    void renewEnds();
    void showState();
    void stateShown(const GraphPtr& graph, Prepared result);
    GraphViewPtr knownView(const GraphPtr& graph, const ShapeOptions& shapes) const;
    void keepView(const GraphViewPtr& view);
    void forgetViews();
    void computeColors();
    void computeOverlay(ProfileMeasure measure);
    void setColors(ColorClasses colors);
    void rescaleOverlay();
    void connectProfile();
    void renewProfile();
    std::string shownFunction() const; // empty: the graph of the file
    void updateShapes();
    void setView(GraphViewPtr view);
    void trace(std::function<Result<std::vector<bool>>(const Job&)> work, QString title);
    std::vector<NodeId> hiddenNodes() const;
    std::set<std::string> openPaths() const;
    SceneOptions sceneOptions() const;
    void watch();
    std::string key() const;
    nlohmann::json keptState() const; // what is known of the file from before
    void saveState() const;

    DocumentContext m_context;
    std::filesystem::path m_path;
    Stage m_stage = Stage::Empty;
    QString m_failure;

    ModelFilePtr m_file;
    std::filesystem::path m_checkpoint;
    int m_entry = 0;
    std::uint64_t m_structure = 0;
    std::vector<Frame> m_callers;
    QString m_functionTitle;
    GraphPtr m_graph;
    std::vector<OpCount> m_ops;
    Check m_check = Check::Pending;
    Problems m_graphProblems; // found by the check of this graph of the file

    struct Replaced {
        GraphPtr graph;
        PreparationPtr preparation;
    };
    GraphViewPtr m_view;
    std::vector<GraphViewPtr> m_views;    // of states shown lately, the newest last
    std::set<std::string> m_openAnywhere; // groups to open in states that have them
    Replaced m_replaced;
    ScenePtr m_scene;
    SceneIndexPtr m_sceneIndex;
    std::set<GroupId> m_open;
    std::set<std::string> m_wantedOpen; // paths to open once the graph is prepared
    bool m_hasWantedOpen = false;
    bool m_isFirstScene = true;
    bool m_isReplacingSoon = false;
    ItemId m_acted;
    ItemId m_toReveal;
    ItemId m_selected;
    std::vector<ItemId> m_kept; // what else is selected; may hold the one with the focus

    std::vector<NodeId> m_pinned;
    std::vector<std::string> m_ungrouped;
    std::set<std::string> m_hiddenOps;
    std::vector<NodeId> m_hiddenNodes;
    std::size_t m_hiddenCount = 0;
    std::int64_t m_foldedCount = 0;
    Direction m_direction = Direction::Down;
    double m_aspect = 1.6;
    std::set<NodeId> m_sceneInputs;
    std::set<NodeId> m_sceneOutputs;
    ColorMode m_colorMode = ColorMode::OpFamily;
    ColorClasses m_colors;
    ItemSetPtr m_traceItems;
    QString m_traceSummary;
    std::shared_ptr<nlohmann::json> m_rememberedInterface; // until the graph is prepared
    std::shared_ptr<nlohmann::json> m_givenState;          // null: what the store says counts
    KeptCamera m_camera;
    std::optional<KeptCamera> m_wantedCamera;
    std::shared_ptr<nlohmann::json> m_wantedSelection; // until the graph is prepared

    SearchSession m_search;
    InterfaceSession m_interface;
    RecipeSession m_recipe;
    // The sizes of inputs with which states are verified.
    std::vector<std::pair<std::string, Shape>> m_fedShapes;
    ProfileSession m_profile;
    LatestJob m_loadJob;
    LatestJob m_layoutJob;
    LatestJob m_checkJob;
    LatestJob m_colorJob;
    LatestJob m_shapeJob;
    LatestJob m_traceJob;
    QFileSystemWatcher m_watcher;
    QTimer m_reloadDelay;
    QTimer m_saveDelay; // of the state, while a recipe is being made
};

} // namespace lapidary
