// SPDX-License-Identifier: Apache-2.0
#include "app/window/parts/copy_interface.h"

#include "app/document/document.h"
#include "app/window/parts/status_line.h"
#include "app/window/parts/window_parts.h"
#include "app/window/parts/window_tabs.h"
#include "views/models/display_text.h"

#include <QApplication>
#include <QClipboard>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

void copyInterface(const WindowParts& window, FlagStyle style)
{
    const Document* document = window.tabs->document();
    if (document == nullptr || !document->graph() || document->interface().choice().isEmpty())
        return;
    InterfaceChoice choice = document->interface().choice();
    for (ChosenTensor& output : choice.outputs)
        output.tensor = document->graphs().nameInFile(output.tensor);
    const std::string text = interfaceFlags(choice, style, document->file().path().string());
    QApplication::clipboard()->setText(QString::fromUtf8(text.data(), qsizetype(text.size())));
    window.status->notice(u"Copied: "_s + plainText(text));
}

} // namespace lapidary
