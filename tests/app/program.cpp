// SPDX-License-Identifier: Apache-2.0
#include "tests/app/program.h"

#include "tests/catch.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

void attach(const std::string& path, int flags, int descriptor)
{
    const int file = open(path.c_str(), flags, 0600);
    if (file < 0 || dup2(file, descriptor) < 0)
        _exit(126);
    close(file);
}

[[noreturn]] void becomeProgram(const TestFolder& folder, std::vector<std::string> arguments)
{
    attach(folder.file("in"), O_RDONLY, STDIN_FILENO);
    attach(folder.file("out"), O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    attach(folder.file("err"), O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    std::vector<char*> argv;
    for (std::string& argument : arguments)
        argv.push_back(argument.data());
    argv.push_back(nullptr);
    execv(LAPIDARY_PROGRAM, argv.data());
    _exit(127);
}

} // namespace

Ran runLapidary(const std::vector<std::string>& arguments, const std::string& input,
                const std::string& calledAs)
{
    const TestFolder folder;
    folder.write("in", input);
    std::vector<std::string> all{calledAs};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0)
        becomeProgram(folder, all);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return {code, fileBytes(folder.file("out")), fileBytes(folder.file("err"))};
}

std::string sample(const std::string& name)
{
    return (fs::path(LAPIDARY_SAMPLES) / name).string();
}

std::string fileBytes(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace lapidary
