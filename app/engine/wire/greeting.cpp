#include "app/engine/wire/greeting.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lanescope::engine::wire {
namespace {

constexpr std::array<std::uint8_t, 21> mark = {0x89, 'l', 'a', 'n', 'e', 's', 'c',  'o',  'p',  'e', ' ',
                                               'w',  'o', 'r', 'k', 'e', 'r', '\r', '\n', 0x1a, '\n'};
/// Of the mark, up to its line ends.
constexpr std::size_t name_bytes = 17;
constexpr std::size_t shown_bytes = 200;

}  // namespace

std::span<const std::uint8_t> start_mark() { return mark; }

Bytes GreetingFinder::feed(std::span<const std::uint8_t> bytes) {
  if (found_) return {bytes.begin(), bytes.end()};
  if (!broken_.empty()) return {};
  seen_.insert(seen_.end(), bytes.begin(), bytes.end());
  const auto at = std::search(seen_.begin(), seen_.end(), mark.begin(), mark.end());
  if (at != seen_.end()) {
    found_ = true;
    Bytes rest(at + mark.size(), seen_.end());
    seen_.erase(at, seen_.end());
    return rest;
  }
  const auto name = std::search(seen_.begin(), seen_.end(), mark.begin(), mark.begin() + name_bytes);
  if (seen_.end() - name >= static_cast<std::ptrdiff_t>(mark.size()))
    broken_ = "a terminal in the connection changes line ends; do not use ssh -t";
  else if (seen_.size() > most_noise_bytes)
    broken_ = fmt::format("{} KiB were received without the greeting of a worker", most_noise_bytes >> 10);
  return {};
}

std::string GreetingFinder::noise() const {
  std::string out;
  const std::size_t from = seen_.size() > shown_bytes ? seen_.size() - shown_bytes : 0;
  for (std::size_t i = from; i < seen_.size(); ++i) {
    const bool printable = seen_[i] >= ' ' && seen_[i] < 0x7f;
    if (printable)
      out += static_cast<char>(seen_[i]);
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

}  // namespace lanescope::engine::wire
