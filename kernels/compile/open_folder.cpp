#include "kernels/compile/open_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <mutex>

#include <fmt/format.h>

namespace lanescope::compile {
namespace {

constexpr std::size_t most_kept = 32;

class Kept {
 public:
  std::shared_ptr<const OpenFolder> folder(int descriptor) {
    const std::lock_guard guard(mutex_);
    const auto known =
        std::find_if(folders_.begin(), folders_.end(), [&](const auto& folder) { return folder->is(descriptor); });
    if (known != folders_.end()) {
      ::close(descriptor);
      return *known;
    }
    if (folders_.size() == most_kept) folders_.pop_front();
    return folders_.emplace_back(std::make_shared<OpenFolder>(descriptor));
  }

 private:
  std::mutex mutex_;
  std::deque<std::shared_ptr<const OpenFolder>> folders_;  ///< the latest last
};

}  // namespace

OpenFolder::OpenFolder(int descriptor) : descriptor_(descriptor), name_(fmt::format("/proc/self/fd/{}", descriptor)) {}
OpenFolder::~OpenFolder() { ::close(descriptor_); }

bool OpenFolder::is(int descriptor) const {
  struct stat mine {
  }, other{};
  return ::fstat(descriptor_, &mine) == 0 && ::fstat(descriptor, &other) == 0 && mine.st_dev == other.st_dev &&
         mine.st_ino == other.st_ino;
}

std::shared_ptr<const OpenFolder> open_folder(const std::filesystem::path& folder) {
  static Kept kept;
  const int descriptor = ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return nullptr;
  std::shared_ptr<const OpenFolder> out = kept.folder(descriptor);
  // Where /proc is not mounted the name leads nowhere.
  return ::access(out->name().c_str(), F_OK) == 0 ? out : nullptr;
}

}  // namespace lanescope::compile
