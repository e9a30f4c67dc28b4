// SPDX-License-Identifier: Apache-2.0
#include "app/cli/reports/autopilot_report.h"

#include "graph_model/base/sha256.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <ostream>

namespace lapidary {
namespace {

template <class T>
Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

// Returns null for 0: the file was not compressed.
Json sizeJson(std::int64_t gzipBytes)
{
    return gzipBytes > 0 ? Json(gzipBytes) : Json(nullptr);
}

std::string compressedText(std::int64_t gzipBytes)
{
    return gzipBytes > 0 ? " (" + std::to_string(gzipBytes) + " compressed)" : std::string();
}

// Returns "  12.340 ms"; empty if nothing was timed.
std::string timeText(std::int64_t nanoseconds)
{
    if (nanoseconds <= 0)
        return "";
    char text[40];
    std::snprintf(text, sizeof text, "%9.3f ms", double(nanoseconds) * 1e-6);
    return text;
}

// Returns microseconds; null if nothing was timed.
Json timeJson(std::int64_t nanoseconds)
{
    return nanoseconds > 0 ? Json(double(nanoseconds) * 1e-3) : Json(nullptr);
}

Json pointJson(const AutopilotPoint& point)
{
    Json layers = Json::object();
    for (const auto& [name, form] : point.layers)
        layers[name] = std::string(formName(form));
    return {{"recipe", printRecipe(point.recipe)},
            {"layers", std::move(layers)},
            {"equalized", point.isEqualized},
            {"bytes", point.bytes},
            {"sha256", sha256Of(point.encoded)},
            {"gzip_bytes", sizeJson(point.gzipBytes)},
            {"us", timeJson(point.nanoseconds)},
            {"sqnr_db", numberJson(point.noise.sqnrDb())},
            {"predicted_sqnr_db", numberJson(point.predictedDb)},
            {"agreement", orNull(point.noise.top1)},
            {"top1", orNull(point.top1)},
            {"loss", point.loss},
            {"estimated_without_data", point.isEstimated},
            {"verified", true}};
}

// Returns "pc8: 12, pt16: 2, equalized".
std::string formsText(const AutopilotPoint& point)
{
    std::map<std::string_view, int> counts;
    for (const auto& [name, form] : point.layers)
        ++counts[formName(form)];
    std::string text;
    for (const auto& [form, count] : counts)
        text += (text.empty() ? "" : ", ") + std::string(form) + ": " + std::to_string(count);
    return text + (point.isEqualized ? ", equalized" : "");
}

// Returns "3.88 times smaller", "20.1 % larger than the model".
std::string sizeText(std::int64_t before, std::int64_t after)
{
    char text[80];
    if (after < before)
        std::snprintf(text, sizeof text, "%.2f times smaller", double(before) / double(after));
    else if (after > before)
        std::snprintf(text, sizeof text, "%.1f %% larger than the model",
                      100.0 * double(after - before) / double(before));
    else
        return "as large as the model";
    return text;
}

// Returns "2.14 times as fast on this machine, "; empty if nothing was timed.
std::string speedText(std::int64_t before, std::int64_t after)
{
    if (before <= 0 || after <= 0)
        return "";
    char text[80];
    std::snprintf(text, sizeof text, "%.2f times as fast on this machine, ",
                  double(before) / double(after));
    return text;
}

void printLeftOut(const Autopilot& found, std::ostream& out)
{
    const LeftOut& left = found.leftOut;
    if (left.measurements > 0)
        out << "no time for " << left.measurements << " of " << left.ofMeasurements
            << " measurements of a layer in a form: judged by their weights\n";
    if (left.files > 0)
        out << "stopped before " << left.files << " more planned file"
            << (left.files == 1 ? " was" : "s were") << " built\n";
    else if (found.isStopped)
        out << "stopped before the budget was closed in on\n";
    if (left.measurements > 0 || found.isStopped)
        out << "more --seconds or fewer --probes (" << found.probes << " here) leave out less\n";
}

} // namespace

std::string pointLine(const AutopilotPoint& point)
{
    char text[160];
    std::snprintf(text, sizeof text, "%9lld bytes%s%s  %5.1f dB  (predicted %5.1f)  %s%.1f %% lost",
                  static_cast<long long>(point.bytes), compressedText(point.gzipBytes).c_str(),
                  timeText(point.nanoseconds).c_str(), point.noise.sqnrDb(), point.predictedDb,
                  point.isEstimated ? "at most " : "", 100 * std::max(point.loss, 0.0));
    return std::string(text) + (point.isEstimated ? ", estimated without data" : "") + "  " +
           formsText(point) + "\n";
}

void printAutopilot(const Autopilot& found, std::ostream& out)
{
    out << "the model: " << found.bytes << " bytes" << compressedText(found.gzipBytes);
    if (found.nanoseconds > 0)
        out << timeText(found.nanoseconds) << " on this machine";
    if (found.top1) {
        char text[40];
        std::snprintf(text, sizeof text, ", %.1f %% right", 100 * *found.top1);
        out << text;
    }
    out << "; " << found.points.size() << (found.points.size() == 1 ? " file" : " files")
        << " built and measured that no other beats:\n";
    for (const std::size_t i : found.front)
        out << (found.chosen == i ? "* " : "  ") << pointLine(found.points[i]);
    printLeftOut(found, out);
    if (!found.chosen) {
        out << found.why << '\n';
        return;
    }
    const AutopilotPoint& point = found.points[*found.chosen];
    out << "chosen: " << point.bytes << " bytes, " << sizeText(found.bytes, point.bytes) << ", "
        << speedText(found.nanoseconds, point.nanoseconds) << found.why << '\n'
        << printRecipe(point.recipe) << '\n';
}

Json autopilotJson(const Autopilot& found)
{
    Json points = Json::array();
    for (const AutopilotPoint& point : found.points)
        points.push_back(pointJson(point));
    return {{"baseline",
             {{"bytes", found.bytes},
              {"gzip_bytes", sizeJson(found.gzipBytes)},
              {"us", timeJson(found.nanoseconds)},
              {"top1", orNull(found.top1)}}},
            {"inputs", found.inputs},
            {"outputs", found.outputs},
            {"points", std::move(points)},
            {"front", found.front},
            {"chosen", orNull(found.chosen)},
            {"holds_budget", found.holdsBudget},
            {"evaluations", found.evaluations},
            {"seconds", found.seconds},
            {"probes", found.probes},
            {"stopped", found.isStopped},
            {"left_out",
             {{"files", found.leftOut.files},
              {"measurements", found.leftOut.measurements},
              {"of_measurements", found.leftOut.ofMeasurements}}},
            {"why", found.why}};
}

} // namespace lapidary
