// SPDX-License-Identifier: Apache-2.0
#include "views/models/interface_model.h"

#include "views/models/display_text.h"
#include "views/models/node_mime.h"

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr quintptr headingId = 0;

quintptr rowId(InterfaceModel::Side side)
{
    return 1 + quintptr(side);
}

quintptr possibleId(InterfaceModel::Side side)
{
    return 3 + quintptr(side);
}

std::string joinedReasons(const Candidate& candidate)
{
    std::string out;
    for (const std::string& reason : candidate.reasons)
        out += (out.empty() ? "" : "; ") + reason;
    return out;
}

const Candidate* candidateOf(const std::vector<Candidate>& guesses, const std::string& tensor)
{
    const auto found = std::find_if(guesses.begin(), guesses.end(),
                                    [&](const Candidate& c) { return c.tensor == tensor; });
    return found == guesses.end() ? nullptr : &*found;
}

} // namespace

void InterfaceModel::setInterface(const InterfaceGuess& guess, const InterfaceChoice& choice,
                                  const KnownShape& known)
{
    const auto row = [&known](const ChosenTensor& tensor, std::string reason, bool isChosen) {
        return InterfaceRow{tensor, known ? known(tensor) : tensor.shape, std::move(reason),
                            isChosen};
    };
    const auto rows = [&row](const std::vector<Candidate>& guesses,
                             const std::vector<ChosenTensor>& chosen) {
        SideRows side;
        for (const ChosenTensor& tensor : chosen) {
            const Candidate* candidate = candidateOf(guesses, tensor.tensor);
            side.chosen.push_back(row(
                tensor, candidate != nullptr ? joinedReasons(*candidate) : "marked by you", true));
        }
        for (const Candidate& c : guesses) {
            const bool isChosen =
                std::any_of(chosen.begin(), chosen.end(),
                            [&](const ChosenTensor& tensor) { return tensor.tensor == c.tensor; });
            if (!isChosen && !c.isOfSaver)
                side.possible.push_back(
                    row({c.node, c.tensor, c.dtype, c.shape}, joinedReasons(c), false));
        }
        return side;
    };
    beginResetModel();
    m_sides[0] = rows(guess.inputs, choice.inputs);
    m_sides[1] = rows(guess.outputs, choice.outputs);
    endResetModel();
}

InterfaceModel::Side InterfaceModel::side(const QModelIndex& index) const
{
    if (index.internalId() == headingId)
        return Side(index.row());
    return index.internalId() % 2 == 1 ? Side::Inputs : Side::Outputs;
}

InterfaceModel::RowKind InterfaceModel::kind(const QModelIndex& index) const
{
    if (index.internalId() == headingId)
        return RowKind::Heading;
    const Side at = side(index);
    return index.internalId() == rowId(at) && index.row() == int(rowsOf(at).chosen.size())
               ? RowKind::More
               : RowKind::Tensor;
}

const InterfaceRow* InterfaceModel::row(const QModelIndex& index) const
{
    if (!index.isValid() || kind(index) != RowKind::Tensor)
        return nullptr;
    const SideRows& rows = rowsOf(side(index));
    const bool isPossible = index.internalId() == possibleId(side(index));
    return &(isPossible ? rows.possible : rows.chosen)[std::size_t(index.row())];
}

QModelIndex InterfaceModel::heading(Side side) const
{
    return createIndex(int(side), 0, headingId);
}

QModelIndex InterfaceModel::indexOf(Side side, const std::string& tensor) const
{
    const auto find = [&](const std::vector<InterfaceRow>& rows, quintptr id) -> QModelIndex {
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i].tensor.tensor == tensor)
                return createIndex(int(i), 0, id);
        return {};
    };
    const QModelIndex chosen = find(rowsOf(side).chosen, rowId(side));
    return chosen.isValid() ? chosen : find(rowsOf(side).possible, possibleId(side));
}

QModelIndex InterfaceModel::index(int row, int column, const QModelIndex& parent) const
{
    if (row < 0 || column != 0 || row >= rowCount(parent))
        return {};
    if (!parent.isValid())
        return createIndex(row, 0, headingId);
    const Side at = side(parent);
    return createIndex(row, 0, kind(parent) == RowKind::Heading ? rowId(at) : possibleId(at));
}

