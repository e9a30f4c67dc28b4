// SPDX-License-Identifier: Apache-2.0
#include "graph_model/write/graph_def_source.h"
#include "graph_model/write/write_model.h"
#include "tests/catch.h"
#include "tests/transforms/passes/function_graphs.h"
#include "transforms/constants/const_node.h"
#include "transforms/freeze/classic_graph.h"
#include "transforms/freeze/filled_tables.h"
#include "transforms/freeze/freeze_model.h"

#include <algorithm>

namespace lapidary {
namespace {

const std::string ofFloat = " dtype={type:DT_FLOAT}";
const std::string handle = " = VarHandleOp() dtype={type:DT_FLOAT} shape={shape{}}";
const std::string scaleCall =
    " f={ func { name: 'Scale' } } Tin={ list { type: DT_FLOAT type: DT_RESOURCE } } "
    "Tout={ list { type: DT_FLOAT } }";

const FunctionSketch scale{
    .name = "Scale",
    .arguments = {"x", "h:DT_RESOURCE"},
    .results = {"y = product:z:0"},
    .nodes = {"w = ReadVariableOp(h)" + ofFloat, "product = Mul(x, w:value:0)" + floatT},
    .controlResults = {"w"}};

GraphEntry entryOf(const GraphPtr& graph)
{
    GraphEntry entry;
    entry.graph = graph;
    return entry;
}

// Without a checkpoint, the initializer gives the variable's value.
FreezeRequest requestFor(std::vector<std::string> outputs)
{
    FreezeRequest request;
    request.model = "model.pb";
    request.outputs = std::move(outputs);
    request.initializers = {"init"};
    return request;
}

const std::vector<std::string> variable{"v" + handle, "three = Const()" + floatConstant(3),
                                        "init = AssignVariableOp(v, three)" + ofFloat,
                                        "x = Placeholder() dtype={type:DT_FLOAT} shape={shape{}}"};

GraphPtr withVariable(const std::vector<FunctionSketch>& functions, std::vector<std::string> nodes)
{
    nodes.insert(nodes.begin(), variable.begin(), variable.end());
    return graphWith(functions, nodes);
}

} // namespace

TEST_CASE("a network in a function is frozen to a graph without calls", "[freeze]")
{
    const GraphEntry entry =
        entryOf(withVariable({scale}, {"call = StatefulPartitionedCall(x, v)" + scaleCall,
                                       "y = Identity(call, ^call)" + floatT}));
    const auto model = freezeModel(entry, requestFor({"y"}), Job());
    INFO((model.ok() ? std::string() : model.error().message));
    REQUIRE(model.ok());
    const Graph& graph = *model->frozen.edit.graph;
    // The control input from what is computed from x stays; it does no harm.
    CHECK(printGraph(graph) == "v = Const()\nx = Placeholder()\n"
                               "call = NoOp(^call/product)\n"
                               "call/w = Identity(v)\ncall/product = Mul(x, call/w)\n"
                               "y = Identity(call/product, ^call)\n");
    CHECK(graph.functions() == nullptr);
    CHECK(model->frozen.variables == std::vector<NodeId>{entry.graph->find("v")});
    CHECK(model->frozen.edit.lineage.origins.size() == graph.size());
    CHECK(model->frozen.edit.lineage.successor.size() == entry.graph->size());
}

TEST_CASE("tables that the init operation fills are filled in the frozen graph", "[freeze]")
{
    const std::string call =
        " Tin={ list { type: DT_RESOURCE } } Tout={ list { } } f={ func { name: ";
    const std::string types = " key_dtype={type:DT_FLOAT} value_dtype={type:DT_FLOAT}";
    const std::string keyTypes = " Tin={type:DT_FLOAT} Tout={type:DT_FLOAT}";
    const FunctionSketch lookUp{
        .name = "LookUp",
        .arguments = {"x", "t:DT_RESOURCE"},
        .results = {"y = found:values:0"},
        .nodes = {"none = Const()" + floatConstant(7),
                  "found = LookupTableFindV2(t, x, none:output:0)" + keyTypes}};
    const FunctionSketch fill{
        .name = "Fill",
        .arguments = {"t:DT_RESOURCE"},
        .nodes = {"k = Const()" + floatConstant(3),
                  "import = LookupTableImportV2(t, k:output:0, k:output:0)" + keyTypes},
        .controlResults = {"import"}};
    GraphEntry entry = entryOf(graphWith(
        {lookUp, fill},
        {"x = Placeholder() dtype={type:DT_FLOAT} shape={shape{}}", "t = HashTableV2()" + types,
         "y = StatefulPartitionedCall(x, t) f={ func { name: 'LookUp' } } "
         "Tin={ list { type: DT_FLOAT type: DT_RESOURCE } } Tout={ list { type: DT_FLOAT } }",
         "init = StatefulPartitionedCall(t)" + call + "'Fill' } }"}));
    FreezeRequest request;
    request.outputs = {"y"};
    const auto bare = freezeModel(entry, request, Job());
    REQUIRE(bare.ok());
    CHECK(printGraph(*bare->frozen.edit.graph).find("Import") == std::string::npos);
    entry.loading.initOp = "init";
    const auto model = freezeModel(entry, request, Job());
    REQUIRE(model.ok());
    const std::string text = printGraph(*model->frozen.edit.graph);
    CAPTURE(text);
    CHECK(text.find("LookupTableImportV2(t, ") != std::string::npos);
    CHECK(text.find("^init/import)") != std::string::npos);
}

TEST_CASE("an init operation is asked for tables before its functions are put in place", "[freeze]")
{
    const std::string call = " = PartitionedCall(t) Tin={ list { type: DT_RESOURCE } } "
                             "Tout={ list { } } f={ func { name: ";
    const FunctionSketch inner{.name = "Inner",
                               .arguments = {"t:DT_RESOURCE"},
                               .nodes = {"k = Const()" + floatConstant(3),
                                         "import = LookupTableImportV2(t, k:output:0, k:output:0)"},
                               .controlResults = {"import"}};
    const FunctionSketch outer{
        .name = "Outer", .arguments = {"t:DT_RESOURCE"}, .nodes = {"call" + call + "'Inner' } }"}};
    const FunctionSketch fromFile{
        .name = "FromFile",
        .arguments = {"t:DT_RESOURCE"},
        .nodes = {"name = Const()", "read = InitializeTableFromTextFileV2(t, name:output:0)"}};
    const GraphPtr graph =
        graphWith({inner, outer, fromFile},
                  {"x = Placeholder()", "t = HashTableV2()", "fills" + call + "'Outer' } }",
                   "reads" + call + "'FromFile' } }", "direct = InitializeTableV2(t, x, x)",
                   "waits = NoOp(^direct)", "idle = NoOp(^x)"});
    CHECK(hasTables(*graph));
    CHECK_FALSE(hasTables(*graphWith({}, {"x = Placeholder()", "y = Identity(x)"})));
    const auto fills = [&](const char* name) { return fillsTables(*graph, graph->find(name)); };
    CHECK(fills("fills"));
    CHECK(fills("waits"));
    CHECK(fills("reads"));
    CHECK_FALSE(fills("idle"));
}

TEST_CASE("tables of a graph without functions are filled in the frozen graph", "[freeze]")
{
    const std::string types = " key_dtype={type:DT_FLOAT} value_dtype={type:DT_FLOAT}";
    const std::string keyTypes = " Tin={type:DT_FLOAT} Tout={type:DT_FLOAT}";
    const GraphEntry entry = entryOf(graphWith(
        {}, {"x = Placeholder() dtype={type:DT_FLOAT} shape={shape{}}", "t = HashTableV2()" + types,
             "k = Const()" + floatConstant(3), "none = Const()" + floatConstant(7),
             "fill = LookupTableImportV2(t, k, k)" + keyTypes,
             "y = LookupTableFindV2(t, x, none)" + keyTypes}));
    FreezeRequest request;
    request.outputs = {"y"};
    const auto filled = freezeModel(entry, request, Job());
    REQUIRE(filled.ok());
    CHECK(printGraph(*filled->frozen.edit.graph).find("^fill)") != std::string::npos);
    request.fillsTables = false; // as freeze_graph does
    const auto bare = freezeModel(entry, request, Job());
    REQUIRE(bare.ok());
    CHECK(printGraph(*bare->frozen.edit.graph).find("fill") == std::string::npos);
}

TEST_CASE("a function that cannot be put in place of its call is named with its chain", "[freeze]")
{
    FunctionSketch again = scale;
    again.nodes.push_back("more = StatefulPartitionedCall(x, h)" + scaleCall);
    const GraphEntry entry =
        entryOf(withVariable({again}, {"y = StatefulPartitionedCall(x, v)" + scaleCall}));
    const auto model = freezeModel(entry, requestFor({"y"}), Job());
    REQUIRE_FALSE(model.ok());
    CHECK(model.error().message.find("a function is recursive: Scale > Scale") !=
          std::string::npos);
}

TEST_CASE("the sources of variables are told before anything is frozen", "[freeze]")
{
    const GraphEntry entry = entryOf(
        withVariable({scale}, {"u" + handle, "call = StatefulPartitionedCall(x, v)" + scaleCall,
                               "z = StatefulPartitionedCall(call, u)" + scaleCall}));
    const auto sources = variableSources(entry, requestFor({"z"}), Job());
    REQUIRE(sources.ok());
    REQUIRE(sources->size() == 2);
    CHECK((*sources)[0].kind == VariableSource::Kind::Initializer);
    CHECK((*sources)[0].key == "three");
    CHECK((*sources)[0].fault.empty());
    CHECK((*sources)[1].kind == VariableSource::Kind::Missing);
    CHECK((*sources)[1].fault == "no checkpoint belongs to the model");
    CHECK(variableSources(entry, requestFor({"call"}), Job())->size() == 1);
}

TEST_CASE("waits for what is constant go, others stay", "[freeze]")
{
    const GraphPtr before = graph("x = Placeholder()\nc = Const()\nd = Neg(c)\ne = Neg(x)\n"
                                  "r = RandomUniform(c)\ny = Neg(x, ^c, ^d, ^e, ^r)\n");
    const auto edit = withoutIdleWaits(before);
    REQUIRE(edit.ok());
    CHECK(inputsOf(edit->graph, "y") == "x, ^e, ^r");
    CHECK(withoutIdleWaits(edit->graph)->graph == edit->graph);
}

TEST_CASE("large constants are written in pieces that are the whole", "[freeze]")
{
    const std::vector<float> values(1 << 20, 0.5F);
    GraphBuilder builder;
    builder.placeholder("x", {2}).floats("w", {1 << 20}, values).node("y", "Neg", {"w"});
    GraphEdit edit(builder.build());
    NodeDraft last = floatConst("last", {1 << 20}, values);
    last.setAttr("zz", attr::fromInt(1)); // after the value
    edit.add(std::move(last));
    const auto made = std::move(edit).finish();
    REQUIRE(made.ok());
    std::string joined;
    std::size_t longest = 0;
    CHECK(graphDefSource(*made->graph)([&](std::string_view piece) -> Status {
              joined += piece;
              longest = std::max(longest, piece.size());
              return Done{};
          }).ok());
    CHECK((joined == encodeGraphDef(*made->graph)));
    CHECK(longest < joined.size());
}

} // namespace lapidary
