// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/mapped_file.h"

#include "graph_model/base/mapped_part.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lapidary {
namespace {

// The data of each mapping that the signal handler needs. A fixed table of atomics: the handler may
// not allocate or lock. A slot is free while `begin` is 0.
struct MappingSlot {
    std::atomic<std::uintptr_t> begin{0};
    std::atomic<std::uintptr_t> end{0};
    std::atomic<bool> isLost{false};
};
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
    sigaction(number, &defaults, nullptr); // the access is tried again and ends the process
}

// The file lost the page that was read: zeros replace everything from that page on, and the access
// is tried again.
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

MappingSlot* takeSlot(void* address, std::size_t size)
{
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    for (MappingSlot& slot : slots()) {
        std::uintptr_t free = 0;
        if (!slot.begin.compare_exchange_strong(free, UINTPTR_MAX))
            continue;
        slot.isLost.store(false);
        slot.end.store(begin + size);
        slot.begin.store(begin, std::memory_order_release);
        return &slot;
    }
    return nullptr;
}

struct FileFacts {
    std::uint64_t size = 0;
    std::int64_t seconds = 0;
    std::int64_t nanoseconds = 0;
    std::uint64_t inode = 0;
    std::uint64_t device = 0;

    bool operator==(const FileFacts&) const = default;
};

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

// Compares with the file at the path, since saving replaces that file and the open one stays.
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

// Small files are read completely, so a later change of the file does not matter.
class ReadFile final : public Buffer {
public:
    explicit ReadFile(std::string text)
        : m_text(std::move(text))
    {
        m_bytes = m_text;
    }

private:
    std::string m_text;
};

// Addresses that are unmapped together.
struct Mapping {
    char* begin = nullptr;
    std::size_t size = 0;
};

class MappedFile final : public Buffer {
public:
    // `bytes` lie in the mapping; the first `own` of them are not those of the file.
    MappedFile(std::filesystem::path path, const FileFacts& facts, Mapping mapping,
               MappingSlot* slot, std::string_view bytes, std::size_t own = 0)
        : m_path(std::move(path))
        , m_facts(facts)
        , m_mapping(mapping)
        , m_slot(slot)
        , m_own(own)
    {
        m_bytes = bytes;
    }
    ~MappedFile() override
    {
        m_slot->begin.store(0, std::memory_order_release);
        munmap(m_mapping.begin, m_mapping.size);
    }
    Status intact() const override
    {
        if (m_slot->isLost.load(std::memory_order_acquire))
            return Error{ErrorCode::BadFile,
                         m_path.string() +
                             ": the file was cut short while it was open; open it again"};
        return compareFacts(m_path, m_facts);
    }
    // Only whole pages without other data.
    void release(std::string_view part) const
    {
        const auto page = std::uintptr_t(sysconf(_SC_PAGESIZE));
        const char* const ofFile = m_bytes.data() + m_own;
        if (isInside(part) && std::less<>()(part.data(), ofFile))
            part.remove_prefix(
                std::min<std::size_t>(part.size(), std::size_t(ofFile - part.data())));
        const auto begin = reinterpret_cast<std::uintptr_t>(part.data());
        const std::uintptr_t first = (begin + page - 1) / page * page;
        const std::uintptr_t end = (begin + part.size()) / page * page;
        if (first < end && isInside(part))
            madvise(const_cast<char*>(part.data()) + (first - begin), end - first, MADV_DONTNEED);
    }

private:
    bool isInside(std::string_view part) const
    {
        return std::less_equal<>()(m_bytes.data(), part.data()) &&
               std::less_equal<>()(part.data() + part.size(), m_bytes.data() + m_bytes.size());
    }

    std::filesystem::path m_path;
    FileFacts m_facts;
    Mapping m_mapping;
    MappingSlot* m_slot;
    std::size_t m_own;
};

