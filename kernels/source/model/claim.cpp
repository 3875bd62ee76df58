#include "kernels/source/model/claim.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/enum_size.h"

namespace lanescope::source {

ClaimKind Claim::kind() const { return static_cast<ClaimKind>(std::min<std::size_t>(about.index(), 2)); }

Claim claim_at(const TextPlace& place, std::string sentence) {
  Claim out;
  out.first_line = out.last_line = place.line;
  out.column = place.column;
  out.row_lines = {place.line};
  out.sentence = std::move(sentence);
  return out;
}

std::string stated_words(const Claim& claim) {
  if (claim.kind() == ClaimKind::registers) return layout::print_line(claim.stated);
  if (const auto* part = std::get_if<ArrayPart>(&claim.about); part != nullptr && !part->whole_shape.empty())
    return fmt::format("each {} accesses ({}) of ({})", enum_name(part->owner), fmt::join(part->shape, ","),
                       fmt::join(part->whole_shape, ","));
  const auto* layout = std::get_if<ArrayLayout>(&claim.about);
  if (layout == nullptr) return claim.sentence;
  std::vector<std::string> names;
  std::vector<std::uint64_t> strides;
  for (const Axis& a : layout->axes) {
    names.push_back(a.name.empty() ? fmt::format("axis {}", names.size()) : a.name);
    strides.push_back(a.stride_elements);
  }
  const auto& [bits, base, shift] = layout->swizzle;
  return fmt::format("({}), strides ({}){}", fmt::join(names, ", "), fmt::join(strides, ", "),
                     bits > 0 ? fmt::format(", Swizzle<{},{},{}>", bits, base, shift) : "");
}

std::string subject_words(const Claim& claim) {
  constexpr std::string_view words[] = {"register assignment of", "layout of", "stated part of"};
  return fmt::format("{} `{}`", entry_for(words, claim.kind()), claim.variable);
}

}  // namespace lanescope::source
