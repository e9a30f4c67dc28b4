// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/model_file.h"
#include "graph_model/write/event_file.h"
#include "tests/catch.h"
#include "tests/graph_testing.h"

namespace lapidary {

TEST_CASE("an event file holds the graph and is read back", "[write]")
{
    const GraphPtr before = graph("x = Placeholder()\ny = Relu(x)\n");
    const std::string bytes = encodeEventFile(*before, 1795292072.25);
    const auto file = readModelBytes(bytes, "events", Job(), {.check = false});
    REQUIRE(file.ok());
    CHECK(file->format == FileFormat::EventFile);
    CHECK(file->problems.empty());
    REQUIRE(file->graphs.size() == 1);
    CHECK(printGraph(*file->graphs[0].graph) == printGraph(*before));
}

TEST_CASE("event files are called as TensorBoard looks for them", "[write]")
{
    CHECK(eventFileName(1795292072.9, "host") == "events.out.tfevents.1795292072.host");
    CHECK(eventFileName(17, "h") == "events.out.tfevents.0000000017.h");
}

} // namespace lapidary
