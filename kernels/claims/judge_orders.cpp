// Of a claim on a buffer whose axes nothing states: other axes than those that were made up, and what is a guess then.

#include <algorithm>

#include <fmt/format.h>

#include "kernels/claims/fitted_axes.h"
#include "kernels/claims/judge.h"

namespace lanescope::claims {

using layout::Place;

bool Judge::any_known_axis() const {
  for (const std::string& name : layout::logical_bits(claim_->stated))
    for (std::size_t b = 0; b < setting_->source->header.buffers.size(); ++b)
      if (setting_->logical(static_cast<int>(b))->bit_of(name) >= 0) return true;
  return false;
}

std::shared_ptr<Setting> Judge::setting_with() const {
  auto setting = std::make_shared<Setting>();
  setting->source = setting_->source;
  setting->pool = setting_->pool;
  setting->value_bytes = setting_->value_bytes;
  setting->caller_lines_by_pc = setting_->caller_lines_by_pc;
  return setting;
}

void Judge::try_fit(const Snapshot& part, int buffer, Reader& reader) {
  const auto b = static_cast<std::size_t>(buffer);
  if (b >= setting_->source->header.buffers.size() || claim_->registers.empty()) return;
  const source::BufferSpec& spec = setting_->source->header.buffers[b];
  if (!setting_->other_axes.empty() || !setting_->other_bits.empty()) return;
  if (!spec.axes_assumed && any_known_axis()) return;
  std::optional<int> simd_bits;
  if (claim_->stated.row(Place::simd)) simd_bits = claim_->stated.bits(Place::simd);
  const Geometry geometry =
      simd_bits ? geometry_of(claim_->registers, *setting_->source, setting_->value_bytes,
                              setting_->element_bits(buffer), simd_bits)
                : natural_geometry(claim_->registers, *setting_, setting_->element_bits(buffer), part, reader);
  fit_tried_ = true;
  if (meant_here()) try_order(part, buffer, geometry, reader);
  if (!spec.axes_assumed && !claim_->other_notation) return;
  FittedAxes fitted = fit_axes(claim_->stated, part, geometry, spec, buffer, reader);
  fit_words_ = fitted.words;
  fit_problem_ = fitted.problem;
  if (!fitted.spec) return;
  auto setting = setting_with();
  for (std::size_t other = 0; other < setting_->source->header.buffers.size(); ++other)
    if (other == b || setting_->source->header.buffers[other].axes_assumed)
      setting->other_axes.emplace(static_cast<int>(other), *fitted.spec);
  fitted_.setting = std::move(setting);
  fitted_.judge.emplace_back(*fitted_.setting, index_, probe_);
}

bool Judge::meant_here() const {
  const bool forward = !claim_->forward_words.empty() && !claim_->later_probes.empty();
  return probe_ == (forward ? claim_->later_probes.back() : claim_->probe);
}

void Judge::try_order(const Snapshot& part, int buffer, const Geometry& geometry, Reader& reader) {
  const auto v = std::ranges::find(setting_->source->variables, claim_->registers.front(), &source::Variable::id);
  if (v == setting_->source->variables.end() || claim_->other_notation) return;
  const DefinedOrder own = defined_order(claim_->stated, part, geometry, buffer, reader);
  order_open_ = own.kind != DefinedOrder::Kind::refuted;
  const auto known = setting_->orders.find({v->function, buffer});
  const auto names = layout::logical_bits(claim_->stated);
  const auto all_in = [&](const LogicalBits::NamedBits& bits) {
    return std::ranges::all_of(names, [&](const std::string& name) {
      return std::ranges::find(bits, name, &LogicalBits::NamedBits::value_type::first) != bits.end();
    });
  };
  if (known == setting_->orders.end()) {
    if (own.kind != DefinedOrder::Kind::defined) return;
    order_of_ = index_;
    setting_->orders.emplace(std::pair(v->function, buffer), Setting::OrderOfClaim{index_, own.bits});
  } else if (all_in(known->second.bits)) {
    order_of_ = known->second.claim;
  } else {
    return;
  }
  auto setting = setting_with();
  setting->other_bits.emplace(buffer, known == setting_->orders.end() ? own.bits : known->second.bits);
  ordered_.setting = std::move(setting);
  ordered_.judge.emplace_back(*ordered_.setting, index_, probe_);
}

ClaimResult Judge::unchecked(const ClaimResult& r, ClaimReason reason) const {
  return ClaimResult{.claim = r.claim,
                     .reason = std::move(reason),
                     .probe = r.probe,
                     .formless = r.formless,
                     .instances = r.instances};
}

ClaimResult Judge::with_other_axes(ClaimResult r, bool tags_seen) const {
  const std::string nothing = fmt::format("nothing states the axes of the array of `{}`", claim_->variable);
  std::optional<ClaimResult> fitted;
  if (!fitted_.judge.empty()) fitted = fitted_.judge.front().own_result(tags_seen);
  const bool fits = fitted && fitted->verdict == Verdict::holds;
  if (fits && fit_problem_.empty()) {
    fitted->reason = coded<Why::steps_of_axes>(fit_words_);
    return std::move(*fitted);
  }
  const bool doubtful = r.verdict == Verdict::differs || r.reason.code == Why::unknown_axis || !foreign_axis_.empty();
  if (!ordered_.judge.empty() && doubtful) {
    ClaimResult ordered = ordered_.judge.front().own_result(tags_seen);
    const int line = setting_->source->claims[static_cast<std::size_t>(order_of_)].first_line;
    if (order_of_ != index_ && ordered.verdict == Verdict::holds) {
      ordered.reason = coded<Why::order_of_claim>(fmt::format("line {}", line));
      return ordered;
    }
    if (order_of_ != index_ && ordered.verdict == Verdict::differs) {
      ordered.difference = fmt::format("in the order that the claim at line {} defines: {}", line, ordered.difference);
      return ordered;
    }
    if (order_of_ == index_ && ordered.verdict == Verdict::holds && !fits) {
      const auto& [buffer, bits] = *ordered_.setting->other_bits.begin();
      const source::BufferSpec& spec = setting_->source->header.buffers[static_cast<std::size_t>(buffer)];
      const std::string axes = order_as_axes(bits);
      ClaimResult defines =
          unchecked(r, coded<Why::defines_order>(
                           spec.name, axes.empty() ? order_words(bits)
                                                   : fmt::format("to have it checked, write `{} = \"{} {}\"` in the "
                                                                 "launch header",
                                                                 spec.name, spec.element_type, axes)));
      defines.axes_of = buffer, defines.axes = axes;
      return defines;
    }
  }
  if (fits) {
    ClaimResult guess = unchecked(
        r, coded<Why::guessed_order>(fmt::format("{}: it holds if {}; {}", nothing, fit_words_, fit_problem_)));
    const auto& [buffer, spec] = *fitted_.setting->other_axes.begin();
    guess.axes_of = buffer, guess.axes = source::axes_text(spec);
    return guess;
  }
  if (claim_->other_notation && doubtful)
    return unchecked(r, coded<Why::guessed_order>(
                            fmt::format("{}, and with no constant steps through it does the comment hold", nothing)));
  return r;
}

std::string Judge::guess_after() const {
  const auto b = static_cast<std::size_t>(std::max(first_buffer_, 0));
  if (b >= setting_->source->header.buffers.size() || !plans_.contains(first_buffer_)) return {};
  const source::BufferSpec& spec = setting_->source->header.buffers[b];
  using What = Failure::What;
  const What what = failed_as();
  const Geometry& g = plans_.at(first_buffer_).geometry;
  const auto& simd = claim_->stated.row(Place::simd);
  const bool wide = g.unit_bits == 64 && claim_->stated.row(Place::reg) && what == What::missing;
  const bool integers = spec.element_type.starts_with('u') || spec.element_type.starts_with('s');
  if (spec.inferred && integers && (wide || (simd && (what == What::torn || g.grain_bits != spec.element_bits))))
    return fmt::format(
        "nothing states the width of the elements of {0}: {1} is taken from the kernel's signature; write "
        "`{0} = \"...\"` with their type in the launch header",
        spec.name, spec.element_type);
  const bool by_order = what == What::elsewhere || what == What::varies || what == What::hole;
  const bool another = order_of_ < 0 && (claim_->stated.row(Place::block) || order_open_);
  if (spec.axes_assumed && by_order && another)
    return fmt::format(
        "nothing states the order of the axes of {0}: that of {1} is assumed from the claims; write "
        "`{0} = \"...\"` with its axes in the launch header",
        spec.name, plans_.at(first_buffer_).logical->axes_in_words());
  return {};
}

}  // namespace lanescope::claims
