#include "app/engine/summary/summarize.h"

#include <map>
#include <string_view>
#include <tuple>

#include "results/step_index.h"

namespace lanescope::engine {
namespace {

using Key = std::tuple<int, int, int, std::string_view>;

std::map<Key, std::vector<std::int32_t>> by_key(std::span<const trace::CodeSite> code) {
  std::map<Key, std::vector<std::int32_t>> out;
  for (std::size_t pc = 0; pc < code.size(); ++pc) {
    const trace::CodeSite& site = code[pc];
    if (site.kind != trace::StepKind::probe)
      out[{site.line, site.column, site.inner_line, results::opcode_of(site)}].push_back(static_cast<std::int32_t>(pc));
  }
  return out;
}

}  // namespace

std::vector<std::int32_t> plain_pcs(std::span<const trace::CodeSite> probed, std::span<const trace::CodeSite> plain) {
  std::vector<std::int32_t> out(probed.size(), -1);
  const auto theirs = by_key(plain);
  for (const auto& [key, pcs] : by_key(probed)) {
    const auto same = theirs.find(key);
    if (same == theirs.end() || same->second.size() != pcs.size()) continue;
    for (std::size_t n = 0; n < pcs.size(); ++n) out[static_cast<std::size_t>(pcs[n])] = same->second[n];
  }
  return out;
}

}  // namespace lanescope::engine
