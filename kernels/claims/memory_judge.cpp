#include "kernels/claims/memory_judge.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/base/set_bits.h"
#include "kernels/base/text.h"
#include "kernels/claims/fitted_axes.h"

namespace lanescope::claims {

using source::ArrayLayout;
using trace::AccessKind;
using trace::MemorySpace;

namespace {

constexpr std::uint64_t most_judged_places = std::uint64_t{1} << 26;  ///< of one claim: about ten seconds
constexpr std::size_t most_live_images = 16;  ///< blocks take effect in a serial order: the oldest has ended
constexpr std::uint64_t most_watched_bytes = std::uint64_t{4} << 20;

/// Whether the PTX's name of an array is that of `array` in `function`: _ZZ1kPKfE1E.
bool names_array(std::string_view ptx, const std::string& array) {
  if (ptx == array) return true;
  const std::string mangled = fmt::format("{}{}", array.size(), array);
  for (std::size_t at = ptx.find(mangled); at != std::string_view::npos; at = ptx.find(mangled, at + 1)) {
    const bool alone = at > 0 && !is_digit(ptx[at - 1]);
    const std::string_view after = ptx.substr(at + mangled.size());
    if (alone && (after.empty() || after.starts_with("_") || after == "E" || after.starts_with("__"))) return true;
  }
  return false;
}

constexpr std::string_view any_axis = "*";  ///< of stages and the like: may be anything

}  // namespace

std::unique_ptr<AccessJudge> access_judge(const Setting& setting, const MemoryPlaces& places, int claim) {
  using source::ArrayPart, source::WorkShare;
  const auto& about = setting.source->claims[static_cast<std::size_t>(claim)].about;
  if (std::holds_alternative<ArrayLayout>(about)) return std::make_unique<MemoryJudge>(setting, places, claim);
  if (std::holds_alternative<ArrayPart>(about)) return std::make_unique<SubarrayJudge>(setting, places, claim);
  if (std::holds_alternative<WorkShare>(about)) return std::make_unique<WorkJudge>(setting, places, claim);
  return nullptr;
}

const source::Function* AccessJudge::around() const {
  const source::Function* out = nullptr;
  for (const source::Function& f : setting_->source->functions)
    if ((f.is_kernel || f.is_device) && f.name == stated().function &&
        (out == nullptr || out->last_line < stated().first_line))
      out = &f;
  return out;
}

const source::Function* AccessJudge::running() const {
  if (places_->kernel.empty()) return around();
  std::string_view name = std::string_view(places_->kernel).substr(0, places_->kernel.find('<'));
  name.remove_prefix(std::min(name.rfind(':') + 1, name.size()));
  std::vector<const source::Function*> named;
  for (const source::Function& f : setting_->source->functions)
    if (f.is_kernel && f.name == name) named.push_back(&f);
  if (named.size() > 1)
    std::erase_if(named, [&](const auto* f) { return f->parameters.size() != places_->arguments.size(); });
  return named.size() == 1 ? named.front() : nullptr;
}

int AccessJudge::find_buffer(std::int64_t offset_bytes) {
  const source::Claim& c = stated();
  const source::Function* f = around();
  if (f == nullptr || !f->is_kernel || f != running()) return problem_ = coded<Why::not_executed>(), -1;
  const auto at = std::ranges::find(f->parameters, c.variable, &source::Parameter::name) - f->parameters.begin();
  const auto* argument = static_cast<std::size_t>(at) < places_->arguments.size()
                             ? std::get_if<trace::BufferArgument>(&places_->arguments[static_cast<std::size_t>(at)])
                             : nullptr;
  if (argument == nullptr)
    return problem_ = coded<Why::no_buffer>(fmt::format("`{}` has no buffer as argument", c.variable)), -1;
  const auto b = static_cast<std::size_t>(argument->buffer);
  first_ = places_->buffer_addresses[b] + static_cast<std::uint64_t>(argument->offset_bytes + offset_bytes);
  const std::uint64_t end = places_->buffer_addresses[b] + places_->buffer_bytes[b];
  bytes_ = end > first_ ? end - first_ : 0;
  return argument->buffer;
}

ClaimResult AccessJudge::begun() const { return ClaimResult{.claim = claim_, .reason = problem_}; }

std::uint64_t AccessJudge::owner_of(source::Owner owner, const trace::Where& where, std::size_t lane) {
  const std::uint64_t block = std::uint64_t{where.block} << 10;
  if (owner == source::Owner::block) return block;
  const std::uint64_t warp = block | std::uint64_t{where.warp & 31} << 5;
  return owner == source::Owner::warp ? warp : warp | lane;
}

MemoryJudge::MemoryJudge(const Setting& setting, const MemoryPlaces& places, int claim)
    : AccessJudge(setting, places, claim), global_(about().space == ArrayLayout::Space::global) {
  steps_.resize(about().axes.size());
  find_array();
}

void MemoryJudge::find_array() {
  const ArrayLayout& c = about();
  const std::string& function = stated().function;
  const std::string& variable = stated().variable;
  if (global_) {
    buffer_ = find_buffer(c.offset_bytes);
    if (buffer_ < 0) return;
  } else {
    // A kernel that does not run may have an array of the same name.
    const source::Function* own = around();
    if (own != nullptr && own->is_kernel && own != running()) return void(problem_ = coded<Why::not_executed>());
    const std::string in = fmt::format("{}{}", function.size(), function);
    std::vector<const MemoryPlaces::SharedArray*> fitting;
    for (const MemoryPlaces::SharedArray& s : places_->shared) {
      const bool plain = s.name == c.array;  // dynamic shared memory, or an array outside of functions
      if (names_array(s.name, c.array) && (plain || function.empty() || s.name.find(in) != std::string::npos))
        fitting.push_back(&s);
    }
    if (fitting.size() != 1) {
      problem_ = fitting.empty() ? coded<Why::no_such_array>(c.array) : coded<Why::several_arrays>(c.array);
      return;
    }
    first_ = fitting.front()->offset + static_cast<std::uint64_t>(c.offset_bytes);
    const std::uint64_t end = fitting.front()->offset + fitting.front()->bytes;
    bytes_ = end > first_ ? end - first_ : 0;
  }
  element_bytes_ = c.element_bytes;
  if (!global_ && c.declared_elements > 0 && c.array == variable)
    element_bytes_ = static_cast<int>(bytes_ / static_cast<std::uint64_t>(c.declared_elements));
  if (element_bytes_ <= 0) return void(problem_ = coded<Why::unknown_element_size>(variable));
  if (bytes_ == 0 || bytes_ > most_watched_bytes)
    problem_ =
        bytes_ == 0
            ? coded<Why::no_buffer>(fmt::format("`{}` has no bytes in this launch", variable))
            : coded<Why::too_large>(fmt::format("`{}` has more than {} MiB", variable, most_watched_bytes >> 20));
}

int MemoryJudge::line_of(std::uint32_t pc) const {
  const int outer = pc < setting_->caller_lines_by_pc.size() ? setting_->caller_lines_by_pc[pc] : 0;
  const int inner = pc < places_->inner_lines.size() ? places_->inner_lines[pc] : 0;
  for (const source::Function& f : setting_->source->functions) {
    if (f.name != stated().function) continue;
    for (const int line : {inner, outer})
      if (line >= f.first_line && line <= f.last_line) return line;
  }
  return outer;
}

MemoryJudge::Image& MemoryJudge::image_of(std::uint32_t block) {
  if (global_) block = 0;
  if (!images_.empty() && images_.back().block == block) return images_.back();
  const auto known = std::ranges::find(images_, block, &Image::block);
  if (known != images_.end()) return *known;
  if (images_.size() >= most_live_images) {
    close(images_.front());
    images_.erase(images_.begin());
  }
  Image& image = images_.emplace_back();
  image.block = block;
  image.tags.resize(bytes_);
  image.first_bit.resize(bytes_);
  image.dirty.resize(bytes_ / static_cast<std::uint64_t>(element_bytes_) + 1);
  return image;
}

void MemoryJudge::barrier(const trace::BarrierEvent& e) {
  if (global_ || !problem_.empty()) return;
  Image& image = image_of(e.where.block);
  if (e.where.warp >= image.arrived.size()) image.arrived.resize(e.where.warp + 1);
  ++image.arrived[e.where.warp];
  odd_ = odd_ || e.barrier != 0;
}

void MemoryJudge::write(Image& image, std::uint64_t offset, const trace::AccessEvent& e, std::size_t lane) {
  const auto place_bytes = static_cast<std::uint64_t>(element_bytes_);
  for (int b = 0; b < e.width_bytes; ++b, ++offset) {
    if (offset >= bytes_) return;
    const auto word = static_cast<std::size_t>(b / 4);
    image.tags[offset] = e.tags[word * trace::lanes_per_warp + lane];
    image.first_bit[offset] = static_cast<std::uint8_t>(b % 4 * 8);
    const std::uint64_t place = offset / place_bytes;
    if (image.dirty[place]) continue;
    image.dirty[place] = true;
    image.touched.push_back(static_cast<std::uint32_t>(place));
  }
}

void MemoryJudge::access(const trace::AccessEvent& e) {
  if (!problem_.empty() || e.kind == AccessKind::load) return;
  if (e.space != (global_ ? MemorySpace::global : MemorySpace::shared)) return;
  if (global_ && e.kind == AccessKind::async_copy) return;  // what it reads
  bool inside = false;
  for (const std::size_t lane : set_bits(e.where.active)) inside = inside || e.addresses[lane] - first_ < bytes_;
  if (!inside) return;
  if (e.tags.empty()) {
    untagged_ = true;
    return;
  }
  Image& image = image_of(e.where.block);
  last_block_ = e.where.block;
  if (!global_) {
    const std::uint32_t epoch = e.where.warp < image.arrived.size() ? image.arrived[e.where.warp] : 0;
    if (epoch > image.epoch) {
      close(image);
      image.epoch = epoch;
    } else if (epoch < image.epoch) {
      odd_ = true;
    }
  }
  image.line = std::max(image.line, line_of(e.where.pc));
  for (const std::size_t lane : set_bits(e.where.active))
    if (e.addresses[lane] - first_ < bytes_) write(image, e.addresses[lane] - first_, e, lane);
}

void MemoryJudge::initial_contents() {
  if (!global_ || !images_.empty() || untagged_ || !problem_.empty()) return;
  const auto b = static_cast<std::size_t>(buffer_);
  if (b >= setting_->pool->space.buffers.size() || !setting_->pool->space.buffers[b].traced) return;
  const std::uint64_t skipped = first_ - places_->buffer_addresses[b];
  if (skipped % 4 != 0) return;
  Image& image = image_of(0);
  const std::uint32_t first = setting_->pool->space.buffers[b].first_word + static_cast<std::uint32_t>(skipped / 4);
  for (std::uint64_t at = 0; at < bytes_; ++at) {
    image.tags[at] = trace::TagPool::source_word(first + static_cast<std::uint32_t>(at / 4));
    image.first_bit[at] = static_cast<std::uint8_t>(at % 4 * 8);
  }
  for (std::uint64_t p = 0; p < bytes_ / static_cast<std::uint64_t>(element_bytes_); ++p)
    image.touched.push_back(static_cast<std::uint32_t>(p));
}

bool MemoryJudge::decompose(std::int64_t place, Numbers& index) const {
  const ArrayLayout& c = about();
  if (c.swizzle.bits > 0) {
    const std::int64_t mask = ((std::int64_t{1} << c.swizzle.bits) - 1) << c.swizzle.base;
    place ^= (place >> c.swizzle.shift) & mask;
  }
  if (!c.logical_of_place.empty()) {
    if (place >= static_cast<std::int64_t>(c.logical_of_place.size())) return false;
    place = c.logical_of_place[static_cast<std::size_t>(place)];
  }
  std::array<std::size_t, most_axes> order{};
  std::size_t count = 0;
  for (std::size_t a = 0; a < c.axes.size(); ++a)
    if (c.axes[a].extent != 1) order[count++] = a;
  std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count),
            [&](std::size_t a, std::size_t b) { return c.axes[a].stride_elements > c.axes[b].stride_elements; });
  for (std::size_t n = 0; n < count; ++n) {
    const source::Axis& axis = c.axes[order[n]];
    const auto stride = static_cast<std::int64_t>(axis.stride_elements);
    index[order[n]] = place / stride;
    place %= stride;
    if (axis.extent != 0 && index[order[n]] >= static_cast<std::int64_t>(axis.extent)) return false;
  }
  return place == 0;
}

