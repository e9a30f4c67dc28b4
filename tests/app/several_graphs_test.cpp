// SPDX-License-Identifier: Apache-2.0
#include "tests/app/program.h"
#include "tests/catch.h"

#include <fstream>
#include <iterator>
#include <string>

using namespace lapidary;

// The default, as in the window and in most calls of TensorFlow's loader.
TEST_CASE("the graph that is served is opened unless another one is named", "[cli]")
{
    const auto graphOf = [](const std::string& tags, const std::string& name) {
        return "meta_graphs {\n  meta_info_def { " + tags + " }\n  graph_def { node { name: \"" +
               name +
               "\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_FLOAT } } } }\n}\n";
    };
    const std::string train = graphOf(R"(tags: "train")", "trained");
    const std::string onTpu = graphOf(R"(tags: "serve" tags: "tpu")", "on_tpu");
    const std::string serve = graphOf(R"(tags: "serve")", "served");
    const TestFolder folder;
    const auto open = [&](const std::string& graphs, std::vector<std::string> more = {}) {
        folder.write("saved_model.pbtxt", "saved_model_schema_version: 1\n" + graphs);
        std::vector<std::string> call{"summarize", folder.path().string()};
        call.insert(call.end(), more.begin(), more.end());
        return runLapidary(call);
    };
    const Ran usual = open(train + onTpu + serve);
    CHECK(usual.out.find("name=served") != std::string::npos);
    CHECK(usual.err.find("holds 3 graphs, this is number 2, counted from 0") != std::string::npos);
    const Ran named = open(train + onTpu + serve, {"--meta-graph", "0"});
    CHECK(named.out.find("name=trained") != std::string::npos);
    CHECK(named.err.find("holds") == std::string::npos);
    CHECK(open(train + onTpu).out.find("name=on_tpu") != std::string::npos);
    CHECK(open(train + train).out.find("name=trained") != std::string::npos);
}

TEST_CASE("freezing takes the only graph that is served, whatever else it is tagged", "[cli]")
{
    const auto graphOf = [](const std::string& tags, const std::string& name) {
        return "meta_graphs {\n  meta_info_def { " + tags + " }\n  graph_def { node { name: \"" +
               name + "\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_FLOAT } } } " +
               "node { name: \"y\" op: \"Relu\" input: \"" + name +
               "\" attr { key: \"T\" value { type: DT_FLOAT } } } }\n}\n";
    };
    const std::string train = graphOf(R"(tags: "train")", "trained");
    const std::string onTpu = graphOf(R"(tags: "serve" tags: "tpu")", "on_tpu");
    const std::string onGpu = graphOf(R"(tags: "serve" tags: "gpu")", "on_gpu");
    const std::string serve = graphOf(R"(tags: "serve")", "served");
    const TestFolder folder;
    const auto freeze = [&](const std::string& graphs, std::vector<std::string> more = {}) {
        folder.write("saved_model.pbtxt", "saved_model_schema_version: 1\n" + graphs);
        std::vector<std::string> call{"freeze", folder.path().string(),  "--outputs", "y",
                                      "-o",     folder.file("out.pbtxt")};
        call.insert(call.end(), more.begin(), more.end());
        return runLapidary(call);
    };
    const auto written = [&] {
        std::ifstream in(folder.file("out.pbtxt"));
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    const Ran only = freeze(train + onTpu);
    CHECK(only.exitCode == 0);
    CHECK(written().find("on_tpu") != std::string::npos);
    CHECK(only.err.find("none of its 2 graphs is tagged only \"serve\"; using the one tagged") !=
          std::string::npos);
    const Ran alone = freeze(onTpu + serve);
    CHECK(written().find("served") != std::string::npos);
    CHECK(alone.err.find("taken") == std::string::npos);
    CHECK(freeze(onTpu + onGpu).exitCode == 3); // ambiguous
    CHECK(freeze(train + onTpu, {"--tags", "serve"}).exitCode ==
          3); // the tags, as for freeze_graph
}
