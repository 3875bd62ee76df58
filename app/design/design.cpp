#include "app/design/design.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "kernels/base/numbers.h"
#include "kernels/base/text.h"
#include "kernels/source/model/buffer.h"

namespace lanescope::design {
namespace {

std::optional<layout::PhysicalBit> parse_bit(std::string_view text) {
  text = trimmed(text);
  for (int p = 0; p < layout::place_count; ++p) {
    const auto place = static_cast<layout::Place>(p);
    if (text.size() < 2 || text[0] != layout::row_letter(place)) continue;
    const auto index = number_in<int>(text.substr(1));
    if (index && *index >= 0 && *index < 64) return layout::PhysicalBit{place, *index};
  }
  return std::nullopt;
}

layout::Term* term_at(layout::Assignment& a, layout::PhysicalBit bit) {
  auto& row = a.row(bit.place);
  return row && bit.index >= 0 && bit.index < static_cast<int>(row->size())
             ? &(*row)[static_cast<std::size_t>(bit.index)]
             : nullptr;
}

}  // namespace

std::string_view name_of(End end) { return end == End::from ? "from" : "to"; }

std::string to_string(const Exchange& exchange) {
  return layout::to_string(exchange.a) + " <-> " + layout::to_string(exchange.b);
}

Expected<Exchange> parse_exchange(std::string_view text) {
  const std::size_t arrow = text.find("<->");
  const auto a = parse_bit(text.substr(0, arrow));
  const auto b = arrow == std::string_view::npos ? std::nullopt : parse_bit(text.substr(arrow + 3));
  if (!a || !b)
    return failure(fmt::format("`{}` is no exchange of two physical bits", trimmed(text)), "write `r0 <-> t2`");
  return Exchange{*a, *b};
}

std::string words(const SharedForm& form) {
  const std::string rows = counted(static_cast<std::uint64_t>(form.row_words), "word");
  switch (form.kind) {
    case SharedForm::Kind::plain:
      return "as it is";
    case SharedForm::Kind::padding:
      return fmt::format("{} of padding after {}", counted(static_cast<std::uint64_t>(form.padding_words), "word"),
                         rows);
    case SharedForm::Kind::swizzle:
      return fmt::format("XOR swizzle of {}-word pieces, rows of {}", form.unit_words, rows);
  }
  return {};
}

Expected<layout::Assignment> exchanged(const layout::Assignment& assignment, const Exchange& exchange) {
  layout::Assignment out = assignment;
  for (const layout::PhysicalBit bit : {exchange.a, exchange.b})
    if (term_at(out, bit) == nullptr)
      return failure(fmt::format("the assignment has no bit {}", layout::to_string(bit)),
                     "write the bit into its row first");
  if (exchange.a == exchange.b) return failure("a bit cannot be exchanged with itself", "choose two bits");
  std::swap(*term_at(out, exchange.a), *term_at(out, exchange.b));
  return out;
}

std::vector<std::string> Design::states() const {
  std::vector<std::string> out;
  for (const ChainState& s : earlier) out.push_back(s.text);
  out.push_back(from);
  out.push_back(to);
  for (const ChainState& s : later) out.push_back(s.text);
  return out;
}

Design at_leg(Design design, std::size_t leg) {
  leg = std::min(leg, design.legs() - 1);
  while (design.leg() < leg) {
    design.earlier.push_back({std::move(design.from), std::move(design.steps)});
    design.from = std::move(design.to);
    design.to = std::move(design.later.front().text);
    design.steps = std::move(design.later.front().steps);
    design.later.erase(design.later.begin());
  }
  while (design.leg() > leg) {
    design.later.insert(design.later.begin(), {std::move(design.to), std::move(design.steps)});
    design.to = std::move(design.from);
    design.from = std::move(design.earlier.back().text);
    design.steps = std::move(design.earlier.back().steps);
    design.earlier.pop_back();
  }
  return design;
}

Edit with_destination_added(Design design) {
  design.later.insert(design.later.begin(), {design.to, {}});
  const std::size_t next = design.leg() + 1;
  return {at_leg(std::move(design), next), "one more destination"};
}

Expected<Edit> without_destination(Design design) {
  if (!design.is_chain()) return failure("a design needs one destination", "change it instead");
  design.steps.clear();
  if (!design.later.empty()) {
    design.to = std::move(design.later.front().text);
    design.later.erase(design.later.begin());
    if (!design.later.empty()) design.later.front().steps.clear();
  } else {
    design.to = std::move(design.from);
    design.from = std::move(design.earlier.back().text);
    design.steps = std::move(design.earlier.back().steps);
    design.earlier.pop_back();
  }
  return Edit{std::move(design), "one destination fewer"};
}

Edit with_text(Design design, End end, std::string text) {
  if (end == End::from && !design.earlier.empty() && design.from != text) design.earlier.back().steps.clear();
  if (end == End::to && !design.later.empty() && design.to != text) design.later.front().steps.clear();
  if (end == End::to || design.text(end) != text) design.steps.clear();
  design.text(end) = std::move(text);
  return {std::move(design), end == End::from ? "edit of the source" : "edit of the destination"};
}

Edit with_both(Design design, const layout::Assignment& assignment, std::string type, std::string name) {
  design.from = design.to = layout::print_line(assignment);
  design.type = std::move(type);
  design.steps.clear();
  design.memory.clear();
  design.earlier.clear();
  design.later.clear();
  return {std::move(design), std::move(name)};
}

Edit with_type(Design design, std::string type) {
  design.type = std::move(type);
  return {std::move(design), "change of the type"};
}
Edit with_name(Design design, std::string name) {
  design.name = std::move(name);
  return {std::move(design), "change of the name"};
}
Edit with_memory(Design design, std::vector<std::string> axes) {
  design.memory = std::move(axes);
  return {std::move(design), "change of the memory order"};
}
Edit with_shared(Design design, const SharedForm& form) {
  design.shared = form;
  return {std::move(design), "change of the shared layout"};
}
Edit with_ends_turned(Design design) {
  const std::vector<std::string> states = design.states();
  const std::size_t shown = design.legs() - 1 - design.leg();
  design.earlier.clear();
  design.later.clear();
  design.steps.clear();
  design.from = states.back();
  design.to = states[states.size() - 2];
  for (std::size_t n = states.size() - 2; n-- > 0;) design.later.push_back({states[n], {}});
  return {at_leg(std::move(design), shown), "exchange of source and destination"};
}

Expected<int> bits_of(const std::string& type) {
  if (const int known = source::element_bits(type); known > 0) return known;
  const auto bits = number_in<int>(type);
  if (bits && *bits > 0 && *bits <= 128 && (*bits & (*bits - 1)) == 0) return *bits;
  return failure(fmt::format("the type `{}` is unknown", type),
                 "write a type such as f16 or u8, or a number of bits: 1, 2, 4 ... 128");
}

bool is_function_name(std::string_view text) {
  return !text.empty() && !is_digit(text.front()) && std::ranges::all_of(text, is_word);
}

}  // namespace lanescope::design