bool MemoryJudge::fitted(int buffer) const {
  const auto b = static_cast<std::size_t>(buffer);
  return b < setting_->source->header.buffers.size() && setting_->source->header.buffers[b].axes_assumed;
}

const MemoryJudge::Axes& MemoryJudge::axes_of(int buffer) {
  const auto [it, fresh] = axes_.try_emplace(buffer);
  Axes& out = it->second;
  if (!fresh) return out;
  const LogicalBits* logical = setting_->logical(buffer);
  if (logical == nullptr) return out.problem = "its elements have no axes", out;
  const source::BufferSpec& spec = setting_->source->header.buffers[static_cast<std::size_t>(buffer)];
  std::vector<std::string> names;
  for (const source::Axis& a : about().axes) names.push_back(a.name);
  if (std::ranges::all_of(names, &std::string::empty)) {  // shape and strides alone: axes in their order
    std::vector<std::string> long_axes;
    for (const source::Axis& a : spec.axes)
      if (a.extent > 1) long_axes.push_back(a.name);
    if (long_axes.size() != names.size())
      return out.problem = fmt::format("the comment names no axes, and {} has {} of them, not {}", spec.name,
                                       long_axes.size(), names.size()),
             out;
    names = long_axes;
  }
  for (const std::string& name : names) {
    if (name == any_axis) {
      out.bits.emplace_back(0, 0);
      continue;
    }
    auto axis = std::ranges::find(spec.axes, name, &source::Axis::name);
    if (axis == spec.axes.end() && spec.axes.size() == 2 && (is_row_name(name) || is_column_name(name)))
      axis = spec.axes.begin() + (is_row_name(name) ? 0 : 1);
    if (axis == spec.axes.end()) {
      out.problem = fmt::format("its elements come from {}, which has no axis {} (its axes: {})", spec.name, name,
                                logical->axes_in_words());
      return out;
    }
    const int bits = axis->extent <= 1 ? 0 : std::bit_width(axis->extent - 1);
    out.bits.emplace_back(bits == 0 ? 0 : logical->bit_of(axis->name + "0"), bits);
  }
  return out;
}

