// SPDX-License-Identifier: Apache-2.0
#pragma once

class QMainWindow;

namespace lapidary {

class ActionSet;
class AutopilotController;
class CommandPalette;
class Comparison;
class DataController;
class DocumentOpener;
class FileQuestions;
class FileWriter;
class RecipeController;
class RunController;
class DeltaController;
class LensController;
class NoteController;
class PictureController;
class SearchBar;
class SensitivityController;
class Settings;
class StateStore;
class StatusLine;
class ThemeSwitch;
class WindowDocks;
class WindowTabs;

// The parts of one window, for code that uses several of them. All exist once the window is built,
// and live as long as it does.
struct WindowParts {
    QMainWindow* window = nullptr;
    const StateStore* store = nullptr;
    StatusLine* status = nullptr;
    ThemeSwitch* theme = nullptr;
    Settings* settings = nullptr;
    WindowTabs* tabs = nullptr;
    FileWriter* writer = nullptr;
    FileQuestions* questions = nullptr;
    DocumentOpener* opener = nullptr;
    ActionSet* actions = nullptr;
    WindowDocks* docks = nullptr;
    SearchBar* search = nullptr;
    CommandPalette* palette = nullptr;
    Comparison* comparison = nullptr;
    RecipeController* recipes = nullptr;
    RunController* runs = nullptr;
    LensController* lens = nullptr;
    PictureController* pictures = nullptr;
    SensitivityController* sensitivity = nullptr;
    AutopilotController* autopilot = nullptr;
    DeltaController* delta = nullptr;
    NoteController* notes = nullptr;
    DataController* data = nullptr;
};

} // namespace lapidary
