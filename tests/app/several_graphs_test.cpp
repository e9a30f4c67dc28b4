// SPDX-License-Identifier: Apache-2.0
#include "tests/app/program.h"
#include "tests/catch.h"

using namespace lapidary;

// As the window does, and as TensorFlow's loader is usually asked.
TEST_CASE("of several graphs the one that is served is opened unless another is named", "[cli]")
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
