#include "kernels/compile/calls/call.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <deque>
#include <filesystem>
#include <mutex>

#include "kernels/compile/calls/answer_cache.h"
#include "kernels/compile/calls/nvrtc_library.h"

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

constexpr const char* lock_name = "lock";
/// States of headers kept at a time: while a header is edited, those before it are of no more use.
constexpr std::size_t most_states = 16;

/// The lock of a folder, which the kernel opens when its process ends, however it ends. -1: another process has it.
int lock_of(const fs::path& folder) {
  const int fd = ::open((folder / lock_name).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0 || ::flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  ::close(fd);
  return -1;
}

/// A folder may be a moment old, its owner just about to take the lock.
bool is_old(const fs::path& folder) {
  std::error_code problem;
  const auto changed = fs::last_write_time(folder, problem);
  return !problem && fs::file_time_type::clock::now() - changed > std::chrono::minutes(1);
}

void remove_abandoned(const fs::path& parent) {
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(parent, problem)) {
    if (!is_old(entry.path())) continue;
    const int fd = lock_of(entry.path());
    if (fd < 0) continue;
    std::error_code ignored;
    fs::remove_all(entry.path(), ignored);
    ::close(fd);
  }
}

/// A folder of this process alone, gone when it ends.
class OwnFolder {
 public:
  explicit OwnFolder(const fs::path& parent) {
    std::error_code problem;
    fs::create_directories(parent, problem);
    if (problem) return;
    remove_abandoned(parent);
    std::string name = (parent / "XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) return;
    path_ = name;
    lock_ = lock_of(path_);
  }
  ~OwnFolder() {
    std::error_code problem;
    if (!path_.empty()) fs::remove_all(path_, problem);
    if (lock_ >= 0) ::close(lock_);
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;

  /// "": it cannot be made.
  std::string part(const std::string& name) {
    const std::lock_guard guard(mutex_);
    if (path_.empty()) return {};
    std::erase(parts_, name);
    parts_.push_back(name);
    std::error_code problem;
    if (parts_.size() > most_states) {
      fs::remove_all(path_ / parts_.front(), problem);
      parts_.pop_front();
    }
    fs::create_directories(path_ / name, problem);
    return problem ? "" : (path_ / name).string();
  }

 private:
  fs::path path_;
  int lock_ = -1;
  std::mutex mutex_;
  std::deque<std::string> parts_;  ///< the latest last
};

OwnFolder& own_folder() {
  static OwnFolder own(cache_place() / ("pch-" + nvrtc().version_text));
  return own;
}

}  // namespace

bool can_precompile() { return nvrtc().at_least(12, 8) && !cache_place().empty(); }

std::string pch_folder(const std::string& state) {
  return state.empty() || !can_precompile() ? std::string() : own_folder().part(state);
}

void forget_precompiled(const std::string& state) {
  std::error_code ignored;
  if (const std::string folder = pch_folder(state); !folder.empty()) fs::remove_all(folder, ignored);
}

}  // namespace lanescope::compile
