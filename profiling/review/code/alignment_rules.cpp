// Alignments that a compiler accepts and the hardware does not keep.
//
// From sm_90 on the system has the first 1024 bytes of a block's shared memory, and the linker aligns variables as if the
// kernel's own part began at 0: on an H200 `__shared__ __align__(4096) char a[256]` has the address 0x400.

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "kernels/source/cxx/lexer.h"
#include "profiling/review/findings/rule_set.h"

namespace lanescope::review {
namespace {

/// "_ZZ4copyPKfE4tile" and "tile" are both names of `tile`.
bool is_named(std::string_view in_ptx, std::string_view name) {
  return in_ptx == name || in_ptx.ends_with(fmt::format("{}{}", name.size(), name)) ||
         in_ptx.ends_with(fmt::format("{}{}E", name.size(), name));
}

/// The name in a declaration that begins with `__shared__`; -1: the variable is of another one.
int declared_in(const source::Lexed& lexed, int begin, std::string_view in_ptx) {
  for (int i = begin; i < lexed.count() && !lexed.is(i, ";") && !lexed.is(i, "{") && !lexed.is(i, "="); ++i)
    if (is_named(in_ptx, lexed.of(i))) return i;
  return -1;
}

bool names(const LaunchReview& launch, std::string_view variable) {
  return std::ranges::any_of(launch.code, [&](const trace::CodeSite& site) {
    const std::size_t at = site.text.find(variable);
    return at != std::string::npos &&
           (at + variable.size() == site.text.size() ||
            std::string_view(",;]+ }").find(site.text[at + variable.size()]) != std::string_view::npos);
  });
}

/// -1: the declaration is not in this file.
int declaration_of(const source::Lexed& lexed, std::string_view in_ptx) {
  for (int i = 0; i < lexed.count(); ++i) {
    if (!lexed.is(i, "__shared__")) continue;
    if (const int at = declared_in(lexed, i, in_ptx); at >= 0) return at;
  }
  return -1;
}

}  // namespace

void alignment_rules(const ReviewInput& input, std::vector<Finding>& out) {
  std::set<std::string> said;
  std::optional<source::Lexed> lexed;
  for (const auto& ran : input.launches) {
    if (ran.seen == nullptr) continue;
    for (const LaunchReview::SharedVariable& v : ran.launch->shared) {
      if (v.alignment < 2 || v.address % v.alignment == 0 || !names(*ran.launch, v.name) || !said.insert(v.name).second)
        continue;
      if (!lexed) lexed = source::lexed(*input.source);
      const int at = declaration_of(*lexed, v.name);
      out.push_back(finding(
          "shared-misaligned", at < 0 ? 0 : lexed->token(at).line, at < 0 ? 0 : lexed->token(at).column,
          fmt::format(
              "`{}` is declared with an alignment of {} bytes, and its address is {}, which is a multiple of {}",
              at < 0 ? v.name : std::string(lexed->of(at)), v.alignment, v.address, v.address & (~v.address + 1))));
    }
  }
}

}  // namespace lanescope::review
