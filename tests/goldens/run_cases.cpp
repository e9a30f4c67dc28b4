// SPDX-License-Identifier: Apache-2.0
#include "tests/goldens/run_cases.h"

#include "graph_model/read/model_file.h"
#include "runner/feeds/seeded_value.h"
#include "tests/goldens/case_table.h"
#include "tests/goldens/error_reasons.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <set>
#include <sstream>
#include <string_view>

#include <gnu/libc-version.h>

namespace lapidary::goldens {
namespace {

using nlohmann::json;

struct Tolerance {
    bool exact = false;
    double abs = 0;
    double rel = 0;
    bool exactIntegers = false;
    std::set<std::size_t> exempt = {}; // elements that are not compared
};

// The functions of glibc 2.41 have their own rules for denormal numbers; the older version of the
// recordings left them to the processor.
bool isOfLibrary(const std::string& folder, const std::string& name)
{
    const std::string_view version = gnu_get_libc_version(); // "2.36"
    int minor = 0;
    std::from_chars(version.data() + std::min<std::size_t>(2, version.size()),
                    version.data() + version.size(), minor);
    static const auto rows = tableRows("c_library.tsv");
    return version.starts_with("2.") && minor >= 41 &&
           std::ranges::any_of(rows,
                               [&](const auto& row) { return row[0] == folder && row[1] == name; });
}

Tolerance toleranceOf(const json& tol)
{
    return {tol.value("exact", false), tol.value("abs", 0.0), tol.value("rel", 0.0),
            tol.value("exact_integers", false), tol.value("exempt", std::set<std::size_t>())};
}

bool close(double ours, double theirs, const Tolerance& tol)
{
    if (std::isnan(theirs) || std::isnan(ours))
        return std::isnan(theirs) && std::isnan(ours);
    if (std::isinf(theirs) || std::isinf(ours))
        return ours == theirs;
    if (tol.exact)
        return ours == theirs && std::signbit(ours) == std::signbit(theirs);
    return std::abs(ours - theirs) <= tol.abs + tol.rel * std::abs(theirs);
}

template <class T>
T at(std::string_view bytes, std::size_t i)
{
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    return value;
}

// Returns one component of an element as a double; elements of complex types have two.
double component(DType dtype, std::string_view bytes, std::size_t i)
{
    switch (dtype) {
    case DType::Float:
    case DType::Complex64: return at<float>(bytes, i);
    case DType::Double:
    case DType::Complex128: return at<double>(bytes, i);
    case DType::Half: return at<Half>(bytes, i);
    default: return at<BFloat16>(bytes, i);
    }
}

bool isFloating(DType dtype)
{
    switch (dtype) {
    case DType::Float:
    case DType::Complex64:
    case DType::Double:
    case DType::Complex128:
    case DType::Half:
    case DType::BFloat16: return true;
    default: return false;
    }
}

std::size_t componentSize(DType dtype)
{
    const bool isComplex = dtype == DType::Complex64 || dtype == DType::Complex128;
    return dtypeSize(dtype) / (isComplex ? 2 : 1);
}

double integer(DType dtype, std::string_view bytes, std::size_t i)
{
    switch (dtypeSize(dtype)) {
    case 1:
        return dtype == DType::Int8 || dtype == DType::QInt8 ? double(at<std::int8_t>(bytes, i))
                                                             : double(at<std::uint8_t>(bytes, i));
    case 2:
        return dtype == DType::Int16 || dtype == DType::QInt16
                   ? double(at<std::int16_t>(bytes, i))
                   : double(at<std::uint16_t>(bytes, i));
    case 4:
        return dtype == DType::UInt32 ? double(at<std::uint32_t>(bytes, i))
                                      : double(at<std::int32_t>(bytes, i));
    default: return double(at<std::int64_t>(bytes, i));
    }
}

// Returns the elements 0, every, 2 every, ... of our value.
std::string thinned(std::string_view bytes, std::size_t size, std::size_t every)
{
    std::string kept;
    for (std::size_t i = 0; i < bytes.size() / size; i += every)
        kept.append(bytes.substr(i * size, size));
    return kept;
}

Comparison compareNumbers(DType dtype, std::string_view ours, std::string_view theirs,
                          const Tolerance& tol)
{
    if (ours.size() != theirs.size())
        return {"size", 0};
    const bool floating = isFloating(dtype);
    if (!floating && (tol.exact || tol.exactIntegers))
        return {ours == theirs ? "" : "values differ", 0};
    const std::size_t size = floating ? componentSize(dtype) : dtypeSize(dtype);
    Comparison all;
    for (std::size_t i = 0; i < theirs.size() / size; ++i) {
        const double a = floating ? component(dtype, ours, i) : integer(dtype, ours, i);
        const double b = floating ? component(dtype, theirs, i) : integer(dtype, theirs, i);
        if (std::isfinite(a) && std::isfinite(b))
            all.largestError = std::max(all.largestError, std::abs(a - b));
        if (all.difference.empty() && !close(a, b, tol) && !tol.exempt.contains(i))
            all.difference = "element " + std::to_string(i) + " is " + std::to_string(a) +
                             ", recorded " + std::to_string(b);
    }
    return all;
}

std::string compareStrings(const Value& ours, const json& expected, std::size_t every)
{
    const json& theirs = expected["strings"];
    const std::size_t count = (std::size_t(ours.elements()) + every - 1) / every;
    if (theirs.size() != count)
        return "number of strings";
    for (std::size_t i = 0; i < count; ++i) {
        const std::string& text = ours.strings()[i * every];
        const std::string recorded = decodeBase64(theirs[i].get<std::string>());
        if (text != recorded)
            return "string " + std::to_string(i) + " is '" + text + "', recorded '" + recorded +
                   "'";
    }
    return "";
}

// Compares as multisets, for the entries of a hash table.
std::string compareSets(const Value& ours, const json& expected)
{
    std::multiset<std::string> left;
    std::multiset<std::string> right;
    if (ours.dtype() == DType::String) {
        left.insert(ours.strings().begin(), ours.strings().end());
        for (const json& text : expected["strings"])
            right.insert(decodeBase64(text.get<std::string>()));
    } else {
        const std::size_t size = dtypeSize(ours.dtype());
        const std::string theirs = decodeBase64(expected["data"].get<std::string>());
        for (std::size_t i = 0; i * size < theirs.size(); ++i)
            right.insert(theirs.substr(i * size, size));
        for (std::size_t i = 0; i < std::size_t(ours.elements()); ++i)
            left.insert(std::string(ours.bytes().substr(i * size, size)));
    }
    return left == right ? "" : "has other elements";
}

Result<Value> decodeSeeded(const json& seeded, MemoryPool& pool)
{
    const auto dtype = parseDtype(seeded["dtype"].get<std::string>());
    if (!dtype)
        return Error{ErrorCode::InvalidArgument, "a dtype that is not known"};
    const SeededRange range{seeded["low"].get<double>(), seeded["high"].get<double>()};
    return seededValue(*dtype, seeded["shape"].get<Dims>(), seeded["seed"].get<std::uint64_t>(),
                       range, pool);
}

std::string graphBytes(const json& testCase)
{
    if (testCase.contains("graph_file"))
        return readBytes(dataRoot() / testCase["graph_file"].get<std::string>());
    return decodeBase64(testCase["graph"].get<std::string>());
}

// Returns the text of all problems of a graph.
std::string problemsText(const ModelFile& model)
{
    std::string text;
    const auto add = [&](const Problems& problems) {
        for (const Problem& problem : problems)
            text += problem.node + ": " + problem.message + "; ";
    };
    add(model.problems);
    for (const GraphEntry& entry : model.graphs)
        add(entry.problems);
    return text;
}

// TensorFlow refuses the graph, and so do we, for the same reason.
void checkRefusal(const std::string& ours, const json& steps, const std::string& name, Tally& tally)
{
    const std::string fault = reasonFault(steps.front()["error"], ours);
    tally.check(fault.empty(), name, fault);
}

// The step fetches something, but the recording has neither values nor an error.
bool isEmptyStep(const json& step)
{
    const bool fetches = !step.value("fetches", json::array()).empty();
    return fetches && !step.contains("error") &&
           step.value("expect", json::array()).size() != step["fetches"].size();
}

// "60-69 80": elements of a case that may differ on purpose, according to elements.tsv.
std::set<std::size_t> exemptElements(const std::string& folder, const std::string& name)
{
    std::set<std::size_t> elements;
    for (const auto& row : tableRows("elements.tsv")) {
        if (row.size() != 3 || row[0] != folder || row[1] != name)
            continue;
        std::istringstream ranges(row[2]);
        for (std::string range; ranges >> range;) {
            const std::size_t first = std::stoul(range);
            const std::size_t dash = range.find('-');
            const std::size_t last =
                dash == std::string::npos ? first : std::stoul(range.substr(dash + 1));
            for (std::size_t i = first; i <= last; ++i)
                elements.insert(i);
        }
    }
    return elements;
}

// Returns the differences besides the exempt elements.
std::string otherDifference(const GraphPtr& graph, const SessionOptions& options, const json& step,
                            json tol, const std::set<std::size_t>& exempt)
{
    tol["exempt"] = exempt;
    Session session(graph, options);
    return compareStep(session, step, tol).difference;
}

void runCase(const json& testCase, const std::filesystem::path& file, const std::string& backEnd,
             Tally& tally)
{
    const std::string name = file.stem().string() + "/" + testCase["name"].get<std::string>();
    const json steps = testCase.value("steps", json::array({testCase}));
    auto model = readModelBytes(graphBytes(testCase), name, Job());
    const bool allFail =
        std::ranges::all_of(steps, [](const json& s) { return s.contains("error"); });
    const bool opens = model && !model.value().isRefused();
    if (opens && allFail && model.value().hasErrors()) {
        checkRefusal(problemsText(model.value()), steps, name, tally);
        return;
    }
    if (!opens && allFail) {
        checkRefusal(model ? problemsText(model.value()) : model.error().message, steps, name,
                     tally);
        return;
    }
    if (!opens) {
        tally.differs(name, "the graph cannot be read, but no error was recorded");
        return;
    }
    if (std::ranges::any_of(steps, isEmptyStep)) {
        tally.fails(name, "the recording has nothing to compare with");
        return;
    }
    const GraphPtr& graph = model.value().graphs.front().graph;
    const SessionOptions options{.folder = file.parent_path().string(), .backEnd = backEnd};
    Session session(graph, options);
    json tol = testCase.value("tol", json::object());
    if (testCase.value("note", "").find("hash order") != std::string::npos)
        tol["any_order"] = true;
    for (const json& step : steps) {
        if (const std::string ops = missingOps(session, step); !ops.empty()) {
            tally.skipped(name, "no kernel: " + ops);
            return;
        }
        const std::string what = compareStep(session, step, tol).difference;
        if (what.empty())
            continue;
        if (step.value("unstable", testCase.value("unstable", false)))
            tally.skipped(name, "TensorFlow itself does not repeat it");
        else if (isOfLibrary(tally.folder(), name))
            tally.skipped(name, "the C library here answers denormal numbers in another way");
        else if (const auto exempt = exemptElements(tally.folder(), name); !exempt.empty()) {
            const std::string other = otherDifference(graph, options, step, tol, exempt);
            other.empty() ? tally.differs(name, what)
                          : tally.fails(name, "more differs than elements.tsv names: " + other);
        } else
            tally.differs(name, what);
        return;
    }
    tally.held(name);
}

} // namespace

Result<Value> decodeTensor(const json& tensor, MemoryPool& pool)
{
    if (tensor.contains("seeded"))
        return decodeSeeded(tensor["seeded"], pool);
    const auto dtype = parseDtype(tensor["dtype"].get<std::string>());
    if (!dtype)
        return Error{ErrorCode::InvalidArgument, "a dtype that is not known"};
    const auto dims = tensor["shape"].get<Dims>();
    if (*dtype == DType::String) {
        std::vector<std::string> strings;
        for (const json& text : tensor["strings"])
            strings.push_back(decodeBase64(text.get<std::string>()));
        return Value::ofStrings(dims, std::move(strings));
    }
    auto value = Value::make(*dtype, dims, pool);
    if (!value)
        return value;
    const std::string bytes = decodeBase64(tensor["data"].get<std::string>());
    if (bytes.size() != value->byteCount())
        return Error{ErrorCode::InvalidArgument, "a size that does not fit the shape"};
    std::memcpy(value->mutableAs<char>().data(), bytes.data(), bytes.size());
    return value;
}

std::string compareTensor(const Value& ours, const json& expected, const json& tol)
{
    return compareValues(ours, expected, tol).difference;
}

Comparison compareValues(const Value& ours, const json& expected, const json& tol)
{
    const std::string dtype = dtypeName(ours.dtype());
    // One recording script writes bfloat16 under a name like NumPy's.
    const std::string recorded = expected["dtype"].get<std::string>();
    // NumPy has no names for quantized types: quint8 is recorded as uint8.
    const bool isCode = dtype.starts_with('q') && dtype.substr(1) == recorded;
    if (!isCode && dtype != (recorded == "bhalf" ? "bfloat16" : recorded))
        return {"is " + dtype + ", recorded " + expected["dtype"].get<std::string>(), 0};
    if (ours.dims() != expected["shape"].get<Dims>())
        return {"has shape " + dimsText(ours.dims()) + ", recorded " + expected["shape"].dump(), 0};
    const auto every = std::max<std::size_t>(expected.value("every", std::size_t(1)), 1);
    if (tol.value("any_order", false))
        return {compareSets(ours, expected), 0};
    if (ours.dtype() == DType::String)
        return {compareStrings(ours, expected, every), 0};
    const std::string theirs = decodeBase64(expected["data"].get<std::string>());
    if (every == 1)
        return compareNumbers(ours.dtype(), ours.bytes(), theirs, toleranceOf(tol));
    return compareNumbers(ours.dtype(), thinned(ours.bytes(), dtypeSize(ours.dtype()), every),
                          theirs, toleranceOf(tol));
}

Comparison compareStep(Session& session, const json& step, const json& tol)
{
    RunRequest request;
    const json feeds = step.value("feeds", json::object());
    for (const auto& [name, tensor] : feeds.items()) {
        auto value = decodeTensor(tensor, session.pool());
        if (!value)
            return {"feed: " + value.error().message, 0};
        request.feeds.emplace_back(name, *std::move(value));
    }
    request.fetches = step.value("fetches", std::vector<std::string>());
    request.targets = step.value("targets", std::vector<std::string>());
    const auto answer = session.run(request, Job());
    if (!answer && step.contains("error"))
        return {reasonFault(step["error"], answer.error().message), 0};
    if (!answer)
        return {"failed: " + answer.error().message, 0};
    if (step.contains("error"))
        return {"an error was recorded: " + step["error"].value("message", "").substr(0, 120), 0};
    Comparison all;
    for (std::size_t i = 0; i < request.fetches.size(); ++i) {
        const Comparison one = compareValues((*answer)[i], step["expect"][i], tol);
        all.largestError = std::max(all.largestError, one.largestError);
        if (all.difference.empty() && !one.difference.empty())
            all.difference = request.fetches[i] + ": " + one.difference;
    }
    return all;
}

std::string missingOps(const Session& session, const json& step)
{
    RunRequest request;
    request.fetches = step.value("fetches", std::vector<std::string>());
    request.targets = step.value("targets", std::vector<std::string>());
    const json feeds = step.value("feeds", json::object());
    for (const auto& [name, tensor] : feeds.items())
        request.feeds.emplace_back(name, Value());
    std::string ops;
    for (const MissingKernel& missing : session.missingKernels(request))
        ops += (ops.empty() ? "" : ", ") + missing.op;
    return ops;
}

void runCaseFile(const std::filesystem::path& file, Tally& tally, const std::string& backEnd)
{
    for (const json& testCase : loadCases(file))
        runCase(testCase, file, backEnd, tally);
}

} // namespace lapidary::goldens