QModelIndex InterfaceModel::parent(const QModelIndex& child) const
{
    if (!child.isValid() || child.internalId() == headingId)
        return {};
    const Side at = side(child);
    if (child.internalId() == rowId(at))
        return heading(at);
    return createIndex(int(rowsOf(at).chosen.size()), 0, rowId(at));
}

int InterfaceModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return int(m_sides.size());
    const SideRows& rows = rowsOf(side(parent));
    switch (kind(parent)) {
    case RowKind::Heading: return int(rows.chosen.size()) + (rows.possible.empty() ? 0 : 1);
    case RowKind::More: return int(rows.possible.size());
    case RowKind::Tensor: return 0;
    }
    return 0;
}

int InterfaceModel::columnCount(const QModelIndex&) const
{
    return 1;
}

QVariant InterfaceModel::headingData(Side side, int role) const
{
    if (role == Qt::DisplayRole)
        return side == Side::Inputs ? u"Inputs"_s : u"Outputs"_s;
    if (role == ReasonRole && rowsOf(side).chosen.empty())
        return u"none chosen"_s;
    return {};
}

QVariant InterfaceModel::tensorData(const QModelIndex& index, const InterfaceRow& entry,
                                    int role) const
{
    const ChosenTensor& tensor = entry.tensor;
    const QString shape = plainText(shapeLabel(entry.shape));
    switch (role) {
    case Qt::DisplayRole: return plainText(tensorAsFlag(tensor.tensor));
    case Qt::CheckStateRole: return entry.isChosen ? Qt::Checked : Qt::Unchecked;
    case DTypeRole:
        return tensor.dtype == DType::Invalid ? QString() : plainText(dtypeName(tensor.dtype));
    case ShapeRole: return shape;
    case ReasonRole: return plainText(entry.reason);
    case Qt::ToolTipRole: return plainText(tensor.tensor) + u'\n' + plainText(entry.reason);
    case Qt::AccessibleTextRole:
        return u"%1, %2 %3, %4"_s.arg(plainText(tensor.tensor),
                                      (entry.isChosen ? QString() : u"possible "_s) +
                                          (side(index) == Side::Inputs ? u"input"_s : u"output"_s),
                                      shape, plainText(entry.reason));
    default: return {};
    }
}

QVariant InterfaceModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == KindRole)
        return int(kind(index));
    if (role == SideRole)
        return int(side(index));
    const InterfaceRow* entry = row(index);
    if (role == ChosenRole)
        return entry != nullptr && entry->isChosen;
    if (entry != nullptr)
        return tensorData(index, *entry, role);
    if (kind(index) == RowKind::Heading)
        return headingData(side(index), role);
    return role == Qt::DisplayRole
               ? QVariant(u"Also possible: %1 more"_s.arg(rowsOf(side(index)).possible.size()))
               : QVariant();
}

bool InterfaceModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    const InterfaceRow* entry = row(index);
    if (entry == nullptr || role != Qt::CheckStateRole)
        return false;
    emit markRequested(
        side(index),
        QString::fromUtf8(entry->tensor.tensor.data(), qsizetype(entry->tensor.tensor.size())),
        value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags InterfaceModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractItemModel::flags(index);
    if (index.isValid() && kind(index) == RowKind::Tensor)
        flags |= Qt::ItemIsUserCheckable | Qt::ItemNeverHasChildren;
    return flags | Qt::ItemIsDropEnabled;
}

QStringList InterfaceModel::mimeTypes() const
{
    return {nodeMimeType()};
}

bool InterfaceModel::canDropMimeData(const QMimeData* data, Qt::DropAction, int, int,
                                     const QModelIndex& parent) const
{
    return data->hasFormat(nodeMimeType()) && parent.isValid();
}

bool InterfaceModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                                  const QModelIndex& parent)
{
    if (!canDropMimeData(data, action, row, column, parent))
        return false;
    emit namesDropped(side(parent), namesFromMime(*data));
    return true;
}

} // namespace lapidary
