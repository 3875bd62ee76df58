#include "kernels/source/header/host_launch.h"

#include <algorithm>
#include <string_view>

#include "kernels/source/header/host_constants.h"

namespace lanescope::source {
namespace {

constexpr int longest_text = 200;  ///< tokens of a kernel's name with its template arguments, and of an argument

/// Token after a run of `<` or `>` characters that spell `run` at token i; -1 when they do not.
int after_run(const Lexed& lexed, int i, std::string_view run) {
  const std::uint32_t offset = lexed.token(i).offset;
  if (lexed.text.substr(offset, run.size()) != run) return -1;
  int j = i;
  while (j < lexed.count() && lexed.token(j).offset < offset + run.size()) ++j;
  return j;
}

/// The kernel's name that ends just before token `i`, with template arguments.
std::string name_before(const Lexed& lexed, int i) {
  int first = i - 1;
  if (first >= 0 && lexed.is(first, ">"))
    while (first > std::max(0, i - longest_text) && !lexed.is(first, "<") && !lexed.is(first, ";")) --first;
  if (first < i - 1) --first;
  return first >= 0 && lexed.token(first).kind == TokenKind::identifier ? joined(lexed, first, i - 1) : "";
}

}  // namespace

std::vector<HostLaunch> host_launches(const Lexed& lexed) {
  std::vector<HostLaunch> out;
  HostConstants constants(lexed);
  int searched = 0;  ///< no `>>>` closes a launch that opens before this token
  for (int i = 0; i < lexed.count(); ++i) {
    constants.read(i);
    const int inside = i == 0 ? -1 : after_run(lexed, i, "<<<");
    if (inside < 0 || i < searched) continue;
    int close = inside;
    while (close < lexed.count() && after_run(lexed, close, ">>>") < 0 && !lexed.is(close, ";")) ++close;
    searched = close;
    if (close >= lexed.count() || lexed.is(close, ";")) continue;
    HostLaunch launch{.kernel = name_before(lexed, i),
                      .line = lexed.token(i).line,
                      .grid = {},
                      .block = {},
                      .shared_bytes = {},
                      .arguments = {}};
    if (launch.kernel.empty()) continue;
    const auto sizes = pieces(lexed, inside, close);
    if (!sizes.empty()) launch.grid = constants.extents(sizes[0].first, sizes[0].second);
    if (sizes.size() > 1) launch.block = constants.extents(sizes[1].first, sizes[1].second);
    if (sizes.size() > 2)
      if (const auto bytes = constants.value(sizes[2].first, sizes[2].second);
          bytes && *bytes >= 0 && *bytes <= 0xffffffff)
        launch.shared_bytes = static_cast<std::uint32_t>(*bytes);
    const int open = after_run(lexed, close, ">>>");
    if (open < lexed.count() && lexed.is(open, "(") && lexed.partner(open) > open) {
      for (const auto& [first, last] : pieces(lexed, open + 1, lexed.partner(open))) {
        HostLaunch::Argument a{.text = last - first <= longest_text ? joined(lexed, first, last - 1) : std::string(),
                               .value = constants.value(first, last),
                               .bytes = {}};
        if (last - first == 1) a.bytes = constants.allocated(lexed.of(first));
        launch.arguments.push_back(std::move(a));
      }
    }
    out.push_back(std::move(launch));
  }
  return out;
}

}  // namespace lanescope::source
