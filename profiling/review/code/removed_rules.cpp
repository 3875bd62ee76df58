// Accesses of the text that the compiled code does not have, so that no run shows them.

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "kernels/source/cxx/lexer.h"
#include "profiling/review/findings/rule_set.h"

namespace lanescope::review {
namespace {

/// Compiled with shared memory of any kind, also where only its address is taken, and in functions that are called.
bool has_shared(const LaunchReview& launch) {
  const auto is_shared = [](const trace::CodeSite& site) { return site.text.find(".shared") != std::string::npos; };
  return std::ranges::any_of(launch.code, is_shared) ||
         std::ranges::any_of(launch.entry->variables,
                             [](const ptx::Variable& v) { return v.space == ptx::Space::shared; });
}

}  // namespace

void removed_rules(const ReviewInput& input, std::vector<Finding>& out) {
  std::set<int> said;
  for (const auto& ran : input.launches) {
    if (ran.seen == nullptr || ran.launch->spec == nullptr || has_shared(*ran.launch)) continue;
    const source::Function* kernel = kernel_of(*input.source, ran.launch->spec->kernel);
    if (kernel == nullptr) continue;
    const source::Lexed lexed = source::lexed(*input.source);
    for (int i = 0; i < lexed.count(); ++i) {
      const int line = lexed.token(i).line;
      if (!lexed.is(i, "__shared__") || lexed.is(i - 1, "extern") || lexed.is(i + 1, "extern")) continue;
      if (line < kernel->first_line || line > kernel->last_line || !said.insert(line).second) continue;
      out.push_back(finding("shared-removed", line, lexed.token(i).column,
                            fmt::format("the compiled kernel `{}` has no shared memory: the compiler has removed every "
                                        "access to what is declared here, and conflicts of accesses there are not seen",
                                        kernel->name)));
    }
  }
}

}  // namespace lanescope::review
