// SPDX-License-Identifier: Apache-2.0
// Messages about models that cannot be run as they are, and about the values of variables.
#include "tests/app/program.h"
#include "tests/catch.h"
#include "tests/source_folder.h"

namespace lapidary {

TEST_CASE("summarize says what keeps a graph from being run", "[cli]")
{
    const TestFolder folder;
    const std::string variable = folder.write(
        "variable.pbtxt",
        "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } }\n"
        "  attr { key: 'shape' value { shape { dim { size: 2 } } } } }\n"
        "node { name: 'v' op: 'VariableV2' attr { key: 'dtype' value { type: DT_FLOAT } }\n"
        "  attr { key: 'shape' value { shape { dim { size: 2 } } } } }\n"
        "node { name: 'y' op: 'Mul' input: 'x' input: 'v'\n"
        "  attr { key: 'T' value { type: DT_FLOAT } } }\n");
    const std::string out = runLapidary({"summarize", variable}).out;
    CHECK(out.find("To time it") == std::string::npos);
    CHECK(out.find("It cannot be run as it is: its variable has no value; to fill in the values of "
                   "a checkpoint: lapidary freeze '" +
                   variable + "' --checkpoint PREFIX --outputs 'y:0' -o FROZEN\n") !=
          std::string::npos);
    const std::string custom = folder.write(
        "custom.pbtxt",
        "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } }\n"
        "node { name: 'c' op: 'MyOwnOp' input: 'x' }\n"
        "node { name: 'y' op: 'Relu' input: 'c:1'\n"
        "  attr { key: 'T' value { type: DT_FLOAT } } }\n");
    CHECK(runLapidary({"summarize", custom})
              .out.find("It cannot be run as it is: there is no kernel for MyOwnOp\n") !=
          std::string::npos);
    const Ran ran = runLapidary({"run", custom, "--shape", "x=2"});
    CHECK(ran.err.find("no kernel for MyOwnOp (c)") != std::string::npos);
}

TEST_CASE("summarize looks into the functions that are called", "[cli]")
{
    // A function whose loop counts in float, with a condition on an int32.
    const auto function = [](const std::string& name, const std::string& type,
                             const std::string& result, const std::string& rest) {
        return "library { function { signature { name: '" + name +
               "' input_arg { name: 'a' type: " + type +
               " } output_arg { name: 'b' type: " + result + " } }\n" + rest + "} }\n";
    };
    const std::string never = "node_def { name: 'k' op: 'Const'\n"
                              "  attr { key: 'dtype' value { type: DT_BOOL } }\n"
                              "  attr { key: 'value' value { tensor { dtype: DT_BOOL\n"
                              "    tensor_shape { } bool_val: false } } } }\n"
                              "ret { key: 'b' value: 'k:output:0' }\n";
    const std::string loop = "node_def { name: 'turns' op: 'While' input: 'a'\n"
                             "  attr { key: 'T' value { list { type: DT_FLOAT } } }\n"
                             "  attr { key: 'cond' value { func { name: 'Goes' } } }\n"
                             "  attr { key: 'body' value { func { name: 'Same' } } } }\n"
                             "ret { key: 'b' value: 'turns:output:0' }\n";
    const TestFolder folder;
    const auto said = [&](const std::string& counter) {
        const std::string file = folder.write(
            counter + ".pbtxt",
            "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } }\n"
            "  attr { key: 'shape' value { shape { dim { size: 2 } } } } }\n"
            "node { name: 'y' op: 'Loop' input: 'x' }\n" +
                function("Loop", "DT_FLOAT", "DT_FLOAT", loop) +
                function("Goes", counter, "DT_BOOL", never) +
                function("Same", "DT_FLOAT", "DT_FLOAT", "ret { key: 'b' value: 'a' }\n"));
        return runLapidary({"summarize", file}).out;
    };
    CHECK(said("DT_INT32")
              .find("It cannot be run as it is: Loop/turns: Its function 'Goes' takes "
                    "int32 in place 0, but the node has float there") != std::string::npos);
    CHECK(said("DT_FLOAT").find("To time it") != std::string::npos);
}

TEST_CASE("show lists the variables of a checkpoint and shows their values", "[cli]")
{
    const std::filesystem::path model =
        sourceFolder() / "tests" / "goldens" / "models" / "real" / "half_plus_two";
    const std::string index = (model / "variables" / "variables.index").string();
    CHECK(runLapidary({"show", index}).out.find("a  float []\n") != std::string::npos);
    CHECK(runLapidary({"show", index, "--json"}).json()["variables"][0]["name"] == "a");
    const Ran one = runLapidary({"show", (model / "variables" / "variables").string(), "a"});
    CHECK(one.exitCode == 0);
    CHECK(one.out.find("tensor values 0.5\n") != std::string::npos);
    const Ran other = runLapidary({"show", index, "aa"});
    CHECK(other.exitCode == 3);
    CHECK(other.err.find("aa: no variable has that name; there is a") != std::string::npos);
    // The variable's node in the model says the same.
    CHECK(runLapidary({"show", model.string(), "a", "--json"}).json()["tensor"]["max"] == 0.5);
    CHECK(runLapidary({"show", model.string()}).exitCode == 2);
}

TEST_CASE("a file of records that is cut off is one of data, not a damaged graph", "[cli]")
{
    // The record "abc" with its checksums, and the beginning of another one.
    const std::string record("\x03\0\0\0\0\0\0\0\xb0\x99\x49\x0e"
                             "abc\x6e\x57\xf1\x21",
                             19);
    const TestFolder folder;
    const std::string file = folder.write("data.tfrecord", record + record.substr(0, 14));
    const Ran ran = runLapidary({"summarize", file});
    CHECK(ran.exitCode == 3);
    CHECK(ran.err == "lapidary: " + file + ": it holds training data and no graph\n");
}

} // namespace lapidary
