// SPDX-License-Identifier: Apache-2.0
// The verb run: feeds, results, and messages about wrong feeds.
#include "tests/app/program.h"
#include "tests/catch.h"

#include <cstring>
#include <sstream>

namespace lapidary {
namespace {

const std::string sums = R"(
node { name: "x" op: "Placeholder"
  attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: -1 } dim { size: 2 } } } } }
node { name: "w" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } }
    float_val: 10 float_val: 20 } } } }
node { name: "y" op: "Add" input: "x" input: "w" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "z" op: "NoSuchOp" input: "y" }
)";

std::string npy(const std::string& descr, const std::string& shape, const std::string& data)
{
    std::string dictionary =
        "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
    std::string bytes("\x93NUMPY\x01", 7);
    bytes += '\0';
    bytes += char(dictionary.size());
    bytes += '\0';
    return bytes + dictionary + data;
}

template <class T>
std::string bytesOf(std::initializer_list<T> numbers)
{
    std::string bytes;
    for (const T number : numbers)
        bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    return bytes;
}

} // namespace

TEST_CASE("run feeds every kind of source", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("sums.pbtxt", sums);
    const std::string doubles =
        folder.write("d.npy", npy("<f8", "(1, 2)", bytesOf<double>({1, 2})));
    const std::string swapped =
        folder.write("s.npy", npy(">f4", "(1, 2)", {"\x3f\x80\0\0\x40\0\0\0", 8}));
    const std::string raw = folder.write("raw.bin", bytesOf<float>({1, 2}));
    const auto firsts = [&](const std::string& source) {
        const Ran ran = runLapidary({"run", graph, "--feed", "x=" + source, "--fetch", "y"});
        INFO(source << ": " << ran.err);
        CHECK(ran.exitCode == 0);
        return ran.out.substr(ran.out.rfind("mean"));
    };
    CHECK(firsts("zeros") == "mean 15  10 20\n");
    CHECK(firsts("ones") == "mean 16  11 21\n");
    CHECK(firsts(doubles) == "mean 16.5  11 22\n");
    CHECK(firsts(swapped) == "mean 16.5  11 22\n");
    CHECK(firsts(raw) == "mean 16.5  11 22\n");
    CHECK(firsts("random:7") == firsts("random:7"));
    CHECK(firsts("random:7") != firsts("random:8"));
    CHECK(firsts("random:7:5:5") == "mean 20  15 25\n");
}

TEST_CASE("run keeps what it computed, and takes it back as a feed", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("sums.pbtxt", sums);
    const std::string kept = folder.file("kept.npz");
    REQUIRE(runLapidary({"run", graph, "--feed", "x=ones", "--fetch", "y", "--fetch", "x:0",
                         "--shape", "x=3,2", "-o", kept})
                .exitCode == 0);
    const Ran again = runLapidary({"run", graph, "--feed", "x=" + kept, "--fetch", "y", "--json"});
    INFO(again.err);
    REQUIRE(again.exitCode == 0);
    const auto json = again.json();
    CHECK(json["outputs"]["y:0"]["shape"] == nlohmann::json({3, 2}));
    CHECK(json["outputs"]["y:0"]["data"] == "AAAwQQAAqEEAADBBAACoQQAAMEEAAKhB");
    CHECK(json["seconds"].size() == 1);
}

TEST_CASE("run says what is wrong with a feed or a fetch", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("sums.pbtxt", sums);
    const std::string five = folder.write("five.bin", "12345");
    const std::string cut = folder.write("cut.npy", npy("<f4", "(9, 2)", "1234"));
    const std::string ints =
        folder.write("ints.npy", npy("<i4", "(1, 2)", bytesOf<std::int32_t>({1, 2})));
    const std::vector<std::pair<std::vector<std::string>, std::string>> calls{
        {{"--feed", "x=" + five, "--fetch", "y"},
         "'x:0' takes float [?,2], but " + five + " has 5 bytes"},
        {{"--feed", "x=" + ints, "--fetch", "y"}, "has int32 [1,2]"},
        {{"--feed", "x=" + cut, "--fetch", "y"}, "cut short"},
        {{"--feed", "x=no_such_file", "--fetch", "y"}, "no_such_file"},
        {{"--feed", "q=zeros", "--fetch", "y"}, "no node is named q"},
        {{"--feed", "x=zeros", "--fetch", "y:3"}, "y"},
        {{"--feed", "x=zeros", "--fetch", "z"}, "NoSuchOp (z)"},
        {{"--shape", "q=1,2", "--fetch", "y"}, "q:0"},
        {{"--memory-limit", "lots", "--fetch", "y"}, "--memory-limit lots"},
    };
    for (const auto& [flags, said] : calls) {
        std::vector<std::string> arguments{"run", graph};
        arguments.insert(arguments.end(), flags.begin(), flags.end());
        const Ran ran = runLapidary(arguments);
        INFO(said << " / " << ran.err);
        CHECK(ran.exitCode == 3);
        CHECK(ran.out.empty());
        CHECK(ran.err.find(said) != std::string::npos);
    }
}

