// SPDX-License-Identifier: Apache-2.0
// What verbs say of models that cannot be run as they are, and of the values of variables.
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
    CHECK(out.find("It cannot be run as it is: its variable has no value; to put those of a "
                   "checkpoint in: lapidary freeze '" +
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
    // So does the node that stands for it in the model.
    CHECK(runLapidary({"show", model.string(), "a", "--json"}).json()["tensor"]["max"] == 0.5);
    CHECK(runLapidary({"show", model.string()}).exitCode == 2);
}

} // namespace lapidary
