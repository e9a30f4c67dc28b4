// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/window/base/session_keeper.h"

#include <QObject>
#include <QString>

#include <memory>

#include <nlohmann/json_fwd.hpp>

namespace lapidary {

class Document;
struct WindowParts;
struct WorkPools;

// Opens models and sessions in tabs, and records on disk what is open.
class DocumentOpener : public QObject {
    Q_OBJECT
public:
    DocumentOpener(const WindowParts& parts, WorkPools& pools, QObject* parent = nullptr);

    // Shows the model in its own tab, or goes to the tab that has it. For a session, opens
    // everything in it.
    void open(const QString& path);
    // Takes ownership of a document that began to load before the window existed.
    void adopt(std::unique_ptr<Document> document);

    // Saves everything that is open, and the user's work on it, to a file. openSession() opens it
    // beside what is open already.
    void saveSession(const QString& path);
    void openSession(const QString& path);
    // Reopens the files that were open when the previous program was interrupted.
    void takeUpLostSession();
    void keepSession(); // after a tab was opened or closed
    void endSession();  // at a normal end: nothing is reopened next time

private:
    void openModel(const QString& path, const nlohmann::json& state); // null: as remembered

    const WindowParts& m_parts;
    WorkPools& m_pools;
    SessionKeeper m_session;
};

} // namespace lapidary
