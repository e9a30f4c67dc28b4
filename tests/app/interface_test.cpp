// SPDX-License-Identifier: Apache-2.0
#include "tests/app/program.h"
#include "tests/catch.h"
#include "tests/test_folder.h"

#include <string>

namespace lapidary {
namespace {

bool lists(const std::string& text, const char* what)
{
    return text.find(what) != std::string::npos;
}

} // namespace

TEST_CASE("interface lists what saves and initializes only if asked for everything", "[cli]")
{
    const TestFolder folder;
    const std::string graph = folder.write("trained.pbtxt", R"(
        node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
        node { name: "w" op: "VariableV2" attr { key: "dtype" value { type: DT_FLOAT } } }
        node { name: "w/read" op: "Identity" input: "w"
               attr { key: "T" value { type: DT_FLOAT } } }
        node { name: "y" op: "Mul" input: "x" input: "w/read"
               attr { key: "T" value { type: DT_FLOAT } } }
        node { name: "file" op: "Placeholder" attr { key: "dtype" value { type: DT_STRING } } }
        node { name: "names" op: "Const" attr { key: "dtype" value { type: DT_STRING } } }
        node { name: "restored" op: "RestoreV2" input: "file" input: "names" input: "names"
               attr { key: "dtypes" value { list { type: DT_FLOAT } } } }
        node { name: "w/restored" op: "Assign" input: "w" input: "restored"
               attr { key: "T" value { type: DT_FLOAT } } }
    )");
    const std::string best = runLapidary({"interface", graph}).out;
    CHECK(lists(best, "x:0"));
    CHECK_FALSE(lists(best, "file:0"));
    CHECK(lists(best, "which --all lists"));
    CHECK(lists(runLapidary({"interface", graph, "--all"}).out, "file:0"));
    CHECK_FALSE(lists(runLapidary({"interface", graph, "--json"}).out, "file:0"));
    CHECK(lists(runLapidary({"interface", graph, "--json", "--all"}).out, "file:0"));
}

} // namespace lapidary
