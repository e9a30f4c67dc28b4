// SPDX-License-Identifier: Apache-2.0
#include "graph_model/write/write_model.h"
#include "runner/execute/session.h"
#include "tests/catch.h"
#include "tests/test_folder.h"
#include "tests/transforms/passes/function_graphs.h"
#include "transforms/freeze/freeze_model.h"
#include "transforms/freeze/text_tables.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

const std::string text = "dtype={type:DT_STRING} ";
const std::string types = " key_dtype={type:DT_STRING} value_dtype={type:DT_INT64}";
const std::string wholeLines = " key_index={i:-2} value_index={i:-1} vocab_size={i:-1} "
                               "delimiter={s:'\\t'}";
const std::string lookUp = " Tin={type:DT_STRING} Tout={type:DT_INT64}";
const std::string path =
    "path = Const() " + text + "value={tensor{dtype:DT_STRING tensor_shape{} string_val:'/gone'}}";
const std::string none =
    "none = Const() dtype={type:DT_INT64} value={tensor{dtype:DT_INT64 tensor_shape{} "
    "int64_val:-1}}";
const std::string word = "word = Placeholder() " + text + "shape={shape{}}";

// A model's folder with one asset.
class Model {
public:
    explicit Model(const GraphPtr& graph)
    {
        fs::create_directories(m_folder.path() / "assets");
        m_folder.write("assets/words.txt", "cat\ndog\nfox\n");
        m_entry.graph = graph;
        m_entry.loading.assets = {{"path:0", "words.txt"}};
    }

    GraphEntry& entry() { return m_entry; }
    GraphPtr frozen() const
    {
        FreezeRequest request;
        request.model = m_folder.path();
        request.outputs = {"y"};
        const auto model = freezeModel(m_entry, request, Job());
        INFO((model.ok() ? std::string() : model.error().message));
        REQUIRE(model.ok());
        return model->frozen.edit.graph;
    }

private:
    TestFolder m_folder;
    GraphEntry m_entry;
};

std::int64_t found(const GraphPtr& graph, const std::string& key)
{
    Session session(graph, {});
    RunRequest request;
    request.feeds = {{"word:0", Value::ofStrings({}, {key})}};
    request.fetches = {"y:0"};
    const auto values = session.run(request, Job());
    INFO((values.ok() ? std::string() : values.error().message));
    REQUIRE(values.ok());
    return values->front().as<std::int64_t>().front();
}

GraphPtr plainGraph()
{
    return graphWith({}, {path, word, none, "copy = Identity(path) T={type:DT_STRING}",
                          "t = HashTableV2()" + types,
                          "fill = InitializeTableFromTextFileV2(t, copy)" + wholeLines,
                          "y = LookupTableFindV2(t, word, none)" + lookUp});
}

} // namespace

TEST_CASE("tables that a text file of the model fills are constants of the frozen graph",
          "[freeze]")
{
    const GraphPtr graph = Model(plainGraph()).frozen();
    CHECK(printGraph(*graph).find("InitializeTableV2(t, fill/keys, fill/values)") !=
          std::string::npos);
    CHECK(found(graph, "fox") == 2);
    CHECK(found(graph, "cow") == -1);
}

TEST_CASE("so are those that functions fill and look up", "[freeze]")
{
    const FunctionSketch fill{
        .name = "Fill",
        .arguments = {"t:DT_RESOURCE", "file:DT_STRING"},
        .nodes = {"init = InitializeTableFromTextFileV2(t, file)" + wholeLines},
        .controlResults = {"init"}};
    const FunctionSketch find{.name = "Find",
                              .arguments = {"w:DT_STRING", "t:DT_RESOURCE", "d:DT_INT64"},
                              .results = {"y:DT_INT64 = found:values:0"},
                              .nodes = {"found = LookupTableFindV2(t, w, d)" + lookUp}};
    Model model(graphWith(
        {fill, find},
        {path, word, none, "t = HashTableV2()" + types,
         "y = StatefulPartitionedCall(word, t, none) f={ func { name: 'Find' } } Tin={ list { "
         "type: DT_STRING type: DT_RESOURCE type: DT_INT64 } } Tout={ list { type: DT_INT64 } }",
         "init = StatefulPartitionedCall(t, path) f={ func { name: 'Fill' } } Tin={ list { type: "
         "DT_RESOURCE type: DT_STRING } } Tout={ list { } }"}));
    model.entry().loading.initOp = "init";
    CHECK(found(model.frozen(), "dog") == 1);
}

TEST_CASE("so are those whose handle comes out of a function, filled twice", "[freeze]")
{
    const std::string fills = " f={ func { name: 'Fill' } } Tin={ list { type: DT_RESOURCE type: "
                              "DT_STRING } } Tout={ list { } }";
    const FunctionSketch make{.name = "Make",
                              .results = {"handle:DT_RESOURCE = t:table_handle:0"},
                              .nodes = {"t = HashTableV2()" + types}};
    const FunctionSketch fill{
        .name = "Fill",
        .arguments = {"t:DT_RESOURCE", "file:DT_STRING"},
        .nodes = {"init = InitializeTableFromTextFileV2(t, file)" + wholeLines},
        .controlResults = {"init"}};
    Model model(graphWith({make, fill},
                          {path, word, none,
                           "t = StatefulPartitionedCall() f={ func { name: 'Make' } } Tin={ list { "
                           "} } Tout={ list { type: DT_RESOURCE } }",
                           "first = StatefulPartitionedCall(t, path)" + fills,
                           "second = StatefulPartitionedCall(t, path)" + fills,
                           "init = NoOp(^first, ^second)",
                           "y = LookupTableFindV2(t, word, none)" + lookUp}));
    model.entry().loading.initOp = "init";
    CHECK(found(model.frozen(), "fox") == 2);
}

TEST_CASE("no file outside of the model's assets is read, and none that does not suit", "[freeze]")
{
    const TestFolder elsewhere;
    const std::string secret = elsewhere.write("secret.txt", "cat\n");
    const std::string climbing = "../saved_model.pb";
    for (const std::string& file : {secret, climbing, std::string("missing.txt")}) {
        Model model(plainGraph());
        model.entry().loading.assets = {{"path:0", file}};
        CAPTURE(file);
        CHECK(printGraph(*model.frozen()).find("InitializeTable") == std::string::npos);
    }
    Model other(graphWith({}, {path, word, none, "t = HashTableV2()" + types,
                               "fill = InitializeTableFromTextFileV2(t, path) key_index={i:3} "
                               "value_index={i:-1}",
                               "y = LookupTableFindV2(t, word, none)" + lookUp}));
    CHECK(printGraph(*other.frozen()).find("InitializeTable") == std::string::npos);
}

} // namespace lapidary
