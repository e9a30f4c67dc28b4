// SPDX-License-Identifier: Apache-2.0
// transform --repro: a script that reproduces a result.
#include "tests/app/program.h"
#include "tests/catch.h"

#include <cstdlib>

#include <sys/wait.h>

using namespace lapidary;
namespace fs = std::filesystem;

namespace {

std::string quote(const std::string& word)
{
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

// Runs the script in its own folder, as a user would. Returns the exit code.
int runScript(const TestFolder& folder, const std::string& script,
              const std::vector<std::string>& arguments = {})
{
    const fs::path place = folder.path() / "elsewhere";
    fs::create_directories(place);
    std::string command = "cd " + quote(place.string()) +
                          " && LAPIDARY=" + quote(LAPIDARY_PROGRAM) + " sh " + quote(script);
    for (const std::string& argument : arguments)
        command += " " + quote(argument);
    command += " >" + quote(folder.file("said")) + " 2>&1";
    const int status = std::system(command.c_str()); // NOLINT(concurrency-mt-unsafe)
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string model(const TestFolder& folder, const std::string& name = "it's a model.pb")
{
    fs::copy_file(sample("residual_network.pb"), folder.file(name));
    return folder.file(name);
}

} // namespace

TEST_CASE("the script of transform --repro makes the same bytes again", "[cli]")
{
    const TestFolder folder;
    const std::string in = model(folder);
    const std::string name = GENERATE("out.pb", "out.pbtxt");
    const std::string out = folder.file(name);
    const std::string script = folder.file("rebuild.sh");
    const Ran ran =
        runLapidary({"transform", in, "--preset", "arm-8bit", "-o", out, "--repro", script});
    INFO(ran.err);
    REQUIRE(ran.exitCode == 0);
    const std::string made = fileBytes(out);
    REQUIRE(made.size() > 100);
    fs::remove(out);
    CHECK(runScript(folder, script) == 0);
    INFO(fileBytes(folder.file("said")));
    CHECK(fileBytes(out) == made);

    // The script writes to another folder, and runs from another one.
    CHECK(runScript(folder, script, {in, folder.file("other place.pb")}) == 0);
    CHECK(fileBytes(folder.file("other place.pb")) == made);
    fs::remove(out);
    fs::create_directories(folder.path() / "handed on");
    const std::string moved = folder.file("handed on/rebuild.sh");
    fs::copy_file(script, moved);
    fs::rename(in, folder.path() / "handed on" / fs::path(in).filename());
    CHECK(runScript(folder, moved) == 0);
    CHECK(fileBytes(out) == made);
}

TEST_CASE("a script of transform --repro stops at what is not as it was", "[cli]")
{
    const TestFolder folder;
    const std::string in = model(folder);
    const std::string out = folder.file("out.pb");
    const std::string script = folder.file("rebuild.sh");
    const std::string before = fileBytes(in);
    REQUIRE(runLapidary(
                {"transform", in, "--transforms", "remove_device", "-o", out, "--repro", script})
                .exitCode == 0);
    const std::string made = fileBytes(out);

    SECTION("another input")
    {
        folder.write("it's a model.pb", before + std::string("\x0a\x00", 2));
        CHECK(runScript(folder, script) == 1);
        CHECK(fileBytes(folder.file("said")).find("SHA-256") != std::string::npos);
    }
    SECTION("no input")
    {
        fs::remove(in);
        CHECK(runScript(folder, script) == 1);
    }
    SECTION("another result is not kept")
    {
        std::string text = fileBytes(script);
        const auto at = text.find("remove_device");
        REQUIRE(at != std::string::npos);
        text.replace(at, 13, "obfuscate_names");
        folder.write("rebuild.sh", text);
        CHECK(runScript(folder, script) == 1);
    }
    SECTION("the input in the place of the output")
    {
        CHECK(runScript(folder, script, {in, in}) == 1);
        CHECK(fileBytes(in) == before);
    }
    CHECK(fileBytes(out) == made);
    for (const fs::directory_entry& left : fs::directory_iterator(folder.path()))
        CHECK(left.path().string().find(".part") == std::string::npos);
}

TEST_CASE("a folder is checked file by file", "[cli]")
{
    const TestFolder folder;
    fs::create_directories(folder.path() / "saved" / "variables");
    const Ran made =
        runLapidary({"convert", sample("residual_network.pb"), folder.file("saved/graph.pb")});
    REQUIRE(made.exitCode == 0);
    // A SavedModel of one meta graph: field 2 of the file, whose field 2 is the graph.
    const auto field = [](const std::string& bytes) {
        std::string text = "\x12";
        for (std::size_t rest = bytes.size(); rest > 0; rest >>= 7)
            text += char((rest & 127) | (rest > 127 ? 128 : 0));
        return text + bytes;
    };
    folder.write("saved/saved_model.pb", field(field(fileBytes(folder.file("saved/graph.pb")))));
    fs::remove(folder.file("saved/graph.pb"));
    folder.write("saved/variables/a", "values");
    const std::string script = folder.file("rebuild.sh");
    const Ran ran = runLapidary({"transform", folder.file("saved"), "--transforms", "remove_device",
                                 "-o", folder.file("out.pb"), "--repro", script});
    INFO(ran.err);
    REQUIRE(ran.exitCode == 0);
    CHECK(runScript(folder, script) == 0);
    folder.write("saved/variables/a", "others");
    CHECK(runScript(folder, script) == 1);
}

TEST_CASE("transform --repro refuses what a script cannot make again", "[cli]")
{
    const TestFolder folder;
    const std::string in = model(folder);
    const std::string bytes = fileBytes(in);
    const auto code = [&](std::vector<std::string> more) {
        std::vector<std::string> all{"transform", "--transforms", "remove_device"};
        all.insert(all.end(), more.begin(), more.end());
        return runLapidary(all, bytes).exitCode;
    };
    const std::string script = folder.file("r.sh");
    CHECK(code({in, "-o", "-", "--repro", script}) == 2);
    CHECK(code({"-", "-o", folder.file("out.pb"), "--repro", script}) == 2);
    CHECK(code({in, "--stats", "--repro", script}) == 2);
    CHECK(code({in, "-o", folder.file("out.pb"), "--repro", in}) == 2);
    CHECK(code({in, "-o", folder.file("out.pb"), "--repro", folder.file("out.pb")}) == 2);
    CHECK(code({in, "-o", folder.file("out.pb"), "--repro", folder.file("no/r.sh")}) == 3);
    CHECK_FALSE(fs::exists(script));
    CHECK(fileBytes(in) == bytes);
}
