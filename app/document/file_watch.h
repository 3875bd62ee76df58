#pragma once
// Notices when someone else changes a file: by time and size first, and by content before it says so.

#include <cstdint>
#include <string>

namespace lanescope::document {

class FileWatch {
 public:
  enum class Change : std::uint8_t { none, changed, gone };

  FileWatch() = default;
  /// What the file holds now is known.
  explicit FileWatch(std::string path);
  /// Cheap enough for once a second: a stat, and a read only when that differs. Tells each change once.
  Change poll();
  const std::string& path() const { return path_; }

 private:
  struct Seen {
    std::int64_t nanoseconds = 0, bytes = -1;  ///< bytes -1: there is no file
    std::string digest;
  };
  Seen look(const Seen& before) const;

  std::string path_;
  Seen seen_;
};

}  // namespace lanescope::document
