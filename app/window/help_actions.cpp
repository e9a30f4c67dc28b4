// SPDX-License-Identifier: Apache-2.0
// The menu "Help".
#include "app/actions/handbook_window.h"
#include "app/actions/key_list.h"
#include "app/base/install_paths.h"
#include "app/window/action_tables.h"
#include "app/window/menu_tables.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/window_parts.h"

#include <QApplication>
#include <QMainWindow>
#include <QMessageBox>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

void openHandbook(const ActionContext& c)
{
    const auto page = helpFolder() / "index.md";
    if (std::error_code ignored; !std::filesystem::exists(page, ignored))
        c.window.status->notice(u"The handbook is not installed beside the program"_s);
    else
        showHandbook(c.window.window, QString::fromStdString(page.string()));
}

void showAbout(const ActionContext& c)
{
    auto* box = new QMessageBox(
        QMessageBox::NoIcon, u"About Lapidary"_s,
        u"Lapidary %1\nInspect, cut and polish TensorFlow graphs.\n\n"
        u"Licensed under the Apache License 2.0."_s.arg(QApplication::applicationVersion()),
        QMessageBox::Close, c.window.window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

constexpr ActionSpec helpRows[]{
    {.id = "help.keys",
     .label = "Keys",
     .help = "Lists every key.",
     .key = "?",
     .menu = "Help",
     .scope = KeyScope::Canvas,
     .run = [](const ActionContext& c) { showKeyList(c.window.window, actionTables()); }},
    {.id = "help.handbook",
     .label = "Handbook",
     .help = "Opens the handbook.",
     .key = "F1",
     .menu = "Help",
     .run = openHandbook},
    {.id = "help.about",
     .label = "About Lapidary",
     .help = "Shows the version and license.",
     .menu = "Help",
     .startsGroup = true,
     .run = showAbout},
};

} // namespace

const std::span<const ActionSpec> helpActions = helpRows;

} // namespace lapidary
