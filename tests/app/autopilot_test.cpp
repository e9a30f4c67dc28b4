// SPDX-License-Identifier: Apache-2.0
// The verbs sensitivity and autopilot.
#include "graph_model/base/sha256.h"
#include "tests/app/program.h"
#include "tests/catch.h"

#include <filesystem>

namespace lapidary {
namespace {

// A product with 8 by 4 weights; `last` is the last weight.
std::string product(const std::string& last)
{
    std::string values;
    for (int i = 0; i < 31; ++i)
        values += " float_val: " + std::to_string(i * 37 % 19 - 9) + ".5";
    return R"(node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 2 } dim { size: 8 } } } } }
node { name: "w" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT
    tensor_shape { dim { size: 8 } dim { size: 4 } })" +
           values + " float_val: " + last + R"( } } } }
node { name: "y" op: "MatMul" input: "x" input: "w" attr { key: "T" value { type: DT_FLOAT } } }
)";
}

} // namespace

TEST_CASE("sensitivity lists layers by their noise", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("product.pbtxt", product("2.5"));
    const Ran ran = runLapidary({"sensitivity", graph, "--json", "--probes", "3"});
    INFO(ran.err);
    REQUIRE(ran.exitCode == 0);
    const auto json = ran.json();
    CHECK(json["probes"] == 3);
    REQUIRE(json["layers"].size() == 1);
    CHECK(json["layers"][0]["name"] == "y");
    CHECK(json["layers"][0]["sqnr_db"] > 30);
    CHECK(json["layers"][0]["sqnr_db"] == json["all"]["sqnr_db"]);
    const Ran text = runLapidary({"sensitivity", graph, "--form", "pc16"});
    CHECK(text.exitCode == 0);
    CHECK(text.out.find("y (MatMul)") != std::string::npos);
    CHECK(runLapidary({"sensitivity", graph, "--input-range", "1"}).exitCode == 2);
    CHECK(runLapidary({"sensitivity", graph, "--form", "pt3"}).exitCode == 2);
    // Loss cannot be measured if an answer is NaN.
    const std::string broken = folder.write("broken.pbtxt", product("nan"));
    const Ran failed = runLapidary({"sensitivity", broken});
    CHECK(failed.exitCode == 3);
    CHECK(failed.err.find("NaN") != std::string::npos);
}

TEST_CASE("autopilot writes the file that it chose, and its recipe", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("product.pbtxt", product("2.5"));
    const std::string out = folder.file("small.pb");
    const std::string recipe = folder.file("small.txt");
    const Ran ran = runLapidary(
        {"autopilot", graph, "--min-sqnr", "30", "-o", out, "--recipe", recipe, "--json"});
    INFO(ran.err);
    REQUIRE(ran.exitCode == 0);
    const auto json = ran.json();
    CHECK(json["holds_budget"] == true);
    const auto& chosen = json["points"][json["chosen"].get<std::size_t>()];
    CHECK(chosen["bytes"] == fileBytes(out).size());
    CHECK(chosen["estimated_without_data"] == true);
    const std::string again = folder.file("again.pb");
    CHECK(runLapidary({"transform", graph, "--inputs", "x", "--outputs", "y", "--recipe", recipe,
                       "-o", again})
              .exitCode == 0);
    CHECK(fileBytes(again) == fileBytes(out));
    for (const auto& point : json["points"]) {
        folder.write("point.txt", point["recipe"].get<std::string>());
        CHECK(runLapidary({"transform", graph, "--inputs", "x", "--outputs", "y", "--recipe",
                           folder.file("point.txt"), "-o", again})
                  .exitCode == 0);
        CHECK(point["sha256"] == sha256Of(fileBytes(again)));
    }
    const Ran none = runLapidary({"autopilot", graph, "--budget", "size=10B"});
    CHECK(none.exitCode == 1);
    CHECK(none.out.find("no file is that small") != std::string::npos);
    const Ran unknown = runLapidary({"autopilot", graph, "--keep", "NOSUCH"});
    CHECK(unknown.exitCode == 3);
    CHECK(unknown.err.find("NOSUCH names no layer; layers are y") != std::string::npos);
    const Ran hasty = runLapidary({"autopilot", graph, "--seconds", "1e-9", "--json"});
    CHECK(hasty.json()["points"].size() == 1);
    CHECK(hasty.json()["left_out"]["measurements"] == 4); // one layer in four forms
    CHECK(hasty.json()["left_out"]["of_measurements"] == 4);
    const Ran told = runLapidary({"autopilot", graph, "--seconds", "1e-9"});
    CHECK(told.out.find("judged by their weights") != std::string::npos);
    CHECK(told.out.find("more --seconds or fewer --probes") != std::string::npos);
    for (const char* wrong :
         {"--seconds=0", "--seconds=nan", "--seconds=-1", "--min-sqnr=nan", "--min-sqnr=-5",
          "--budget=time=0x", "--budget=time=2", "--budget=size=0x", "--max-loss=200%",
          "--labels=labels.txt", "--input-range=2,1"}) {
        INFO(wrong);
        CHECK(runLapidary({"autopilot", graph, wrong}).exitCode == 2);
    }
}