void MemoryJudge::add_seen(Seen seen, const Held& held, Moment& moment, std::vector<Seen>& out,
                           std::span<const trace::WordTag> words, int first_bit, int bits) {
  if (held.kind == Held::Kind::nothing) return;
  if (held.kind == Held::Kind::torn) {
    moment.torn = true;
    if (moment.open.empty()) moment.open = "a place holds parts of elements";
    return;
  }
  int buffer = held.buffer;
  std::vector<std::uint64_t> all, any;  // packed coordinates, AND and OR over the elements
  if (held.one_element()) {
    const LogicalBits* logical = setting_->logical(buffer);
    const auto packed = logical == nullptr ? std::nullopt : logical->pack(held.element);
    if (!packed) {
      if (moment.open.empty()) moment.open = "a place holds an element between the rows of its array";
      return;
    }
    all.push_back(*packed);
    any.push_back(*packed);
  } else {
    const Commons::Bits common = setting_->commons().at(words, first_bit, bits);
    for (std::size_t b = 0; b < common.size(); ++b) {
      if (!common[b].some || fitted(static_cast<int>(b)) || !axes_of(static_cast<int>(b)).problem.empty()) continue;
      buffer = static_cast<int>(b);
      all.push_back(common[b].in_all);
      any.push_back(common[b].in_any);
      break;
    }
    seen.sum = true;
    if (all.empty()) {
      if (moment.open.empty()) moment.open = "mixes elements: a place depends on several";
      return;
    }
  }
  moment.computed = moment.computed || held.kind != Held::Kind::exact;
  seen.buffer = buffer;
  seen.element = held.element;
  if (fitted(buffer)) {
    seen.at[0] = static_cast<std::int64_t>(held.element);
    out.push_back(seen);
    return;
  }
  const Axes& axes = axes_of(buffer);
  if (!axes.problem.empty()) {
    if (moment.open.empty()) moment.open = axes.problem;
    return;
  }
  for (std::size_t a = 0; a < axes.bits.size(); ++a) {
    const auto [offset, count] = axes.bits[a];
    const std::uint64_t mask = (std::uint64_t{1} << count) - 1;
    if (count > 0 && (all[0] >> offset & mask) != (any[0] >> offset & mask)) {
      if (moment.open.empty())
        moment.open = fmt::format("mixes elements: those after a place do not agree in {}", about().axes[a].name);
      return;
    }
    seen.at[a] = count == 0 ? 0 : static_cast<std::int64_t>(all[0] >> offset & mask);
  }
  moment.sums = moment.sums || seen.sum;
  out.push_back(seen);
}

