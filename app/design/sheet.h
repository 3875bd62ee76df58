#pragma once
// A parsed design: both assignments, the steps between them, and the errors of each.

#include <optional>
#include <string>
#include <vector>

#include "app/design/design.h"

namespace lanescope::design {

struct Side {
  std::optional<layout::Assignment> assignment;  ///< of `to`: with the rows of `from` that it leaves out
  Diagnostics wrong;                             ///< lines and columns in the text of this side
};

/// One step of the conversion. An exchange of two bits can be moved and deleted; a step that is no exchange is first.
struct Step {
  layout::Assignment before, after;
  std::optional<Exchange> exchange;
};

struct Sheet {
  Design design;
  int element_bits = 0;  ///< 0: the type is unknown, see `wrong_type`
  Diagnostics wrong_type, wrong_name;
  Side from, to;
  std::vector<Step> steps;  ///< from.assignment to to.assignment; empty where they agree or one is missing
  const Side& side(End end) const { return end == End::from ? from : to; }
  bool complete() const { return element_bits > 0 && from.assignment && to.assignment; }
};
Sheet sheet_of(const Design& design);

/// The kind of an exchange: "exchange in registers", "registers renamed", "shuffle", "lanes exchanged", "through shared
/// memory".
std::string kind_of(const Exchange& exchange);
/// "k3 <-> j2": the contents of the two bits before it.
std::string held_by(const layout::Assignment& before, const Exchange& exchange);
/// Whether every physical bit is the same on both ends but for the order: then exchanges lead from one to the other.
bool is_reordering(const layout::Assignment& from, const layout::Assignment& to);

/// Two chips of one end exchanged. On the destination this adds a step, or takes the last one back when it is the same.
Expected<Edit> exchange_bits(const Sheet& sheet, End end, const Exchange& exchange);
/// The steps without number `which`; the destination becomes the result of the others. Error: it is no exchange.
Expected<Edit> without_step(const Sheet& sheet, std::size_t which);
/// Step `which` trades places with the next one (`later`) or the one before. Error: there is none, or it is no
/// exchange.
Expected<Edit> with_step_moved(const Sheet& sheet, std::size_t which, bool later);

}  // namespace lanescope::design
