#include "app/cli/evaluation.h"

#include "graph_model/base/printable.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

bool isPicture(const fs::path& path)
{
    constexpr std::array<std::string_view, 5> endings{".png", ".jpg", ".jpeg", ".gif", ".bmp"};
    std::string ending = path.extension().string();
    for (char& c : ending)
        if (c >= 'A' && c <= 'Z')
            c = char(c - 'A' + 'a');
    return std::ranges::find(endings, ending) != endings.end();
}

// "000_triangle.png": "triangle".
std::string labelInName(const std::string& file)
{
    const std::size_t mark = file.find('_');
    if (mark == std::string::npos)
        return "";
    const std::size_t dot = file.rfind('.');
    return file.substr(mark + 1, dot - mark - 1);
}

double share(std::size_t part, std::size_t whole)
{
    return whole == 0 ? 0 : double(part) / double(whole);
}

} // namespace

Result<std::vector<std::string>> picturesIn(const std::string& folder)
{
    std::error_code fault;
    std::vector<std::string> files;
    for (fs::directory_iterator entry(folder, fault), end; !fault && entry != end;
         entry.increment(fault)) {
        std::error_code ignored;
        if (entry->is_regular_file(ignored) && isPicture(entry->path()))
            files.push_back(entry->path().filename().string());
    }
    if (fault)
        return Error{ErrorCode::Io, folder + ": " + fault.message()};
    if (files.empty())
        return Error{ErrorCode::NotFound,
                     folder + ": there is no picture in it (PNG, JPEG, GIF or BMP)"};
    std::ranges::sort(files);
    return files;
}

Result<Truths> readTruths(const std::string& path)
{
    const auto lines = readLabels(path);
    if (!lines)
        return lines.error();
    Truths truths;
    for (std::size_t i = 0; i < lines.value().size(); ++i) {
        const std::string& line = lines.value()[i];
        const std::size_t tab = line.find('\t');
        if (tab == std::string::npos && !line.empty())
            return Error{ErrorCode::BadFile, path + ": line " + std::to_string(i + 1) +
                                                 " has no tab between file and label"};
        if (tab != std::string::npos)
            truths[line.substr(0, tab)] = line.substr(tab + 1);
    }
    return truths;
}

Result<std::vector<Sample>> readSamples(const std::string& folder, const Truths& truths,
                                        const std::vector<std::string>& labels)
{
    const auto files = picturesIn(folder);
    if (!files)
        return files.error();
    std::vector<Sample> samples;
    for (const std::string& file : files.value()) {
        const std::string path = (fs::path(folder) / file).string();
        const auto listed = truths.find(file);
        if (!truths.empty() && listed == truths.end())
            return Error{ErrorCode::NotFound, path + ": --truth has no line for it"};
        const std::string label = truths.empty() ? labelInName(file) : listed->second;
        if (label.empty())
            return Error{ErrorCode::NotFound,
                         path + ": its name has no class behind a _; name classes with --truth"};
        const auto at = std::ranges::find(labels, label);
        if (at == labels.end())
            return Error{ErrorCode::NotFound,
                         path + ": its class '" + printable(label) + "' is not among the labels"};
        samples.push_back({path, file, at - labels.begin()});
    }
    return samples;
}

Result<Evaluated> evaluateSamples(Session& session, Labelling labelling,
                                  const std::vector<Sample>& samples,
                                  const std::vector<std::string>& labels, const Job& job)
{
    constexpr std::size_t several = 5;
    using Clock = std::chrono::steady_clock;
    Evaluated evaluated;
    std::size_t right = 0;
    std::size_t amongBest = 0;
    Clock::duration spent{};
    for (const Sample& sample : samples) {
        labelling.image = sample.path;
        auto image = readImage(labelling, session, job);
        if (!image)
            return image.error();
        const auto begin = Clock::now();
        const auto scores = scoreImage(session, labelling, std::move(image).value(), job);
        spent += Clock::now() - begin;
        evaluated.printed += session.printed();
        if (!scores)
            return scores.error();
        if (job.cancelled())
            return Error{ErrorCode::Cancelled, "stopped"};
        const auto best = bestLabels(scores.value(), labels, several);
        evaluated.best.push_back(best.front());
        right += best.front().index == sample.truth ? 1 : 0;
        amongBest += std::ranges::count(best, sample.truth, &ScoredLabel::index) > 0 ? 1 : 0;
        job.progress(share(evaluated.best.size(), samples.size()));
    }
    evaluated.top1 = share(right, samples.size());
    evaluated.top5 = share(amongBest, samples.size());
    evaluated.secondsPerSample =
        samples.empty() ? 0 : std::chrono::duration<double>(spent).count() / double(samples.size());
    return evaluated;
}

double agreement(const Evaluated& a, const Evaluated& b)
{
    std::size_t same = 0;
    for (std::size_t i = 0; i < std::min(a.best.size(), b.best.size()); ++i)
        same += a.best[i].index == b.best[i].index ? 1 : 0;
    return share(same, a.best.size());
}

} // namespace lapidary