class Descriptor {
public:
    explicit Descriptor(const std::filesystem::path& path)
        : m_number(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    {
    }
    ~Descriptor()
    {
        if (m_number >= 0)
            ::close(m_number);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number() const { return m_number; }

private:
    int m_number;
};

Result<BufferPtr> readWhole(const std::filesystem::path& path, int descriptor, std::uint64_t hint)
{
    std::string text;
    text.resize(std::size_t(hint));
    std::size_t filled = 0;
    while (true) {
        if (filled == text.size())
            text.resize(text.size() + std::max<std::size_t>(text.size() / 2, 4096));
        const ssize_t got = ::read(descriptor, text.data() + filled, text.size() - filled);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return systemError(path, "cannot be read");
        if (got == 0)
            break;
        filled += std::size_t(got);
    }
    text.resize(filled);
    return BufferPtr(std::make_shared<const ReadFile>(std::move(text)));
}

} // namespace

void releasePages(const Buffer& buffer, std::string_view part)
{
    if (const auto* mapped = dynamic_cast<const MappedFile*>(&buffer))
        mapped->release(part);
}

Result<BufferPtr> openFile(const std::filesystem::path& path, std::uint64_t mapAbove)
{
    const Descriptor file(path);
    if (file.number() < 0)
        return systemError(path, "cannot be opened");
    struct stat status = {};
    if (::fstat(file.number(), &status) != 0)
        return systemError(path, "cannot be read");
    if (S_ISDIR(status.st_mode))
        return Error{ErrorCode::InvalidArgument, path.string() + ": is a folder, a file is needed"};
    if (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode) || S_ISSOCK(status.st_mode))
        return Error{ErrorCode::InvalidArgument, path.string() + ": is a device, a file is needed"};
    // Opens without waiting, so that a pipe without a writer ends at once; a pipe with a writer is
    // read to its end.
    if (::fcntl(file.number(), F_SETFL, 0) != 0)
        return systemError(path, "cannot be read");
    const FileFacts facts = factsOf(status);
    if (!S_ISREG(status.st_mode) || facts.size <= mapAbove)
        return readWhole(path, file.number(), S_ISREG(status.st_mode) ? facts.size + 1 : 4096);
    installHandlerOnce();
    void* address =
        mmap(nullptr, std::size_t(facts.size), PROT_READ, MAP_PRIVATE, file.number(), 0);
    if (address == MAP_FAILED)
        return systemError(path, "cannot be mapped");
    MappingSlot* slot = takeSlot(address, std::size_t(facts.size));
    if (slot == nullptr) {
        munmap(address, std::size_t(facts.size));
        return readWhole(path, file.number(), facts.size + 1);
    }
    const Mapping mapping{static_cast<char*>(address), std::size_t(facts.size)};
    return BufferPtr(std::make_shared<const MappedFile>(
        path, facts, mapping, slot, std::string_view(mapping.begin, mapping.size)));
}

