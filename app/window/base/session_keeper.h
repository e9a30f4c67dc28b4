// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/file/state_store.h"

#include <QLockFile>
#include <QStringList>

#include <memory>

namespace lapidary {

// Keeps a record of the open files on disk, so that an interrupted session can be resumed. Only one
// running program does so at a time; others record nothing.
class SessionKeeper {
public:
    explicit SessionKeeper(const StateStore& store);
    ~SessionKeeper();
    SessionKeeper(const SessionKeeper&) = delete;
    SessionKeeper& operator=(const SessionKeeper&) = delete;

    // Returns the files that were open when the last program was interrupted; empty if it ended
    // normally.
    const QStringList& lostFiles() const { return m_lost; }
    int lostTab() const { return m_lostTab; }
    void keep(const QStringList& files, int current);
    void end(); // at a normal end: nothing is reopened next time

private:
    const StateStore& m_store;
    std::unique_ptr<QLockFile> m_lock; // null: another program records its session
    QStringList m_lost;
    int m_lostTab = 0;
};

} // namespace lapidary
