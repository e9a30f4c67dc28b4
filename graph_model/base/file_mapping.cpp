// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/file_mapping.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <functional>
#include <mutex>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace lapidary {

// The data of each mapping that the signal handler needs. A fixed table of atomics: the handler may
// not allocate or lock. A slot is free while `begin` is 0.
struct MappingSlot {
    std::atomic<std::uintptr_t> begin{0};
    std::atomic<std::uintptr_t> end{0};
    std::atomic<bool> isLost{false};
};

namespace {

constexpr std::size_t slotCount = 1024;

std::array<MappingSlot, slotCount>& slots()
{
    static std::array<MappingSlot, slotCount> table;
    return table;
}

struct sigaction& previousAction()
{
    static struct sigaction action;
    return action;
}

void passOn(int number, siginfo_t* info, void* context)
{
    const struct sigaction& previous = previousAction();
    if ((previous.sa_flags & SA_SIGINFO) != 0 && previous.sa_sigaction != nullptr) {
        previous.sa_sigaction(number, info, context);
        return;
    }
    if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
        previous.sa_handler(number);
        return;
    }
    struct sigaction defaults = {};
    defaults.sa_handler = SIG_DFL;
    sigaction(number, &defaults, nullptr); // the access is repeated and ends the process
}

// Handles the access to a page that the file has lost: everything from that page on is replaced by
// zeros, and the access is repeated.
void onBusError(int number, siginfo_t* info, void* context)
{
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    for (MappingSlot& slot : slots()) {
        const std::uintptr_t begin = slot.begin.load(std::memory_order_acquire);
        const std::uintptr_t end = slot.end.load(std::memory_order_acquire);
        if (begin == 0 || address < begin || address >= end)
            continue;
        const auto page = std::uintptr_t(sysconf(_SC_PAGESIZE));
        const std::uintptr_t hole = address - address % page;
        auto* const where = reinterpret_cast<void*>(hole); // NOLINT(performance-no-int-to-ptr)
        void* zeros =
            mmap(where, end - hole, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        if (zeros == MAP_FAILED)
            break;
        slot.isLost.store(true, std::memory_order_release);
        return;
    }
    passOn(number, info, context);
}

void installHandlerOnce()
{
    static std::once_flag once;
    std::call_once(once, [] {
        slots();
        struct sigaction action = {};
        action.sa_sigaction = onBusError;
        action.sa_flags = SA_SIGINFO | SA_NODEFER;
        sigemptyset(&action.sa_mask);
        sigaction(SIGBUS, &action, &previousAction());
    });
}

MappingSlot* takeSlot(std::string_view memory)
{
    const auto begin = reinterpret_cast<std::uintptr_t>(memory.data());
    for (MappingSlot& slot : slots()) {
        std::uintptr_t free = 0;
        if (!slot.begin.compare_exchange_strong(free, UINTPTR_MAX))
            continue;
        slot.isLost.store(false);
        slot.end.store(begin + memory.size());
        slot.begin.store(begin, std::memory_order_release);
        return &slot;
    }
    return nullptr;
}

// Compares with the file at the path: saving replaces that file, while the open one stays.
Status compareFacts(const std::filesystem::path& path, const FileFacts& then)
{
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0)
        return Error{ErrorCode::BadFile,
                     path.string() + ": the file is gone since it was opened; open it again"};
    if (factsOf(status) != then)
        return Error{ErrorCode::BadFile,
                     path.string() + ": the file changed since it was opened; open it again"};
    return Done{};
}

void unmap(std::string_view memory)
{
    munmap(const_cast<char*>(memory.data()), memory.size());
}

const char* endOf(std::string_view bytes)
{
    return bytes.data() + bytes.size();
}

// Returns the intersection of two byte ranges; empty if there is none.
std::string_view common(std::string_view a, std::string_view b)
{
    const std::less<> isBefore;
    const char* const begin = std::max(a.data(), b.data(), isBefore);
    const char* const end = std::min(endOf(a), endOf(b), isBefore);
    return isBefore(begin, end) ? std::string_view(begin, std::size_t(end - begin))
                                : std::string_view();
}

// Releases only the whole pages of `bytes`.
void giveBack(std::string_view bytes)
{
    const auto page = std::uintptr_t(sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
    const std::uintptr_t first = (begin + page - 1) / page * page;
    const std::uintptr_t end = (begin + bytes.size()) / page * page;
    if (first < end)
        madvise(const_cast<char*>(bytes.data()) + (first - begin), end - first, MADV_DONTNEED);
}

} // namespace

FileFacts factsOf(const struct stat& status)
{
    return {std::uint64_t(status.st_size), std::int64_t(status.st_mtim.tv_sec),
            std::int64_t(status.st_mtim.tv_nsec), std::uint64_t(status.st_ino),
            std::uint64_t(status.st_dev)};
}

Error systemError(const std::filesystem::path& path, const char* what)
{
    const ErrorCode code =
        errno == ENOENT || errno == ENOTDIR ? ErrorCode::NotFound : ErrorCode::Io;
    return Error{code, path.string() + ": " + what + ": " + std::generic_category().message(errno)};
}

FileDescriptor::FileDescriptor(const std::filesystem::path& path)
    : m_number(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK))
{
}

FileDescriptor::~FileDescriptor()
{
    if (m_number >= 0)
        ::close(m_number);
}

std::shared_ptr<FileMapping> FileMapping::over(std::string_view memory,
                                               const std::filesystem::path& path,
                                               const FileFacts& facts,
                                               std::vector<std::string_view> fileBytes)
{
    installHandlerOnce();
    MappingSlot* const slot = takeSlot(memory);
    if (slot == nullptr) {
        unmap(memory);
        return nullptr;
    }
    return std::shared_ptr<FileMapping>(
        new FileMapping(memory, path, facts, std::move(fileBytes), slot));
}

FileMapping::FileMapping(std::string_view memory, std::filesystem::path path,
                         const FileFacts& facts, std::vector<std::string_view> fileBytes,
                         MappingSlot* slot)
    : m_path(std::move(path))
    , m_facts(facts)
    , m_fileBytes(std::move(fileBytes))
    , m_slot(slot)
{
    m_bytes = memory;
}

FileMapping::~FileMapping()
{
    m_slot->begin.store(0, std::memory_order_release);
    unmap(m_bytes);
}

Status FileMapping::intact() const
{
    if (m_slot->isLost.load(std::memory_order_acquire))
        return Error{ErrorCode::BadFile,
                     m_path.string() + ": the file was cut short while it was open; open it again"};
    return compareFacts(m_path, m_facts);
}

void FileMapping::release(std::string_view part) const
{
    const auto endsBefore = [](std::string_view bytes, const char* begin) {
        return std::less_equal<>()(endOf(bytes), begin);
    };
    auto bytes = std::lower_bound(m_fileBytes.begin(), m_fileBytes.end(), part.data(), endsBefore);
    for (; bytes != m_fileBytes.end() && std::less<>()(bytes->data(), endOf(part)); ++bytes)
        giveBack(common(*bytes, part));
}

} // namespace lapidary
