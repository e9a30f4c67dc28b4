// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document/picture/scene_request.h"
#include "runner/checkpoint/stored_tensor.h"

#include <QObject>
#include <QStringList>

#include <string>
#include <vector>

namespace lapidary {

class DocumentWork;
class OpenedFile;
class Picture;

// Chooses the graph of a file that is shown: one of its graphs, the network that one calls, or the
// body of a called function.
class GraphChoice : public QObject {
    Q_OBJECT
public:
    GraphChoice(DocumentWork& work, const OpenedFile& file, const Picture& picture,
                QObject* parent = nullptr);

    QStringList titles() const; // graphs first, then the network and the functions of one
    int number() const;         // index in titles()
    void choose(int number);
    void start(int entry); // even if it is already the chosen one

    // The index of the graph that is shown, or whose function is shown. Only for a usable file.
    int entryNumber() const { return m_entry; }
    const GraphEntry& entry() const;
    VariableStore variables() const; // of entry()
    // Tells whether the picture is of entry()'s graph, and not of a state of its recipe. True for
    // the bodies of functions, which are always those of the file.
    bool isOriginal() const;

    QStringList path() const; // titles from the file's graph to the function shown
    bool isInFunction() const { return !m_callers.empty(); }
    std::string function() const; // the shown one; empty: a graph of the file is shown
    // Returns the network of entry(), which is drawn like a function that the graph calls; null if
    // the graph is the network itself.
    const GraphEntry* network() const;
    bool isInNetwork() const { return m_isInNetwork && m_callers.size() == 1; }
    // Returns the name in the file of an output of the network that is shown; other names are
    // returned unchanged.
    std::string nameInFile(const std::string& tensor) const;
    void openNetwork(const OpenPaths& open = std::nullopt);
    void openFunction(const std::string& name);
    void closeFunctions(int depth); // back to the graph at this depth of the path

signals:
    void entryChosen();
    // `open`: groups to open; none: those of a first picture.
    void functionChosen(const lapidary::GraphPtr& graph, const lapidary::OpenPaths& open);

private:
    struct Frame { // a graph that a function body was opened from
        QString title;
        GraphPtr graph;
        OpenPaths open;
    };

    DocumentWork& m_work;
    const OpenedFile& m_file;
    const Picture& m_picture;
    int m_entry = 0;
    std::vector<Frame> m_callers;
    QString m_function;         // title of the function that is shown
    bool m_isInNetwork = false; // or in a function that was opened from the network
};

} // namespace lapidary
