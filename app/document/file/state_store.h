// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace lapidary {

struct RecentFile {
    QString path;
    QString title;
    QImage picture;
};

// The state that the program keeps between sessions, as small JSON files under
// $XDG_STATE_HOME/lapidary. Damaged or missing files count as empty; errors of writing are ignored.
// With an empty folder nothing is read or written.
class StateStore {
public:
    explicit StateStore(std::filesystem::path folder);
    // Returns $XDG_STATE_HOME/lapidary, or ~/.local/state/lapidary.
    static std::filesystem::path defaultFolder();

    // A setting of the program by its name; none if it was never set.
    std::optional<std::string> setting(const std::string& name) const;
    void setSetting(const std::string& name, const std::string& value) const;

    // The state of one file; `key` identifies the file, see fileKey().
    nlohmann::json fileState(const std::string& key) const;
    void setFileState(const std::string& key, const nlohmann::json& state) const;

    // Returns the open files; see SessionKeeper.
    nlohmann::json session() const;
    void setSession(const nlohmann::json& session) const;
    const std::filesystem::path& folder() const { return m_folder; }

    std::vector<RecentFile> recentFiles() const; // newest first, at most `recentLimit`
    // Moves the file to the front; a null picture keeps the old one.
    void addRecentFile(const QString& path, const QImage& picture) const;
    void removeRecentFile(const QString& path) const;

    static constexpr std::size_t recentLimit = 8;

private:
    nlohmann::json read(const std::string& name) const;
    void write(const std::string& name, const nlohmann::json& value) const;

    std::filesystem::path m_folder;
};

// Returns the key of a file's state, from its canonical path, its size and the hash of its
// structure.
std::string fileKey(const std::filesystem::path& path, std::uint64_t bytes,
                    std::uint64_t structure);

} // namespace lapidary
