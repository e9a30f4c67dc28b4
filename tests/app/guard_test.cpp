// SPDX-License-Identifier: Apache-2.0
// Limits on a stranger's graph: time, memory, iterations, files and signals.
#include "tests/app/program.h"
#include "tests/catch.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace lapidary {
namespace {

using namespace std::chrono_literals;

std::string constant(const std::string& name, const std::string& type, const std::string& dims,
                     const std::string& values)
{
    return "node { name: \"" + name +
           "\" op: \"Const\" attr { key: \"dtype\" value { type: " + type +
           " } } attr { key: \"value\" value { tensor { dtype: " + type + " tensor_shape { " +
           dims + " } " + values + " } } } }\n";
}

std::string typed(const std::string& key, const std::string& type)
{
    return " attr { key: \"" + key + "\" value { type: " + type + " } }";
}

std::string wideNode(const std::string& name, const std::string& op,
                     const std::vector<std::string>& inputs, const std::string& attrs = "")
{
    std::string text = "node { name: \"" + name + "\" op: \"" + op + "\"";
    for (const std::string& input : inputs)
        text += " input: \"" + input + "\"";
    return text + typed("T", "DT_INT64") + attrs + " }\n";
}

std::string inFrame(const std::string& frame, bool isConstant)
{
    return " attr { key: \"frame_name\" value { s: \"" + frame + "\" } }" +
           (isConstant ? " attr { key: \"is_constant\" value { b: true } }" : "");
}

// Adds a loop that counts from zero to the constant `most`. The names of its nodes begin with the
// loop's name.
std::string counting(const std::string& name, const std::string& most)
{
    const std::string two = " attr { key: \"N\" value { i: 2 } }";
    return wideNode(name + "e", "Enter", {"zero"}, inFrame("f" + name, false)) +
           wideNode(name + "le", "Enter", {most}, inFrame("f" + name, true)) +
           wideNode(name + "oe", "Enter", {"one"}, inFrame("f" + name, true)) +
           wideNode(name + "m", "Merge", {name + "e", name + "n"}, two) +
           wideNode(name + "c", "Less", {name + "m", name + "le"}) + "node { name: \"" + name +
           "lc\" op: \"LoopCond\" input: \"" + name + "c\" }\n" +
           wideNode(name + "s", "Switch", {name + "m", name + "lc"}) +
           wideNode(name + "a", "Add", {name + "s:1", name + "oe"}) +
           wideNode(name + "n", "NextIteration", {name + "a"}) +
           wideNode(name + "x", "Exit", {name + "s"});
}

// Adds an endless loop that counts to infinity; x reads it.
std::string endless()
{
    return constant("zero", "DT_INT64", "", "int64_val: 0") +
           constant("one", "DT_INT64", "", "int64_val: 1") +
           constant("most", "DT_INT64", "", "int64_val: 4611686018427387904") +
           counting("", "most");
}

// Adds a loop of many iterations, each of which waits for an endless loop.
std::string waitingTurns()
{
    return endless() + constant("turns", "DT_INT64", "", "int64_val: 5000") +
           counting("w", "turns") + wideNode("slow", "Enter", {"x"}, inFrame("fw", true)) +
           wideNode("first", "Enter", {"zero"}, inFrame("fw", false)) +
           wideNode("each", "Merge", {"first", "next"}, " attr { key: \"N\" value { i: 2 } }") +
           wideNode("way", "Switch", {"each", "wlc"}) + wideNode("sum", "Add", {"way:1", "slow"}) +
           wideNode("next", "NextIteration", {"sum"}) + wideNode("y", "Exit", {"way"});
}

std::string readsFile(const std::string& path)
{
    return constant("name", "DT_STRING", "", "string_val: \"" + path + "\"") +
           "node { name: \"y\" op: \"ReadFile\" input: \"name\" }\n";
}

// Sends the signal to a run after a moment. Returns how the run ended and how long that took.
struct Interrupted {
    int exitCode = 0;
    std::chrono::duration<double> time{};
};
Interrupted interrupted(std::vector<std::string> arguments, int signal)
{
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::vector<char*> argv;
        for (std::string& argument : arguments)
            argv.push_back(argument.data());
        argv.push_back(nullptr);
        execv(LAPIDARY_PROGRAM, argv.data());
        _exit(127);
    }
    std::this_thread::sleep_for(2s);
    kill(child, signal);
    const auto begin = std::chrono::steady_clock::now();
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status),
            std::chrono::steady_clock::now() - begin};
}

} // namespace

