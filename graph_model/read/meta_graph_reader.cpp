// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/meta_graph_reader.h"

#include "graph_model/base/text.h"
#include "graph_model/base/wire.h"
#include "graph_model/ops/op_traits.h"
#include "graph_model/read/graph_def_reader.h"
#include "graph_model/read/wire_check.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lapidary {
namespace {

constexpr std::uint32_t fieldMetaInfo = 1;
constexpr std::uint32_t fieldGraph = 2;
constexpr std::uint32_t fieldSaver = 3;
constexpr std::uint32_t fieldCollection = 4;
constexpr std::uint32_t fieldSignature = 5;
constexpr std::uint32_t fieldAsset = 6;
constexpr std::uint32_t fieldObjects = 7;

// Calls `use` with each length-delimited field.
template <class Use>
void forEachBytes(std::string_view message, Use use)
{
    WireCursor cursor(message);
    WireField field;
    while (cursor.next(field))
        if (field.type == WireType::Bytes)
            use(field.field, field.bytes());
}

std::string_view lastBytes(std::string_view message, std::uint32_t number)
{
    std::string_view found;
    forEachBytes(message, [&](std::uint32_t field, std::string_view bytes) {
        if (field == number)
            found = bytes;
    });
    return found;
}

std::string sparseTensor(std::string_view parts)
{
    std::string text;
    for (const std::uint32_t number : {1U, 2U, 3U}) {
        const std::string_view part = lastBytes(parts, number);
        if (!part.empty())
            text += (text.empty() ? "" : ", ") + std::string(part);
    }
    return text;
}

SignatureTensor readTensorInfo(std::string_view key, std::string_view info)
{
    SignatureTensor tensor;
    tensor.key = key;
    WireCursor cursor(info);
    WireField field;
    while (cursor.next(field)) {
        const bool isBytes = field.type == WireType::Bytes;
        if (field.field == 1 && isBytes)
            tensor.tensor = field.bytes();
        else if (field.field == 2 && field.type == WireType::Varint)
            tensor.dtype = DType(std::int32_t(field.number));
        else if (field.field == 3 && isBytes)
            tensor.shape = decodeShape(field.bytes());
        else if (field.field == 4 && isBytes)
            tensor.tensor = sparseTensor(field.bytes());
        else if (field.field == 5 && isBytes)
            forEachBytes(field.bytes(), [&](std::uint32_t number, std::string_view part) {
                const std::string_view name = number == 2 ? lastBytes(part, 1) : std::string_view();
                if (!name.empty())
                    tensor.tensor += (tensor.tensor.empty() ? "" : ", ") + std::string(name);
            });
    }
    return tensor;
}

// Map entries by key; of equal keys the last value counts.
using TensorMap = std::map<std::string_view, SignatureTensor>;

void addTensor(TensorMap& map, std::string_view entry)
{
    const std::string_view key = lastBytes(entry, 1);
    map[key] = readTensorInfo(key, lastBytes(entry, 2));
}

Signature readSignature(std::string_view name, std::string_view message)
{
    Signature signature;
    signature.name = name;
    TensorMap inputs;
    TensorMap outputs;
    forEachBytes(message, [&](std::uint32_t field, std::string_view bytes) {
        if (field == 1)
            addTensor(inputs, bytes);
        else if (field == 2)
            addTensor(outputs, bytes);
        else if (field == 3)
            signature.method = bytes;
    });
    for (auto& [key, tensor] : inputs)
        signature.inputs.push_back(std::move(tensor));
    for (auto& [key, tensor] : outputs)
        signature.outputs.push_back(std::move(tensor));
    return signature;
}

Collection readCollection(std::string_view entry)
{
    constexpr std::array<std::string_view, 6> kinds{"",           "node_list",  "bytes_list",
                                                    "int64_list", "float_list", "any_list"};
    Collection collection;
    collection.name = lastBytes(entry, 1);
    forEachBytes(lastBytes(entry, 2), [&](std::uint32_t kind, std::string_view list) {
        if (kind == 0 || kind >= kinds.size())
            return;
        collection.kind = kinds[kind];
        collection.values.clear();
        collection.count = 0;
        WireCursor cursor(list);
        WireField field;
        while (cursor.next(field)) {
            if (field.field != 1)
                continue;
            const bool isPacked = field.type == WireType::Bytes && (kind == 3 || kind == 4);
            if (field.type == WireType::Bytes && !isPacked)
                collection.values.push_back(field.bytes());
            collection.count += !isPacked   ? 1
                                : kind == 3 ? packedVarints(field.bytes()).size()
                                            : field.number / 4;
        }
    });
    return collection;
}

// Adds an AssetFileDef.
void addAsset(std::string_view asset, GraphEntry& entry)
{
    entry.assets.emplace_back(lastBytes(asset, 2));
    entry.loading.assets.emplace_back(lastBytes(lastBytes(asset, 1), 1), lastBytes(asset, 2));
}

// Adds the assets that TensorFlow before 1.13 stored in a collection of packed messages.
void addCollectedAssets(const Collection& collection, GraphEntry& entry)
{
    for (const std::string_view any : collection.values) {
        const std::string_view url = lastBytes(any, 1);
        if (url.ends_with("tensorflow.AssetFileDef"))
            addAsset(lastBytes(any, 2), entry);
    }
}

// Returns the operation to run once after the variables were read (spec: tools, 11.2).
std::string initOpOf(const GraphEntry& entry, const std::vector<Collection>& collections)
{
    for (const Signature& signature : entry.signatures)
        if (signature.name == "__saved_model_init_op")
            for (const SignatureTensor& output : signature.outputs)
                if (output.key == signature.name)
                    return output.tensor;
    for (const std::string_view name : {"saved_model_main_op", "legacy_init_op", "serving_init_op"})
        for (const Collection& collection : collections)
            if (collection.name == name && collection.values.size() == 1)
                return std::string(collection.values[0]);
    return {};
}

class MetaGraphReader {
public:
    MetaGraphReader(const BufferPtr& owner, int depth)
        : m_owner(owner)
        , m_depth(depth)
    {
    }

