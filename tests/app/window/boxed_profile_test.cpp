// SPDX-License-Identifier: Apache-2.0
// A profile measured in a sandboxed process, as in the released program.
#include "tests/app/window/desktop.h"
#include "tests/app/window/dropout_graph.h"
#include "tests/app/window/program_runs.h"

using namespace lapidary;
using lapidary::testing::Desktop;
using lapidary::testing::dropoutGraph;
using lapidary::testing::Sandboxed;

TEST_CASE("a dropout is profiled as it infers in the sandboxed process, too", "[boxed][profile]")
{
    const Sandboxed boxed;
    const Desktop desk;
    const std::string file = desk.path("dropout.pbtxt");
    REQUIRE(writeFileAtomically(file, dropoutGraph()).ok());
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
