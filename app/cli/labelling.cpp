#include "app/cli/labelling.h"

#include "graph_model/read/mapped_file.h"
#include "runner/execute/session.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

namespace lapidary {
namespace {

Error inFile(const std::string& path, const Error& error)
{
    return {error.code, path + ": " + error.message};
}

// Where NaN stands last, so that sorting has an order.
bool isBetter(float a, float b)
{
    return std::isnan(b) ? !std::isnan(a) : a > b;
}

} // namespace

Result<Value> scoreImage(const GraphPtr& graph, const Labelling& labelling, const Job& job)
{
    Session session(graph, {});
    const auto bytes = openFile(labelling.image);
    if (!bytes)
        return bytes.error();
    auto image = imageFeed(bytes.value()->bytes(), labelling.feed, session.pool(), job);
    if (!image)
        return inFile(labelling.image, image.error());
    RunRequest request;
    request.feeds.emplace_back(labelling.input, std::move(image).value());
    request.fetches.push_back(labelling.output);
    auto scores = session.run(request, job);
    if (!scores)
        return scores.error();
    const Value& value = scores.value().front();
    if (value.dtype() != DType::Float || value.rank() == 0 || value.elements() == 0)
        return Error{ErrorCode::Unsupported, labelling.output + " is " + dtypeName(value.dtype()) +
                                                 " " + dimsText(value.dims()) +
                                                 ", not a list of float scores"};
    return value;
}

Result<std::vector<std::string>> readLabels(const std::string& path)
{
    const auto file = openFile(path);
    if (!file)
        return file.error();
    std::vector<std::string> labels;
    std::string_view left = file.value()->bytes();
    while (!left.empty()) {
        const std::size_t end = std::min(left.find('\n'), left.size());
        std::string_view line = left.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        labels.emplace_back(line);
        left.remove_prefix(std::min(end + 1, left.size()));
    }
    return labels;
}

std::vector<ScoredLabel> bestLabels(const Value& scores, const std::vector<std::string>& labels,
                                    std::size_t count)
{
    const auto row = scores.as<float>().first(std::size_t(scores.dims().back()));
    std::vector<std::size_t> order(row.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    const auto best = order.begin() + std::ptrdiff_t(std::min(count, order.size()));
    std::partial_sort(order.begin(), best, order.end(), [&](std::size_t a, std::size_t b) {
        return isBetter(row[a], row[b]) || (!isBetter(row[b], row[a]) && a < b);
    });
    std::vector<ScoredLabel> found;
    for (auto i = order.begin(); i != best; ++i)
        found.push_back({*i < labels.size() ? labels[*i] : "", std::int64_t(*i), row[*i]});
    return found;
}

std::string labelLine(const ScoredLabel& label)
{
    std::ostringstream line;
    line.imbue(std::locale::classic());
    line << label.label << " (" << label.index << "): " << label.score;
    return line.str();
}

} // namespace lapidary
