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

// Opens models and sessions in tabs, and keeps on disk what is open.
class DocumentOpener : public QObject {
    Q_OBJECT
public:
    DocumentOpener(const WindowParts& parts, WorkPools& pools, QObject* parent = nullptr);

    // Shows the model in a tab of its own, or goes to the tab that has it; opens a session with
    // everything in it.
    void open(const QString& path);
    // Takes over a document that began to load before the window was there.
    void adopt(std::unique_ptr<Document> document);

    // Everything that is open, with all that was made of it, as a file; it is opened beside what is
    // open already.
    void saveSession(const QString& path);
    void openSession(const QString& path);
    // Opens what was open when the program before did not end as it should.
    void takeUpLostSession();
    void keepSession(); // after a tab was opened or closed
    void endSession();  // all is well: nothing is taken up next time

private:
    void openModel(const QString& path, const nlohmann::json& state); // null: as remembered

    const WindowParts& m_parts;
    WorkPools& m_pools;
    SessionKeeper m_session;
};

} // namespace lapidary
