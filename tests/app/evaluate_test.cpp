// SPDX-License-Identifier: Apache-2.0
#include "tests/app/program.h"
#include "tests/catch.h"
#include "tests/shared_data.h"

#include <filesystem>
#include <fstream>

namespace lapidary {
namespace {

// The scores of a picture of one pixel are its colors, or what the op makes of them.
std::string colors(const std::string& op)
{
    return R"(node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 1 } dim { size: 1 } dim { size: 1 }
    dim { size: 3 } } } } }
node { name: "sizes" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } }
    int_val: 1 int_val: 3 } } } }
node { name: "flat" op: "Reshape" input: "x" input: "sizes"
  attr { key: "T" value { type: DT_FLOAT } } attr { key: "Tshape" value { type: DT_INT32 } } }
node { name: "scores" op: ")" +
           op + R"(" input: "flat" attr { key: "T" value { type: DT_FLOAT } } }
)";
}

std::string little(std::uint32_t value, int bytes)
{
    std::string text;
    for (int i = 0; i < bytes; ++i)
        text += char(value >> (8 * i) & 0xFF);
    return text;
}

// A BMP of one pixel.
std::string pixel(int red, int green, int blue)
{
    return "BM" + little(58, 4) + little(0, 4) + little(54, 4) + little(40, 4) + little(1, 4) +
           little(1, 4) + little(1, 2) + little(24, 2) + little(0, 4) + little(4, 4) +
           little(0, 4) + little(0, 4) + little(0, 4) + little(0, 4) + char(blue) + char(green) +
           char(red) + '\0';
}

struct Pictures {
    TestFolder folder;
    std::string graph = folder.write("colors.pbtxt", colors("Identity"));
    std::string labels = folder.write("labels.txt", "red\ngreen\nblue\n");
    std::string images = folder.file("images");

    Pictures()
    {
        std::filesystem::create_directory(images);
        add("1_red.bmp", pixel(200, 100, 50));
        add("2_green.bmp", pixel(20, 30, 10));
        add("3_blue.BMP", pixel(1, 2, 3));
        add("4_red.bmp", pixel(0, 255, 0)); // is green
        add("notes.txt", "no picture");
    }
    void add(const std::string& name, const std::string& bytes) const
    {
        std::ofstream(images + "/" + name, std::ios::binary) << bytes;
    }
    Ran evaluate(std::vector<std::string> more) const
    {
        more.insert(more.begin(), {"evaluate", graph, "--images", images, "--labels", labels});
        return runLapidary(more);
    }
};

} // namespace

TEST_CASE("evaluate counts how often a classifier is right", "[cli]")
{
    const Pictures pictures;
    const Ran ran = pictures.evaluate({"--json"});
    INFO(ran.err);
    REQUIRE(ran.exitCode == 0);
    const auto json = ran.json();
    CHECK(json["samples"] == 4);
    CHECK(json["top1"] == 0.75);
    CHECK(json["top5"] == 1.0);
    CHECK(json["agreement"].is_null());
    CHECK(json["seconds_per_sample"] > 0);
    CHECK(json["pictures"][3]["truth"] == "red");
    CHECK(json["pictures"][3]["label"] == "green");
    CHECK(pictures.evaluate({}).out.find("top-1  75.00 %") != std::string::npos);
}

TEST_CASE("evaluate says how often two graphs agree", "[cli]")
{
    const Pictures pictures;
    const std::string other = pictures.folder.write("other.pbtxt", colors("Neg"));
    const auto json = pictures.evaluate({"--against", other, "--json"}).json();
    CHECK(json["agreement"] == 0.0);
    CHECK(json["against"]["top1"] == 0.25); // 0 and 0 are equal, and red comes first
    CHECK(pictures.evaluate({"--against", pictures.graph, "--json"}).json()["agreement"] == 1.0);
}

TEST_CASE("evaluate says how often two graphs agree on pictures without labels", "[cli]")
{
    const Pictures pictures;
    const auto evaluate = [&](std::vector<std::string> more) {
        more.insert(more.begin(),
                    {"evaluate", pictures.graph, "--images", pictures.images, "--against"});
        return runLapidary(more);
    };
    const Ran ran = evaluate({pictures.graph, "--json"});
    CHECK(ran.exitCode == 0);
    CHECK(ran.json()["agreement"] == 1.0);
    CHECK(ran.json()["top1"].is_null());
    CHECK(ran.json()["pictures"][0]["truth"].is_null());
    CHECK(evaluate({pictures.graph}).out.find("top-1") == std::string::npos);
    const Ran neither = runLapidary({"evaluate", pictures.graph, "--images", pictures.images});
    CHECK(neither.exitCode == 2);
    CHECK(neither.err.find("--labels") != std::string::npos);
}

