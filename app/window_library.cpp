// SPDX-License-Identifier: Apache-2.0
#include "app/window_library.h"

#include "app/base/exit_codes.h"
#include "app/base/install_paths.h"

#include <dlfcn.h>

namespace lapidary {
namespace {

// Reports the reason from dlerror(), which names the library or the missing part.
int complain(std::ostream& err)
{
    const char* reason = dlerror(); // NOLINT(concurrency-mt-unsafe): no other thread yet
    err << "lapidary: the part of the program that draws does not start: "
        << (reason != nullptr ? reason : "unknown reason") << "\n"
        << "Install Lapidary again, or the libraries it names.\n";
    return exit_code::wrongUse;
}

} // namespace

int runWindowLibrary(int argc, char** argv, std::ostream& err)
{
    // The full path prevents a search in other folders.
    void* library = dlopen(windowLibraryFile().c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr)
        return complain(err);
    void* entry = dlsym(library, windowMainName);
    if (entry == nullptr)
        return complain(err);
    return reinterpret_cast<WindowMain>(entry)(argc, argv);
}

} // namespace lapidary
