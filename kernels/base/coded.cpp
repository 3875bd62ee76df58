#include "kernels/base/coded.h"

namespace lanescope {

std::string filled(std::string_view words, const std::vector<std::string>& operands) {
  std::string out;
  std::size_t next = 0;
  for (std::size_t at = words.find("{}"); at != std::string_view::npos; at = words.find("{}")) {
    out += words.substr(0, at);
    if (next < operands.size()) out += operands[next++];
    words.remove_prefix(at + 2);
  }
  return out += words;
}

}  // namespace lanescope
