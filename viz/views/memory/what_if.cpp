#include "viz/views/memory/what_if.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "kernels/base/numbers.h"
#include "viz/views/base/csv.h"

namespace lanescope::views {

access::Pattern pattern_of(const AccessInfo& info) {
  const bool load = info.kind == trace::AccessKind::load;
  const bool atomic = info.kind == trace::AccessKind::atomic || info.kind == trace::AccessKind::reduction;
  return {.direction = load ? access::Direction::load : access::Direction::store,
          .width_bytes = info.width_bytes,
          .mask = info.mask,
          .addresses = info.offsets,
          .matrices = info.matrices,
          .atomic = atomic ? std::optional(info.turns) : std::nullopt};
}

access::Pattern apply(const access::Pattern& pattern, const WhatIf& what_if) {
  const auto row_bytes = static_cast<std::uint64_t>(std::max(what_if.row_words, 1)) * 4;
  switch (what_if.kind) {
    case WhatIf::Kind::none:
      return pattern;
    case WhatIf::Kind::padding:
      return access::padded(pattern, row_bytes, std::max(what_if.padding_words, 0));
    case WhatIf::Kind::swizzle: {
      // A unit must divide the row: the widest one that does is taken.
      const auto wanted = static_cast<std::uint64_t>(std::max(what_if.unit_words, 1)) * 4;
      const std::uint64_t unit = std::min(std::bit_floor(wanted), row_bytes & (~row_bytes + 1));
      return access::swizzled(pattern,
                              {.row_bytes = row_bytes,
                               .unit_bytes = unit,
                               .rows_per_step = static_cast<std::uint64_t>(std::max(what_if.rows_per_step, 1))});
    }
  }
  return pattern;
}

std::uint64_t apply(std::uint64_t byte, const WhatIf& what_if) {
  access::Pattern one{.width_bytes = 1, .mask = 1};
  one.addresses[0] = byte;
  return apply(one, what_if).addresses[0];
}

std::string words(const WhatIf& what_if) {
  const auto row = counted(static_cast<std::uint64_t>(std::max(what_if.row_words, 1)), "word");
  switch (what_if.kind) {
    case WhatIf::Kind::none:
      return "as it is";
    case WhatIf::Kind::padding:
      return fmt::format("rows of {}, {} of padding", row,
                         counted(static_cast<std::uint64_t>(std::max(what_if.padding_words, 0)), "word"));
    case WhatIf::Kind::swizzle:
      return fmt::format("rows of {}, units of {} words XOR row", row, std::max(what_if.unit_words, 1));
  }
  return {};
}

BankCosts bank_costs(const AccessInfo& info, const WhatIf& what_if) {
  const access::Pattern pattern = pattern_of(info);
  BankCosts costs{.before = access::shared_cost(pattern), .after = access::shared_cost(apply(pattern, what_if))};
  costs.wavefronts = static_cast<int>(std::max(costs.before.wavefronts, costs.after.wavefronts));
  return costs;
}

std::string to_csv(const AccessInfo& info, const WhatIf& what_if) {
  csv::Table table({"layout", "wavefront", "lane", "word", "bank", "row"});
  const access::Pattern pattern = pattern_of(info);
  for (const bool after : {false, true}) {
    if (after && what_if.kind == WhatIf::Kind::none) break;
    const access::Pattern shown = after ? apply(pattern, what_if) : pattern;
    const auto groups = access::wavefront_groups(shown);
    for (std::size_t n = 0; n < groups.size(); ++n) {
      for (int lane = 0; lane < 32; ++lane) {
        if (!(groups[n].lanes >> lane & 1)) continue;
        const std::uint64_t first = shown.addresses[lane] / 4;
        const std::uint64_t last = (shown.addresses[lane] + static_cast<std::uint64_t>(shown.width_bytes) - 1) / 4;
        for (std::uint64_t word : groups[n].words) {
          if (word < first || word > last) continue;
          table.row(after ? "what if" : "as it is", n + 1, lane, word, word % 32, word / 32);
        }
      }
    }
  }
  return table.text();
}

}  // namespace lanescope::views
