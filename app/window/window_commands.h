// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"
#include "app/window/file_dialogs.h"
#include "graph_model/interface/interface_flags.h"

#include <QString>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace lapidary {

class GraphCanvas;
class MainWindow;
class RecipeController;

// What the actions of the table do in one window, and when they can.
class WindowCommands {
public:
    explicit WindowCommands(MainWindow& window)
        : m_window(window)
    {
    }

    void open();
    void openFolder();
    void reload();
    void closeTab();
    void saveAs();
    void exportPicture();
    void exportVisible();
    void exportDot();
    void openSession();
    void saveSession();
    void quit();

    void copyName();
    void copyPicture();
    void copyTransformFlags() { copyFlags(FlagStyle::TransformGraph); }
    void copyBenchmarkFlags() { copyFlags(FlagStyle::BenchmarkModel); }
    void copyFreezeFlags() { copyFlags(FlagStyle::FreezeGraph); }
    void copyPython() { copyFlags(FlagStyle::Python); }
    void copyFlags(FlagStyle style);
    void saveTensor(NodeId node);
    void find();
    void findNext() { step(1); }
    void findPrevious() { step(-1); }
    void clearSearch();
    void palette();

    void back();
    void forward();
    void fitAll();
    void fitSelection();
    void zoomIn();
    void zoomOut();
    void zoom100();
    void toggleSelected();
    void collapseParent();
    void expandInside();
    void expandAll();
    void collapseAll();
    void toggleDirection();
    void colorByFamily() { colorBy(ColorMode::OpFamily); }
    void colorByStructure() { colorBy(ColorMode::Structure); }
    void colorByDevice() { colorBy(ColorMode::Device); }
    void colorByType() { colorBy(ColorMode::DType); }
    void colorByTime() { colorBy(ColorMode::Time); }
    void colorByMemory() { colorBy(ColorMode::Memory); }
    void colorByFlops() { colorBy(ColorMode::Flops); }
    void themeSystem();
    void themeLight();
    void themeDark();
    void toggleOutline();
    void toggleInterface();
    void toggleNode();
    void toggleTables();
    void nextTab() { stepTab(1); }
    void previousTab() { stepTab(-1); }
    void focusCanvas();
    void toggleFullScreen();

    void markInput() { mark(InterfaceSide::Inputs); }
    void markOutput() { mark(InterfaceSide::Outputs); }
    void toggleKept();
    void resetInterface();
    void traceUp() { trace(false); }
    void traceDown() { trace(true); }
    void startPath();
    void endPath();
    void clearTrace();
    void details();
    void openFunction();
    void closeFunction();
    void showAlone();
    void takeApart();
    void resetStructure();
    void hideOp();
    void hideSelected();
    void hideHits();
    void showHidden();
    void nextProblem() { stepProblem(1); }
    void previousProblem() { stepProblem(-1); }
    void walkDown();
    void walkUp();
    void walkLeft();
    void walkRight();
    void cancelJob();
    void compare();
    void compareTab();
    void compareOriginal();
    void comparePrevious();
    void compareAdd();
    void compareAddState();
    void closePane();
    void endCompare();
    void nextDifference() { stepDifference(1); }
    void previousDifference() { stepDifference(-1); }
    void otherSide();
    void runProfile();
    void openProfile();
    void openProfileFile(const QString& path);
    void clearProfile();
    void toggleProfile();

    void toggleRecipe();
    void addPass();
    void applyNext();
    void applyAll();
    void applyNone();
    void undoRecipe();
    void redoRecipe();
    void switchStep();
    void duplicateStep();
    void removeStep();
    void moveStepUp();
    void moveStepDown();
    void clearRecipe();
    void loadArm8() { loadPreset("arm-8bit"); }
    void loadArm32() { loadPreset("arm-32bit"); }
    void loadMobile() { loadPreset("mobile-fp32"); }
    void loadDownload() { loadPreset("small-download"); }
    void loadRecipe();
    void saveRecipe();
    void copyRecipe();
    void copyCommand();
    void saveScript();
    void toggleRecipeText();
    void showFindings();
    void nextFinding();
    void previousFinding();
    void toggleFindingMarks();
    void toggleVerify();
    void startBranch();
    void nextBranch();
    void removeBranch();
    void firstState();
    void lastState();
    void previousState();
    void nextState();
    void goToFirstDifference();

    void keepSelected();
    void selectAllBoxes();

    void deleteNode();
    void deleteWithReaders();
    void bypassNode();
    void renameNode();
    void setAttribute();
    void replaceByPlaceholder();
    void extractSelection();

    void keys();
    void handbook();
    void about();

