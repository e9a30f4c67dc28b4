// SPDX-License-Identifier: Apache-2.0
// The commands that measure a graph and show what was measured.
#include "app/window/main_window.h"
#include "app/window/profile/profile_dock.h"
#include "app/window/window_commands.h"
#include "app/window/window_docks.h"
#include "views/panels/profile/profile_panel.h"

#include <QDockWidget>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

void WindowCommands::runProfile()
{
    m_window.docks().showProfile();
    document()->runProfile();
}

void WindowCommands::openProfile()
{
    askToOpen(u"Open a profile"_s,
              u"Profiles (*.log *.txt *.json *.pb *.pbtxt *.trace);;All files (*)"_s,
              [this](const QString& path) { openProfileFile(path); });
}

void WindowCommands::openProfileFile(const QString& path)
{
    if (document() == nullptr)
        return;
    m_window.docks().showProfile();
    document()->profile().open(std::filesystem::path(path.toStdString()));
}

void WindowCommands::clearProfile()
{
    document()->profile().clear();
}

void WindowCommands::toggleProfile()
{
    if (isProfileShown())
        m_window.docks().tables()->hide();
    else
        m_window.docks().showProfile();
}

bool WindowCommands::canProfile() const
{
    return document() != nullptr && document()->canProfile() && !document()->profile().isBusy();
}

bool WindowCommands::canOpenProfile() const
{
    return hasScene();
}

bool WindowCommands::hasProfile() const
{
    return document() != nullptr && document()->profile().profile() != nullptr;
}

bool WindowCommands::isProfileShown() const
{
    return m_window.docks().isProfileShown();
}

} // namespace lapidary
