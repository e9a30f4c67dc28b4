// SPDX-License-Identifier: Apache-2.0
#include "app/window/base/tensor_names.h"

#include "views/models/display_text.h"

#include <QStringList>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

QString namesText(const std::vector<std::string>& tensors)
{
    QStringList texts;
    for (const std::string& tensor : tensors)
        texts.append(plainText(tensorAsFlag(tensor)));
    return texts.join(u", "_s);
}

std::vector<std::string> namesIn(const QString& text)
{
    std::vector<std::string> names;
    for (const QString& name : text.split(u',', Qt::SkipEmptyParts))
        if (!name.trimmed().isEmpty())
            names.push_back(name.trimmed().toStdString());
    return names;
}

} // namespace lapidary
