// SPDX-License-Identifier: Apache-2.0
// The menu "View".
#include "app/actions/conditions.h"
#include "app/document/document.h"
#include "app/window/docks/window_docks.h"
#include "app/window/menu_tables.h"
#include "app/window/parts/theme_switch.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"
#include "views/canvas/graph_canvas.h"

#include <QDockWidget>
#include <QMainWindow>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

bool hasProfile(const ActionContext& c)
{
    return c.document != nullptr && c.document->profile().profile() != nullptr;
}

bool hasTarget(const ActionContext& c)
{
    return c.document != nullptr && c.document->target().target() != nullptr;
}

bool hasTabs(const ActionContext& c)
{
    return c.window.tabs->count() > 1;
}

void closeAround(const ActionContext& c)
{
    const Document& document = *c.document;
    const ItemId item = document.selection().item();
    const bool isOpen = !item.isNode() && document.picture().openGroups().contains(item.group());
    const GroupId group = isOpen ? item.group() : document.picture().view()->tree().parentOf(item);
    if (!group.isValid() || group == rootGroup)
        return;
    document.scopes().collapse(group);
    document.selection().select(ItemId::of(group));
}

void openOneLevel(const ActionContext& c)
{
    const ItemId item = c.document->selection().item();
    c.document->scopes().expandInside(item.isValid() && !item.isNode() ? item.group() : rootGroup);
}

bool isLeftToRight(const ActionContext& c)
{
    return c.document != nullptr && c.document->picture().look().direction == Direction::Right;
}

void turn(const ActionContext& c)
{
    const Direction other = isLeftToRight(c) ? Direction::Down : Direction::Right;
    c.document->picture().change([other](PictureLook& look) { look.direction = other; });
}

bool isPlumbingShown(const ActionContext& c)
{
    return c.document != nullptr && c.document->picture().look().plumbing;
}

void switchPlumbing(const ActionContext& c)
{
    c.document->picture().change([](PictureLook& look) { look.plumbing = !look.plumbing; });
}

template <TrainingView view>
void showTraining(const ActionContext& c)
{
    c.document->picture().change([](PictureLook& look) { look.training = view; });
}

template <TrainingView view>
bool isTrainingShown(const ActionContext& c)
{
    return c.document != nullptr && c.document->picture().look().training == view;
}

template <ColorMode mode>
void colorBy(const ActionContext& c)
{
    c.document->colors().setMode(mode);
}

template <ColorMode mode>
bool isColoredBy(const ActionContext& c)
{
    return c.document != nullptr && c.document->colors().mode() == mode;
}

void toggle(QDockWidget& dock)
{
    dock.setVisible(dock.isHidden());
}

