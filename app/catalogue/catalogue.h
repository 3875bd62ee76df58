#pragma once
// The kernels of the catalogue as a list to search: explanation, topic and expected findings of each.
// All of it is read from assets/kernels: the explanation is the text above `[lanescope]` of a .cu file, expected
// findings are its `lanescope: expect` comments, and topics.toml puts names under headings.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"

namespace lanescope::catalogue {

struct Kernel {
  std::string name, path;
  std::string topic;                 ///< "Other kernels" where topics.toml does not name it
  std::string explanation;           ///< without line breaks; empty if the file has none
  std::string summary;               ///< its first sentence, without the full stop
  std::vector<std::string> expects;  ///< rules of the review, in the order of the file
};

/// In the order of topics.toml, then other files by name. A folder that cannot be read is empty; a
/// topics.toml that cannot be read or names no kernel of the folder is an error.
Expected<std::vector<Kernel>> read(const std::filesystem::path& folder);

/// The installed ones, read once; if they cannot be read as above, all files by name without topics.
const std::vector<Kernel>& installed();

/// How well a kernel matches the typed words: every word must begin a word of its texts, or be part of its name. A word
/// in the name counts more than one in the topic or in a rule, and these more than one in the explanation. nullopt:
/// some word is nowhere.
std::optional<int> score(const Kernel& kernel, std::string_view query);
/// Those that fit, the best first; all of them in their order where nothing is typed.
std::vector<const Kernel*> search(const std::vector<Kernel>& kernels, std::string_view query);

}  // namespace lanescope::catalogue
