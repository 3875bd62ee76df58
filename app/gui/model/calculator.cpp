#include "app/gui/model/measurements.h"
#include "kernels/base/numbers.h"
#include "kernels/base/text.h"

#include <fmt/format.h>

namespace lanescope::gui {
namespace {

constexpr double seconds_per_step_of_pattern = 0.6;

std::optional<std::uint64_t> number_of(std::string_view word) {
  const bool hexadecimal = word.starts_with("0x") || word.starts_with("0X");
  if (hexadecimal) word.remove_prefix(2);
  return number_in<std::uint64_t>(word, hexadecimal ? 16 : 10);
}

}  // namespace

Calculator::Calculator() : formula_text("lane * 8 % 256"), columns_text("4 8 16 32 64"), mask_text("0xffffffff") {
  spec_.formula = formula_text;
  spec_.columns = {4, 8, 16, 32, 64};
  make();
}

std::string Calculator::words() const { return origin_.empty() ? std::string(access::name_of(spec_.shape)) : origin_; }

void Calculator::make() {
  const auto made = access::make_pattern(spec_);
  problem_ = made ? std::string() : to_string(made.error().front());
  if (!made) return;
  pattern_ = *made;
  origin_.clear();
  wavefront = -1;
}

void Calculator::pick(access::Shape shape) {
  spec_.shape = shape;
  if (shape == access::Shape::stride) spec_.amount = 2;
  if (shape == access::Shape::structure) spec_.amount = 16;
  if (shape == access::Shape::misaligned) spec_.amount = spec_.width_bytes;
  if (shape == access::Shape::formula) return set_formula(formula_text);
  if (shape == access::Shape::map) return set_columns(columns_text);
  make();
}

void Calculator::change(const access::PatternSpec& spec) {
  spec_ = spec;
  make();
}

void Calculator::set_formula(const std::string& text) {
  formula_text = text;
  spec_.shape = access::Shape::formula;
  spec_.formula = text;
  make();
}

void Calculator::set_columns(const std::string& text) {
  columns_text = text;
  spec_.shape = access::Shape::map;
  std::vector<std::uint64_t> columns;
  for (const std::string& word : words_between(text, " ,\t")) {
    const auto value = number_of(word);
    if (!value || *value > (std::uint64_t{1} << 32)) {
      problem_ =
          fmt::format("'{}' is not a number of bytes; write the offset of each bit, for example 4 8 16 32 64", word);
      return;
    }
    columns.push_back(*value);
  }
  spec_.columns = std::move(columns);
  make();
}

void Calculator::set_mask(const std::string& text) {
  mask_text = text;
  const auto value = number_of(text);
  if (!value || *value > 0xffffffffu) {
    problem_ = fmt::format("'{}' is not a mask of 32 lanes; write, for example, 0xffff", text);
    return;
  }
  spec_.mask = pattern_.mask = static_cast<std::uint32_t>(*value);
  if (origin_.empty())
    make();
  else
    problem_.clear();
}

void Calculator::set_width(int width_bytes) {
  spec_.width_bytes = pattern_.width_bytes = width_bytes;
  wavefront = -1;
  if (origin_.empty()) make();
}

void Calculator::set_space(trace::MemorySpace space) {
  spec_.space = pattern_.space = space;
  wavefront = -1;
  playing = false;
}

void Calculator::set_kind(trace::AccessKind kind) {
  spec_.kind = pattern_.kind = kind;
  wavefront = -1;
}

void Calculator::edited(std::string origin) {
  origin_ = std::move(origin);
  problem_.clear();
  wavefront = -1;
  mask_text = fmt::format("{:#010x}", pattern_.mask);
  spec_.mask = pattern_.mask;
}

void Calculator::set_offset(int lane_number, std::uint64_t offset) {
  pattern_.addresses[static_cast<std::size_t>(lane_number)] = offset;
  edited("edited");
}

void Calculator::set_active(int lane_number, bool active) {
  const std::uint32_t bit = 1u << lane_number;
  pattern_.mask = active ? pattern_.mask | bit : pattern_.mask & ~bit;
  edited(origin_.empty() ? "edited" : origin_);
}

void Calculator::take(const results::AccessInfo& taken, std::int64_t step) {
  pattern_ = taken;
  spec_.width_bytes = pattern_.width_bytes;
  spec_.kind = pattern_.reads() ? trace::AccessKind::load : trace::AccessKind::store;
  set_space(taken.space);
  edited(fmt::format("step {}", step));
}

results::AccessInfo Calculator::access() const {
  results::AccessInfo info = results::priced(pattern_);
  info.buffer = shared() ? -1 : 0;
  return info;
}

int Calculator::wavefront_count() const { return shared() ? views::bank_costs(access(), what_if).wavefronts : 0; }

void Calculator::turn_wavefront(int by) {
  const int count = wavefront_count();
  if (count == 0) return;
  // The whole access stands between the last and the first.
  wavefront = (wavefront + 1 + by + count + 1) % (count + 1) - 1;
}

void Calculator::play(bool on, double now) {
  playing = on && wavefront_count() > 0;
  if (!playing) return;
  wavefront = 0;
  due_ = now + seconds_per_step_of_pattern;
}

bool Calculator::advance(double now) {
  if (!playing || now < due_) return false;
  due_ = now + seconds_per_step_of_pattern;
  turn_wavefront(1);
  playing = wavefront >= 0;
  return true;
}

}  // namespace lanescope::gui
