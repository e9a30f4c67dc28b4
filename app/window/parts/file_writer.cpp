// SPDX-License-Identifier: Apache-2.0
#include "app/window/parts/file_writer.h"

#include "app/window/parts/status_line.h"
#include "graph_model/write/write_model.h"
#include "views/models/display_text.h"

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

FileWriter::FileWriter(StatusLine& status, QObject* parent)
    : QObject(parent)
    , m_status(status)
{
}

void FileWriter::writeBytes(const QString& path, MakeBytes makeBytes)
{
    write(path,
          [makeBytes = std::move(makeBytes)](const std::filesystem::path& to,
                                             const Job& job) -> Status {
              const auto bytes = makeBytes(job);
              return bytes ? writeFileAtomically(to, bytes.value()) : Status(bytes.error());
          });
}

void FileWriter::write(const QString& path, Write write)
{
    m_status.notice(u"Writing "_s + path);
    m_job.start([path = std::filesystem::path(path.toStdString()),
                 write = std::move(write)](const Job& job) -> Status { return write(path, job); },
                [this, path](const Status& written) {
                    m_status.notice(written ? u"Written to "_s + path
                                            : plainText(written.error().message));
                });
}

void FileWriter::writeState(const QString& path, const GraphPtr& state, Write write)
{
    m_state = state;
    m_statePath = path.toStdString();
    this->write(path, std::move(write));
}

std::filesystem::path FileWriter::pathOf(const GraphPtr& state) const
{
    return m_state.lock() == state ? m_statePath : std::filesystem::path();
}

} // namespace lapidary
