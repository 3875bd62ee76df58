#include "kernels/source/host/host_run.h"

#include <algorithm>

#include "kernels/base/text.h"
#include "kernels/source/host/run.h"

namespace lanescope::source {
namespace {

/// A number where there is no command line, if 128 makes blocks of more threads than any device takes.
constexpr int small_number = 16;

/// How many words `main` requires, its own name among them: the largest number that its `argc` is compared with for
/// equality, or that it must not be below. 1: it requires none.
int required_words(const Lexed& lexed, const Outline& outline) {
  constexpr int most = 32;
  const auto main =
      std::ranges::find_if(outline.functions, [](const FunctionRange& f) { return f.info.name == "main"; });
  if (main == outline.functions.end() || main->info.parameters.empty()) return 1;
  const std::string& argc = main->info.parameters.front().name;
  const auto number_at = [&](int t) {
    const std::string_view text = t >= 0 && t < lexed.count() ? lexed.of(t) : std::string_view();
    int out = 0;
    for (const char c : text) out = is_digit(c) && out <= most ? 10 * out + (c - '0') : most + 1;
    return text.empty() ? most + 1 : out;
  };
  int words = 1;
  for (int t = 1; t + 1 < lexed.count(); ++t) {
    if (lexed.of(t) != argc || lexed.token(t).kind != TokenKind::identifier) continue;
    const auto asks = [&](int at, std::string_view below, std::string_view at_most, int number) {
      int n = number_at(number);
      const std::string_view op = lexed.of(at);
      if (op == at_most) ++n;
      if ((op == "==" || op == "!=" || op == below || op == at_most) && n <= most) words = std::max(words, n);
    };
    asks(t + 1, "<", "<=", t + 2);
    asks(t - 1, ">", ">=", t - 2);
  }
  return words;
}

}  // namespace

HostRun run_host(const Lexed& lexed, const Outline& outline, const HostLimits& limits,
                 const std::vector<std::string>& command_line) {
  // What all attempts cost is limited together; the second and third have a quarter at least.
  std::uint64_t steps = 0, tokens_searched = 0;
  const auto run = [&](const host::Attempt& attempt) {
    HostLimits rest = limits;
    if (steps > 0) rest.steps = std::max(limits.steps - std::min(limits.steps, steps), limits.steps / 4);
    HostRun out = host::run_once(lexed, outline, rest, attempt);
    out.steps = steps += out.steps;
    out.tokens_searched = tokens_searched += out.tokens_searched;
    return out;
  };
  host::Attempt attempt{.words = command_line};
  HostRun out = run(attempt);
  if (out.launch_count == 0 && !command_line.empty()) out = run(attempt = {});
  if (out.launch_count == 0) {
    // `if (argc != 2) return 1;` and the like: once more, without leaving early and with as many words as it requires.
    const int required = required_words(lexed, outline);
    out = run(attempt = {.never_leave = true, .word_count = required});
    if (out.launch_count == 0 && required > 1) out = run(attempt = {.never_leave = true});
    if (std::ranges::any_of(out.launches, host::block_too_large))
      out = run(attempt = {.never_leave = true, .word_count = required, .number = small_number});
  }
  if (std::ranges::any_of(out.launches, &HostLaunch::after_occupancy)) {
    // Which grids are made from the resident blocks: those that are others where another number is reported.
    attempt.one_resident = true;
    const HostRun other = run(attempt);
    out.steps = other.steps;
    out.tokens_searched = other.tokens_searched;
    if (other.launches.size() == out.launches.size())
      for (std::size_t i = 0; i < out.launches.size(); ++i)
        out.launches[i].after_occupancy &=
            out.launches[i].line != other.launches[i].line || out.launches[i].grid != other.launches[i].grid;
  }
  return out;
}

}  // namespace lanescope::source
