#include "tests/goldens/run_cases.h"

#include "graph_model/read/model_file.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace lapidary::goldens {
namespace {

using nlohmann::json;

struct Tolerance {
    bool exact = false;
    double abs = 0;
    double rel = 0;
};

Tolerance toleranceOf(const json& tol)
{
    return {tol.value("exact", false), tol.value("abs", 0.0), tol.value("rel", 0.0)};
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

// One component of an element as a double; complex types have two components an element.
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

std::string compareNumbers(const Value& ours, std::string_view theirs, const Tolerance& tol)
{
    const DType dtype = ours.dtype();
    if (ours.byteCount() != theirs.size())
        return "size";
    const bool floating = isFloating(dtype);
    if (!floating && tol.exact)
        return ours.bytes() == theirs ? "" : "values differ";
    const std::size_t size = floating ? componentSize(dtype) : dtypeSize(dtype);
    for (std::size_t i = 0; i < theirs.size() / size; ++i) {
        const double a =
            floating ? component(dtype, ours.bytes(), i) : integer(dtype, ours.bytes(), i);
        const double b = floating ? component(dtype, theirs, i) : integer(dtype, theirs, i);
        if (!close(a, b, tol))
            return "element " + std::to_string(i) + " is " + std::to_string(a) + ", recorded " +
                   std::to_string(b);
    }
    return "";
}

std::string compareStrings(const Value& ours, const json& expected)
{
    const json& theirs = expected["strings"];
    if (theirs.size() != std::size_t(ours.elements()))
        return "number of strings";
    for (std::size_t i = 0; i < theirs.size(); ++i)
        if (ours.strings()[i] != decodeBase64(theirs[i].get<std::string>()))
            return "string " + std::to_string(i) + " is '" + ours.strings()[i] + "', recorded '" +
                   decodeBase64(theirs[i].get<std::string>()) + "'";
    return "";
}

// One step of a case: what was fed, what should come out.
std::string compareStep(Session& session, const json& step, const json& tol)
{
    RunRequest request;
    const json feeds = step.value("feeds", json::object());
    for (const auto& [name, tensor] : feeds.items()) {
        auto value = decodeTensor(tensor, session.pool());
        if (!value)
            return "feed: " + value.error().message;
        request.feeds.emplace_back(name, std::move(value).value());
    }
    request.fetches = step.value("fetches", std::vector<std::string>());
    request.targets = step.value("targets", std::vector<std::string>());
    const auto answer = session.run(request, Job());
    if (!answer)
        return step.contains("error") ? "" : "failed: " + answer.error().message;
    if (step.contains("error"))
        return "an error was recorded: " + step["error"].value("message", "").substr(0, 120);
    for (std::size_t i = 0; i < request.fetches.size(); ++i) {
        const std::string what = compareTensor(answer.value()[i], step["expect"][i], tol);
        if (!what.empty())
            return request.fetches[i] + ": " + what;
    }
    return "";
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

std::string graphBytes(const json& testCase)
{
    if (testCase.contains("graph_file"))
        return readBytes(dataRoot() / testCase["graph_file"].get<std::string>());
    return decodeBase64(testCase["graph"].get<std::string>());
}

void runCase(const json& testCase, const std::filesystem::path& file, Tally& tally)
{
    const std::string name = file.stem().string() + "/" + testCase["name"].get<std::string>();
    const json steps = testCase.value("steps", json::array({testCase}));
    auto model = readModelBytes(graphBytes(testCase), name, Job());
    const bool allFail =
        std::ranges::all_of(steps, [](const json& s) { return s.contains("error"); });
    const bool opens = model && !model.value().isRefused();
    if (!opens || model.value().hasErrors()) {
        tally.check(allFail, name, "the graph has errors, but none was recorded");
        return;
    }
    Session session(model.value().graphs.front().graph, {.folder = file.parent_path().string()});
    const json tol = testCase.value("tol", json::object());
    for (const json& step : steps) {
        if (const std::string ops = missingOps(session, step); !ops.empty()) {
            tally.skipped(name, "no kernel: " + ops);
            return;
        }
        const std::string what = compareStep(session, step, tol);
        if (what.empty())
            continue;
        if (step.value("unstable", testCase.value("unstable", false)))
            tally.skipped(name, "TensorFlow itself does not repeat it");
        else
            tally.differs(name, what);
        return;
    }
    tally.held(name);
}

} // namespace

Result<Value> decodeTensor(const json& tensor, MemoryPool& pool)
{
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
    if (bytes.size() != value.value().byteCount())
        return Error{ErrorCode::InvalidArgument, "a size that does not fit the shape"};
    std::memcpy(value.value().mutableAs<char>().data(), bytes.data(), bytes.size());
    return value;
}

std::string compareTensor(const Value& ours, const json& expected, const json& tol)
{
    const std::string dtype = dtypeName(ours.dtype());
    if (dtype != expected["dtype"].get<std::string>())
        return "is " + dtype + ", recorded " + expected["dtype"].get<std::string>();
    if (ours.dims() != expected["shape"].get<Dims>())
        return "has shape " + dimsText(ours.dims()) + ", recorded " + expected["shape"].dump();
    if (ours.dtype() == DType::String)
        return compareStrings(ours, expected);
    return compareNumbers(ours, decodeBase64(expected["data"].get<std::string>()),
                          toleranceOf(tol));
}

void runCaseFile(const std::filesystem::path& file, Tally& tally)
{
    for (const json& testCase : loadCases(file))
        runCase(testCase, file, tally);
}

} // namespace lapidary::goldens
