// SPDX-License-Identifier: Apache-2.0
#include "app/base/install_paths.h"

#include <system_error>

namespace lapidary {

std::filesystem::path programFile()
{
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error);
}

std::filesystem::path windowLibraryFile()
{
    return programFile().parent_path().parent_path() / "lib" / "lapidary" / "liblapidary_window.so";
}

std::filesystem::path dataFolder()
{
    return programFile().parent_path().parent_path() / "share" / "lapidary";
}

std::filesystem::path samplesFolder()
{
    return dataFolder() / "samples";
}

std::filesystem::path helpFolder()
{
    return dataFolder() / "help";
}

} // namespace lapidary
