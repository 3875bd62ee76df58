#include "kernels/trace/pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

#include "kernels/base/memory.h"

namespace lanescope::trace {
namespace {

/// Of this machine: 4 KiB on x86-64, up to 64 KiB on Arm.
std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}
/// Of a value other than zero: so large that even 64 GiB are no more mappings than a process may have (65,530).
constexpr std::size_t piece_bytes = std::size_t{16} << 20;

std::size_t whole_pages(std::size_t bytes) { return (bytes + page_bytes() - 1) / page_bytes() * page_bytes(); }

std::byte* zeros(std::size_t bytes) {
  void* const at =
      mmap(nullptr, whole_pages(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::byte*>(at);
}

bool is_zero(std::span<const std::byte> bytes) {
  return bytes[0] == std::byte{0} && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

/// Copies the pages in which `to` differs.
void copy_differing(std::byte* to, const std::byte* from, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += page_bytes()) {
    const std::size_t n = std::min(page_bytes(), bytes - at);
    if (std::memcmp(to + at, from + at, n) != 0) std::memcpy(to + at, from + at, n);
  }
}

/// The system may have the whole pages of `memory` back, whose values are no longer needed.
void give_back(std::span<std::byte> memory) {
  const auto first = reinterpret_cast<std::uintptr_t>(memory.data());
  const std::size_t skipped = whole_pages(first) - first;
  if (memory.size() <= skipped) return;
  const std::size_t bytes = (memory.size() - skipped) / page_bytes() * page_bytes();
  if (bytes > 0) (void)madvise(memory.data() + skipped, bytes, MADV_DONTNEED);
}

}  // namespace

struct MappedBytes::Origin {
  int file = -1;
  std::size_t bytes = 0;  ///< of the file; an array that is longer is made of it over and over
  std::ptrdiff_t written = 0;
  Origin() = default;
  explicit Origin(std::size_t size) : file(memfd_create("contents", MFD_CLOEXEC)), bytes(whole_pages(size)) {
    if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) == 0) return;
    close(file);
    file = -1;
  }
  ~Origin() {
    if (file >= 0) close(file);
    count_shared_pages(-written);
  }
  bool write(std::span<const std::byte> contents, std::size_t from) {
    for (std::size_t at = 0; at < contents.size();) {
      const ssize_t n = pwrite(file, contents.data() + at, contents.size() - at, static_cast<off_t>(from + at));
      if (n <= 0) return false;
      at += static_cast<std::size_t>(n);
      written += n;
      count_shared_pages(n);
    }
    return true;
  }
  Origin(const Origin&) = delete;
  Origin& operator=(const Origin&) = delete;
};

MappedBytes::MappedBytes(std::shared_ptr<const Origin> origin, std::size_t bytes)
    : data_(zeros(bytes)), bytes_(bytes), origin_(std::move(origin)) {
  if (!origin_) return;
  for (std::size_t at = 0; at < whole_pages(bytes); at += origin_->bytes) {
    const std::size_t n = std::min(origin_->bytes, whole_pages(bytes) - at);
    if (mmap(data_ + at, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, origin_->file, 0) !=
        MAP_FAILED)
      continue;
    munmap(data_, whole_pages(bytes));
    throw std::bad_alloc();
  }
}

MappedBytes MappedBytes::filled(std::size_t bytes, std::byte value) {
  if (value == std::byte{0}) return {nullptr, bytes};
  const std::vector<std::byte> piece(std::min(whole_pages(bytes), piece_bytes), value);
  auto origin = std::make_shared<Origin>(piece.size());
  if (origin->file >= 0 && origin->write(piece, 0)) return {std::move(origin), bytes};
  MappedBytes out(nullptr, bytes);
  std::memset(out.data(), static_cast<int>(value), bytes);
  return out;
}

MappedBytes MappedBytes::taken(std::span<std::byte> contents) {
  auto origin = std::make_shared<Origin>(contents.size());
  bool any = false;
  for (std::size_t at = 0; origin->file >= 0 && at < contents.size(); at += piece_bytes) {
    const std::span<std::byte> piece = contents.subspan(at, std::min(piece_bytes, contents.size() - at));
    if (is_zero(piece)) continue;  // a hole of the file
    any = true;
    // Pages that were given back cannot be read again: if the first piece is refused, the rest stays in memory.
    if (!origin->write(piece, at)) {
      if (at > 0) throw std::bad_alloc();
      origin = std::make_shared<Origin>();
      break;
    }
    give_back(piece);
  }
  if (origin->file >= 0) return {any ? std::move(origin) : nullptr, contents.size()};
  MappedBytes out(nullptr, contents.size());
  std::memcpy(out.data(), contents.data(), contents.size());
  return out;
}

MappedBytes::MappedBytes(const MappedBytes& other) {
  if (other.bytes_ == 0) return;
  MappedBytes copy(other.origin_, other.bytes_);
  if (other.changed_) copy_differing(copy.data(), other.data_, other.bytes_);
  swap(copy);
}

MappedBytes::~MappedBytes() {
  if (data_ != nullptr) munmap(data_, whole_pages(bytes_));
}

}  // namespace lanescope::trace
