// SPDX-License-Identifier: Apache-2.0
#include "app/base/exit_codes.h"
#include "app/boxed/serve_boxed.h"
#include "app/cli/command_line.h"
#include "app/cli/interrupt.h"
#ifdef LAPIDARY_HAS_WINDOW
#include "app/window_library.h"
#endif

#include <csignal>
#include <iostream>
#include <string>
#include <vector>

int main(int argc, char** argv)
{
    using namespace lapidary;
    std::signal(SIGXFSZ, SIG_IGN); // a file that grows too large is an error, like a full disk
    const std::vector<std::string> arguments(argv, argv + argc);
    if (isBoxedWork(arguments))
        return serveBoxedWork(arguments);
#ifdef LAPIDARY_HAS_WINDOW
    if (destinationOf(arguments) != Destination::CommandLine)
        return runWindowLibrary(argc, argv, std::cerr);
#endif
    std::ios::sync_with_stdio(false);
    Interrupt interrupt;
    if (!startsGuarded(arguments))
        interrupt.start();
    Console console{std::cin, std::cout, std::cerr, Job(interrupt.token()), &interrupt};
    const int code = runCommandLine(arguments, console);
    std::cout.flush();
    if (!std::cout && code == exit_code::done) {
        console.complain("standard output: could not be written to the end");
        return exit_code::failed;
    }
    return code;
}