void MemoryJudge::read_place(const Image& image, std::uint32_t place, Reader& reader, std::vector<Seen>& out,
                             Moment& moment) {
  Seen seen{.place = place};
  const auto bytes = static_cast<std::size_t>(element_bytes_);
  const std::size_t begin = place * bytes;
  if (begin + bytes > bytes_) return;
  std::int64_t last = 0;
  bool bounded = true;
  for (const source::Axis& a : about().axes) {
    bounded = bounded && a.extent != 0;
    last += (static_cast<std::int64_t>(a.extent) - 1) * static_cast<std::int64_t>(a.stride_elements);
  }
  if (bounded && about().swizzle.bits == 0 && seen.place > last) return;  // another array may follow
  seen.padding = !decompose(seen.place, seen.index);
  /// The `count` bits from bit `at` of the place on, where they lie together in one or two words of a register.
  const auto read = [&](std::size_t at, std::size_t count, std::array<trace::WordTag, 2>& words, int& first) -> Held {
    const std::size_t byte = begin + at / 8;
    words = {image.tags[byte], trace::no_data};
    first = image.first_bit[byte] + static_cast<int>(at % 8);
    for (std::size_t k = 1; k * 8 < count; ++k) {
      const bool same = image.tags[byte + k] == words[0] && image.first_bit[byte + k] == image.first_bit[byte] + 8 * k;
      if (same) continue;
      if (count != 64 || first != 0 || k < 4 || image.first_bit[byte + k] != 8 * (k - 4)) return {Held::Kind::torn};
      if (k == 4) words[1] = image.tags[byte + k];
      if (image.tags[byte + k] != words[1]) return {Held::Kind::torn};
    }
    return reader.read(std::span(words.data(), count == 64 ? 2 : 1), first, static_cast<int>(count));
  };
  std::array<trace::WordTag, 2> words{};
  int first = 0;
  const std::size_t bits = bytes * 8;
  Held whole{Held::Kind::torn};
  if (bits <= 64) whole = read(0, bits, words, first);
  if (bits <= 64 && (whole.one_element() || whole.kind == Held::Kind::nothing)) {
    add_seen(seen, whole, moment, out, std::span(words.data(), bits == 64 ? 2 : 1), first, static_cast<int>(bits));
    return;
  }
  const int buffer = reader.buffer_of(image.tags[begin]);
  const auto grain = static_cast<std::size_t>(buffer < 0 ? 32 : setting_->element_bits(buffer));
  bool exact = grain < bits;
  for (std::size_t at = 0; exact && at < bits; at += grain) {
    const Held::Kind kind = read(at, grain, words, first).kind;
    exact = kind == Held::Kind::exact || kind == Held::Kind::nothing || kind == Held::Kind::computed;
  }
  if (!exact && bits <= 64) {
    whole = read(0, bits, words, first);
    add_seen(seen, whole, moment, out, std::span(words.data(), bits == 64 ? 2 : 1), first, static_cast<int>(bits));
    return;
  }
  for (std::size_t at = 0; at < bits; at += grain, ++seen.part) {
    const Held held = read(at, grain, words, first);
    add_seen(seen, held, moment, out, std::span(words.data(), grain == 64 ? 2 : 1), first, static_cast<int>(grain));
  }
}

void MemoryJudge::close(Image& image) {
  if (image.touched.empty()) return;
  Moment& moment = moments_[global_ ? 0 : image.line];
  ++moment.instances;
  if (judged_ > most_judged_places) {
    ++moment.left_out;
    for (const std::uint32_t place : image.touched) image.dirty[place] = false;
    image.touched.clear();
    image.line = 0;
    return;
  }
  judged_ += image.touched.size();
  Reader reader(*setting_->pool);
  std::vector<Seen> seen;
  std::ranges::sort(image.touched);
  for (const std::uint32_t place : image.touched) {
    read_place(image, place, reader, seen, moment);
    image.dirty[place] = false;
  }
  image.touched.clear();
  image.line = 0;
  judge(image, seen, moment);
}

void MemoryJudge::close_all() {
  for (Image& image : images_) close(image);
}

ClaimResult MemoryJudge::result(bool cut) const {
  MemoryJudge ended = *this;
  if (cut && !global_) std::erase_if(ended.images_, [&](const Image& i) { return i.block == last_block_; });
  ended.initial_contents();
  ended.close_all();
  return ended.verdict();
}

}  // namespace lanescope::claims