    Result<MetaGraphRead> run(std::string_view message, bool isCut, const Job& job);

private:
    void takeField(const WireField& field);
    void takeFault(std::string_view message, const WireCursor& cursor, const WireField& field,
                   bool isCut);
    Status readGraph(const Job& job);
    bool isSound(const WireField& field);
    void finish();
    void report(std::string kind, Severity severity, const char* at, std::string message);

    BufferPtr m_owner;
    int m_depth;
    bool m_isCut = false; // the file ends within the graph
    WireChecker m_checker;
    MetaGraphRead m_read;
    std::map<std::string_view, std::string_view> m_signatures;
    std::map<std::string_view, Collection> m_collections;
    std::vector<std::string_view> m_graphs; // only broken files have several
};

void MetaGraphReader::report(std::string kind, Severity severity, const char* at,
                             std::string message)
{
    const auto offset = std::uint64_t(at - m_owner->bytes().data());
    message += " (byte " + std::to_string(offset) + ")";
    m_read.problems.push_back({std::move(kind), severity, {}, offset, {}, {}, std::move(message)});
}

// Checks the content of a field other than the graph. Returns false if it is unreadable and left
// out.
bool MetaGraphReader::isSound(const WireField& field)
{
    const FieldSpec* spec = messageSpec(MessageId::MetaGraphDef).field(field.field);
    if (spec == nullptr)
        return true;
    if (field.type != WireType::Bytes) {
        report("wrong_wire_type", Severity::Warning, field.tag,
               "field " + std::string(spec->name) +
                   " of the meta graph is written as another kind of value");
        return true;
    }
    const bool isWhole = m_checker.check(field.bytes(), spec->message(), m_depth + 1);
    for (const WireFault& fault : m_checker.faults())
        report(fault.kind,
               !fault.isFatal && fault.kind == "wrong_wire_type" ? Severity::Warning
                                                                 : Severity::Error,
               fault.at, fault.what + " in " + std::string(spec->name));
    m_checker.clearFaults();
    return isWhole;
}

// The pieces of a graph are joined, since they are one message to protobuf.
Status MetaGraphReader::readGraph(const Job& job)
{
    std::string_view message = m_graphs.empty() ? std::string_view() : m_graphs[0];
    BufferPtr owner = m_owner;
    if (m_graphs.size() != 1) {
        std::string joined;
        for (const std::string_view piece : m_graphs)
            joined.append(piece);
        owner = makeBuffer(std::move(joined));
        message = owner->bytes();
    }
    ASSIGN_OR_RETURN(GraphReadResult read, readGraphDef(message, owner, m_depth + 1, m_isCut, job));
    m_read.hasGraph = !m_graphs.empty();
    m_read.entry.graph = read.graph;
    m_read.entry.problems = std::move(read.problems);
    m_read.isGraphDamaged = read.isDamaged;
    return Done{};
}

void MetaGraphReader::takeField(const WireField& field)
{
    if (field.field == fieldGraph && field.type == WireType::Bytes) {
        if (m_graphs.empty())
            WireWriter(m_read.envelope).bytes(fieldGraph, {});
        m_graphs.push_back(field.bytes());
        return;
    }
    if (!isSound(field))
        return;
    m_read.envelope.append(field.raw());
    if (field.type != WireType::Bytes)
        return;
    const std::string_view bytes = field.bytes();
    if (field.field == fieldMetaInfo)
        forEachBytes(bytes, [&](std::uint32_t number, std::string_view tag) {
            if (number == 4)
                m_read.entry.tags.emplace_back(tag);
        });
    if (field.field == fieldSaver) {
        m_read.hasSaver = true;
        m_read.filenameTensor = lastBytes(bytes, 1);
        m_read.saveTensor = lastBytes(bytes, 2);
        m_read.restoreOp = lastBytes(bytes, 3);
        m_read.entry.loading.filenameTensor = m_read.filenameTensor;
        m_read.entry.loading.restoreOp = m_read.restoreOp;
    }
    if (field.field == fieldCollection) {
        Collection collection = readCollection(bytes);
        m_collections[collection.name] = std::move(collection);
    }
    if (field.field == fieldSignature)
        m_signatures[lastBytes(bytes, 1)] = lastBytes(bytes, 2);
    if (field.field == fieldAsset)
        addAsset(bytes, m_read.entry);
    if (field.field == fieldObjects)
        m_read.entry.bound = readBoundInputs(bytes);
}

void MetaGraphReader::finish()
{
    GraphEntry& entry = m_read.entry;
    entry.title = listed(entry.tags);
    for (const auto& [name, message] : m_signatures)
        entry.signatures.push_back(readSignature(name, message));
    for (auto& [name, collection] : m_collections) {
        entry.collections.push_back(std::string(name) + " (" + std::to_string(collection.count) +
                                    ")");
        if (name == "saved_model_assets" && entry.assets.empty())
            addCollectedAssets(collection, entry);
        m_read.collections.push_back(std::move(collection));
    }
    entry.variables = variablesOf(*entry.graph);
    nameNodes(entry.bound, *entry.graph);
    entry.loading.initOp = initOpOf(entry, m_read.collections);
}

void MetaGraphReader::takeFault(std::string_view message, const WireCursor& cursor,
                                const WireField& field, bool isCut)
{
    const char* end = message.data() + message.size();
    const FieldSpec* spec = messageSpec(MessageId::MetaGraphDef).field(field.field);
    if (cursor.fault() == std::string_view("overlong_length") && spec != nullptr &&
        field.number <= INT32_MAX) {
        const std::string_view rest(field.payload, std::size_t(end - field.payload));
        isCut = isCut || looksCutShort(rest, spec->message());
        m_isCut = isCut && field.field == fieldGraph;
        if (m_isCut)
            m_graphs.push_back(rest);
    }
    if (isCut)
        report("truncated", Severity::Error, end,
               "the file ends inside the meta graph; the intact part before it is shown");
    else
        report(cursor.fault(), Severity::Error, cursor.faultAt(), "the meta graph is damaged");
}

Result<MetaGraphRead> MetaGraphReader::run(std::string_view message, bool isCut, const Job& job)
{
    WireCursor cursor(message);
    WireField field;
    while (cursor.next(field))
        takeField(field);
    if (cursor.failed())
        takeFault(message, cursor, field, isCut);
    else if (isCut)
        report("truncated", Severity::Error, message.data() + message.size(),
               "the file ends inside the meta graph; the intact part before it is shown");
    RETURN_IF_ERROR(readGraph(job));
    finish();
    return std::move(m_read);
}

} // namespace

std::vector<VariableInfo> variablesOf(const Graph& graph)
{
    std::vector<VariableInfo> variables;
    for (const NodePtr& node : graph.nodes()) {
        if (!isVariable(node->op()))
            continue;
        VariableInfo variable;
        variable.name = node->name();
        variable.op = node->op();
        variable.dtype = node->attr("dtype").asType().value_or(DType::Invalid);
        variable.shape = node->attr("shape").asShape().value_or(Shape{{}, true});
        variables.push_back(std::move(variable));
    }
    return variables;
}

Result<MetaGraphRead> readMetaGraph(std::string_view message, const BufferPtr& owner, int depth,
                                    bool isCut, const Job& job)
{
    return MetaGraphReader(owner, depth).run(message, isCut, job);
}

} // namespace lapidary