TEST_CASE("a time is a budget, too", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("product.pbtxt", product("2.5"));
    const Ran slow = runLapidary({"autopilot", graph, "--budget", "time=1000s", "--json"});
    INFO(slow.err);
    REQUIRE(slow.exitCode == 0);
    const auto json = slow.json();
    CHECK(json["holds_budget"] == true);
    CHECK(json["baseline"]["us"] > 0);
    for (const auto& point : json["points"])
        CHECK(point["us"] > 0);
    const Ran none = runLapidary({"autopilot", graph, "--budget", "time=100000x"});
    CHECK(none.exitCode == 1);
    CHECK(none.out.find("no file is that fast; this is the fastest") != std::string::npos);
    CHECK(none.out.find("times as fast on this machine") != std::string::npos);
}

TEST_CASE("the result of the autopilot is printed even if it cannot be written", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("product.pbtxt", product("2.5"));
    const std::string nowhere = folder.file("no_folder/small.pb");
    const Ran early = runLapidary({"autopilot", graph, "--min-sqnr", "30", "-o", nowhere});
    CHECK(early.exitCode == 3);
    CHECK(early.out.empty()); // nothing was searched
    CHECK(early.err.find(nowhere + ": could not be written: No such file") != std::string::npos);
    const Ran full =
        runLapidary({"autopilot", graph, "--min-sqnr", "30", "-o", "/dev/full", "--json"});
    CHECK(full.exitCode == 3);
    CHECK(full.err.find("/dev/full: could not be written") != std::string::npos);
    const auto json = full.json();
    CHECK(json["holds_budget"] == true);
    const std::string recipe = json["points"][json["chosen"].get<std::size_t>()]["recipe"];
    CHECK(recipe.find("obfuscate_names") != std::string::npos);
    const Ran text = runLapidary({"autopilot", graph, "--recipe", "/dev/full"});
    CHECK(text.exitCode == 3);
    CHECK(text.out.find("obfuscate_names") != std::string::npos);
}

TEST_CASE("the autopilot names what it needs, and what does not fit", "[cli]")
{
    const TestFolder folder;
    std::string open = product("2.5");
    open.replace(open.find("dim { size: 2 }"), 15, "dim { size: -1 }");
    open.replace(open.find("dim { size: 8 } } }"), 15, "dim { size: -1 }");
    const Ran sizes = runLapidary({"autopilot", folder.write("open.pbtxt", open)});
    CHECK(sizes.exitCode == 3);
    CHECK(sizes.err.find("--shape x=") != std::string::npos);
    const Ran broken = runLapidary({"autopilot", folder.write("nan.pbtxt", product("nan"))});
    CHECK(broken.exitCode == 3);
    CHECK(broken.err.find("NaN") != std::string::npos);
    const std::string graph = folder.write("product.pbtxt", product("2.5"));
    const std::string images = folder.file("images");
    std::filesystem::create_directory(images);
    const std::string labels = folder.write("labels.txt", "cat\ndog\n");
    const Ran none = runLapidary({"autopilot", graph, "--images", images, "--labels", labels});
    CHECK(none.exitCode == 3);
    CHECK(none.err.find("images") != std::string::npos);
    CHECK(none.out.empty());
    const std::string bare = folder.write(
        "bare.pbtxt",
        R"(node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 2 } } } } }
node { name: "y" op: "Neg" input: "x" attr { key: "T" value { type: DT_FLOAT } } })");
    const Ran nothing = runLapidary({"autopilot", bare});
    CHECK(nothing.exitCode == 3);
    CHECK(nothing.err.find("nothing to quantize") != std::string::npos);
}

TEST_CASE("verify names the reason of a loss in JSON, too", "[cli]")
{
    // The large weight leaves no codes for the others; the loss is compensated after the product.
    const TestFolder folder;
    const std::string graph = folder.write("scaled.pbtxt", product("5000") +
                                                               R"(
node { name: "s" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 4 } }
    float_val: 1 float_val: 1 float_val: 1 float_val: 0.001 } } } }
node { name: "z" op: "Mul" input: "y" input: "s" attr { key: "T" value { type: DT_FLOAT } } }
)");
    const std::string small = folder.file("small.pb");
    const std::vector<std::string> transform{"transform",    graph,
                                             "--inputs",     "x",
                                             "--outputs",    "z",
                                             "-o",           small,
                                             "--transforms", "quantize_weights(minimum_size=1)",
                                             "--verify",     "--json"};
    const Ran made = runLapidary(transform);
    INFO(made.err);
    const std::string reason = "per-tensor weights of 1 layer: use arm-8bit-accurate";
    CHECK(made.json()["verification"]["reason"] == reason);
    const Ran ran = runLapidary({"verify", graph, small, "--outputs", "z", "--json"});
    CHECK(ran.json()["reason"] == reason);
    const Ran same = runLapidary({"verify", graph, graph, "--outputs", "z", "--json"});
    CHECK(same.json()["reason"] == nullptr);
}

} // namespace lapidary
