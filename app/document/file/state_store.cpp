// SPDX-License-Identifier: Apache-2.0
#include "app/document/file/state_store.h"

#include "app/base/parsed_json.h"
#include "graph_model/write/write_model.h"

#include <QBuffer>
#include <QCryptographicHash>
#include <QFileInfo>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;
using nlohmann::json;

namespace {

std::string hashed(const std::string& text)
{
    return QCryptographicHash::hash(QByteArrayView(text.data(), qsizetype(text.size())),
                                    QCryptographicHash::Sha256)
        .toHex()
        .left(32)
        .toStdString();
}

std::string stringIn(const json& object, const char* key)
{
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string encoded(const QImage& picture)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    picture.save(&buffer, "PNG");
    return bytes.toBase64().toStdString();
}

QImage decoded(const std::string& text)
{
    return QImage::fromData(QByteArray::fromBase64(QByteArray::fromStdString(text)), "PNG");
}

} // namespace

StateStore::StateStore(std::filesystem::path folder)
    : m_folder(std::move(folder))
{
}

std::filesystem::path StateStore::defaultFolder()
{
    const std::filesystem::path state = qgetenv("XDG_STATE_HOME").toStdString();
    if (state.is_absolute())
        return state / "lapidary";
    const std::filesystem::path home = qgetenv("HOME").toStdString();
    return home.empty() ? home : home / ".local" / "state" / "lapidary";
}

json StateStore::read(const std::string& name) const
{
    if (m_folder.empty())
        return json::object();
    std::ifstream in(m_folder / name, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    json value = parsedJson(text.str());
    return value.is_object() ? value : json::object();
}

void StateStore::write(const std::string& name, const json& value) const
{
    if (m_folder.empty())
        return;
    std::error_code ignored;
    std::filesystem::create_directories((m_folder / name).parent_path(), ignored);
    const std::string text = value.dump(1, ' ', false, json::error_handler_t::replace);
    const Status written = writeFileAtomically(m_folder / name, text);
    if (!written)
        return; // no saved state is important enough for a message
}

std::optional<std::string> StateStore::setting(const std::string& name) const
{
    const json all = read("settings.json");
    const auto found = all.find(name);
    if (found == all.end() || !found->is_string())
        return std::nullopt;
    return found->get<std::string>();
}

void StateStore::setSetting(const std::string& name, const std::string& value) const
{
    json all = read("settings.json");
    all[name] = value;
    write("settings.json", all);
}

json StateStore::fileState(const std::string& key) const
{
    return read("files/" + hashed(key) + ".json");
}

void StateStore::setFileState(const std::string& key, const json& state) const
{
    write("files/" + hashed(key) + ".json", state);
}

json StateStore::session() const
{
    return read("session.json");
}

void StateStore::setSession(const json& session) const
{
    write("session.json", session);
}

std::vector<RecentFile> StateStore::recentFiles() const
{
    std::vector<RecentFile> files;
    const json all = read("recent.json");
    const auto list = all.find("files");
    if (list == all.end() || !list->is_array())
        return files;
    for (const json& entry : *list) {
        const QString path = QString::fromStdString(stringIn(entry, "path"));
        if (path.isEmpty() || !QFileInfo::exists(path) || files.size() >= recentLimit)
            continue;
        files.push_back({path, QFileInfo(path).fileName(), decoded(stringIn(entry, "picture"))});
    }
    return files;
}

void StateStore::addRecentFile(const QString& path, const QImage& picture) const
{
    json all = read("recent.json");
    json list = json::array();
    json entry{{"path", path.toStdString()}};
    if (!picture.isNull())
        entry["picture"] = encoded(picture);
    if (all.contains("files") && all["files"].is_array()) {
        for (const json& old : all["files"]) {
            if (stringIn(old, "path") != path.toStdString()) {
                list.push_back(old);
            } else if (picture.isNull() && old.contains("picture")) {
                entry["picture"] = old["picture"];
            }
        }
    }
    list.insert(list.begin(), entry);
    if (list.size() > recentLimit)
        list.erase(list.begin() + recentLimit, list.end());
    all["files"] = list;
    write("recent.json", all);
}

void StateStore::removeRecentFile(const QString& path) const
{
    json all = read("recent.json");
    if (!all.contains("files") || !all["files"].is_array())
        return;
    json list = json::array();
    for (const json& old : all["files"])
        if (stringIn(old, "path") != path.toStdString())
            list.push_back(old);
    all["files"] = list;
    write("recent.json", all);
}

std::string fileKey(const std::filesystem::path& path, std::uint64_t bytes, std::uint64_t structure)
{
    std::error_code failed;
    const std::filesystem::path canonical = std::filesystem::canonical(path, failed);
    return (failed ? path : canonical).string() + "\n" + std::to_string(bytes) + "\n" +
           std::to_string(structure);
}

} // namespace lapidary
