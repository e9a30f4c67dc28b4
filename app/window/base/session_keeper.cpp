// SPDX-License-Identifier: Apache-2.0
#include "app/window/base/session_keeper.h"

#include <QDir>
#include <QFileInfo>

#include <nlohmann/json.hpp>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;
using nlohmann::json;

SessionKeeper::SessionKeeper(const StateStore& store)
    : m_store(store)
{
    if (store.folder().empty())
        return;
    const QString folder = QString::fromStdString(store.folder().string());
    QDir().mkpath(folder);
    auto lock = std::make_unique<QLockFile>(folder + u"/session.lock"_s);
    lock->setStaleLockTime(0); // stale only if its program is no longer running
    if (!lock->tryLock(0))
        return;
    m_lock = std::move(lock);
    const json session = store.session();
    const json files = session.value("files", json());
    const json current = session.value("current", json());
    if (files.is_array())
        for (const json& file : files)
            if (file.is_string())
                if (const QString path = QString::fromStdString(file.get<std::string>());
                    QFileInfo::exists(path))
                    m_lost.append(path);
    m_lostTab = current.is_number_integer() ? current.get<int>() : 0;
}

SessionKeeper::~SessionKeeper() = default;

void SessionKeeper::keep(const QStringList& files, int current)
{
    if (!m_lock)
        return;
    json list = json::array();
    for (const QString& file : files)
        list.push_back(file.toStdString());
    m_store.setSession({{"files", list}, {"current", current}});
}

void SessionKeeper::end()
{
    if (m_lock)
        m_store.setSession(json::object());
}

} // namespace lapidary
