// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/interface/interface.h"
#include "graph_model/interface/interface_flags.h"

#include <QAbstractItemModel>

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace lapidary {

// One line of the interface panel: a tensor that is chosen or could be chosen.
struct InterfaceRow {
    ChosenTensor tensor;
    Shape shape;        // the known dtype and shape, whether declared, given or inferred
    std::string reason; // "the only placeholder; feeds conv1"
    bool isChosen = false;
};

// Inputs and outputs: the chosen ones, and the rest below "also possible".
class InterfaceModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum class Side { Inputs, Outputs };
    enum class RowKind { Heading, Tensor, More };
    enum DataRole {
        KindRole = Qt::UserRole + 1,
        SideRole,
        DTypeRole,
        ShapeRole,
        ReasonRole,
        ChosenRole
    };
    using QAbstractItemModel::QAbstractItemModel;

    using KnownShape = std::function<Shape(const ChosenTensor&)>;

    // Takes the ranked guesses and the current choice (in its order). Rows show the shapes from
    // `known` if it is set: a shape that a file does not declare may have been inferred.
    void setInterface(const InterfaceGuess& guess, const InterfaceChoice& choice,
                      const KnownShape& known = {});

    const InterfaceRow* row(const QModelIndex& index) const; // null for headings
    Side side(const QModelIndex& index) const;
    QModelIndex heading(Side side) const;
    QModelIndex indexOf(Side side, const std::string& tensor) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QStringList mimeTypes() const override;
    bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                         const QModelIndex& parent) const override;
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                      const QModelIndex& parent) override;

signals:
    void markRequested(lapidary::InterfaceModel::Side side, const QString& tensor, bool isMarked);
    void namesDropped(lapidary::InterfaceModel::Side side, const QStringList& names);

private:
    struct SideRows {
        std::vector<InterfaceRow> chosen;
        std::vector<InterfaceRow> possible;
    };
    // internalId: 0 for headings, 1 + side for rows of a side, 3 + side for rows below "also
    // possible".
    const SideRows& rowsOf(Side side) const { return m_sides[std::size_t(side)]; }
    RowKind kind(const QModelIndex& index) const;
    QVariant headingData(Side side, int role) const;
    QVariant tensorData(const QModelIndex& index, const InterfaceRow& entry, int role) const;

    std::array<SideRows, 2> m_sides;
};

} // namespace lapidary