TEST_CASE("a time limit ends a graph that never ends, and says where it was", "[cli][guard]")
{
    const TestFolder folder;
    const std::string graph = folder.write("loop.pbtxt", endless());
    for (const std::string box : {"--sandbox", "--no-sandbox"}) {
        const Ran ran = runLapidary({"run", graph, "--fetch", "x", "--time-limit", "0.5", box});
        CHECK(ran.exitCode == 3);
        INFO(ran.err);
        CHECK(ran.err.find("): the time limit of 0.5 seconds has passed") != std::string::npos);
        CHECK(std::count(ran.err.begin(), ran.err.end(), '\n') == 1);
    }
}

TEST_CASE("a run that is stopped lets go of many small tensors", "[cli][guard]")
{
    const std::string whole = typed("T", "DT_INT32") + typed("dtype", "DT_INT32");
    const std::string graph =
        constant("first", "DT_INT32", "", "int_val: 0") +
        constant("size", "DT_INT32", "", "int_val: 100000") +
        constant("step", "DT_INT32", "", "int_val: 1") +
        "node { name: \"all\" op: \"Range\" input: \"first\" input: \"size\" input: \"step\"" +
        typed("Tidx", "DT_INT32") + " }\n" +
        "node { name: \"array\" op: \"TensorArrayV3\" input: \"size\"" + whole + " }\n" +
        "node { name: \"filled\" op: \"TensorArrayScatterV3\" input: \"array\" input: \"all\" "
        "input: \"all\" input: \"array:1\"" +
        whole + " }\n" + endless() +
        "node { name: \"y\" op: \"Identity\" input: \"x\" input: \"^filled\"" +
        typed("T", "DT_INT64") + " }\n";
    const TestFolder folder;
    const std::string file = folder.write("array.pbtxt", graph);
    for (const std::string box : {"--sandbox", "--no-sandbox"}) {
        const Ran ran = runLapidary({"run", file, "--fetch", "y", "--time-limit", "1.5", box});
        INFO(ran.err);
        CHECK(ran.exitCode == 3);
        CHECK(ran.err.find("the time limit of 1.5 seconds has passed") != std::string::npos);
    }
}

TEST_CASE("a run that is stopped takes back its unfinished turns", "[cli][guard]")
{
    const TestFolder folder;
    const std::string file = folder.write("turns.pbtxt", waitingTurns());
    for (const std::string box : {"--sandbox", "--no-sandbox"}) {
        const Ran ran = runLapidary({"run", file, "--fetch", "y", "--time-limit", "1.5", box});
        INFO(ran.err);
        CHECK(ran.exitCode == 3);
        CHECK(ran.err.find("): the time limit of 1.5 seconds has passed") != std::string::npos);
    }
}

TEST_CASE("a limit of nodes ends a loop", "[cli][guard]")
{
    const TestFolder folder;
    const Ran ran = runLapidary(
        {"run", folder.write("loop.pbtxt", endless()), "--fetch", "x", "--node-limit", "1000"});
    CHECK(ran.exitCode == 3);
    CHECK(ran.err.find("the limit of executed nodes, 1000, is reached") != std::string::npos);
}

TEST_CASE("a signal ends every run", "[cli][guard]")
{
    const TestFolder folder;
    const std::string graph = folder.write("loop.pbtxt", endless());
    for (const int signal : {SIGINT, SIGTERM})
        for (const std::string box : {"--sandbox", "--no-sandbox"}) {
            const Interrupted end =
                interrupted({"lapidary", "run", graph, "--fetch", "x", box}, signal);
            CHECK(end.exitCode == 130);
            CHECK(end.time < 10s);
        }
}

