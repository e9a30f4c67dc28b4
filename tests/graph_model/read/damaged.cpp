// SPDX-License-Identifier: Apache-2.0
#include "tests/graph_model/read/damaged.h"

#include "graph_model/graph/graph.h"
#include "graph_model/lift/lift_graph.h"
#include "graph_model/shapes/inferred_shapes.h"
#include "tests/catch.h"
#include "tests/graph_model/read/read_bytes.h"

#include <utility>

namespace lapidary {

void useAll(const ModelFile& file)
{
    CHECK((!file.isRefused() || file.hasErrors() || file.isData));
    for (const GraphEntry& entry : file.graphs) {
        CHECK(topologicalOrder(*entry.graph).size() == entry.graph->size());
        CHECK(propagateShapes(*entry.graph, {}, {}, Job()));
        (void)liftGraph(entry.graph, Job());
        for (const NodePtr& one : entry.graph->nodes())
            if (one->op() == "Const")
                if (const auto value = one->tensor())
                    (void)value->values(1 << 20);
    }
}

void expectDamageIsSurvived(const std::string& whole)
{
    for (std::size_t size = 0; size < whole.size(); ++size) {
        INFO("cut after " << size << " bytes");
        useAll(readBytes(whole.substr(0, size)));
    }
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (const int flipped : {0x01, 0x80, 0xff}) {
            INFO("byte " << at << " changed by " << flipped);
            std::string bytes = whole;
            bytes[at] = char(bytes[at] ^ flipped);
            useAll(readBytes(std::move(bytes)));
        }
}

} // namespace lapidary