    bool hasFile() const;
    bool hasTab() const;
    bool hasTabs() const;
    bool hasGraph() const;
    bool hasScene() const;
    bool hasSelection() const;
    bool hasNodeSelected() const;
    bool hasGroupSelected() const;
    bool hasInterface() const;
    bool hasOutputs() const;
    bool hasHits() const;
    bool hasQuery() const;
    bool canStep() const { return hasHits() || hasDifferences() || hasProblems(); }
    bool canGoBack() const;
    bool canGoForward() const;
    bool canEndPath() const;
    bool callsFunction() const;
    bool isInFunction() const;
    bool isFolded() const;
    bool isFoundGroup() const;
    bool hasOwnStructure() const;
    bool hasHidden() const;
    bool hasProblems() const;
    bool isBusy() const;
    bool isComparing() const;
    bool canCompareTab() const;
    bool canAddToComparison() const;
    bool canAddState() const;
    bool canClosePane() const;
    bool hasStateBefore() const;
    bool hasDifferences() const;
    bool canProfile() const;
    bool canOpenProfile() const;
    bool hasProfile() const;
    bool isProfileShown() const;

    bool hasRecipeGraph() const;
    bool hasSteps() const;
    bool hasStep() const;
    bool canApply() const;
    bool hasApplied() const;
    bool canUndoRecipe() const;
    bool canRedoRecipe() const;
    bool hasFindings() const;
    bool hasBranches() const;
    bool canGoToPreviousState() const;
    bool canGoToNextState() const;
    bool hasFirstDifference() const;
    bool canSaveScript() const;
    bool canEdit() const;
    bool canEditNode() const;
    bool isRecipeShown() const;
    bool isRecipeText() const;
    bool areFindingsMarked() const;
    bool isVerifying() const;

    bool isLeftToRight() const;
    bool isByFamily() const { return isColoredBy(ColorMode::OpFamily); }
    bool isByStructure() const { return isColoredBy(ColorMode::Structure); }
    bool isByDevice() const { return isColoredBy(ColorMode::Device); }
    bool isByType() const { return isColoredBy(ColorMode::DType); }
    bool isByTime() const { return isColoredBy(ColorMode::Time); }
    bool isByMemory() const { return isColoredBy(ColorMode::Memory); }
    bool isByFlops() const { return isColoredBy(ColorMode::Flops); }
    bool isThemeSystem() const;
    bool isThemeLight() const;
    bool isThemeDark() const;
    bool isOutlineShown() const;
    bool isInterfaceShown() const;
    bool isNodeShown() const;
    bool areTablesShown() const;
    bool isFullScreen() const;
    bool isMarkedInput() const { return isMarked(InterfaceSide::Inputs); }
    bool isMarkedOutput() const { return isMarked(InterfaceSide::Outputs); }
    bool isKeptShown() const;

    std::vector<NodeId> selectedNodes() const; // of a group, all inside

private:
    Document* document() const;
    GraphCanvas* canvas() const;
    ItemId selected() const;
    void step(int by);
    void stepTab(int by);
    void stepProblem(int by);
    void stepDifference(int by);
    void colorBy(ColorMode mode);
    bool isColoredBy(ColorMode mode) const;
    void mark(InterfaceSide side);
    bool isMarked(InterfaceSide side) const;
    void trace(bool isDown);
    void walk(int key);
    void exportTo(bool visibleOnly);
    // Asks for files to read; `then` gets the path of each.
    void askToOpen(const QString& title, const QString& filters, FileAnswer then,
                   QFileDialog::FileMode mode = QFileDialog::ExistingFile);
    // Asks for a file to write, other than the one that is open; `then` gets its path.
    void askForFile(const QString& title, const QString& suggestion, const QString& filters,
                    FileAnswer then);
    // Where a dialog begins: where the last file was chosen, or where the models are.
    QString suggestedFolder() const;
    void keepFolder(const QString& path);
    RecipeController& recipes() const;
    RecipeSession* recipe() const; // null where there is no graph to transform
    void loadPreset(std::string_view name);
    // Of a file that holds several, which one the recipe belongs to.
    std::optional<std::size_t> chosenGraph() const;
    // The file that is open is not written over; says so.
    bool isSourceOf(const QString& path) const;

    MainWindow& m_window;
    NodeId m_pathStart;
    GraphPtr m_pathGraph; // the graph that the start belongs to
    int m_problem = -1;
    std::weak_ptr<const Graph> m_savedState; // written last
    std::filesystem::path m_savedTo;
    QString m_lastFolder; // of the last file that was chosen
};

} // namespace lapidary
