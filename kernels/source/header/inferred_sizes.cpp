// Sizes of buffers and counts that are not given, and contents of the buffers.

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/source/cxx/macros.h"
#include "kernels/source/cxx/number_types.h"
#include "kernels/source/header/completer.h"
#include "kernels/source/header/declared_arrays.h"
#include "kernels/source/header/host_choice.h"
#include "kernels/source/header/index_extents.h"
#include "kernels/source/header/launch_header.h"
#include "kernels/source/notation/stated_array.h"

namespace lanescope::source {
namespace {

using Code = Assumption::Code;

/// Names of parameters that count elements.
constexpr std::array<std::string_view, 12> counts = {
    "n", "N", "len", "length", "count", "size", "num", "elements", "num_elements", "total", "numel", "n_elements"};
constexpr std::int64_t loop_turns = 32;
constexpr std::int64_t row_grain = 32;  ///< elements: an assumed row has a whole number of these

}  // namespace

const HostBuffer* Completer::host_buffer(const BufferSpec& b) const {
  const auto known = host_of_.find(b.name);
  return known == host_of_.end() ? nullptr : &host_.buffers[static_cast<std::size_t>(known->second)];
}

bool Completer::set_in_part(BufferSpec& b, const HostBuffer& host) {
  constexpr std::size_t most_parts = 8;  // more are holes between members of structures
  const std::uint64_t bytes = (b.elements * static_cast<std::uint64_t>(b.element_bits) + 7) / 8;
  if (!host.contents || host.contents->size() != bytes || host.unset.empty() || host.unset.size() > most_parts ||
      host.host_only || !b.inferred || header_.launches.empty())
    return false;
  b.initial = {.kind = Contents::Kind::zeros, .text = {}, .values = {}};
  b.initial.uninitialised = true;
  std::vector<HostStep> puts;
  for (std::size_t i = 0; i <= host.unset.size(); ++i) {
    const std::uint64_t begin = i == 0 ? 0 : host.unset[i - 1].end;
    const std::uint64_t end = i == host.unset.size() ? bytes : host.unset[i].begin;
    if (begin == end) continue;
    const auto first = host.contents->begin() + static_cast<std::ptrdiff_t>(begin);
    puts.push_back({.kind = HostStep::Kind::write,
                    .to = b.name,
                    .from = {},
                    .to_offset_bytes = static_cast<std::int64_t>(begin),
                    .bytes = end - begin,
                    .contents = std::make_shared<const std::vector<std::byte>>(
                        first, first + static_cast<std::ptrdiff_t>(end - begin)),
                    .words = fmt::format("line {} allocates {} bytes for `{}`, and {} of them are set, from byte {} on",
                                         host.line, bytes, b.name, end - begin, begin)});
  }
  std::vector<HostStep>& before = header_.launches.front().before;
  before.insert(before.begin(), puts.begin(), puts.end());
  return true;
}

void Completer::contents_from_host(BufferSpec& b) {
  const HostBuffer* host = host_buffer(b);
  if (host == nullptr) return;
  const std::uint64_t bytes = (b.elements * static_cast<std::uint64_t>(b.element_bits) + 7) / 8;
  if (set_in_part(b, *host)) {
    b.contents_assumed = false;
  } else if (host->contents && host->contents->size() == bytes) {
    b.initial.kind = Contents::Kind::bytes;
    b.initial.bytes = host->contents;
    if (std::all_of(host->contents->begin(), host->contents->end(), [](std::byte x) { return x == std::byte{0}; }))
      b.initial = {.kind = Contents::Kind::zeros, .text = {}, .values = {}};
    b.contents_assumed = false;
    say(fmt::format("Buffer {}: its contents are those that the host code sets.", b.name));
  } else if (host->zeros) {
    b.initial = {.kind = Contents::Kind::zeros, .text = {}, .values = {}};
    b.contents_assumed = false;
    say(fmt::format("Buffer {}: zeros, as the host code sets.", b.name));
  } else if (host->written && !host->contents) {
    unknown_contents_[b.name] = host->because;
  } else if (!host->written && b.inferred && b.initial.kind == Contents::Kind::iota) {
    b.initial.kind = Contents::Kind::zeros;  // as memory of a GPU mostly is; a sum over it must not look like a result
    say(fmt::format("Buffer {}: zeros, because the host code puts nothing there before the launch.", b.name));
  }
  if (!host->written && !host->contents && !host->host_only && b.inferred && b.initial.kind == Contents::Kind::zeros)
    b.initial.uninitialised = true;
  if (host->host_only)
    say(fmt::format("Buffer {}: memory of the host that is not pinned; only some GPUs can reach it.", b.name));
}

std::map<std::string, std::int64_t> Completer::known_scalars(const LaunchSpec& l) const {
  std::map<std::string, std::int64_t> out;
  for (const ArgumentSpec& a : l.arguments)
    if (!a.is_buffer && a.members.empty() && std::holds_alternative<double>(a.value) &&
        std::find(scalars_.begin(), scalars_.end(), a.parameter) == scalars_.end())
      out[a.parameter] = static_cast<std::int64_t>(std::get<double>(a.value));
  return out;
}

const FunctionRange* Completer::range_of(const LaunchSpec& l) const {
  return kernel_called(outline_, l.kernel, l.arguments.size());
}

void Completer::suggest() {
  for (const LaunchSpec& l : header_.launches) {
    const FunctionRange* f = range_of(l);
    if (f == nullptr) continue;
    const SuggestedSizes s = suggested_sizes(lexed_, *f, l.grid, l.block, known_scalars(l));
    for (const auto& [name, value] : s.scalars) guarded_[name] = std::max(guarded_[name], value);
    for (const auto& [name, value] : s.strides) strides_[name] = std::max(strides_[name], value);
    for (const ArgumentSpec& a : l.arguments) {
      const auto n = s.elements.find(a.parameter);
      if (!a.is_buffer || n == s.elements.end()) continue;
      std::uint64_t& most = indexed_[parts_of(std::get<std::string>(a.value)).name];
      most = std::max(most, n->second);
    }
  }
}

bool Completer::fits(const std::string& name, std::int64_t value) {
  for (const LaunchSpec& l : header_.launches) {
    const FunctionRange* f = range_of(l);
    if (f == nullptr) continue;
    std::map<std::string, std::int64_t> known = known_scalars(l);
    known[name] = value;
    const SuggestedSizes s = suggested_sizes(lexed_, *f, l.grid, l.block, known);
    for (const ArgumentSpec& a : l.arguments) {
      const auto n = s.elements.find(a.parameter);
      if (!a.is_buffer || n == s.elements.end()) continue;
      const BufferSpec* b = buffer(parts_of(std::get<std::string>(a.value)).name);
      if (b != nullptr && n->second * static_cast<std::uint64_t>(lanes(b->name)) > b->elements) return false;
    }
  }
  return true;
}

BufferSpec* Completer::buffer(std::string_view name) {
  for (BufferSpec& b : header_.buffers)
    if (b.name == name) return &b;
  return nullptr;
}

std::string Completer::without_alias(const std::string& type) const {
  std::string out = type;
  for (int depth = 0; depth < 4 && !number_type_in(out); ++depth) {
    std::string name = out;
    while (!name.empty() && !is_word(name.back())) name.pop_back();
    const std::size_t before = name.find_last_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    if (before != std::string::npos) name.erase(0, before + 1);
    std::string meant;
    for (const Macro& m : macros(lexed_))
      if (m.name == name && !m.like_function && meant.empty()) meant = without_indent(m.body);
    for (int i = 0; i + 3 < lexed_.count() && meant.empty(); ++i) {
      const bool old = lexed_.is(i, "typedef"), alias = lexed_.is(i, "using") && lexed_.is(i + 1, name);
      if (!old && !(alias && lexed_.is(i + 2, "="))) continue;
      int end = i;
      while (end < lexed_.count() && !lexed_.is(end, ";") && !lexed_.is(end, "{") && end < i + 12) ++end;
      if (!lexed_.is(end, ";")) continue;
      if (old && lexed_.is(end - 1, name)) meant = joined(lexed_, i + 1, end - 2);
      if (alias) meant = joined(lexed_, i + 3, end - 1);
    }
    if (meant.empty()) return type;
    out = meant;
  }
  return out;
}

int Completer::packed_bits(const std::string& words) const {
  if (!one_of(words, {"u32", "s32", "u64", "s64"})) return 0;
  int least = 0;
  for (const Claim& c : claims_) {
    const int simd = c.stated.bits(layout::Place::simd);
    if (simd == 0) continue;
    // A lone 64-bit integer is one register; of everything else a register has 32 bits.
    const auto v = c.registers.empty() ? wish_.registers.end()
                                       : std::ranges::find(wish_.registers, c.registers.front(), &Variable::id);
    const auto type = v == wish_.registers.end() ? std::nullopt : number_type_in(without_alias(v->type));
    const int unit = type && type->numbers == 1 && type->bytes == 8 ? 64 : 32, bits = unit >> std::min(simd, 6);
    const bool known = bits == 1 || bits == 4 || bits == 8 || bits == 16;
    if (known && (least == 0 || bits < least)) least = bits;
  }
  return least;
}

void Completer::new_buffer(const std::string& name, const std::string& parameter, const std::string& type,
                           const FunctionRange& f, const std::string& otherwise) {
  BufferSpec b{.name = name, .inferred = true};
  if (const std::optional<NumberType> known = number_type_in(without_alias(type))) {
    b.element_type = known->element_type;
  } else if (element_bits(otherwise) > 0) {
    b.element_type = otherwise;
  } else {
    b.element_type = "f32";
    say(fmt::format("Buffer {}: f32, because the type `{}` is not known.", b.name, type));
  }
  if (const int bits = packed_bits(b.element_type); bits > 0) {
    say(fmt::format("Buffer {}: {} elements packed into {}-bit words, from the claims' simd bits.", b.name,
                    bits == 1 ? "b1" : fmt::format("u{}", bits), element_bits(b.element_type)));
    b.element_type = bits == 1 ? "b1" : fmt::format("u{}", bits);
  }
  b.element_bits = element_bits(b.element_type);
  if (const auto known = number_type_in(without_alias(type)); known && known->numbers > 1)
    if (known->element_type == b.element_type) lanes_[name] = known->numbers;
  const bool reads_elsewhere = std::any_of(f.info.parameters.begin(), f.info.parameters.end(), [&](const Parameter& p) {
    return p.name != parameter && p.type.find("const") != std::string::npos && p.type.find('*') != std::string::npos;
  });
  const bool output = type.find("const") == std::string::npos && reads_elsewhere;
  b.initial.kind = output ? Contents::Kind::zeros : Contents::Kind::iota;
  b.contents_assumed = true;
  header_.buffers.push_back(std::move(b));
}

void Completer::axes(BufferSpec& b) {
  b.axes = shape_of(lines_, b.name);
  b.axes_assumed = b.axes.empty();
  std::string because = "its comment";
  if (b.axes.empty()) {
    b.axes = claimed_axes();
    because = "the claims' logical bits";
  }
  bool by_claims = b.axes_assumed && !b.axes.empty();
  const auto in_list = [](const Contents& c) { return std::max(c.values.size(), c.listed); };
  const std::size_t listed = std::max(in_list(b.initial), b.expected ? in_list(*b.expected) : 0);
  if (const HostBuffer* host = host_buffer(b)) {
    const std::uint64_t elements = host->bytes * 8 / static_cast<std::uint64_t>(std::max(b.element_bits, 1));
    std::uint64_t claimed = b.axes.empty() ? 0 : 1;
    for (const Axis& axis : b.axes) claimed *= axis.extent;
    by_claims = false;
    if (b.axes.empty() && elements > 0) {
      b.axes = {{.name = "n", .extent = elements, .stride_elements = 0}};
      because = fmt::format("the {} bytes of its allocation at line {}", host->bytes, host->line);
    } else if (claimed > 0 && elements > claimed) {
      b.axes.insert(b.axes.begin(),
                    {.name = "rest", .extent = (elements + claimed - 1) / claimed, .stride_elements = 0});
      because += fmt::format(", and the {} bytes of its allocation at line {}", host->bytes, host->line);
    }
  }
  if (b.axes.empty() && listed > 0) {
    b.axes = {{.name = "n", .extent = listed, .stride_elements = 0}};
    because = "its list of contents";
  }
  const bool is_default = b.axes.empty();
  if (is_default) {
    std::uint64_t threads = 0;
    for (const LaunchSpec& l : header_.launches)
      threads =
          std::max(threads, std::uint64_t{l.block[0]} * l.block[1] * l.block[2] * l.grid[0] * l.grid[1] * l.grid[2]);
    const auto indexed = indexed_.find(b.name);
    const bool by_index = indexed != indexed_.end() && indexed->second > std::max<std::uint64_t>(1024, threads);
    const std::uint64_t extent = by_index ? indexed->second : std::max<std::uint64_t>(1024, threads);
    b.axes = {{.name = "n", .extent = extent * static_cast<std::uint64_t>(lanes(b.name)), .stride_elements = 0}};
    because = by_index ? "the largest index that the kernel's text suggests" : "the number of threads";
  }
  if (!lay_out(b).empty())
    wrong({b.line, b.column}, fmt::format("buffer {} is larger than the memory of any GPU", b.name),
          "give its axes in the launch header");
  std::string shape;
  for (const Axis& axis : b.axes) shape += fmt::format(" {}:{}", axis.name, axis.extent);
  b.size_assumed = is_default;
  if (by_claims && !header_.present) {
    say(fmt::format("Buffer {}: {}{}, from {}.", b.name, b.element_type, shape, because));
    return assume(Code::claimed_size, nullptr, b.name, std::to_string(b.elements), "from the claims' logical bits");
  }
  if (is_default && !header_.present)
    assume(Code::buffer_size, nullptr, b.name, std::to_string(b.elements), fmt::format("from {}", because));
  else
    say(fmt::format("Buffer {}: {}{}, from {}.", b.name, b.element_type, shape, because));
}

std::vector<Axis> Completer::claimed_axes() const {
  std::map<std::pair<bool, std::string>, int> bits;
  for (const Claim& c : claims_)
    for (const std::string& name : layout::logical_bits(c.stated)) {
      const layout::LogicalBit bit = layout::split_name(name);
      int& top = bits[{bit.axis == name, bit.axis}];
      top = std::max(top, bit.bit + 1);
    }
  std::vector<Axis> out;
  for (const auto& [key, count] : bits) {
    if (count > 40) return {};
    out.push_back({.name = key.second, .extent = std::uint64_t{1} << count, .stride_elements = 0});
    // Unless a comment says how far the axis goes: 0..5.
    for (const Claim& c : claims_)
      for (const StatedExtent& stated : c.extents)
        if (stated.axis == key.second && stated.extent > std::uint64_t{1} << (count - 1))
          out.back().extent = stated.extent;
  }
  return out;
}

int Completer::lanes(std::string_view buffer) const {
  const auto known = lanes_.find(std::string(buffer));
  return known == lanes_.end() ? 1 : known->second;
}

std::int64_t Completer::unit_of(const std::string& parameter, const FunctionRange& f) const {
  int widest = 1;
  for (const Parameter& p : f.info.parameters)
    if (const auto type = number_type_in(without_alias(p.type)); type && p.type.find('*') != std::string::npos)
      widest = std::max(widest, type->bytes);
  const auto ends = [&](int i) { return lexed_.is(i, ";") || lexed_.is(i, "{") || lexed_.is(i, "}"); };
  for (int i = f.open + 1; i < f.close; ++i) {
    if (lexed_.of(i) != parameter) continue;
    if (lexed_.is(i + 1, "/") && lexed_.is(i + 2, "sizeof")) return widest;
    for (int t = i; t > f.open && !ends(t); --t)  // (char*)p + y * pitch
      if (lexed_.is(t, "*") && one_of(lexed_.of(t - 1), {"char", "uint8_t", "int8_t", "byte"})) return widest;
  }
  return 1;
}

std::int64_t Completer::member_value(const std::string& name) const {
  const std::string last = lower(std::string_view(name).substr(name.rfind('.') + 1));
  if (std::ranges::find(counts, last) != counts.end() && !header_.buffers.empty())
    return static_cast<std::int64_t>(header_.buffers.front().elements) / lanes(header_.buffers.front().name);
  return extent_by_name(last, "int").value_or(0);
}

void Completer::assume_contents() {
  const std::set<std::string> used = passed_buffers();
  for (const BufferSpec& b : header_.buffers) {
    const auto why = unknown_contents_.find(b.name);
    const bool is_known = why == unknown_contents_.end();
    const bool unset = b.contents_assumed && !b.initial.uninitialised && !header_.present && used.contains(b.name);
    if (host_buffer(b) != nullptr && host_buffer(b)->set_meanwhile)
      assume(Code::contents, nullptr, b.name, "its contents at the launch",
             "because the host code stores there while the kernel may run, which is left out");
    if (is_known && !unset) continue;
    assume(Code::contents, nullptr, b.name, b.initial.kind == Contents::Kind::zeros ? "zeros" : "iota",
           is_known ? "" : fmt::format("because the contents set by the host code are unknown: {}", why->second));
  }
}

void Completer::sizes() {
  const std::uint64_t elements =
      header_.buffers.empty()
          ? 0
          : header_.buffers.front().elements / static_cast<std::uint64_t>(lanes(header_.buffers.front().name));
  for (LaunchSpec& l : header_.launches) {
    const auto has = [&](std::string_view name) {
      return std::ranges::any_of(l.arguments, [&](const ArgumentSpec& a) { return lower(a.parameter) == name; });
    };
    // Of a product of matrices n is no number of elements.
    const bool product = !header_.present && has("m") && has("n") && has("k");
    const std::int64_t tile = product ? tile_extent(l.kernel) : 0;
    for (ArgumentSpec& a : l.arguments) {
      if (std::find(scalars_.begin(), scalars_.end(), a.parameter) == scalars_.end() || a.is_buffer) continue;
      const bool of_product = tile > 0 && lower(a.parameter) == "n";
      const bool count = !of_product && std::find(counts.begin(), counts.end(), a.parameter) != counts.end();
      const auto guarded = guarded_.find(a.parameter);
      const bool stated = !header_.buffers.empty() && !header_.buffers.front().inferred;
      const auto multiplied = strides_.find(a.parameter);
      const bool real = a.type.find("float") != std::string::npos || a.type.find("double") != std::string::npos;
      const std::int64_t stride = header_.present || real || multiplied == strides_.end()
                                      ? 0
                                      : (multiplied->second + row_grain - 1) / row_grain * row_grain;
      const std::int64_t by_name = header_.present ? 0 : extent_by_name(a.parameter, a.type).value_or(0);
      const std::int64_t named = by_name > 0 || of_product ? std::max(by_name, tile) : 0;
      const bool only_counted = !header_.present && guarded != guarded_.end() && guarded->second <= 1;
      const std::int64_t other = std::max({stride, named, only_counted ? loop_turns : 0});
      const bool whole =
          count && (stated || guarded == guarded_.end() || fits(a.parameter, static_cast<std::int64_t>(elements)));
      const FunctionRange* f = range_of(l);
      const auto take = [&](double value, std::string because, bool is_default = false) {
        a.value = value;
        if (!is_default) return assume(Code::scalar, &l, a.parameter, fmt::format("{}", value), std::move(because));
        say(fmt::format("Argument {}: {}, {}.", a.parameter, value, because));
      };
      if (whole) {
        const std::string_view first = header_.buffers.empty() ? "" : std::string_view(header_.buffers.front().name);
        take(static_cast<double>(elements), fmt::format("the elements of {}", first), stated);
      } else if (guarded != guarded_.end() && (guarded->second > 1 || other == 0) && guarded->second >= tile) {
        take(static_cast<double>(guarded->second), "as its guards suggest for these threads");
      } else if (stride > 1 && stride >= named && tile == 0) {
        const std::int64_t unit = f != nullptr ? unit_of(a.parameter, *f) : 1;
        take(static_cast<double>(stride * unit), fmt::format("so that the rows that it is the {} of do not overlap",
                                                             unit > 1 ? "length in bytes" : "length"));
      } else if (only_counted && named == 0) {
        take(static_cast<double>(loop_turns), "so that the loop that it bounds runs some times");
      } else if (named > 0) {
        take(static_cast<double>(named * (f != nullptr ? unit_of(a.parameter, *f) : 1)),
             fmt::format("as its name {}", named > by_name ? "and the tiles of the kernel suggest" : "suggests"));
      } else {
        take(real && !header_.present ? 1.0 : 0.0, "");  // 0 would make products equal for any kernel
      }
    }
  }
  for (const PendingMember& m : pending_members_) {
    LaunchSpec& l = header_.launches[m.launch];
    if (m.argument >= l.arguments.size() || m.member >= l.arguments[m.argument].members.size()) continue;
    const auto value = static_cast<double>(member_value(m.name));
    l.arguments[m.argument].members[m.member].value = value;
    assume(Code::member, &l, m.name, fmt::format("{}", value), m.because);
  }
}

}  // namespace lanescope::source
