// SPDX-License-Identifier: Apache-2.0
#include "app/window/base/style_sheet.h"

#include <array>
#include <utility>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

// Each @name is replaced by a color of the theme.
constexpr QStringView sheet = uR"(
QMainWindow, QDialog { background: @raised; color: @text; }
QMainWindow::separator { background: @line; width: 1px; height: 1px; }
QMenuBar { background: @raised; color: @text; border: none; padding: 2px 6px; }
QMenuBar::item { padding: 4px 9px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: @hover; }
QMenu { background: @surface; color: @text; border: 1px solid @line; padding: 4px; }
QMenu::item { padding: 5px 28px 5px 26px; border-radius: 4px; }
QMenu::item:selected { background: @selection; color: @selectionText; }
QMenu::item:disabled { color: @muted; }
QMenu::separator { height: 1px; background: @line; margin: 4px 8px; }
QMenu::indicator { width: 14px; height: 14px; left: 7px; }
QToolBar { background: @raised; border: none; border-bottom: 1px solid @line; padding: 4px 8px; spacing: 2px; }
QToolBar::separator { background: @line; width: 1px; margin: 5px 7px; }
QToolBar#tabBarRow { padding: 4px 8px 0 8px; margin: 0; }
QToolButton { background: transparent; color: @text; border: 1px solid transparent; border-radius: 5px; padding: 4px; }
QToolButton:hover { background: @hover; }
QToolButton:pressed, QToolButton:checked { background: @selection; }
QToolButton:focus { border: 1px solid @accent; }
QToolButton:disabled { color: @muted; }
QToolButton#colorChoice, QToolButton#copyFlags, QPushButton {
    background: @surface; color: @text; border: 1px solid @line; border-radius: 5px; padding: 4px 11px; min-height: 18px; }
QToolButton#colorChoice:hover, QToolButton#copyFlags:hover, QPushButton:hover { background: @hover; }
QToolButton#colorChoice, QToolButton#copyFlags, QToolButton#nodeEdit { padding-right: 20px; }
QToolButton::menu-indicator { subcontrol-position: right center; subcontrol-origin: padding; right: 6px; width: 8px; }
QPushButton:checked { background: @selection; color: @selectionText; border-color: @accent; }
QPushButton:focus { border-color: @accent; }
QPushButton:disabled { color: @muted; }
QPushButton[primary="true"] { background: @accent; color: @accentText; border-color: @accent; padding: 6px 16px; }
QPushButton[primary="true"]:focus { border: 1px solid @text; }
QPushButton#problemCount { background: @surface; border: none; border-top: 1px solid @line; border-radius: 0; text-align: left; padding: 7px 12px; color: @muted; }
QPushButton#problemCount[problem="true"] { color: @problem; }
QPushButton#problemCount:hover { background: @hover; }
QPushButton#problemCount:focus { border: 1px solid @accent; }
QLineEdit, QComboBox, QAbstractSpinBox, QPlainTextEdit { background: @surface; color: @text; border: 1px solid @line; border-radius: 5px; padding: 3px 7px; min-height: 20px;
    selection-background-color: @accent; selection-color: @accentText; }
QLineEdit:focus, QComboBox:focus, QAbstractSpinBox:focus { border-color: @accent; }
QLineEdit#searchField { padding: 4px 10px; border-radius: 6px; }
QLineEdit#paletteField { border: none; border-bottom: 1px solid @line; border-radius: 0; padding: 10px 14px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: none; width: 18px; background: transparent; }
QAbstractSpinBox::down-arrow { image: url(:/icons/chevron-down-@variant.svg); width: 10px; height: 10px; }
QAbstractSpinBox::up-arrow { image: url(:/icons/chevron-up-@variant.svg); width: 10px; height: 10px; }
QTreeWidget::item { padding: 4px 0; }
QComboBox::drop-down { border: none; width: 18px; }
QComboBox::down-arrow { image: url(:/icons/chevron-down-@variant.svg); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: @surface; color: @text; border: 1px solid @line;
    selection-background-color: @selection; selection-color: @selectionText; }
QTabBar { background: @raised; qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: @muted; border: 1px solid transparent; border-bottom: none; padding: 6px 10px 6px 12px; margin-right: 2px;
    border-top-left-radius: 6px; border-top-right-radius: 6px; }
QTabWidget#tableDock QTabBar::tab { padding: 6px 8px 6px 10px; }
QTabBar::tab:selected { background: @surface; color: @text; border-color: @line; }
QTabBar::tab:hover:!selected { background: @hover; }
QTabBar::tab:focus { border-color: @accent; }
QWidget#tableGroups { background: @raised; }
QToolButton[tableGroup="true"] { color: @muted; padding: 3px 7px; }
QToolButton[tableGroup="true"]:checked { color: @selectionText; background: @selection; }
QToolButton#tabClose { padding: 0; border-radius: 4px; color: @muted; }
QTabWidget::pane { border: none; border-top: 1px solid @line; }
QDockWidget { color: @text; }
QWidget#panelTitle { background: @surface; border-bottom: 1px solid @line; }
QLabel#panelTitleText { font-weight: 600; color: @text; }
QLabel#panelTitleSummary, QLabel[muted="true"] { color: @muted; }
QToolButton#panelClose { color: @muted; border: none; }
QLabel[problem="true"] { color: @problem; }
QLabel[heading="true"] { font-weight: 600; color: @text; }
QLabel[display="true"] { font-size: 26px; font-weight: 600; color: @text; }
QWidget#nodePanel, QWidget#interfacePanel, QWidget#outlinePanel, QWidget#tableDock { background: @surface; }
QWidget#recipePanel, QWidget#stepForm, QScrollArea#stepFormArea, QWidget#timelineBar { background: @surface; }
QWidget#stepFindings { border-top: 1px solid @line; }
QWidget#recipeButtons { border-top: 1px solid @line; }
QToolButton[link="true"] { color: @accent; }
QToolButton#recipeAsText, QToolButton#showFindings, QToolButton#branchChoice { color: @accent; padding: 3px 8px; }
QToolButton#recipePresets { padding: 3px 18px 3px 8px; color: @accent; }
QToolButton#branchChoice { padding-right: 18px; border: 1px solid @line; }
QPushButton[list="true"] { text-align: left; padding: 5px 10px; }
QToolBar#timelineRow { background: @surface; border-top: 1px solid @line; border-bottom: none; padding: 0; }
QCheckBox { color: @text; spacing: 7px; }
QCheckBox::indicator { width: 14px; height: 14px; border: 1px solid @muted; border-radius: 3px; background: @surface; }
QCheckBox::indicator:checked { border-color: @accent; image: url(:/icons/check-@variant.svg); }
QCheckBox:focus { color: @accent; }
QWidget#tensorSection { background: @surface; border-top: 1px solid @line; }
QWidget#interfaceEditor { background: @surface; border-top: 1px solid @line; border-bottom: 1px solid @line; }
QTreeView, QTableView, QListView { background: @surface; color: @text; border: none; outline: none;
    selection-background-color: @selection; selection-color: @selectionText; alternate-background-color: @surface; }
