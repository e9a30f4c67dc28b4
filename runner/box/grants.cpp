// SPDX-License-Identifier: Apache-2.0
#include "runner/box/grants.h"

#include <system_error>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

fs::path folderOf(const fs::path& model)
{
    std::error_code ignored;
    if (model == "-")
        return ".";
    if (fs::is_directory(model, ignored))
        return model;
    const fs::path parent = model.parent_path();
    return parent.empty() ? fs::path(".") : parent;
}

} // namespace

void grantModel(const fs::path& model, BoxGrants& grants)
{
    grants.readable.push_back(folderOf(model));
    std::error_code fault;
    const fs::path target = fs::canonical(model, fault);
    if (!fault) {
        grants.readable.push_back(target);
        grants.readable.push_back(folderOf(target));
    }
}

} // namespace lapidary
