// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/graph_def_reader.h"

#include "graph_model/graph/function.h"
#include "graph_model/read/wire_check.h"

#include <algorithm>
#include <utility>

namespace lapidary {
namespace {

constexpr std::uint32_t fieldNode = 1;
constexpr std::uint32_t fieldLibrary = 2;
constexpr std::uint32_t fieldVersions = 4;
constexpr std::size_t maxProblems = 1000;

// Returns true if a whole, plausible NodeDef starts here: its tag, its length, a name and an op.
// `budget` limits the search in a hostile file.
bool isNodeAt(std::string_view rest, std::uint64_t& budget)
{
    if (rest.size() < 8 || rest[0] != '\x0a')
        return false;
    WireCursor cursor(rest);
    WireField node;
    if (!cursor.next(node))
        return false;
    WireCursor inner(node.bytes());
    WireField field;
    bool hasName = false;
    bool hasOp = false;
    while (inner.next(field)) {
        if (budget == 0)
            return false;
        --budget;
        const bool isText = field.type == WireType::Bytes;
        if (field.field > 7 || !isText)
            return false;
        const auto isPrintable = [](unsigned char c) { return c >= 0x20 && c != 0x7F; };
        if (field.field <= 2 && !std::ranges::all_of(field.bytes(), isPrintable))
            return false;
        hasName |= field.field == 1 && field.number > 0;
        hasOp |= field.field == 2 && field.number > 0;
    }
    return !inner.failed() && hasName && hasOp;
}

std::string_view nameOf(std::string_view nodeDef)
{
    WireCursor cursor(nodeDef);
    WireField field;
    std::string_view name;
    while (cursor.next(field))
        if (field.field == 1 && field.type == WireType::Bytes)
            name = field.bytes();
    return name;
}

// Returns the name in the signature of a FunctionDef that may be damaged.
std::string_view functionName(const WireField& function)
{
    if (function.field != 1 || function.type != WireType::Bytes)
        return {};
    WireCursor cursor(function.bytes());
    WireField field;
    while (cursor.next(field))
        if (field.field == 1 && field.type == WireType::Bytes)
            return nameOf(field.bytes());
    return {};
}

class GraphDefReader {
public:
    GraphDefReader(std::string_view message, const BufferPtr& owner, int depth, bool endsFile)
        : m_message(message)
        , m_owner(owner)
        , m_depth(depth)
        , m_endsFile(endsFile)
    {
    }

    Result<GraphReadResult> run(const Job& job);

private:
    bool readTopLevel(const Job& job);
    void takeField(const WireField& field);
    void takeNode(const WireField& field);
    void takeLibrary(const WireField& field);
    void takeVersions(const WireField& field);
    bool reportCut(const WireField& field);
    const char* nextNode(const char* from);
    std::string_view recover(const WireCursor& cursor, const WireField& field);
    void report(std::string kind, Severity severity, const char* at, std::string message,
                std::string node = {});
    void reportChecked(std::string_view node, bool isWhole, const char* what);
    std::shared_ptr<const FunctionLibrary> library();
    std::uint64_t offset(const char* at) const
    {
        return std::uint64_t(at - m_owner->bytes().data());
    }

