#pragma once
// Which registers of the program the words of variables show at the beginning of a span.

#include <compare>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "app/engine/movement/movement_rows.h"
#include "app/engine/values/span_flow.h"

namespace lanescope::engine {

/// Of a variable.
struct FamilyWord {
  int family = 0, number = 0;  ///< in Family::words
  auto operator<=>(const FamilyWord&) const = default;
};

class ShownRegisters {
 public:
  using Words = std::vector<std::pair<std::uint64_t, FamilyWord>>;  ///< with the step that wrote each

  ShownRegisters(const RunState& state, const Instructions& program, const SpanFlow& flow, const MovementSpan& span);

  /// The words that show a register; nullptr: none does.
  const Words* of(RegisterKey reg) const {
    const auto found = shown_in_.find(reg);
    return found == shown_in_.end() ? nullptr : &found->second;
  }
  /// The newest step before the span that computed a value which the span writes, of those that no variable shows; -1:
  /// no search is needed.
  std::int64_t computed_before() const;

 private:
  void find_shown();
  bool written_since(RegisterKey reg, std::int64_t after, std::int64_t until) const;
  void follow_copy(RegisterKey reg);
  const Family& family(int number) const { return s_.families[static_cast<std::size_t>(number)]; }

  const RunState& s_;
  const trace::Trace& t_;
  const Instructions& program_;
  const SpanFlow& flow_;
  MovementSpan span_;
  std::map<RegisterKey, Words> shown_in_;
};

}  // namespace lanescope::engine
