// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/scopes/prepared_scope.h"
#include "runner/node_data/data_table.h"
#include "runner/shapes/infer_shapes.h"
#include "views/models/latest_job.h"

#include <QObject>
#include <QString>

#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace lapidary {

// Node data of a document's graph: its cost, its distance from the original, and columns from
// files. The data is kept when another state of the graph is shown, and matched to it by
// name.
class DataSession : public QObject {
    Q_OBJECT
public:
    explicit DataSession(QObject* parent = nullptr);

    // Reads a file in the background and adds its columns, which replace those of the same file.
    void open(const std::filesystem::path& path);
    void remove(std::size_t column); // one that came from a file
    bool isOfFile(std::size_t column) const;
    void setScopeNumber(std::size_t column, ScopeNumber number);
    // Sets numbers that the program found itself, replacing those of the same `kind`; an empty list
    // removes them.
    void setFound(const std::string& kind, std::vector<NodeData> data);
    void wantCost(); // from now on, the cost of every graph is computed

    // Sets the graph that numbers are matched to, and its shapes.
    using ShapesPtr = std::shared_ptr<const InferredShapes>; // null: not yet known
    void setGraph(PreparationPtr preparation, ShapesPtr shapes);

    const DataTablePtr& table() const { return m_table; } // null until numbers were matched
    // The column that colors the picture; none if the picture shows no numbers.
    std::optional<std::size_t> shown() const;
    // Tells whether a column is shown, or will be once it is matched.
    bool isShowing() const { return m_shown.has_value(); }
    void show(std::size_t column);
    // Shows a column by its name, as soon as the table has it.
    void showNamed(const std::string& source, const std::string& name);
    void hide();

    bool isBusy() const;
    const QString& failure() const { return m_failure; } // of the last file; empty: none

    nlohmann::json remembered() const;
    void restore(const nlohmann::json& state);

signals:
    void changed(); // another table, or another failure
    void opened();  // a file was read; its first column is shown
    void shownChanged();
    void busyChanged();

private:
    struct Held {
        std::string kind; // of numbers that the program found; empty: from a file
        std::filesystem::path path;
        NodeData data;
    };
    struct Wanted { // a file to be read
        std::filesystem::path path;
        std::vector<NodeData> only; // columns of a session, by their names; empty: all
    };
    struct Name {
        std::string source;
        std::string name;
        bool operator==(const Name&) const = default;
    };
    void readNext();
    void take(const Wanted& wanted, Result<std::vector<NodeData>> data);
    void renewCost();
    void match();

    std::vector<Held> m_held; // in the order of the table's columns
    std::deque<Wanted> m_wanted;
    PreparationPtr m_preparation;
    ShapesPtr m_shapes;
    DataTablePtr m_table;
    std::optional<Name> m_shown;
    QString m_failure;
    bool m_wantsCost = false;
    LatestJob m_readJob;
    LatestJob m_costJob;
    LatestJob m_matchJob;
};

} // namespace lapidary
