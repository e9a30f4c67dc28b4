// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/external_weights.h"

#include "graph_model/base/below_folder.h"
#include "graph_model/base/mapped_file.h"

#include <algorithm>
#include <system_error>

namespace lapidary {

namespace fs = std::filesystem;

Result<BufferPtr> ExternalWeights::open(const std::string& name, ConstantValues& values) const
{
    const fs::path relative(name);
    const bool climbs = std::ranges::find(relative, "..") != relative.end();
    if (relative.is_absolute() || climbs)
        return Error{ErrorCode::Unsupported,
                     "the weights point to " + name +
                         ", outside of the model's folder; that file is not opened"};
    std::error_code fault;
    const fs::path parent = m_model.parent_path();
    const fs::path folder = fs::canonical(parent.empty() ? "." : parent, fault);
    const fs::path file = fault ? fs::path() : fs::canonical(folder / relative, fault);
    if (fault || !fs::is_regular_file(file, fault))
        return Error{ErrorCode::NotFound,
                     "the weights are in " + name + ", which is not beside the model"};
    if (!liesBelow(file, folder))
        return Error{ErrorCode::Unsupported,
                     "the weights point to " + name +
                         ", a link that leads out of the model's folder; it is not followed"};
    ASSIGN_OR_RETURN(BufferPtr buffer, openFile(file));
    values.addFile(file, buffer);
    return buffer;
}

void ExternalWeights::report(const std::string& name, std::string message)
{
    Problem problem;
    problem.kind = "external_data";
    problem.node = name;
    problem.message = std::move(message);
    m_problems.push_back(std::move(problem));
}

std::optional<std::string_view>
ExternalWeights::bytesOf(const OnnxTensor& tensor, std::uint64_t needed, ConstantValues& values)
{
    const auto [at, isNew] = m_files.try_emplace(tensor.externalFile);
    if (isNew) {
        auto opened = open(tensor.externalFile, values);
        if (opened)
            at->second = *std::move(opened);
        else
            report(tensor.name, opened.error().message);
    }
    if (at->second == nullptr)
        return std::nullopt;
    const std::string_view whole = at->second->bytes();
    if (tensor.externalOffset > whole.size() || needed > whole.size() - tensor.externalOffset) {
        report(tensor.name, "the constant should have " + std::to_string(needed) +
                                " bytes at byte " + std::to_string(tensor.externalOffset) + " of " +
                                tensor.externalFile + ", which has " +
                                std::to_string(whole.size()));
        return std::nullopt;
    }
    return whole.substr(tensor.externalOffset, needed);
}

} // namespace lapidary
