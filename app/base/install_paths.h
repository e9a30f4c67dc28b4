// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace lapidary {

// Folders that are installed beside the program. An installation and the build tree have the same
// form (bin/lapidary, lib/lapidary/..., share/lapidary/...), so both are found from where the
// program lies, whatever link it was called by. A folder may be absent where only the program was
// copied.
std::filesystem::path programFile();       // empty where the system does not say
std::filesystem::path windowLibraryFile(); // what needs Qt; loaded for the window and for pictures
std::filesystem::path dataFolder();        // share/lapidary
std::filesystem::path samplesFolder();     // models to try
std::filesystem::path helpFolder();        // the handbook: index.md and what it links to

} // namespace lapidary
