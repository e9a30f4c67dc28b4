// SPDX-License-Identifier: Apache-2.0
#include "app/window/session_file.h"

#include "graph_model/base/mapped_file.h"

namespace lapidary {

using nlohmann::json;

namespace {

constexpr std::uint64_t largestSession = std::uint64_t(64) << 20;
constexpr int version = 1;

Error damaged(const std::filesystem::path& path, const std::string& why)
{
    return {ErrorCode::InvalidArgument, path.string() + " cannot be opened as a session: " + why};
}

// The file itself, or the one of the same name beside the session.
std::filesystem::path found(const std::filesystem::path& file, const std::filesystem::path& session)
{
    std::error_code ignored;
    const std::filesystem::path beside = session.parent_path() / file.filename();
    return !std::filesystem::exists(file, ignored) && std::filesystem::exists(beside, ignored)
               ? beside
               : file;
}

} // namespace

bool isSessionPath(const std::filesystem::path& path)
{
    return path.extension() == sessionSuffix;
}

std::string sessionText(const SessionFile& session)
{
    json files = json::array();
    for (const SessionFile::Entry& entry : session.files)
        files.push_back({{"path", entry.path.string()}, {"state", entry.state}});
    const json whole{
        {"lapidary_session", version}, {"files", std::move(files)}, {"current", session.current}};
    return whole.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

Result<SessionFile> readSession(const std::filesystem::path& path)
{
    const auto file = openFile(path);
    RETURN_IF_ERROR(file);
    if ((*file)->bytes().size() > largestSession)
        return damaged(path, "it is too large");
    const json whole = json::parse((*file)->bytes(), nullptr, false);
    if (!whole.is_object() || !whole.contains("lapidary_session"))
        return damaged(path, "it was not written by Lapidary, or is damaged");
    const json written = whole["lapidary_session"];
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
        if (isSessionPath(name.get<std::string>())) // it could hold itself
            return damaged(path, "its list names another session");
        const json state = entry.value("state", json());
        session.files.push_back(
            {found(name.get<std::string>(), path), state.is_object() ? state : json::object()});
    }
    const json current = whole.value("current", json());
    session.current = current.is_number_integer() ? current.get<int>() : 0;
    return session;
}

} // namespace lapidary
