#pragma once
// A folder under a name of plain letters, whatever its own is: while descriptor N is open on a folder, Linux finds that
// folder under /proc/self/fd/N, wherever it lies and even after it was renamed.

#include <filesystem>
#include <memory>
#include <string>

namespace lanescope::compile {

class OpenFolder {
 public:
  explicit OpenFolder(int descriptor);
  ~OpenFolder();
  OpenFolder(const OpenFolder&) = delete;
  OpenFolder& operator=(const OpenFolder&) = delete;

  const std::string& name() const { return name_; }  ///< without a slash at its end; good while this lives
  bool is(int descriptor) const;                     ///< the same folder

 private:
  int descriptor_;
  std::string name_;
};

/// Null where it cannot be opened. The folders opened last stay open, so that in one process a folder keeps its name:
/// precompiled headers are found by it.
std::shared_ptr<const OpenFolder> open_folder(const std::filesystem::path& folder);

}  // namespace lanescope::compile