TEST_CASE("benchmark's rows and groups are the runs' total exactly", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("sums.pbtxt", sums);
    const std::vector<std::string> call{"benchmark", graph, "--fetch", "y", "--max-num-runs", "7"};
    const auto with = [&](const std::string& option) {
        std::vector<std::string> all = call;
        all.push_back(option);
        return runLapidary(all);
    };
    const auto json = with("--json").json();
    REQUIRE(json["nodes"].is_array());
    const auto sumOf = [](const nlohmann::json& rows) {
        std::int64_t sum = 0;
        for (const auto& row : rows)
            sum += row["sum_ns"].get<std::int64_t>();
        return sum;
    };
    const auto& executor = json["nodes"].back();
    CHECK(executor["name"] == "executor");
    CHECK(sumOf(json["nodes"]) == json["profiled_sum_ns"]);
    const std::int64_t nodes = sumOf(json["nodes"]) - executor["sum_ns"].get<std::int64_t>();
    CHECK(sumOf(json["groups"]["ops"]) == nodes);
    CHECK(sumOf(json["groups"]["families"]) == nodes);
    CHECK(with("--threads=1").out.find("% of the runs' time, executor: ") != std::string::npos);
    const std::string saved = folder.write("saved.json", json.dump());
    CHECK(runLapidary({"benchmark", "--from", saved, "--json"}).json() == json);
    const Ran text = runLapidary({"benchmark", "--from", saved});
    CHECK(text.exitCode == 0);
    CHECK(text.out.find("\nexecutor\t\t") != std::string::npos);
}

TEST_CASE("a signature that names one tensor by two keys feeds and fetches it once", "[cli]")
{
    const auto entry = [](const std::string& side, const std::string& key,
                          const std::string& tensor) {
        return side + " { key: \"" + key + "\" value { name: \"" + tensor +
               "\" dtype: DT_FLOAT tensor_shape { dim { size: 1 } dim { size: 2 } } } }\n";
    };
    const TestFolder folder;
    const std::string graph =
        folder.write("keys.pbtxt", "meta_info_def { tags: \"serve\" }\ngraph_def {" + sums +
                                       "}\nsignature_def { key: \"serving_default\" value {\n" +
                                       entry("inputs", "a", "x:0") + entry("inputs", "b", "x:0") +
                                       entry("outputs", "s", "y:0") + entry("outputs", "t", "y:0") +
                                       "method_name: \"m\" } }\n");
    const Ran ran = runLapidary({"run", graph, "--feed", "ones", "--json"});
    INFO(ran.err);
    CHECK(ran.exitCode == 0);
    CHECK(ran.json()["outputs"].size() == 1);
    CHECK(ran.json()["outputs"].contains("y:0"));
}

TEST_CASE("run proposes sizes for all inputs that have none at once", "[cli]")
{
    const TestFolder folder;
    const auto input = [](const std::string& name) {
        return "node { name: \"" + name +
               "\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_FLOAT } } }\n";
    };
    const std::string graph =
        folder.write("open.pbtxt", input("a") + input("b") +
                                       "node { name: \"y\" op: \"Add\" input: \"a\" "
                                       "input: \"b\" attr { key: \"T\" value { type: "
                                       "DT_FLOAT } } }\n");
    const Ran asked = runLapidary({"run", graph});
    CHECK(asked.exitCode == 3);
    const std::string lead = "as with ";
    const std::size_t at = asked.err.find(lead);
    INFO(asked.err);
    REQUIRE(at != std::string::npos);
    std::istringstream flags(asked.err.substr(at + lead.size()));
    std::vector<std::string> call{"run", graph};
    for (std::string word; flags >> word;)
        call.push_back(word);
    CHECK(call.size() == 6);
    const Ran ran = runLapidary(call);
    INFO(ran.err);
    CHECK(ran.exitCode == 0);
    // A fed input whose sizes are given needs no --shape.
    const Ran one = runLapidary({"run", graph, "--feed", "b=value:1,2"});
    CHECK(one.err.find("--shape a=") != std::string::npos);
    CHECK(one.err.find("--shape b=") == std::string::npos);
}

namespace {

const std::string wholeTypes = " attr { key: \"Tin\" value { type: DT_INT64 } } "
                               "attr { key: \"Tout\" value { type: DT_INT64 } } }\n";

std::string wholeConstant(const std::string& name, const std::string& value)
{
    return "node { name: \"" + name +
           "\" op: \"Const\" attr { key: \"dtype\" value { type: DT_INT64 } } attr { key: "
           "\"value\" "
           "value { tensor { dtype: DT_INT64 tensor_shape { } int64_val: " +
           value + " } } } }\n";
}

} // namespace

