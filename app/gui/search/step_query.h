#pragma once
// A search over the steps of a run, in words:
//
//   next shared store with a conflict          accesses of one kind that cost more than they need
//   load with sectors > 4, global, line 20     a cost or a number of lanes, a source line
//   where was r3 of lane 7 last written        writes of a register: by its name, or by its number in the array shown
//   iteration 37                               of the innermost loop here; "iteration 37, line 20": of that loop
//   shfl.sync.bfly                             an opcode or its beginning
//   step 1200
//
// Words are joined by "and", the order does not matter, words such as "next", "with" and "of" are ignored. Steps of the
// warp that is selected are found, unless the text says "any warp" or "warp 5". Unreadable words are reported.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "results/step_index.h"

namespace lanescope::gui {

/// Context that a text does not contain itself.
struct QueryContext {
  int warp = 0, family = -1;  ///< selected; family: the register array of "r3"; -1: none
  std::int64_t step = -1;     ///< "iteration 5" is one of the loop around it
  bool operator==(const QueryContext&) const = default;
};

struct StepQuery {
  enum class Figure : std::uint8_t { wavefronts, sectors, lanes };
  enum class Relation : std::uint8_t { less, at_most, equal, at_least, more };
  struct Bound {
    Figure figure = Figure::wavefronts;
    Relation relation = Relation::equal;
    std::uint64_t number = 0;
  };
  std::vector<int> kinds{};                  ///< results::mark_kind: one of them; empty: any
  std::vector<trace::MemorySpace> spaces{};  ///< of its access: one of them; empty: any, or none
  bool costly = false;                       ///< an access that costs more than it needs
  bool divergent = false;                    ///< with fewer lanes than other steps of the warp
  std::vector<Bound> bounds{};               ///< all of them
  int line = 0;                              ///< 0: any
  int warp = -1;                             ///< -1: any
  std::string opcode{};                      ///< beginning of it; empty: any
  bool written = false;                      ///< a register is written, of those that follow
  int family = -1, reg = -1, lane = -1;      ///< -1: any
  std::int64_t step = -1, iteration = -1;    ///< this one; -1: any
  bool last = false;                         ///< the one before is needed, not the next
  bool own_warp = false;                     ///< `warp` is the context's: the text names none
};

/// Error: a sentence on the first word that cannot be read.
tl::expected<StepQuery, std::string> parse_step_query(std::string_view text, const results::Summary& summary,
                                                      const QueryContext& context);
std::vector<std::uint32_t> find_steps(const results::Summary& summary, const results::StepIndex& index,
                                      const StepQuery& query, const QueryContext& context);

/// Example texts for an empty field, chosen for this kernel if possible.
std::vector<std::string> example_queries(const results::Summary& summary);

}  // namespace lanescope::gui
