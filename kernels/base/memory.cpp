#include "kernels/base/memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "kernels/base/read_file.h"

namespace lanescope {
namespace {

constexpr std::chrono::milliseconds look_at_memory{20};
constexpr std::size_t reserve_bytes = std::size_t{1} << 20;  // for the sentence
constexpr std::uint64_t most_bytes_of_report = 1 << 16;

std::atomic<std::uint64_t> budget{0};  ///< 0: half of the machine's
std::atomic<std::ptrdiff_t> shared_pages{0};

/// Leaves what `word` counts in a table of the system, "RssAnon:   1234 kB"; 0: there is no such row.
std::uint64_t kibibytes_of(std::string_view table, std::string_view word) {
  std::size_t at = table.find(word);
  if (at == std::string_view::npos) return 0;
  at = table.find_first_of("0123456789", at + word.size());
  std::uint64_t out = 0;
  if (at != std::string_view::npos) std::from_chars(table.data() + at, table.data() + table.size(), out);
  return out;
}

/// Of a control group; none: ~0.
std::uint64_t group_limit_bytes() {
  std::uint64_t least = ~std::uint64_t{0};
  for (const char* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    const auto text = read_file(file, most_bytes_of_report);
    std::uint64_t bytes = 0;  // "max": no number
    if (text && std::from_chars(text->data(), text->data() + text->size(), bytes).ec == std::errc{} && bytes > 0)
      least = std::min(least, bytes);
  }
  return least;
}

/// Memory kept for the sentence about a failed allocation.
class Watch {
 public:
  void begin(OutOfMemory handler) {
    const std::lock_guard lock(mutex_);
    handler_ = std::move(handler);
    if (running_) return;
    running_ = true;
    reserve_ = std::make_unique<std::array<char, reserve_bytes>>();
    reserve_->fill(1);  // pages of its own
    std::set_new_handler([] { of_process().fail(); });
    std::thread([this] { look(); }).detach();
  }
  static Watch& of_process() {
    static Watch& out = *new Watch;  // the thread may outlive every static
    return out;
  }

 private:
  void look() {
    for (;;) {
      std::this_thread::sleep_for(look_at_memory);
      const std::uint64_t used = used_memory_bytes(), most = memory_budget_bytes();
      if (used <= most) continue;
      end(fmt::format("{} of memory are in use, and {} may be", bytes_in_words(used), bytes_in_words(most)));
    }
  }
  void fail() {
    {
      const std::lock_guard lock(mutex_);
      reserve_.reset();
    }
    std::set_new_handler(nullptr);
    end(fmt::format("the system has no more memory to give; {} are in use", bytes_in_words(used_memory_bytes())));
  }
  void end(std::string message) {
    OutOfMemory handler;
    {
      const std::lock_guard lock(mutex_);
      handler = handler_;
    }
    handler({.file = {},
             .message = std::move(message),
             .remedy = "make arrays, blocks or the grid smaller, or allow more memory (--max-memory)"});
  }

  std::mutex mutex_;
  OutOfMemory handler_;
  bool running_ = false;
  std::unique_ptr<std::array<char, reserve_bytes>> reserve_;
};

}  // namespace

std::uint64_t machine_memory_bytes() {
  static const std::uint64_t bytes = std::min(
      static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)),
      group_limit_bytes());
  return bytes;
}

std::uint64_t memory_budget_bytes() {
  const std::uint64_t given = budget;
  return given > 0 ? given : machine_memory_bytes() / 2;
}
void set_memory_budget(std::uint64_t bytes) { budget = bytes; }

std::uint64_t used_memory_bytes() {
  // No allocation: this is also asked where one has failed.
  std::array<char, 4096> text;
  const int fd = ::open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  const ssize_t got = fd < 0 ? 0 : ::read(fd, text.data(), text.size());
  if (fd >= 0) ::close(fd);
  const std::string_view table(text.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  const std::ptrdiff_t shared = shared_pages;
  return kibibytes_of(table, "RssAnon") * 1024 + static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(shared, 0));
}
void count_shared_pages(std::ptrdiff_t bytes) { shared_pages += bytes; }

void watch_memory(OutOfMemory handler) { Watch::of_process().begin(std::move(handler)); }

}  // namespace lanescope
