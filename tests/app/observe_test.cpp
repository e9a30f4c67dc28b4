// SPDX-License-Identifier: Apache-2.0
#include "tests/app/program.h"
#include "tests/catch.h"
#include "tests/shared_data.h"

#include <algorithm>
#include <filesystem>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

const char* const printing =
    "insert_logging(op=RequantizationRange, show_name=true, message=\"__requant_min_max:\")";
const char* const outputNode = "MobilenetV1/Predictions/Reshape_1";

// The trained 8-bit classifier, its pictures, and TensorFlow's results for both.
struct Trained {
    fs::path folder = sharedData() / "models/trained";
    TestFolder made;

    bool isThere() const { return fs::exists(folder / "8bit.pb"); }
    std::string file(const char* name) const { return (folder / name).string(); }

    Ran onPictures(std::vector<std::string> command) const
    {
        for (const char* word :
             {"--input-mean", "127.5", "--input-std", "127.5", "--input-layer", "input:0"})
            command.emplace_back(word);
        command.insert(command.end(), {"--images", file("images")});
        return runLapidary(command);
    }
    Ran observe(const std::string& out, std::vector<std::string> more) const
    {
        more.insert(more.begin(), {"observe", file("8bit.pb"), "-o", made.file(out)});
        return onPictures(more);
    }
    // Does the same in steps. `choice` are parameters of the pass.
    std::string inSteps(const std::string& choice) const
    {
        transform(file("8bit.pb"), printing, "logged.pb");
        CHECK(fileBytes(made.file("logged.pb")) == fileBytes(folder / "logged.pb"));
        const Ran ran =
            onPictures({"evaluate", made.file("logged.pb"), "--labels", file("labels.txt")});
        CHECK(ran.exitCode == 0);
        made.write("steps.log", ran.err);
        transform(file("8bit.pb"),
                  "freeze_requantization_ranges(min_max_log_file=\"" + made.file("steps.log") +
                      "\"" + choice + ") strip_unused_nodes",
                  "steps.pb");
        return fileBytes(made.file("steps.pb"));
    }
    void transform(const std::string& from, const std::string& recipe, const char* to) const
    {
        const Ran ran = runLapidary({"transform", from, "--inputs", "input", "--outputs",
                                     outputNode, "--transforms", recipe, "-o", made.file(to)});
        INFO(ran.err);
        CHECK(ran.exitCode == 0);
    }
};

} // namespace

TEST_CASE("observed ranges in one command and in steps give the same graph", "[cli]")
{
    const Trained trained;
    if (!trained.isThere()) {
        WARN("no models/trained in " << sharedData());
        return;
    }
    const std::pair<std::vector<std::string>, const char*> choices[] = {
        {{}, ""},
        {{"--ranges", "min-max"}, ", min_percentile=0, max_percentile=0"},
        {{"--ranges", "moving-average", "--decay", "0.75"}, ", moving_average=0.75"},
    };
    for (const auto& [flags, parameters] : choices) {
        const Ran ran = trained.observe("one.pb", flags);
        INFO(ran.err);
        REQUIRE(ran.exitCode == 0);
        CHECK(ran.out.empty());
        CHECK(ran.err.find("22 ranges of 40 pictures\n") != std::string::npos);
        CHECK(fileBytes(trained.made.file("one.pb")) == trained.inSteps(parameters));
    }
}

TEST_CASE("the recorded log gives TensorFlow's own frozen graph", "[cli]")
{
    const Trained trained;
    if (!trained.isThere()) {
        WARN("no models/trained in " << sharedData());
        return;
    }
    trained.transform(trained.file("8bit.pb"),
                      "freeze_requantization_ranges(min_max_log_file=\"" +
                          trained.file("ranges.log") + "\") strip_unused_nodes",
                      "frozen.pb");
    CHECK(fileBytes(trained.made.file("frozen.pb")) == fileBytes(trained.folder / "frozen.pb"));
}

TEST_CASE("observe keeps a log and lists its ranges", "[cli]")
{
    const Trained trained;
    if (!trained.isThere())
        return;
    const Ran ran = trained.observe(
        "one.pb", {"--json", "--log", trained.made.file("one.log"), "--backend", "plain"});
    INFO(ran.err);
    REQUIRE(ran.exitCode == 0);
    const auto json = ran.json();
    CHECK(json["samples"] == 40);
    REQUIRE(json["ranges"].size() == 22);
    for (const auto& range : json["ranges"])
        CHECK(range["min"] <= 0);
    const std::string log = fileBytes(trained.made.file("one.log"));
    CHECK(std::count(log.begin(), log.end(), '\n') == 40 * 22);
}

TEST_CASE("observe says what it cannot use", "[cli]")
{
    const TestFolder folder;
    const std::string images = folder.file("images");
    fs::create_directory(images);
    const std::string graph = folder.write("small.pbtxt", R"(node { name: "x" op: "Placeholder"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 1 } dim { size: 1 } dim { size: 1 }
    dim { size: 3 } } } } }
node { name: "y" op: "Neg" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
)");
    const auto observe = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"observe", graph, "--images", images});
        return runLapidary(more);
    };
    const std::string out = folder.file("out.pb");
    CHECK(observe({"-o", out}).err.find("there is no picture in it") != std::string::npos);
    CHECK(observe({}).exitCode == 2);
    CHECK(observe({"-o", out, "--ranges", "most"}).exitCode == 2);
    CHECK(observe({"-o", out, "--min-percentile", "101"}).exitCode == 2);
    CHECK(observe({"-o", "-", "--json"}).exitCode == 2);
    CHECK(observe({"-o", out, "--ranges", "moving-average", "--decay", "1"}).exitCode == 2);
    folder.write("images/dot.bmp", std::string("BM:\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0"
                                               "\1\0\0\0\1\0\0\0\1\0\x18\0\0\0\0\0\4\0\0\0"
                                               "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0abc\0",
                                               58));
    const Ran none = observe({"-o", out});
    CHECK(none.exitCode == 3);
    CHECK(none.err.find("small.pbtxt: measures no ranges before y") != std::string::npos);
    CHECK_FALSE(fs::exists(out));
    const Ran backEnd = observe({"-o", out, "--backend", "fpga"});
    CHECK(backEnd.exitCode == 3);
    CHECK(backEnd.err.find("--backend: no back end is named fpga") != std::string::npos);
}

} // namespace lapidary
