// SPDX-License-Identifier: Apache-2.0
// A run that lacks the sizes of an input asks for them where it reports the error.
#include "tests/app/window/desktop.h"
#include "tests/catch.h"

using namespace lapidary;
using lapidary::testing::Desktop;

namespace {

const char* const openSizes = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 2 } dim { size: -1 } } } } }
node { name: "w" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT float_val: 0.5
    tensor_shape { dim { size: 3 } dim { size: 4 } } } } } }
node { name: "product" op: "MatMul" input: "x" input: "w"
  attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "Relu" input: "product" attr { key: "T" value { type: DT_FLOAT } } }
versions { producer: 134 }
)";

struct Asked : Desktop {
    std::string model = path("open.pbtxt");

    Asked() { REQUIRE(writeFileAtomically(model, openSizes).ok()); }
    const Document& document() const { return *window->parts().tabs->document(); }
};

} // namespace

TEST_CASE("a run asks for open sizes with a proposal, and runs with it", "[profile]")
{
    const Asked session;
    REQUIRE(session.run("open " + session.model + R"(
wait idle
action graph.profile
wait idle
expect text profileShape 2,3
expect text profileMessage "nothing says which sizes")") == 0);
    CHECK(session.document().profile().profile() == nullptr);
    session.window->show();
    REQUIRE(session.run("press profileRunWithShape\nwait idle") == 0);
    CHECK(session.document().profile().failure().isEmpty());
    CHECK(session.document().profile().profile() != nullptr);
    CHECK(session.document().profile().openShape() == nullptr);
}

TEST_CASE("the table of feeds says which of its columns takes the sizes", "[run]")
{
    const Asked session;
    REQUIRE(session.run("open " + session.model + R"(
wait idle
action view.run
wait idle
expect text feedSays "nothing says which sizes it has; type them under Size")") == 0);
    CHECK(session.document().feeds().fault().endsWith(
        QLatin1String("type them in the table Run (Shift+F7)")));
}

TEST_CASE("run to here asks for unknown sizes with a proposal, and shows its values then", "[run]")
{
    const Asked session;
    REQUIRE(session.run("open " + session.model + R"(
wait idle
run y
wait idle
expect text valueMessage "nothing says which sizes it has"
expect text valueShape 2,3)") == 0);
    CHECK(session.document().values().outputs().empty());
    session.window->show();
    REQUIRE(session.run(R"(
set valueShape "2 by three"
press valueRunWithShape
wait idle
expect text valueMessage "three"
set valueShape 2,3
press valueRunWithShape
wait idle)") == 0);
    REQUIRE(session.document().values().outputs().size() == 1);
    REQUIRE(session.document().values().outputs()[0].value);
    CHECK(session.document().values().outputs()[0].value->dims() == Dims{2, 4});
}

TEST_CASE("a shape that is none is said beside the field", "[profile]")
{
    const Asked session;
    REQUIRE(session.run("open " + session.model + R"(
wait idle
action graph.profile
wait idle
set profileShape "2 by three"
press profileRunWithShape
wait idle
expect text profileMessage "three")") == 0);
    CHECK(session.document().profile().profile() == nullptr);
}