QTreeView::branch { background: transparent; }
QTreeView::branch:selected { background: @selection; }
QTreeView::branch:has-children:!has-siblings:closed, QTreeView::branch:closed:has-children:has-siblings { image: url(:/icons/chevron-right-@variant.svg); }
QTreeView::branch:open:has-children:!has-siblings, QTreeView::branch:open:has-children:has-siblings { image: url(:/icons/chevron-down-@variant.svg); }
QTableView::item { padding: 0 8px; }
QHeaderView { background: @surface; }
QHeaderView::section { background: @surface; color: @muted; border: none; border-bottom: 1px solid @line; padding: 4px 8px; }
QHeaderView::section:vertical { padding: 0 8px; border: none; }
QHeaderView::up-arrow, QHeaderView::down-arrow { width: 12px; height: 12px; subcontrol-position: center right; right: 4px; }
QHeaderView::up-arrow:vertical, QHeaderView::down-arrow:vertical,
QTableView[sortingEnabled="false"] QHeaderView::up-arrow, QTableView[sortingEnabled="false"] QHeaderView::down-arrow { width: 0; height: 0; }
QHeaderView::up-arrow { image: url(:/icons/chevron-up-@variant.svg); }
QHeaderView::down-arrow { image: url(:/icons/chevron-down-@variant.svg); }
QTableCornerButton::section { background: @surface; border: none; }
QWidget#breadcrumb { background: @canvas; border-bottom: 1px solid @line; }
QWidget#comparisonBar { background: @surface; border-bottom: 1px solid @line; }
QWidget#paneCaption { background: @canvas; border-top: 2px solid @canvas; border-bottom: 1px solid @line; }
QWidget#paneCaption[active="true"] { border-top: 2px solid @accent; }
QToolButton#paneName { font-weight: 600; color: @muted; padding: 2px 4px; }
QToolButton#paneName[active="true"] { color: @text; }
QLabel#paneRemark { color: @muted; }
QLabel#paneRemark[listed="true"] { color: @accent; }
QToolButton#paneClose { padding: 0; border-radius: 4px; color: @muted; }
QToolButton[crumb="path"] { color: @muted; padding: 3px 5px; }
QToolButton[crumb="last"] { color: @text; padding: 3px 5px; }
QWidget#startPage, QWidget#startContent, QWidget#messagePage, QScrollArea { background: @canvas; }
QStatusBar { background: @raised; color: @muted; border-top: 1px solid @line; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: @muted; padding: 0 6px; }
QStatusBar QLabel[problem="true"] { color: @problem; }
QStatusBar QToolButton { padding: 1px 6px; }
QProgressBar { background: @line; border: none; border-radius: 2px; max-height: 4px; }
QProgressBar::chunk { background: @accent; border-radius: 2px; }
QFrame#searchResults, QFrame#palette { background: @surface; border: 1px solid @line; border-radius: 6px; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @scroll; border-radius: 3px; min-height: 24px; min-width: 24px; margin: 2px; }
QAbstractScrollArea::corner { background: @surface; border: none; }
QScrollBar::handle:hover { background: @muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QToolTip { background: @surface; color: @text; border: 1px solid @line; padding: 4px; }
QSplitter::handle { background: @line; }
)";

} // namespace

QString styleSheet(const Theme& theme)
{
    const std::array<std::pair<QString, QString>, 14> names{{
        {u"@selectionText"_s, theme[Role::SelectionText].name()},
        {u"@selection"_s, theme[Role::Selection].name()},
        {u"@accentText"_s, theme[Role::AccentText].name()},
        {u"@accent"_s, theme[Role::Accent].name()},
        {u"@canvas"_s, theme[Role::Canvas].name()},
        {u"@surface"_s, theme[Role::Surface].name()},
        {u"@raised"_s, theme[Role::Raised].name()},
        {u"@line"_s, theme[Role::Line].name()},
        {u"@text"_s, theme[Role::Text].name()},
        {u"@muted"_s, theme[Role::TextMuted].name()},
        {u"@hover"_s, theme[Role::Hover].name()},
        {u"@problem"_s, theme[Role::Problem].name()},
        {u"@scroll"_s, theme[Role::GroupLine].name()},
        {u"@variant"_s, theme.isDark ? u"dark"_s : u"light"_s},
    }};
    QString text = sheet.toString();
    for (const auto& [name, value] : names)
        text.replace(name, value);
    return text;
}

} // namespace lapidary
