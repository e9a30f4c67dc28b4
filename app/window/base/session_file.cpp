// SPDX-License-Identifier: Apache-2.0
#include "app/window/base/session_file.h"

#include "app/base/parsed_json.h"
#include "graph_model/base/mapped_file.h"

#include <algorithm>

namespace lapidary {

using nlohmann::json;

namespace {

constexpr std::uint64_t largestSession = std::uint64_t(64) << 20;
constexpr int version = 1;
constexpr std::int64_t mostFiles = 1 << 20;
constexpr const char* sessionKey = "lapidary_session";

Error damaged(const std::filesystem::path& path, const std::string& why)
{
    return {ErrorCode::InvalidArgument, path.string() + " cannot be opened as a session: " + why};
}

// Returns the file itself, or if it does not exist, the one of the same name beside the session.
std::filesystem::path found(const std::filesystem::path& file, const std::filesystem::path& session)
{
    std::error_code ignored;
    const std::filesystem::path beside = session.parent_path() / file.filename();
    return !std::filesystem::exists(file, ignored) && std::filesystem::exists(beside, ignored)
               ? beside
               : file;
}

} // namespace

bool isSessionFile(const std::filesystem::path& path)
{
    if (path.extension() == sessionSuffix)
        return true;
    std::error_code failed;
    if (!std::filesystem::is_regular_file(path, failed))
        return false;
    const auto file = openFile(path);
    if (!file || (*file)->bytes().size() > largestSession)
        return false;
    const std::string_view bytes = (*file)->bytes();
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && bytes[first] == '{' &&
           bytes.find("\"" + std::string(sessionKey) + "\"") != std::string_view::npos;
}

std::string sessionText(const SessionFile& session)
{
    json files = json::array();
    for (const SessionFile::Entry& entry : session.files)
        files.push_back({{"path", entry.path.string()}, {"state", entry.state}});
    json whole{{sessionKey, version}, {"files", std::move(files)}, {"current", session.current}};
    if (!session.panels.empty())
        whole["panels"] = session.panels;
    return whole.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

Result<SessionFile> readSession(const std::filesystem::path& path)
{
    const auto file = openFile(path);
    RETURN_IF_ERROR(file);
    if ((*file)->bytes().size() > largestSession)
        return damaged(path, "it is too large");
    const json whole = parsedJson((*file)->bytes());
    if (!whole.is_object() || !whole.contains(sessionKey))
        return damaged(path, "it was not written by Lapidary, is damaged or is nested too deeply");
    const json written = whole[sessionKey];
    if (!written.is_number_integer() || written.get<int>() != version)
        return damaged(path, "it was written by another version of Lapidary");
    SessionFile session;
    const json files = whole.value("files", json());
    if (!files.is_array())
        return damaged(path, "it has no list of files");
    for (const json& entry : files) {
        const json name = entry.is_object() ? entry.value("path", json()) : json();
        if (!name.is_string() || name.get<std::string>().empty())
            return damaged(path, "a file in its list has no path");
        const std::filesystem::path model = found(name.get<std::string>(), path);
        if (isSessionFile(model)) // a session could contain itself
            return damaged(path, "its list names another session");
        const json state = entry.value("state", json());
        session.files.push_back({model, state.is_object() ? state : json::object()});
    }
    const json current = whole.value("current", json());
    session.current = current.is_number_integer()
                          ? int(std::clamp<std::int64_t>(current.get<std::int64_t>(), 0, mostFiles))
                          : 0;
    const json panels = whole.value("panels", json());
    // Qt reads a layout by recursion, so its size is limited.
    constexpr std::size_t mostPanels = 64 << 10;
    if (panels.is_string() && panels.get_ref<const std::string&>().size() <= mostPanels)
        session.panels = panels.get<std::string>();
    return session;
}

} // namespace lapidary
