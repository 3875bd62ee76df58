#pragma once
// Folders that a search found for headers that are included and lie in none that were named. What was found is remembered
// for texts with the same includes, so that while a text is edited only its first compile has to search.

#include <string>
#include <vector>

#include "kernels/compile/compile_log.h"
#include "kernels/source/options/header_search.h"

namespace lanescope::compile {

class HeaderFolders {
 public:
  /// `found`: those that reading the file found already. With them those remembered for the file and the includes of
  /// `text`, as far as they still hold.
  HeaderFolders(std::string file, const std::string& text, std::vector<options::FoundHeader> found);

  const std::vector<options::FoundHeader>& found() const { return found_; }
  std::vector<std::string> folders() const;

  /// Looks for what is missing. True: a folder came to the others, so that it is worth compiling again.
  bool look_for(const std::vector<CompileLog::MissingHeader>& missing);

 private:
  void remember() const;

  std::string file_, key_;
  std::vector<options::FoundHeader> found_;
};

}  // namespace lanescope::compile
