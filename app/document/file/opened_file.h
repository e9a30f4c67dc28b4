// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"
#include "views/models/latest_job.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

class DocumentWork;

using ModelFilePtr = std::shared_ptr<const ModelFile>;

// The file of a document: reads it on a worker, and again when it changes on disk.
class OpenedFile : public QObject {
    Q_OBJECT
public:
    explicit OpenedFile(DocumentWork& work, QObject* parent = nullptr);
    ~OpenedFile() override;

    void open(const std::filesystem::path& path);
    // Shows a file that was already read, or one made from another document's graph; it is not
    // watched on disk. Without networks its graphs are shown as they are, even if they call
    // functions.
    void show(ModelFilePtr model, const std::filesystem::path& path, bool hasNetworks = true);
    void reload();

    const std::filesystem::path& path() const { return m_path; }
    QString title() const;
    const ModelFilePtr& model() const { return m_model; } // null until it is read
    bool isUsable() const; // it was read, and holds a graph that can be shown
    // Returns the network of a graph of the file that calls functions; null if the graph is the
    // network itself.
    const GraphEntry* network(int entry) const;
    // Returns the path of the checkpoint next to the file, for the values of variables; empty if
    // there is none.
    const std::filesystem::path& checkpoint() const { return m_checkpoint; }
    std::string key() const; // the name under which the file's state is kept; see fileKey()

signals:
    void wasRead(bool isAgain);

private:
    using Networks = std::vector<std::optional<GraphEntry>>; // for each graph of the file
    struct Loaded {
        ModelFilePtr model;
        std::uint64_t structure = 0;
        std::filesystem::path checkpoint = {};
        Networks networks = {};
    };
    static Loaded examined(ModelFilePtr model, const std::filesystem::path& path, bool hasNetworks,
                           const Job& job);
    void load(std::function<Result<Loaded>(const Job&)> work);
    void take(Loaded loaded);
    void watch();

    DocumentWork& m_work;
    std::filesystem::path m_path;
    ModelFilePtr m_model;
    std::uint64_t m_structure = 0;
    std::filesystem::path m_checkpoint;
    Networks m_networks;
    LatestJob m_job;
    QFileSystemWatcher m_watcher;
    QTimer m_reloadDelay;
};

} // namespace lapidary
