// SPDX-License-Identifier: Apache-2.0
#include "app/cli/each_file.h"

#include "app/base/exit_codes.h"

#include <algorithm>

namespace lapidary {

void addFiles(VerbCall& call, std::vector<std::string>& files, const std::string& help)
{
    call.addFile();
    CLI::App& options = call.options();
    options.remove_option(options.get_option("FILE"));
    options.add_option("FILE", files, help)->required();
}

int eachFile(VerbCall& call, const std::vector<std::string>& files, Console& console,
             const LookAtFile& look)
{
    Json documents = Json::array();
    int worst = exit_code::done;
    for (const std::string& file : files) {
        call.file() = file;
        Json document;
        const int code = look(document);
        if (code == exit_code::wrongUse || code == exit_code::cancelled)
            return code;
        worst = std::max(worst, code);
        if (!call.wantsJson() || document.is_null())
            continue;
        if (files.size() == 1) {
            printJson(document, console);
            return worst;
        }
        Json named = {{"file", shownPath(file)}};
        named.update(document);
        documents.push_back(std::move(named));
    }
    if (call.wantsJson() && files.size() > 1)
        printJson({{"files", std::move(documents)}}, console);
    return worst;
}

} // namespace lapidary
