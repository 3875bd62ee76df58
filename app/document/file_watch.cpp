#include "app/document/document.h"

#include <sys/stat.h>

#include <utility>

#include "kernels/base/read_file.h"
#include "kernels/source/data/sha256.h"

namespace lanescope::document {

FileWatch::FileWatch(std::string path) : path_(std::move(path)) { seen_ = look({}); }

FileWatch::Seen FileWatch::look(const Seen& before) const {
  Seen now;
  struct stat status {};
  if (path_.empty() || ::stat(path_.c_str(), &status) != 0) return now;
  now.nanoseconds = status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec;
  now.bytes = status.st_size;
  if (now.nanoseconds == before.nanoseconds && now.bytes == before.bytes) {
    now.digest = before.digest;
    return now;
  }
  now.digest = source::sha256(read_file(path_).value_or(""));
  return now;
}

FileWatch::Change FileWatch::poll() {
  Seen now = look(seen_);
  const Seen before = std::exchange(seen_, std::move(now));
  if (seen_.bytes < 0) return before.bytes < 0 ? Change::none : Change::gone;
  return seen_.digest == before.digest ? Change::none : Change::changed;
}

}  // namespace lanescope::document