constexpr ActionSpec viewRows[]{
    {.id = "view.back",
     .label = "Back",
     .help = "Returns to the view before the last jump.",
     .key = "Alt+Left",
     .icon = "back",
     .menu = "View",
     .run = [](const ActionContext& c) { c.canvas->camera().goBack(); },
     .isEnabled =
         [](const ActionContext& c) {
             return c.canvas != nullptr && c.canvas->camera().canGoBack();
         },
     .needs = "There was no view before this one"},
    {.id = "view.forward",
     .label = "Forward",
     .help = "Returns to the view before going back.",
     .key = "Alt+Right",
     .icon = "forward",
     .menu = "View",
     .run = [](const ActionContext& c) { c.canvas->camera().goForward(); },
     .isEnabled =
         [](const ActionContext& c) {
             return c.canvas != nullptr && c.canvas->camera().canGoForward();
         },
     .needs = "There is no view after this one"},
    {.id = "view.fitAll",
     .label = "Fit all",
     .help = "Shows the whole picture.",
     .key = "Shift+F",
     .icon = "fit",
     .menu = "View",
     .startsGroup = true,
     .scope = KeyScope::Canvas,
     .run = [](const ActionContext& c) { c.canvas->camera().fitAll(); },
     .isEnabled = hasScene},
    {.id = "view.fitSelection",
     .label = "Fit selection",
     .help = "Zooms to the selected box.",
     .key = "F",
     .menu = "View",
     .scope = KeyScope::Canvas,
     .run =
         [](const ActionContext& c) {
             c.canvas->camera().fitItem(c.canvas->highlights().state().selected);
         },
     .isEnabled = hasSelection,
     .needs = needsSelection},
    {.id = "view.zoomIn",
     .label = "Zoom in",
     .help = "Enlarges the picture.",
     .key = "Ctrl++",
     .menu = "View",
     .run = [](const ActionContext& c) { c.canvas->camera().zoomIn(); },
     .isEnabled = hasScene},
    {.id = "view.zoomOut",
     .label = "Zoom out",
     .help = "Shrinks the picture.",
     .key = "Ctrl+-",
     .menu = "View",
     .run = [](const ActionContext& c) { c.canvas->camera().zoomOut(); },
     .isEnabled = hasScene},
    {.id = "view.zoom100",
     .label = "Zoom to 100 %",
     .help = "Shows boxes and text at 100 % size.",
     .key = "Ctrl+0",
     .menu = "View",
     .run = [](const ActionContext& c) { c.canvas->camera().zoomTo100(); },
     .isEnabled = hasScene},
    {.id = "view.toggle",
     .label = "Open or close scope",
     .help = "Opens the selected scope, or closes it.",
     .key = "Return",
     .menu = "View",
     .startsGroup = true,
     .scope = KeyScope::CanvasOwn,
     .run =
         [](const ActionContext& c) {
             c.document->scopes().toggle(c.document->selection().item());
         },
     .isEnabled = hasGroupSelected,
     .needs = "Select a scope first"},
    {.id = "view.collapseParent",
     .label = "Close the scope around",
     .help = "Closes the scope that holds the selection.",
     .key = "Backspace",
     .menu = "View",
     .scope = KeyScope::CanvasOwn,
     .run = closeAround,
     .isEnabled = hasSelection,
     .needs = needsSelection},
    {.id = "view.expandInside",
     .label = "Open one level inside",
     .help = "Opens every scope one level inside the selected one.",
     .key = "Shift+Return",
     .menu = "View",
     .scope = KeyScope::Canvas,
     .run = openOneLevel,
     .isEnabled = hasScene},
    {.id = "view.expandAll",
     .label = "Expand all",
     .help = "Opens every scope.",
     .key = "Ctrl+Shift+Right",
     .icon = "expand",
     .menu = "View",
     .run = [](const ActionContext& c) { c.document->scopes().expandAll(); },
     .isEnabled = hasScene},
    {.id = "view.collapseAll",
     .label = "Collapse all",
     .help = "Closes every scope.",
     .key = "Ctrl+Shift+Left",
     .icon = "collapse",
     .menu = "View",
     .run = [](const ActionContext& c) { c.document->scopes().collapseAll(); },
     .isEnabled = hasScene},
    {.id = "view.direction",
     .label = "Left to right",
     .help = "Draws the graph from left to right instead of downwards.",
     .key = "Ctrl+D",
     .icon = "direction",
     .menu = "View",
     .startsGroup = true,
     .run = turn,
     .isEnabled = hasScene,
     .isChecked = isLeftToRight},
    {.id = "view.plumbing",
     .label = "Plumbing of loops",
     .help = "Shows the Enter, Merge, Switch and similar nodes of loops and branches.",
     .key = "L",
     .menu = "View",
     .scope = KeyScope::Canvas,
     .run = switchPlumbing,
     .isEnabled = hasScene,
     .isChecked = isPlumbingShown},
    {.id = "view.trainingFolded",
     .label = "Folded",
     .help = "Shows each part beside the network, such as gradients and savers, as one closed box.",
     .menu = "View/Training",
     .run = showTraining<TrainingView::Folded>,
     .isEnabled = hasScene,
     .isChecked = isTrainingShown<TrainingView::Folded>},
    {.id = "view.trainingLane",
     .label = "Lane",
     .help = "Opens the parts beside the network in their own lane.",
     .menu = "View/Training",
     .run = showTraining<TrainingView::Lane>,
     .isEnabled = hasScene,
     .isChecked = isTrainingShown<TrainingView::Lane>},
    {.id = "view.trainingAll",
     .label = "All",
     .help = "Draws all nodes together, laid out by names and edges.",
     .menu = "View/Training",
     .run = showTraining<TrainingView::All>,
     .isEnabled = hasScene,
     .isChecked = isTrainingShown<TrainingView::All>},
    {.id = "view.colorFamily",
     .label = "Op family",
     .help = "Colors boxes by the family of their op.",
     .key = "Ctrl+1",
     .menu = "View/Color by",
     .run = colorBy<ColorMode::OpFamily>,
     .isEnabled = hasScene,
     .isChecked = isColoredBy<ColorMode::OpFamily>},
    {.id = "view.colorStructure",
     .label = "Repeated structure",
     .help = "Gives scopes of equal structure one color.",
     .key = "Ctrl+2",
     .menu = "View/Color by",
     .run = colorBy<ColorMode::Structure>,
     .isEnabled = hasScene,
     .isChecked = isColoredBy<ColorMode::Structure>},
    {.id = "view.colorDevice",
     .label = "Device",
     .help = "Colors boxes by the device they are placed on.",
     .key = "Ctrl+3",
     .menu = "View/Color by",
     .run = colorBy<ColorMode::Device>,
     .isEnabled = hasScene,
     .isChecked = isColoredBy<ColorMode::Device>},
    {.id = "view.colorType",
     .label = "Type",
     .help = "Colors boxes by the type of their first output.",
     .key = "Ctrl+4",
     .menu = "View/Color by",
     .run = colorBy<ColorMode::DType>,
     .isEnabled = hasScene,
     .isChecked = isColoredBy<ColorMode::DType>},
    {.id = "view.colorTime",
     .label = "Time",
     .help = "Colors boxes by their measured time.",
     .key = "Ctrl+5",
     .menu = "View/Color by",
     .startsGroup = true,
     .run = colorBy<ColorMode::Time>,
     .isEnabled = hasProfile,
     .needs = needsProfile,
     .isChecked = isColoredBy<ColorMode::Time>},
    {.id = "view.colorMemory",
     .label = "Memory",
     .help = "Colors boxes by the bytes of their outputs, measured or estimated.",
     .key = "Ctrl+6",
     .menu = "View/Color by",
     .run = colorBy<ColorMode::Memory>,
     .isEnabled = hasScene,
     .isChecked = isColoredBy<ColorMode::Memory>},
    {.id = "view.colorFlops",
     .label = "Operations",
     .help = "Colors boxes by their floating-point operations, without a run.",
     .key = "Ctrl+7",
     .menu = "View/Color by",
     .run = colorBy<ColorMode::Flops>,
     .isEnabled = hasScene,
     .isChecked = isColoredBy<ColorMode::Flops>},
    {.id = "view.colorTarget",
     .label = "Target",
     .help = "Colors boxes that have no kernel on the chosen target.",
     .key = "Ctrl+8",
     .menu = "View/Color by",
     .run = colorBy<ColorMode::Target>,
     .isEnabled = hasTarget,
     .needs = "Choose a target first (Ctrl+Shift+F5)",
     .isChecked = isColoredBy<ColorMode::Target>},
    {.id = "view.colorTwoRuns",
     .label = "Two runs",
     .help = "Colors boxes that are slower, faster, new or gone in the later of two runs.",
     .key = "Ctrl+9",
     .menu = "View/Color by",
     .run = colorBy<ColorMode::TwoRuns>,
     .isEnabled =
         [](const ActionContext& c) {
             return c.document != nullptr && c.document->delta().delta() != nullptr;
         },
     .needs = "Keep a profile first (Alt+F6), and measure again (F5)",
     .isChecked = isColoredBy<ColorMode::TwoRuns>},
    {.id = "view.themeSystem",
     .label = "As the system",
     .help = "Follows the light or dark theme of the system.",
     .menu = "View/Theme",
     .run = [](const ActionContext& c) { c.window.theme->choose(ThemeChoice::System); },
     .isChecked =
         [](const ActionContext& c) { return c.window.theme->choice() == ThemeChoice::System; }},
    {.id = "view.themeLight",
     .label = "Light",
     .help = "Dark text on a light window.",
     .menu = "View/Theme",
     .run = [](const ActionContext& c) { c.window.theme->choose(ThemeChoice::Light); },
     .isChecked =
         [](const ActionContext& c) { return c.window.theme->choice() == ThemeChoice::Light; }},
    {.id = "view.themeDark",
     .label = "Dark",
     .help = "Light text on a dark window.",
     .menu = "View/Theme",
     .run = [](const ActionContext& c) { c.window.theme->choose(ThemeChoice::Dark); },
     .isChecked =
         [](const ActionContext& c) { return c.window.theme->choice() == ThemeChoice::Dark; }},
    {.id = "view.outline",
     .label = "Outline",
     .help = "Shows or hides the tree of scopes.",
     .key = "F2",
     .menu = "View/Panels",
     .run = [](const ActionContext& c) { toggle(*c.window.docks->outline()); },
     .isChecked = [](const ActionContext& c) { return !c.window.docks->outline()->isHidden(); }},
    {.id = "view.interface",
     .label = "Interface",
     .help = "Shows or hides the inputs and outputs.",
     .key = "F3",
     .menu = "View/Panels",
     .run = [](const ActionContext& c) { toggle(*c.window.docks->interface()); },
     .isChecked = [](const ActionContext& c) { return !c.window.docks->interface()->isHidden(); }},
    {.id = "view.node",
     .label = "Node",
     .help = "Shows or hides the details of the selection.",
     .key = "F4",
     .menu = "View/Panels",
     .run = [](const ActionContext& c) { toggle(*c.window.docks->node()); },
     .isChecked = [](const ActionContext& c) { return !c.window.docks->node()->isHidden(); }},
    {.id = "view.tables",
     .label = "Tables",
     .help = "Shows or hides the tables below the canvas.",
     .key = "F6",
     .menu = "View/Panels",
     .run = [](const ActionContext& c) { toggle(*c.window.docks->tables()); },
     .isChecked = [](const ActionContext& c) { return !c.window.docks->tables()->isHidden(); }},
    {.id = "view.nextTab",
     .label = "Next tab",
     .help = "Goes to the next file.",
     .key = "Ctrl+PgDown",
     .menu = "View",
     .startsGroup = true,
     .run = [](const ActionContext& c) { c.window.tabs->step(1); },
     .isEnabled = hasTabs,
     .needs = "No other file is open"},
    {.id = "view.previousTab",
     .label = "Previous tab",
     .help = "Goes to the previous file.",
     .key = "Ctrl+PgUp",
     .menu = "View",
     .run = [](const ActionContext& c) { c.window.tabs->step(-1); },
     .isEnabled = hasTabs,
     .needs = "No other file is open"},
    {.id = "view.focusCanvas",
     .label = "Go to the canvas",
     .help = "Gives the canvas the focus, for its keys.",
     .key = "Ctrl+G",
     .menu = "View",
     .run = [](const ActionContext& c) { c.canvas->setFocus(Qt::ShortcutFocusReason); },
     .isEnabled = hasTab},
    {.id = "view.fullScreen",
     .label = "Full screen",
     .help = "Shows the window in full screen, or restores it.",
     .key = "F11",
     .menu = "View",
     .run =
         [](const ActionContext& c) {
             c.window.window->setWindowState(c.window.window->windowState() ^ Qt::WindowFullScreen);
         },
     .isChecked = [](const ActionContext& c) { return c.window.window->isFullScreen(); }},
};

} // namespace

const std::span<const ActionSpec> viewActions = viewRows;

} // namespace lapidary