    std::string_view m_message;
    BufferPtr m_owner;
    int m_depth;
    bool m_endsFile;
    WireChecker m_checker;
    std::vector<std::string_view> m_nodes;
    std::vector<std::string_view> m_libraries;
    Graph::Parts m_parts;
    GraphReadResult m_result;
    std::size_t m_unreported = 0;
    std::uint64_t m_searchBudget = std::uint64_t(1) << 24;
};

void GraphDefReader::report(std::string kind, Severity severity, const char* at,
                            std::string message, std::string node)
{
    m_result.isDamaged |= severity == Severity::Error && node.empty();
    if (m_result.problems.size() >= maxProblems) {
        ++m_unreported;
        return;
    }
    m_result.problems.push_back(
        {std::move(kind), severity, std::move(node), offset(at), {}, {}, std::move(message)});
}

// Converts the checker's findings in one message to problems.
void GraphDefReader::reportChecked(std::string_view node, bool isWhole, const char* what)
{
    for (const WireFault& fault : m_checker.faults()) {
        const bool isWarning = !fault.isFatal && fault.kind == "wrong_wire_type";
        std::string message =
            fault.what + " (" + what + " at byte " + std::to_string(offset(fault.at)) + ")";
        if (fault.isFatal)
            message += "; it is left out";
        report(fault.kind, isWarning ? Severity::Warning : Severity::Error, fault.at,
               std::move(message), std::string(node));
    }
    m_result.isDamaged |= !isWhole;
    m_checker.clearFaults();
}

void GraphDefReader::takeNode(const WireField& field)
{
    const bool isWhole = m_checker.check(field.bytes(), MessageId::NodeDef, m_depth + 1);
    if (!m_checker.faults().empty())
        reportChecked(nameOf(field.bytes()), isWhole, "node");
    if (isWhole)
        m_nodes.push_back(field.bytes());
}

// Leaves out damaged functions and keeps the others.
void GraphDefReader::takeLibrary(const WireField& field)
{
    const std::size_t before = m_checker.faults().size();
    if (m_checker.check(field.bytes(), MessageId::FunctionDefLibrary, m_depth + 1)) {
        if (m_checker.faults().size() > before)
            reportChecked({}, true, "function library");
        m_libraries.push_back(field.bytes());
        return;
    }
    m_checker.clearFaults();
    WireCursor cursor(field.bytes());
    WireField part;
    while (cursor.next(part)) {
        const FieldSpec* spec = messageSpec(MessageId::FunctionDefLibrary).field(part.field);
        const bool isMessage = spec != nullptr && part.type == WireType::Bytes;
        const bool isWhole =
            !isMessage || m_checker.check(part.bytes(), spec->message(), m_depth + 2);
        if (!m_checker.faults().empty())
            reportChecked(functionName(part), isWhole, "function");
        if (isWhole)
            m_libraries.push_back(part.raw());
    }
    if (cursor.failed())
        report(cursor.fault(), Severity::Error, cursor.faultAt(),
               "the function library is damaged (byte " + std::to_string(offset(cursor.faultAt())) +
                   ")");
    m_libraries.emplace_back(); // more than one piece, so that they are joined
}

void GraphDefReader::takeVersions(const WireField& field)
{
    if (!m_checker.check(field.bytes(), MessageId::VersionDef, m_depth + 1)) {
        reportChecked({}, false, "versions");
        return;
    }
    GraphVersions& versions = m_parts.versions;
    versions.present = true;
    WireCursor cursor(field.bytes());
    WireField part;
    while (cursor.next(part)) {
        if (part.field == 1 && part.type == WireType::Varint)
            versions.producer = std::int32_t(part.number);
        else if (part.field == 2 && part.type == WireType::Varint)
            versions.minConsumer = std::int32_t(part.number);
        else if (part.field == 3 && part.type == WireType::Varint)
            versions.badConsumers.push_back(std::int32_t(part.number));
        else if (part.field == 3 && part.type == WireType::Bytes)
            for (const std::uint64_t number : packedVarints(part.bytes()))
                versions.badConsumers.push_back(std::int32_t(number));
        else
            versions.unknownFields.append(part.raw());
    }
}

void GraphDefReader::takeField(const WireField& field)
{
    const bool isMessage = field.type == WireType::Bytes;
    if (field.field == fieldNode && isMessage)
        return takeNode(field);
    if (field.field == fieldLibrary && isMessage)
        return takeLibrary(field);
    if (field.field == fieldVersions && isMessage)
        return takeVersions(field);
    m_parts.unknownFields.append(field.raw());
    if (messageSpec(MessageId::GraphDef).field(field.field) != nullptr && field.field != 3)
        report("wrong_wire_type", Severity::Warning, field.tag,
               "field " + std::to_string(field.field) +
                   " of the graph is written as another kind "
                   "of value (byte " +
                   std::to_string(offset(field.tag)) + "); it is kept but not read");
}

// Handles a length that exceeds the message. The bytes after it decide whether the file was cut off
// or the length is wrong. If they do not, the message names both.
bool GraphDefReader::reportCut(const WireField& field)
{
    const char* end = m_message.data() + m_message.size();
    const FieldSpec* spec = messageSpec(MessageId::GraphDef).field(field.field);
    if (spec == nullptr || spec->type != FieldType::Message || field.number > INT32_MAX)
        return false;
    const std::string_view rest(field.payload, std::size_t(end - field.payload));
    if (!looksCutShort(rest, spec->message()))
        return false;
    const std::string start = std::to_string(offset(field.tag));
    if (!rest.empty() && isWholeMessage(rest))
        report("overlong_length", Severity::Error, field.length,
               "the message at byte " + start + " says it has " + std::to_string(field.number) +
                   " bytes, " + std::to_string(rest.size()) + " are left");
    report("truncated", Severity::Error, m_endsFile ? end : field.tag,
           "the file ends at byte " + std::to_string(offset(end)) +
               " in the middle of a message that starts at byte " + start +
               "; the intact part before it is shown");
    return true;
}

// Returns the next position where a whole node starts; the end if there is none.
const char* GraphDefReader::nextNode(const char* from)
{
    const char* end = m_message.data() + m_message.size();
    while (from < end && m_searchBudget > 0 &&
           !isNodeAt({from, std::size_t(end - from)}, m_searchBudget))
        ++from;
    return m_searchBudget > 0 ? from : end;
}

// Reports a fault outside of any node. Returns the rest of the message from the next whole node on,
// or nothing.
std::string_view GraphDefReader::recover(const WireCursor& cursor, const WireField& field)
{
    const char* end = m_message.data() + m_message.size();
    std::string kind = cursor.fault();
    const char* at = cursor.faultAt();
    if (kind == "overlong_length" && reportCut(field))
        return {};
    const char* next = nextNode(cursor.at() + 1);
    const bool goesOn = next < end;
    const bool isNoField = (kind == "bad_varint" || kind == "bad_tag") && at == cursor.at();
    const bool isGarbage = isNoField && !goesOn && !cursor.ranOut() && !m_nodes.empty();
    if (isGarbage)
        kind = "not_a_model";
    report(kind, Severity::Error, at,
           std::string(isGarbage ? "what follows is not part of a model" : "the graph is damaged") +
               " (byte " + std::to_string(offset(at)) + ")" +
               (goesOn ? "; reading goes on at byte " + std::to_string(offset(next))
                       : "; the intact part before it is shown"));
    if (kind == "bad_varint" && cursor.ranOut())
        report("truncated", Severity::Error, end,
               "the file ends at byte " + std::to_string(offset(end)) + " inside a number");
    return {next, std::size_t(end - next)};
}

bool GraphDefReader::readTopLevel(const Job& job)
{
    std::string_view rest = m_message;
    while (!rest.empty()) {
        WireCursor cursor(rest);
        WireField field;
        unsigned count = 0;
        while (cursor.next(field)) {
            takeField(field);
            if ((++count & 1023U) == 0 && job.cancelled())
                return false;
        }
        if (!cursor.failed())
            break;
        rest = recover(cursor, field);
    }
    return true;
}

// Joins several library fields, which are one library in pieces.
std::shared_ptr<const FunctionLibrary> GraphDefReader::library()
{
    if (m_libraries.empty())
        return nullptr;
    if (m_libraries.size() == 1)
        return readFunctionLibrary(m_libraries[0], m_owner);
    std::string joined;
    for (const std::string_view part : m_libraries)
        joined.append(part);
    const BufferPtr buffer = makeBuffer(std::move(joined));
    return readFunctionLibrary(buffer->bytes(), buffer);
}

Result<GraphReadResult> GraphDefReader::run(const Job& job)
{
    if (!readTopLevel(job))
        return cancelledError();
    NodeBlockBuilder builder(m_owner);
    builder.reserve(m_nodes.size());
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        builder.add(m_nodes[i]);
        if ((i & 4095U) == 0 && job.cancelled())
            return cancelledError();
    }
    m_parts.nodes = std::move(builder).finish();
    m_parts.functions = library();
    m_result.graph = Graph::make(std::move(m_parts));
    if (m_unreported > 0)
        m_result.problems.push_back({"truncated_list",
                                     Severity::Note,
                                     {},
                                     {},
                                     {},
                                     {},
                                     std::to_string(m_unreported) + " more places are damaged"});
    return std::move(m_result);
}

} // namespace

Result<GraphReadResult> readGraphDef(std::string_view message, const BufferPtr& owner, int depth,
                                     bool endsFile, const Job& job)
{
    return GraphDefReader(message, owner, depth, endsFile).run(job);
}

} // namespace lapidary
