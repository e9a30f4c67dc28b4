// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace lapidary {

// Folders that are installed with the program. An installation and the build tree have the same
// form (bin/lapidary, lib/lapidary/..., share/lapidary/...), so both are found from the program's
// own path, whatever link it was called by. A folder may be absent if only the program was
// copied.
std::filesystem::path programFile(); // empty if the system does not tell it
// Contains everything that needs Qt; loaded for the window and for pictures.
std::filesystem::path windowLibraryFile();
std::filesystem::path dataFolder();    // share/lapidary
std::filesystem::path samplesFolder(); // models to try
std::filesystem::path helpFolder();    // the handbook: index.md and what it links to

} // namespace lapidary
