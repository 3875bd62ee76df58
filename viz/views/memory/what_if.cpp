#include "viz/views/memory/what_if.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "kernels/base/numbers.h"
#include "viz/views/base/csv.h"

namespace lanescope::views {

access::Access apply(const access::Access& access, const WhatIf& what_if) {
  const auto row_bytes = static_cast<std::uint64_t>(std::max(what_if.row_words, 1)) * 4;
  switch (what_if.kind) {
    case WhatIf::Kind::none:
      return access;
    case WhatIf::Kind::padding:
      return access::padded(access, row_bytes, std::max(what_if.padding_words, 0));
    case WhatIf::Kind::swizzle: {
      // A unit must divide the row: the widest one that does is taken.
      const auto wanted = static_cast<std::uint64_t>(std::max(what_if.unit_words, 1)) * 4;
      const std::uint64_t unit = std::min(std::bit_floor(wanted), row_bytes & (~row_bytes + 1));
      return access::swizzled(access,
                              {.row_bytes = row_bytes,
                               .unit_bytes = unit,
                               .rows_per_step = static_cast<std::uint64_t>(std::max(what_if.rows_per_step, 1))});
    }
  }
  return access;
}

std::uint64_t apply(std::uint64_t byte, const WhatIf& what_if) {
  access::Access one{.width_bytes = 1, .mask = 1};
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
  BankCosts costs{.before = info.cost, .after = access::cost(apply(info, what_if))};
  costs.wavefronts = static_cast<int>(std::max(costs.before.wavefronts, costs.after.wavefronts));
  return costs;
}

std::string to_csv(const AccessInfo& info, const WhatIf& what_if) {
  csv::Table table({"layout", "wavefront", "lane", "word", "bank", "row"});
  for (const bool after : {false, true}) {
    if (after && what_if.kind == WhatIf::Kind::none) break;
    const access::Access shown = apply(info, after ? what_if : WhatIf{});
    const auto groups = access::wavefront_groups(shown);
    for (std::size_t n = 0; n < groups.size(); ++n)
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
  return table.text();
}

}  // namespace lanescope::views