Result<BufferPtr> mapFilePart(const std::filesystem::path& path, std::string_view head,
                              std::uint64_t offset, std::uint64_t size)
{
    const auto page = std::uint64_t(sysconf(_SC_PAGESIZE));
    const Descriptor file(path);
    struct stat status = {};
    if (file.number() < 0 || ::fstat(file.number(), &status) != 0)
        return systemError(path, "cannot be opened");
    const FileFacts facts = factsOf(status);
    if (!S_ISREG(status.st_mode) || head.size() > page || offset > facts.size ||
        size > facts.size - offset)
        return Error{ErrorCode::BadFile, path.string() + ": has no " + std::to_string(size) +
                                             " bytes from byte " + std::to_string(offset) + " on"};
    installHandlerOnce();
    // The head lies before the file's first byte of interest, in a page of its own where there is
    // no other byte of the file.
    const std::uint64_t lead = offset % page;
    const std::size_t mapped = std::size_t(lead + size);
    const std::size_t total = std::size_t(page) + mapped;
    void* const whole =
        mmap(nullptr, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (whole == MAP_FAILED)
        return systemError(path, "cannot be mapped");
    const Mapping mapping{static_cast<char*>(whole), total};
    char* const filePages = mapping.begin + page;
    MappingSlot* slot = nullptr;
    if (size == 0 ||
        mmap(filePages, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file.number(),
             off_t(offset - lead)) == MAP_FAILED ||
        (slot = takeSlot(filePages, mapped)) == nullptr) {
        munmap(mapping.begin, mapping.size);
        return Error{ErrorCode::Io, path.string() + ": cannot be mapped once more"};
    }
    char* const begin = filePages + lead - head.size();
    std::memcpy(begin, head.data(), head.size());
    mprotect(mapping.begin, mapping.size, PROT_READ);
    return BufferPtr(std::make_shared<const MappedFile>(
        path, facts, mapping, slot, std::string_view(begin, head.size() + std::size_t(size)),
        head.size()));
}

namespace {

// Where the parts come to lie in one stretch of memory: each in whole pages, behind one page of its
// own.
struct PartPlace {
    std::size_t at = 0;         // of the own page
    std::size_t fileOffset = 0; // of the first page of the file
    std::size_t inPage = 0;     // where the part begins in it
    std::size_t size = 0;       // of the file's pages
};

std::vector<PartPlace> placesOf(std::span<const FilePart> parts, std::size_t page,
                                std::size_t& total)
{
    std::vector<PartPlace> places;
    for (const FilePart& part : parts) {
        const std::size_t inPage = part.offset % page;
        const std::size_t size = (inPage + part.length + page - 1) / page * page;
        places.push_back({.at = total,
                          .fileOffset = std::size_t(part.offset) - inPage,
                          .inPage = inPage,
                          .size = size});
        total += page + size;
    }
    return places;
}

bool mapPart(char* memory, int descriptor, const FilePart& part, const PartPlace& place,
             std::size_t page)
{
    char* const begin = memory + place.at;
    const auto size = place.size;
    if (mprotect(begin, page, PROT_READ | PROT_WRITE) != 0 ||
        mmap(begin + page, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, descriptor,
             off_t(place.fileOffset)) == MAP_FAILED)
        return false;
    char* const content = begin + page + place.inPage;
    std::memcpy(content - part.head.size(), part.head.data(), part.head.size());
    return mprotect(begin, page + size, PROT_READ) == 0;
}

bool mapAll(char* memory, int descriptor, std::span<const FilePart> parts,
            const std::vector<PartPlace>& places, std::size_t page)
{
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (!mapPart(memory, descriptor, parts[i], places[i], page))
            return false;
    return true;
}

Error notMapped(const std::filesystem::path& path)
{
    return {ErrorCode::Io, path.string() + ": cannot be mapped"};
}

// Gives the memory back unless it was taken over.
struct MemoryGuard {
    void* address = nullptr;
    std::size_t size = 0;
    bool isTakenOver = false;

    ~MemoryGuard()
    {
        if (!isTakenOver)
            munmap(address, size);
    }
};

} // namespace

Result<MappedParts> mapFileParts(const std::filesystem::path& path, std::span<const FilePart> parts)
{
    const Descriptor file(path);
    struct stat status = {};
    if (file.number() < 0 || ::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode))
        return notMapped(path);
    const FileFacts facts = factsOf(status);
    const auto page = std::size_t(sysconf(_SC_PAGESIZE));
    for (const FilePart& part : parts)
        if (part.offset > facts.size || part.length > facts.size - part.offset ||
            part.length == 0 || part.head.size() > page)
            return notMapped(path);
    std::size_t total = 0;
    const std::vector<PartPlace> places = placesOf(parts, page, total);
    installHandlerOnce();
    void* address = total == 0 ? MAP_FAILED
                               : mmap(nullptr, total, PROT_NONE,
                                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address == MAP_FAILED)
        return notMapped(path);
    MemoryGuard guard{.address = address, .size = total};
    char* const memory = static_cast<char*>(address);
    MappingSlot* slot = takeSlot(address, total);
    if (slot == nullptr)
        return notMapped(path);
    if (!mapAll(memory, file.number(), parts, places, page)) {
        slot->begin.store(0, std::memory_order_release);
        return notMapped(path);
    }
    guard.isTakenOver = true;
    MappedParts mapped;
    // Heads lie between the pages of the file: none of these is given back before its end.
    mapped.buffer = std::make_shared<const MappedFile>(path, facts, Mapping{memory, total}, slot,
                                                       std::string_view(memory, total), total);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t begin = places[i].at + page + places[i].inPage - parts[i].head.size();
        mapped.parts.emplace_back(memory + begin, parts[i].head.size() + parts[i].length);
    }
    return mapped;
}

} // namespace lapidary
