// SPDX-License-Identifier: Apache-2.0
#include "app/document/file/opened_file.h"

#include "app/base/drawn_network.h"
#include "app/document/base/dispose.h"
#include "app/document/base/document_work.h"
#include "app/document/file/state_store.h"
#include "runner/checkpoint/load_variables.h"
#include "views/models/display_text.h"

#include <QFileInfo>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int reloadDelayMs = 400; // programs write files in several pieces

// FNV-1a over names, ops and inputs: distinguishes versions of a file.
std::uint64_t structureHash(const ModelFile& file)
{
    std::uint64_t hash = 14695981039346656037ULL;
    const auto mix = [&hash](std::string_view text) {
        for (const char c : text)
            hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
        hash = (hash ^ 0xFF) * 1099511628211ULL;
    };
    for (const GraphEntry& entry : file.graphs) {
        for (const NodePtr& node : entry.graph->nodes()) {
            mix(node->name());
            mix(node->op());
            for (const Input& input : node->inputs())
                mix(input.text);
        }
    }
    return hash;
}

} // namespace

OpenedFile::OpenedFile(DocumentWork& work, QObject* parent)
    : QObject(parent)
    , m_work(work)
{
    work.watch(DocumentJob::Reading, m_job);
    m_reloadDelay.setSingleShot(true);
    m_reloadDelay.setInterval(reloadDelayMs);
    connect(&m_reloadDelay, &QTimer::timeout, this, &OpenedFile::reload);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_reloadDelay,
            qOverload<>(&QTimer::start));
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, [this] {
        // A file that is replaced by renaming is missing from the watch for a moment.
        if (m_watcher.files().isEmpty() &&
            QFileInfo::exists(QString::fromStdString(m_path.string())))
            m_reloadDelay.start();
    });
}

OpenedFile::~OpenedFile()
{
    disposeLater(QThreadPool::globalInstance(), std::move(m_model));
}

QString OpenedFile::title() const
{
    const std::filesystem::path name =
        m_path.has_filename() ? m_path.filename() : m_path.parent_path().filename();
    return plainText(name.string());
}

bool OpenedFile::isUsable() const
{
    return m_model && !m_model->isRefused();
}

std::string OpenedFile::key() const
{
    return fileKey(m_path, m_model ? m_model->bytes : 0, m_structure);
}

void OpenedFile::open(const std::filesystem::path& path)
{
    m_path = path;
    reload();
}

void OpenedFile::show(ModelFilePtr model, const std::filesystem::path& path, bool hasNetworks)
{
    m_path = path;
    load([model = std::move(model), path, hasNetworks](const Job& job) -> Result<Loaded> {
        return examined(model, path, hasNetworks, job);
    });
}

void OpenedFile::reload()
{
    watch();
    load([path = m_path](const Job& job) -> Result<Loaded> {
        auto model = readModel(path, job, {.check = false}); // GraphCheck does that later
        RETURN_IF_ERROR(model);
        return examined(std::make_shared<const ModelFile>(*std::move(model)), path, true, job);
    });
}

OpenedFile::Loaded OpenedFile::examined(ModelFilePtr model, const std::filesystem::path& path,
                                        bool hasNetworks, const Job& job)
{
    Loaded loaded{std::move(model)};
    loaded.structure = structureHash(*loaded.model);
    loaded.checkpoint = checkpointBeside(path);
    for (const GraphEntry& entry : loaded.model->graphs)
        loaded.networks.push_back(hasNetworks ? drawnNetwork(entry, job) : std::nullopt);
    return loaded;
}

const GraphEntry* OpenedFile::network(int entry) const
{
    const bool isKnown = entry >= 0 && std::size_t(entry) < m_networks.size();
    return isKnown && m_networks[std::size_t(entry)] ? &*m_networks[std::size_t(entry)] : nullptr;
}

void OpenedFile::load(std::function<Result<Loaded>(const Job&)> work)
{
    m_work.setStage(DocumentStage::Loading);
    m_job.start(std::move(work), [this](Result<Loaded> loaded) {
        if (loaded)
            take(*std::move(loaded));
        else
            m_work.fail(loaded.error());
    });
}

void OpenedFile::take(Loaded loaded)
{
    const bool isAgain = m_model != nullptr;
    if (isAgain && m_structure == loaded.structure && m_model->bytes == loaded.model->bytes)
        emit m_work.notice(u"The file changed on disk; its structure is the same"_s);
    else if (isAgain)
        emit m_work.notice(u"The file changed on disk and was read again"_s);
    disposeLater(QThreadPool::globalInstance(), std::exchange(m_model, loaded.model));
    m_structure = loaded.structure;
    m_networks = std::move(loaded.networks);
    m_checkpoint = loaded.checkpoint;
    emit wasRead(isAgain);
}

void OpenedFile::watch()
{
    const QString path = QString::fromStdString(m_path.string());
    const QFileInfo info(path);
    if (!m_watcher.files().isEmpty())
        m_watcher.removePaths(m_watcher.files());
    if (info.isFile())
        m_watcher.addPath(path);
    const QString folder = info.isDir() ? path : info.absolutePath();
    if (!m_watcher.directories().contains(folder))
        m_watcher.addPath(folder);
}

} // namespace lapidary
