// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/document.h"

#include <QObject>
#include <QPointer>

namespace lapidary {

class NodeDataPanel;
struct WindowParts;

// Connects the node data of the current document to its table.
class DataController : public QObject {
    Q_OBJECT
public:
    explicit DataController(const WindowParts& parts);

    void show();
    bool isShown() const;
    void open(const QString& path); // shows the data of a file over the current graph
    // Reads a dropped file if a graph is shown and the file's name suggests node data; returns
    // whether it does.
    bool takeFile(const QString& path);
    void remove(); // the column that colors the picture
    void colorByCost(const char* column);
    void colorByNext();

private:
    void setDocument(Document* document); // null: no file is open
    void showTable();
    void showSelection();
    void choose(int column);
    QString remark() const;

    const WindowParts& m_parts;
    QPointer<Document> m_document;
    NodeDataPanel* m_panel;
};

} // namespace lapidary
