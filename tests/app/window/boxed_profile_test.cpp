// SPDX-License-Identifier: Apache-2.0
// A profile that is measured in a sandboxed process, as it is for users.
#include "tests/app/window/desktop.h"
#include "tests/app/window/program_runs.h"

using namespace lapidary;
using lapidary::testing::Desktop;
using lapidary::testing::Sandboxed;

namespace {

// How much is kept has no shape that says it is one number.
const char* const dropped = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 2 } } } } }
node { name: "prob" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "size" op: "Shape" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "r" op: "RandomUniform" input: "size" attr { key: "T" value { type: DT_INT32 } }
  attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "sum" op: "Add" input: "prob" input: "r" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "mask" op: "Floor" input: "sum" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "Mul" input: "x" input: "mask" attr { key: "T" value { type: DT_FLOAT } } }
versions { producer: 134 }
)";

} // namespace

TEST_CASE("a dropout is profiled as it infers in the sandboxed process, too", "[boxed][profile]")
{
    const Sandboxed boxed;
    const Desktop desk;
    const std::string file = desk.path("dropout.pbtxt");
    REQUIRE(writeFileAtomically(file, dropped).ok());
    REQUIRE(desk.run("open \"" + file + "\"\nwait idle\n") == 0);
    Document& document = *desk.window->parts().tabs->document();
    for (const char* input : {"x:0", "prob:0"})
        document.interface().mark(InterfaceSide::Inputs, input, true);
    desk.window->show();
    REQUIRE(desk.run("wait idle\naction graph.profile\nwait idle\n") == 0);
    CHECK(document.profile().failure().toStdString().empty());
    REQUIRE(document.profile().profile());
    CHECK(document.profile().profile()->runs >= 1);
}