// The sanitizers' own memory counts against the limit.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
namespace {

// A million strings of a hundred kilobytes.
std::string manyStrings()
{
    return constant("dims", "DT_INT32", "dim { size: 1 }", "int_val: 1000000") +
           constant("text", "DT_STRING", "", "string_val: \"" + std::string(100'000, 'x') + "\"") +
           "node { name: \"y\" op: \"Fill\" input: \"dims\" input: \"text\"" +
           typed("T", "DT_STRING") + typed("index_type", "DT_INT32") + " }\n";
}

} // namespace

TEST_CASE("strings count against the memory limit", "[cli][guard]")
{
    const TestFolder folder;
    const std::string graph = folder.write("strings.pbtxt", manyStrings());
    for (const std::string box : {"--sandbox", "--no-sandbox"}) {
        const Ran ran = runLapidary({"run", graph, "--fetch", "y", "--memory-limit", "200M", box});
        INFO(ran.err);
        CHECK(ran.exitCode == 3);
        CHECK(ran.err.find(": y: needs more memory than the limit of 209715200 bytes leaves") !=
              std::string::npos);
    }
}
#endif

TEST_CASE("a boxed graph reads its own folder and no other", "[cli][guard]")
{
    const TestFolder folder;
    const TestFolder other;
    folder.write("inside", "content");
    const std::string secret = other.write("outside", "secret");
    const std::string good = folder.write("good.pbtxt", readsFile("inside"));
    const std::string bad = folder.write("bad.pbtxt", readsFile(secret));
    CHECK(runLapidary({"run", good, "--fetch", "y"}).out.find("content") != std::string::npos);
    const Ran refused = runLapidary({"run", bad, "--fetch", "y"});
    CHECK(refused.exitCode == 3);
    CHECK(refused.out.empty());
    CHECK(runLapidary({"run", bad, "--fetch", "y", "--allow-files"}).exitCode == 0);
}

TEST_CASE("boxed verbs write what they are told to, and say where that fails", "[cli][guard]")
{
    const TestFolder folder;
    const std::string graph = folder.write("good.pbtxt", readsFile("good.pbtxt"));
    const std::string out = folder.file("out.npz");
    CHECK(runLapidary({"run", graph, "--fetch", "name", "-o", out}).exitCode == 0);
    CHECK_FALSE(fileBytes(out).empty());
    const std::string nowhere = folder.file("no/such/out.npz");
    const Ran ran = runLapidary({"run", graph, "--fetch", "name", "-o", nowhere});
    CHECK(ran.exitCode == 3);
    CHECK(ran.err.find(nowhere + ": could not be written") != std::string::npos);
    const Ran into = runLapidary({"run", graph, "--fetch", "name", "-o", folder.path().string()});
    CHECK(into.exitCode == 3);
    CHECK(into.err.find("is a folder") != std::string::npos);
    const Ran full = runLapidary({"run", graph, "--fetch", "name", "-o", "/dev/full"});
    CHECK(full.exitCode == 3);
    CHECK(full.err.find("/dev/full: could not be written") != std::string::npos);
}

TEST_CASE("no verb writes over its input, whatever it is called", "[cli][guard]")
{
    const TestFolder folder;
    const std::string graph = folder.write("good.pb", readsFile("good.pb"));
    const std::string link = folder.file("other.pb");
    std::filesystem::create_symlink(graph, link);
    const std::string before = fileBytes(graph);
    const std::vector<std::vector<std::string>> calls{
        {"convert", graph, link},
        {"run", graph, "--fetch", "name", "-o", link},
        {"transform", graph, "--outputs", "y", "--transforms", "remove_device", "-o", link},
        {"export", graph, "--outputs", "y", "--as", "onnx", "-o", link},
        {"strip", graph, "--inputs", "name", "--outputs", "y", "-o", link},
        {"memmap", graph, "-o", link}};
    for (const auto& arguments : calls) {
        INFO(arguments[0]);
        const Ran ran = runLapidary(arguments);
        INFO(ran.err);
        CHECK(ran.exitCode == 2);
        CHECK(ran.err.find("is the input itself") != std::string::npos);
        CHECK(fileBytes(graph) == before);
    }
}

TEST_CASE("constants are computed in the sandbox for an export too", "[cli][guard]")
{
    const TestFolder folder;
    const std::string graph = folder.write("loop.pbtxt", endless());
    const Ran ran = runLapidary({"export", graph, "--outputs", "x", "-o", folder.file("x.onnx"),
                                 "--loops", "unrolled", "--time-limit", "20"});
    INFO(ran.err);
    CHECK(ran.exitCode == 3);
    const std::string sum = folder.write(
        "sum.pbtxt", constant("one", "DT_FLOAT", "dim { size: 1 }", "float_val: 1") +
                         "node { name: \"x\" op: \"Placeholder\" attr { key: \"dtype\" value { "
                         "type: DT_FLOAT } } attr { key: \"shape\" value { shape { dim { size: 1 "
                         "} } } } }\nnode { name: \"y\" op: \"Add\" input: \"x\" input: "
                         "\"one\"" +
                         typed("T", "DT_FLOAT") + " }\n");
    for (const std::string box : {"--sandbox", "--no-sandbox"}) {
        const std::string out = folder.file("sum.onnx");
        CHECK(runLapidary({"export", sum, "--inputs", "x", "--outputs", "y", "-o", out, box})
                  .exitCode == 0);
        CHECK_FALSE(fileBytes(out).empty());
        std::filesystem::remove(out);
    }
}

} // namespace lapidary