TEST_CASE("evaluate feeds further inputs", "[cli]")
{
    const Pictures pictures;
    // The scores are the colors times a factor that has to be fed; a factor of -1 reverses the
    // order of the classes.
    const std::string scaled = pictures.folder.write(
        "scaled.pbtxt",
        colors("Identity") +
            R"(node { name: "factor" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 1 } } } } }
node { name: "product" op: "Mul" input: "scores" input: "factor"
  attr { key: "T" value { type: DT_FLOAT } } }
)");
    const auto top1 = [&](std::vector<std::string> more) {
        more.insert(more.begin(),
                    {"evaluate", scaled, "--images", pictures.images, "--labels", pictures.labels,
                     "--input-layer", "x", "--output-layer", "product", "--json"});
        const Ran ran = runLapidary(more);
        INFO(ran.err);
        REQUIRE(ran.exitCode == 0);
        return ran.json();
    };
    CHECK(top1({"--feed", "factor=value:1"})["top1"] == 0.75);
    CHECK(top1({"--feed", "factor=value:-1"})["top1"] == 0.25);
    CHECK(top1({"--feed", "ones"})["top1"] == 0.75);
    // A graph without that input is fed without it.
    const std::string plain =
        pictures.folder.write("plain.pbtxt", colors("Identity") + R"(node { name: "product"
  op: "Neg" input: "scores" attr { key: "T" value { type: DT_FLOAT } } }
)");
    CHECK(top1({"--feed", "factor=value:-2", "--against", plain})["agreement"] == 1.0);
    const Ran without =
        runLapidary({"evaluate", scaled, "--images", pictures.images, "--labels", pictures.labels,
                     "--input-layer", "x", "--output-layer", "product"});
    CHECK(without.exitCode != 0);
    CHECK(without.err.find("factor") != std::string::npos);
    CHECK(without.err.find("--feed") != std::string::npos);
}

TEST_CASE("evaluate takes classes from a list", "[cli]")
{
    const Pictures pictures;
    const std::string truth = pictures.folder.write(
        "truth.tsv", "1_red.bmp\tred\n2_green.bmp\tgreen\n3_blue.BMP\tblue\n4_red.bmp\tgreen\n");
    CHECK(pictures.evaluate({"--truth", truth, "--json"}).json()["top1"] == 1.0);
    const std::string part = pictures.folder.write("part.tsv", "1_red.bmp\tred\n");
    const Ran missing = pictures.evaluate({"--truth", part});
    CHECK(missing.exitCode == 3);
    CHECK(missing.err.find("2_green.bmp: the list of classes has no line for it") !=
          std::string::npos);
    const std::string odd = pictures.folder.write("odd.tsv", "1_red.bmp red\n");
    CHECK(pictures.evaluate({"--truth", odd}).err.find("line 1 has no tab") != std::string::npos);
}

TEST_CASE("evaluate names what it cannot use", "[cli]")
{
    const Pictures pictures;
    pictures.add("5_purple.bmp", pixel(1, 1, 1));
    CHECK(pictures.evaluate({}).err.find("5_purple.bmp: its class 'purple'") != std::string::npos);
    std::filesystem::remove(pictures.images + "/5_purple.bmp");
    pictures.add("6_red.png", "not a picture");
    const Ran broken = pictures.evaluate({"--json"});
    CHECK(broken.exitCode == 1);
    CHECK(broken.err.find("6_red.png") != std::string::npos);
    CHECK(broken.err.find("; the picture is left out\n") != std::string::npos);
    CHECK(broken.json()["samples"] == 4);
    CHECK(broken.json()["top1"] == 0.75); // of the readable ones
    CHECK(broken.json()["pictures"].size() == 4);
    REQUIRE(broken.json()["unread"].size() == 1);
    const Ran compared = pictures.evaluate({"--against", pictures.graph, "--json"});
    CHECK(compared.exitCode == 1);
    CHECK(compared.json()["agreement"] == 1.0);
    for (const char* name : {"1_red.bmp", "2_green.bmp", "3_blue.BMP", "4_red.bmp"})
        pictures.add(name, "neither");
    const Ran none = pictures.evaluate({});
    CHECK(none.exitCode == 3);
    CHECK(none.err.find("none of the 5 pictures can be read; the first is ") != std::string::npos);
    const Ran empty = runLapidary({"evaluate", pictures.graph, "--images",
                                   pictures.folder.path().string(), "--labels", pictures.labels});
    CHECK(empty.exitCode == 3);
    CHECK(empty.err.find("no picture in it") != std::string::npos);
}

