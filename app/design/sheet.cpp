#include "app/design/sheet.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace lanescope::design {
namespace {

using layout::Assignment;
using layout::PhysicalBit;
using layout::Place;

std::vector<PhysicalBit> bits_in(const Assignment& a) {
  std::vector<PhysicalBit> out;
  for (int p = 0; p < layout::place_count; ++p)
    for (int i = 0; i < a.bits(static_cast<Place>(p)); ++i) out.push_back({static_cast<Place>(p), i});
  return out;
}

const layout::Term& term(const Assignment& a, PhysicalBit bit) {
  return (*a.row(bit.place))[static_cast<std::size_t>(bit.index)];
}

Side parsed_side(const std::string& text, const char* missing) {
  Side side;
  if (text.find_first_not_of(" \t\n;") == std::string::npos) {
    side.wrong.push_back(
        {.line = 1, .column = 1, .message = missing, .remedy = "write rows such as `register: i1 i0`"});
    return side;
  }
  auto a = layout::parse(text);
  if (a)
    side.assignment = std::move(*a);
  else
    side.wrong = std::move(a.error());
  return side;
}

/// Rows that `a` leaves out are those of `before`.
Assignment with_rows_of(Assignment a, const Assignment& before) {
  for (std::size_t p = 0; p < a.rows.size(); ++p)
    if (!a.rows[p]) a.rows[p] = before.rows[p];
  return a;
}

/// Exchanges that turn one order of the same terms into another, innermost places first.
std::vector<Exchange> exchanges_between(Assignment at, const Assignment& to) {
  std::vector<Exchange> out;
  const std::vector<PhysicalBit> bits = bits_in(to);
  for (std::size_t n = 0; n < bits.size(); ++n) {
    if (term(at, bits[n]) == term(to, bits[n])) continue;
    const auto other = std::find_if(bits.begin() + static_cast<std::ptrdiff_t>(n) + 1, bits.end(), [&](PhysicalBit b) {
      return term(at, b) == term(to, bits[n]) && term(at, b) != term(to, b);
    });
    if (other == bits.end()) return out;  // never: the terms are the same
    out.push_back({bits[n], *other});
    at = *exchanged(at, out.back());
  }
  return out;
}

/// The steps as exchanges only, to be changed; error: the first one is none.
Expected<std::vector<Exchange>> as_exchanges(const Sheet& sheet, std::size_t from) {
  std::vector<Exchange> out;
  for (std::size_t n = from; n < sheet.steps.size(); ++n) {
    if (!sheet.steps[n].exchange)
      return failure("this step is no exchange of two bits", "edit the notation of the destination");
    out.push_back(*sheet.steps[n].exchange);
  }
  return out;
}

/// The design with these steps after those that are no exchange, and the destination that they lead to.
Expected<Design> with_steps(const Sheet& sheet, std::size_t first, std::vector<Exchange> steps) {
  Design d = sheet.design;
  Assignment at = first < sheet.steps.size() ? sheet.steps[first].before : *sheet.to.assignment;
  for (const Exchange& e : steps) at = LS_TRY(exchanged(at, e));
  d.to = layout::print_line(at);
  d.steps = std::move(steps);
  return d;
}

/// The steps that are no exchange come first.
std::size_t first_exchange(const Sheet& sheet) {
  std::size_t n = sheet.steps.size();
  while (n > 0 && sheet.steps[n - 1].exchange) --n;
  return n;
}

}  // namespace

bool is_reordering(const Assignment& from, const Assignment& to) {
  const std::vector<PhysicalBit> bits = bits_in(from);
  if (bits != bits_in(to)) return false;
  std::vector<std::string> a, b;
  for (const PhysicalBit bit : bits)
    a.push_back(layout::print(term(from, bit))), b.push_back(layout::print(term(to, bit)));
  std::ranges::sort(a);
  std::ranges::sort(b);
  return a == b;
}

