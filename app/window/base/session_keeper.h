// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/file/state_store.h"

#include <QLockFile>
#include <QStringList>

#include <memory>

namespace lapidary {

// Tells which files are open, on disk at all times, so that a session that did not end can be taken
// up again. One running program keeps it at a time; others keep nothing.
class SessionKeeper {
public:
    explicit SessionKeeper(const StateStore& store);
    ~SessionKeeper();
    SessionKeeper(const SessionKeeper&) = delete;
    SessionKeeper& operator=(const SessionKeeper&) = delete;

    // Returns what was open when the last program did not end as it should; empty if it did.
    const QStringList& lostFiles() const { return m_lost; }
    int lostTab() const { return m_lostTab; }
    void keep(const QStringList& files, int current);
    void end(); // all is well: nothing is taken up next time

private:
    const StateStore& m_store;
    std::unique_ptr<QLockFile> m_lock; // null: another program keeps the session
    QStringList m_lost;
    int m_lostTab = 0;
};

} // namespace lapidary