TEST_CASE("evaluate names the flags that say which tensors to use", "[cli]")
{
    const Pictures pictures;
    const std::string graph = pictures.folder.write("none.pbtxt", "node { name: 'n' op: 'NoOp' }");
    const Ran ran =
        runLapidary({"evaluate", graph, "--images", pictures.images, "--labels", pictures.labels});
    CHECK(ran.exitCode == 3);
    CHECK(ran.err.find("--input-layer and --output-layer") != std::string::npos);
}

// Says the color of a pixel that is the farthest from gray, if pixels are between -1 and 1.
TEST_CASE("a range of pixels that gives more right answers is told", "[cli]")
{
    std::string farthest = colors("Abs");
    const std::string read = "input: \"flat\"";
    farthest.replace(farthest.find(read), read.size(), "input: \"product\"");
    farthest += R"(node { name: "w" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT
    tensor_shape { dim { size: 3 } dim { size: 3 } } float_val: 1 float_val: 0 float_val: 0
    float_val: 0 float_val: 1 float_val: 0 float_val: 0 float_val: 0 float_val: 1 } } } }
node { name: "product" op: "MatMul" input: "flat" input: "w"
  attr { key: "T" value { type: DT_FLOAT } } }
)";
    const TestFolder folder;
    const std::string graph = folder.write("farthest.pbtxt", farthest);
    const std::string labels = folder.write("labels.txt", "red\ngreen\nblue\n");
    const std::string images = folder.file("images");
    std::filesystem::create_directory(images);
    for (const auto& [name, bytes] :
         {std::pair("1_blue.bmp", pixel(130, 120, 0)), std::pair("2_red.bmp", pixel(0, 130, 120)),
          std::pair("3_green.bmp", pixel(120, 0, 130))})
        std::ofstream(images + "/" + name, std::ios::binary) << bytes;
    const std::string better = "100 % with --input-mean 127.5 --input-std 127.5";
    for (const char* verb : {"evaluate", "autopilot"}) {
        INFO(verb);
        const std::vector<std::string> call{verb, graph, "--images", images, "--labels", labels};
        CHECK(runLapidary(call).err.find(better) != std::string::npos);
        std::vector<std::string> given = call;
        given.insert(given.end(), {"--input-mean", "127.5", "--input-std", "127.5"});
        CHECK(runLapidary(given).err.find("pixels") == std::string::npos);
    }
}

TEST_CASE("the trained classifier is as right as TensorFlow finds it", "[cli]")
{
    const auto folder = sharedData() / "models" / "trained";
    if (!std::filesystem::exists(folder / "predictions.json")) {
        WARN("skipped: " << folder << " is not there");
        return;
    }
    std::ifstream file(folder / "predictions.json");
    const auto recorded = nlohmann::json::parse(file);
    const std::pair<const char*, const char*> models[] = {{"tiny_mobilenet.pb", "tiny_mobilenet"},
                                                          {"weights.pb", "weights"}};
    for (const auto& [model, name] : models) {
        const auto json = runLapidary({"evaluate", (folder / model).string(), "--images",
                                       (folder / "validation").string(), "--labels",
                                       (folder / "labels.txt").string(), "--input-mean", "127.5",
                                       "--input-std", "127.5", "--json"})
                              .json();
        INFO(model);
        CHECK(json["top1"] == recorded[name]["accuracy"]);
        REQUIRE(json["pictures"].size() == recorded[name]["pictures"].size());
        for (const auto& picture : json["pictures"]) {
            const std::string at = picture["file"];
            INFO(at);
            CHECK(picture["label"] == recorded[name]["pictures"][at]["top"]);
        }
    }
}

} // namespace lapidary