Sheet sheet_of(const Design& design) {
  Sheet s{.design = design};
  if (auto bits = bits_of(design.type))
    s.element_bits = *bits;
  else
    s.wrong_type = std::move(bits.error());
  if (!is_function_name(design.name))
    s.wrong_name.push_back(
        {.message = fmt::format("`{}` is no name of a function", design.name), .remedy = "use letters, digits and _"});
  s.from = parsed_side(design.from, "there is no source");
  s.to = parsed_side(design.to, "there is no destination");
  std::optional<Assignment> before;
  for (const ChainState& state : design.earlier)
    if (auto a = layout::parse(state.text)) before = before ? with_rows_of(std::move(*a), *before) : std::move(*a);
  if (before && s.from.assignment) s.from.assignment = with_rows_of(std::move(*s.from.assignment), *before);
  if (!s.from.assignment || !s.to.assignment) return s;
  s.to.assignment = with_rows_of(std::move(*s.to.assignment), *s.from.assignment);
  // Back from the destination over the steps that were made; what is left comes first.
  std::vector<Assignment> states{*s.to.assignment};
  std::vector<Exchange> own = design.steps;
  for (auto e = own.rbegin(); e != own.rend(); ++e) {
    auto before = exchanged(states.back(), *e);
    if (!before) {
      own.clear();
      states.resize(1);
      break;
    }
    states.push_back(std::move(*before));
  }
  std::ranges::reverse(states);
  Assignment at = *s.from.assignment;
  const auto add = [&](const Exchange& e) {
    Assignment after = *exchanged(at, e);
    s.steps.push_back({at, after, e});
    at = std::move(after);
  };
  if (at != states.front()) {
    if (is_reordering(at, states.front())) {
      for (const Exchange& e : exchanges_between(at, states.front())) add(e);
    } else {
      s.steps.push_back({at, states.front(), {}});
      at = states.front();
    }
  }
  for (const Exchange& e : own) add(e);
  return s;
}

std::string kind_of(const Exchange& exchange) {
  Place low = exchange.a.place, high = exchange.b.place;
  if (high < low) std::swap(low, high);
  if (high == Place::block) return low == Place::block ? "blocks renumbered" : "between blocks";
  if (high == Place::warp) return low == Place::warp ? "between warps" : "between warps, through shared memory";
  if (high == Place::thread) return low == Place::thread ? "lanes permuted" : "between lanes";
  return low == Place::reg ? "registers renamed" : "inside each lane";
}

std::string held_by(const Assignment& before, const Exchange& exchange) {
  return layout::print(term(before, exchange.a)) + " <-> " + layout::print(term(before, exchange.b));
}

Expected<Edit> exchange_bits(const Sheet& sheet, End end, const Exchange& exchange) {
  const Side& side = sheet.side(end);
  if (!side.assignment)
    return failure(fmt::format("the notation of the {} has a mistake", end == End::from ? "source" : "destination"),
                   "fix it first");
  auto next = LS_TRY(exchanged(*side.assignment, exchange));
  const std::string name = "exchange of " + held_by(*side.assignment, exchange);
  Design d = sheet.design;
  if (end == End::from) {
    d.from = layout::print_line(next);
    d.steps.clear();
    return Edit{std::move(d), name};
  }
  const std::size_t first = first_exchange(sheet);
  auto steps = LS_TRY(as_exchanges(sheet, first));
  const Exchange back{exchange.b, exchange.a};
  if (!steps.empty() && (steps.back() == exchange || steps.back() == back))
    steps.pop_back();
  else
    steps.push_back(exchange);
  d.to = layout::print_line(next);
  d.steps = std::move(steps);
  return Edit{std::move(d), name};
}

Expected<Edit> without_step(const Sheet& sheet, std::size_t which) {
  const std::size_t first = first_exchange(sheet);
  if (which >= sheet.steps.size()) return failure("there is no such step");
  if (which < first) return failure("this step is no exchange of two bits", "edit the notation of the destination");
  auto steps = *as_exchanges(sheet, first);
  const std::string name = "deletion of step " + std::to_string(which + 1);
  steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(which - first));
  return Edit{LS_TRY(with_steps(sheet, first, std::move(steps))), name};
}

Expected<Edit> with_step_moved(const Sheet& sheet, std::size_t which, bool later) {
  const std::size_t first = first_exchange(sheet);
  const std::size_t other = later ? which + 1 : which - 1;
  if (which >= sheet.steps.size()) return failure("there is no such step");
  if ((!later && which == 0) || other >= sheet.steps.size())
    return failure(later ? "this is the last step" : "this is the first step");
  if (std::min(which, other) < first)
    return failure("the first step is no exchange of two bits", "it stays the first one");
  auto steps = *as_exchanges(sheet, first);
  std::swap(steps[which - first], steps[other - first]);
  return Edit{LS_TRY(with_steps(sheet, first, std::move(steps))), fmt::format("move of step {}", which + 1)};
}

}  // namespace lanescope::design