TEST_CASE("the tables of a meta graph are filled before it runs", "[cli]")
{
    const TestFolder folder;
    const std::string graph =
        "node { name: \"x\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_INT64 } } "
        "attr { key: \"shape\" value { shape { } } } }\n"
        "node { name: \"t\" op: \"HashTableV2\" attr { key: \"key_dtype\" value { type: DT_INT64 "
        "} } attr { key: \"value_dtype\" value { type: DT_INT64 } } }\n" +
        wholeConstant("k", "3") + wholeConstant("v", "5") + wholeConstant("none", "-1") +
        "node { name: \"fill\" op: \"LookupTableImportV2\" input: \"t\" input: \"k\" input: "
        "\"v\"" +
        wholeTypes +
        "node { name: \"y\" op: \"LookupTableFindV2\" input: \"t\" input: \"x\" input: \"none\"" +
        wholeTypes +
        "node { name: \"restore\" op: \"NoOp\" }\n"
        "node { name: \"file\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_STRING } "
        "} }\n";
    const std::string meta = folder.write(
        "model.meta", "graph_def {\n" + graph +
                          "}\nsaver_def { filename_tensor_name: \"file:0\" restore_op_name: "
                          "\"restore\" }\n");
    const Ran ran = runLapidary({"run", meta, "--feed", "x=value:3", "--fetch", "y"});
    INFO(ran.err);
    CHECK(ran.exitCode == 0);
    CHECK(ran.out.find("y:0  int64 []  5") == 0);
    // A graph alone does not tell which node is to run first, but only this one can fill the table.
    const std::string alone = folder.write("graph.pbtxt", graph);
    const Ran bare = runLapidary({"run", alone, "--feed", "x=value:3", "--fetch", "y"});
    CHECK(bare.exitCode == 0);
    CHECK(bare.out == ran.out);
    const Ran init = runLapidary({"benchmark", alone, "--init-ops", "fill", "--input_layer", "x",
                                  "--input_layer_type", "int64", "--input_layer_shape", "1",
                                  "--output_layer", "y", "--max_num_runs", "1"});
    INFO(init.err);
    CHECK(init.exitCode == 0); // filled twice with the same rows
}

TEST_CASE("random words are not fed to what reads examples", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("examples.pbtxt", R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_STRING } }
  attr { key: "shape" value { shape { dim { size: -1 } } } } }
node { name: "names" op: "Const" attr { key: "dtype" value { type: DT_STRING } }
  attr { key: "value" value { tensor { dtype: DT_STRING tensor_shape { dim { size: 0 } } } } } }
node { name: "key" op: "Const" attr { key: "dtype" value { type: DT_STRING } }
  attr { key: "value" value { tensor { dtype: DT_STRING tensor_shape { } string_val: "age" } } } }
node { name: "default" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 1 } }
    float_val: 7 } } } }
node { name: "parsed" op: "ParseExample" input: "x" input: "names" input: "key" input: "default"
  attr { key: "Nsparse" value { i: 0 } } attr { key: "Ndense" value { i: 1 } }
  attr { key: "sparse_types" value { list { } } }
  attr { key: "Tdense" value { list { type: DT_FLOAT } } }
  attr { key: "dense_shapes" value { list { shape { dim { size: 1 } } } } } }
node { name: "y" op: "Neg" input: "parsed" attr { key: "T" value { type: DT_FLOAT } } }
)");
    const Ran ran = runLapidary({"run", graph, "--feed", "random", "--fetch", "y"});
    INFO(ran.err);
    CHECK(ran.exitCode == 0);
    CHECK(runLapidary({"verify", graph, graph, "--outputs", "y"}).exitCode == 0);
    // Strings that are asked for by name are printed as text.
    CHECK(runLapidary({"run", graph, "--feed", "x=random", "--fetch", "y"}).exitCode == 3);
}

TEST_CASE("run names the flag that remedies an error", "[cli]")
{
    const TestFolder folder;
    std::string text = sums;
    const std::string two = "dim { size: 2 } } } } }";
    text.replace(text.find(two), two.size(), "dim { size: -1 } } } } }");
    const std::string graph = folder.write("unknown.pbtxt", text);
    const auto complaint = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"run", graph, "--fetch", "y"});
        const Ran ran = runLapidary(more);
        CHECK(ran.exitCode == 3);
        return ran.err;
    };
    CHECK(complaint({}).find("; give them, as with --shape x=") != std::string::npos);
    CHECK(complaint({"--shape", "x=1,2", "--memory-limit", "2"})
              .find("; raise it with "
                    "--memory-limit") != std::string::npos);
    CHECK(complaint({"--feed", "x=random:q"}).find("--feed x=random:q: write random") !=
          std::string::npos);
}

} // namespace lapidary
