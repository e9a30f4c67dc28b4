// SPDX-License-Identifier: Apache-2.0
#include "views/models/recipe/pass_list_model.h"

#include "views/models/display_text.h"

#include <algorithm>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

bool holdsAll(const Pass& pass, const QStringList& words)
{
    const QString text = passHelp(pass).replace(u'_', u' ');
    return std::ranges::all_of(words, [&](QString word) {
        return text.contains(word.replace(u'_', u' '), Qt::CaseInsensitive);
    });
}

} // namespace

QString passHelp(const Pass& pass)
{
    QString text = plainText(pass.name) + u'\n' + plainText(pass.summary);
    for (const ParameterSpec& spec : pass.parameters) {
        text +=
            u"\n\n"_s + plainText(spec.name) + u" ("_s + plainText(parameterTypeName(spec.type));
        if (spec.isRequired)
            text += u", required"_s;
        if (spec.isRepeated)
            text += u", may be repeated"_s;
        if (!spec.defaultText.empty())
            text += u", default "_s + plainText(spec.defaultText);
        text += u"): "_s + plainText(spec.help);
    }
    return text;
}

PassListModel::PassListModel(QObject* parent)
    : QAbstractListModel(parent)
    , m_passes(allPasses().begin(), allPasses().end())
{
}

void PassListModel::setFilter(const QString& filter)
{
    const QStringList words = filter.simplified().split(u' ', Qt::SkipEmptyParts);
    beginResetModel();
    m_passes.clear();
    for (const Pass* pass : allPasses())
        if (holdsAll(*pass, words))
            m_passes.push_back(pass);
    const QString beginning = filter.simplified().replace(u' ', u'_');
    std::stable_partition(m_passes.begin(), m_passes.end(), [&](const Pass* pass) {
        return plainText(pass->name).contains(beginning, Qt::CaseInsensitive);
    });
    endResetModel();
}

int PassListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_passes.size());
}

QVariant PassListModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || std::size_t(index.row()) >= m_passes.size())
        return {};
    const Pass& found = pass(index.row());
    switch (role) {
    case Qt::DisplayRole: return plainText(found.name);
    case SummaryRole: return plainText(found.summary);
    case Qt::ToolTipRole: return passHelp(found);
    case Qt::AccessibleTextRole: return plainText(found.name) + u": "_s + plainText(found.summary);
    default: return {};
    }
}

} // namespace lapidary
