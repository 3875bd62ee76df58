#include "kernels/source/header/inference.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>

#include <fmt/format.h>

#include "kernels/base/nearest_name.h"
#include "kernels/base/text.h"
#include "kernels/source/cxx/number_types.h"
#include "kernels/source/header/host_launch.h"
#include "kernels/source/header/launch_header.h"
#include "kernels/source/notation/comment_shapes.h"

namespace lanescope::source {
namespace {

class Completer {
 public:
  Completer(Header& header, const Lexed& lexed, const Outline& outline, const std::vector<CommentLine>& lines,
            const std::vector<Claim>& claims, std::string_view file, const std::vector<KernelBlock>& blocks)
      : header_(header),
        lexed_(lexed),
        outline_(outline),
        lines_(lines),
        claims_(claims),
        file_(file),
        blocks_(blocks) {}

  Diagnostics run() {
    const auto kernels = std::count_if(outline_.functions.begin(), outline_.functions.end(),
                                       [](const FunctionRange& f) { return f.info.is_kernel; });
    if (kernels == 0) return {};  // a file of device functions; the compiler's business
    host_ = host_launches(lexed_);
    if (header_.launches.empty()) {
      LaunchSpec& l = header_.launches.emplace_back();
      l.grid = l.block = {0, 0, 0};
    }
    for (LaunchSpec& l : header_.launches) {
      const FunctionRange* f = kernel_of(l);
      if (f == nullptr) continue;
      const HostLaunch* host = host_launch_of(l);
      from_host(l, host);
      block(l, *f);
      grid(l);
      arguments(l, *f);
      arguments_from_host(l, host);
    }
    for (BufferSpec& b : header_.buffers) {
      if (b.axes.empty()) axes(b);
    }
    sizes();
    if (!problems_.empty()) return std::move(problems_);
    for (const LaunchSpec& l : header_.launches) offsets(l);
    unused_buffers();
    return std::move(problems_);
  }

 private:
  void say(std::string sentence) {
    if (std::find(header_.inferred.begin(), header_.inferred.end(), sentence) == header_.inferred.end())
      header_.inferred.push_back(std::move(sentence));
  }
  void wrong(const TextPlace& at, std::string message, std::string remedy, Severity severity = Severity::error) {
    problems_.push_back({.file = std::string(file_),
                         .line = at.line,
                         .column = at.column,
                         .message = std::move(message),
                         .remedy = std::move(remedy),
                         .severity = severity});
  }
  /// Of an argument: its own place, else that of all, else the launch's line.
  static TextPlace place_of(const ArgumentSpec& a, const LaunchSpec& l) {
    return a.place.line > 0 ? a.place : l.place_or_line(l.places.arguments);
  }

  const FunctionRange* kernel_of(LaunchSpec& l) {
    std::vector<std::string> names;
    for (const FunctionRange& f : outline_.functions) {
      if (!f.info.is_kernel) continue;
      if (l.kernel.empty()) {
        l.kernel = f.info.name;
        say(fmt::format("Kernel: {}, the {} of the file.", l.kernel, names.empty() ? "first" : "next"));
      }
      std::string_view name = std::string_view(l.kernel).substr(0, l.kernel.find('<'));
      if (const std::size_t scope = name.rfind("::"); scope != std::string_view::npos) name.remove_prefix(scope + 2);
      if (name == f.info.name) return &f;
      names.push_back(f.info.name);
    }
    const std::string_view meant = nearest_name(l.kernel, names);
    wrong(l.place_or_line(l.places.kernel), fmt::format("there is no kernel `{}` in this file", l.kernel),
          meant.empty() ? fmt::format("its kernels are {}", fmt::join(names, ", "))
                        : fmt::format("did you mean `{}`?", meant));
    return nullptr;
  }

  /// The first launch in the host code of the kernel that `l` names. A template gets its instance from there.
  const HostLaunch* host_launch_of(LaunchSpec& l) {
    for (const HostLaunch& h : host_) {
      if (h.kernel == l.kernel) return &h;
      if (h.kernel.substr(0, h.kernel.find('<')) != l.kernel) continue;
      l.kernel = h.kernel;
      say(fmt::format("Template instance: {}, from the launch at line {}.", l.kernel, h.line));
      return &h;
    }
    return nullptr;
  }

  void from_host(LaunchSpec& l, const HostLaunch* h) {
    if (h == nullptr) return;
    const auto take = [&](std::array<std::uint32_t, 3>& to, const auto& from, std::string_view what,
                          std::string_view unit) {
      if (to[0] != 0 || !from) return;
      to = *from;
      say(fmt::format("{}: {} x {} x {} {}, from the launch at line {}.", what, to[0], to[1], to[2], unit, h->line));
    };
    take(l.block, h->block, "Block", "threads");
    take(l.grid, h->grid, "Grid", "blocks");
    if (h->shared_bytes.value_or(0) > 0 && l.dynamic_shared_bytes == 0) {
      l.dynamic_shared_bytes = *h->shared_bytes;
      say(fmt::format("Dynamic shared memory: {} bytes, from the launch at line {}.", *h->shared_bytes, h->line));
    }
  }

  /// Sizes and numbers that the header left out and the host code states.
  void arguments_from_host(LaunchSpec& l, const HostLaunch* h) {
    if (h == nullptr || h->arguments.size() != l.arguments.size()) return;
    for (std::size_t i = 0; i < l.arguments.size(); ++i) {
      ArgumentSpec& a = l.arguments[i];
      const HostLaunch::Argument& given = h->arguments[i];
      const auto scalar = std::find(scalars_.begin(), scalars_.end(), a.parameter);
      if (!a.is_buffer && scalar != scalars_.end() && given.value) {
        a.value = static_cast<double>(*given.value);
        scalars_.erase(scalar);
        say(fmt::format("Argument {}: {}, from the launch at line {}.", a.parameter, *given.value, h->line));
      }
      BufferSpec* b = a.is_buffer ? buffer(std::get<std::string>(a.value)) : nullptr;
      if (b == nullptr || !b->inferred || !given.bytes || !shape_of(lines_, b->name).empty() || !claims_.empty())
        continue;
      b->axes = {{.name = "n",
                  .extent = *given.bytes * 8 / static_cast<std::uint64_t>(b->element_bits),
                  .stride_elements = 0}};
      if (!lay_out(*b).empty())
        b->axes.clear();
      else
        say(fmt::format("Buffer {}: {} n:{}, from cudaMalloc of {}.", b->name, b->element_type, b->axes[0].extent,
                        given.text));
    }
  }

  int most_bits(layout::Place place) const {
    int bits = 0;
    for (const Claim& c : claims_) bits = std::max(bits, c.stated.bits(place));
    return bits;
  }

  bool mentions(const FunctionRange& f, std::string_view a, std::string_view b) const {
    for (int i = f.open; i + 2 < f.close; ++i) {
      if (lexed_.is(i, a) && lexed_.is(i + 1, ".") && lexed_.is(i + 2, b)) return true;
    }
    return false;
  }

  void block(LaunchSpec& l, const FunctionRange& f) {
    if (l.block[0] != 0) return;
    if (const auto stated = extents_of(lines_, "blockDim")) {
      l.block = *stated;
      return say(fmt::format("Block: {} x {} x {} threads, from the comment on blockDim.", l.block[0], l.block[1],
                             l.block[2]));
    }
    for (const KernelBlock& known : blocks_) {
      if (known.kernel != f.info.name) continue;
      l.block = known.block;
      return say(fmt::format("Block: {} x {} x {} threads, from {} of the kernel.", l.block[0], l.block[1], l.block[2],
                             known.because));
    }
    std::uint32_t threads = 0;
    std::string_view because = "the claims' thread and warp bits";
    if (most_bits(layout::Place::warp) > 0) threads = 32U << std::min(most_bits(layout::Place::warp), 5);
    if (threads == 0 && !f.info.launch_bounds.empty()) {
      threads =
          static_cast<std::uint32_t>(std::min(std::strtoul(f.info.launch_bounds.front().c_str(), nullptr, 0), 1024UL));
      because = "__launch_bounds__";
    }
    if (threads == 0) {
      threads = 32;
      because = "the default: one warp";
    }
    const bool two = mentions(f, "threadIdx", "y") && threads % 32 == 0;
    l.block = {two ? 32 : threads, two ? threads / 32 : 1, 1};
    say(fmt::format("Block: {} x {} x 1 threads, from {}.", l.block[0], l.block[1], because));
  }

  void grid(LaunchSpec& l) {
    if (l.grid[0] != 0) return;
    l.grid = {1, 1, 1};
    if (const auto stated = extents_of(lines_, "gridDim")) {
      l.grid = *stated;
      say(fmt::format("Grid: {} x {} x {} blocks, from the comment on gridDim.", l.grid[0], l.grid[1], l.grid[2]));
    } else if (const int bits = most_bits(layout::Place::block); bits > 0) {
      l.grid[0] = 1U << std::min(bits, 20);
      say(fmt::format("Grid: {} blocks, from the claims' block bits.", l.grid[0]));
    } else {
      say("Grid: one block.");
    }
  }

  BufferSpec* buffer(std::string_view name) {
    for (BufferSpec& b : header_.buffers) {
      if (b.name == name) return &b;
    }
    return nullptr;
  }

  /// Given arguments by position or by name; the rest by the parameter's name.
  void arguments(LaunchSpec& l, const FunctionRange& f) {
    std::vector<ArgumentSpec> given = std::move(l.arguments);
    l.arguments.clear();
    const std::vector<Parameter>& parameters = f.info.parameters;
    const bool positional = !given.empty() && given.front().parameter.empty();
    if (positional && given.size() > parameters.size()) {
      return wrong(
          place_of(given[parameters.size()], l),
          fmt::format("there are {} arguments, but {} has {} parameters", given.size(), l.kernel, parameters.size()),
          "remove the last ones");
    }
    for (const ArgumentSpec& a : given) {
      if (positional ||
          std::any_of(parameters.begin(), parameters.end(), [&](const Parameter& p) { return p.name == a.parameter; }))
        continue;
      std::vector<std::string> names;
      for (const Parameter& p : parameters) names.push_back(p.name);
      const std::string_view meant = nearest_name(a.parameter, names);
      wrong(place_of(a, l), fmt::format("{} has no parameter `{}`", l.kernel, a.parameter),
            meant.empty() ? fmt::format("its parameters are {}", fmt::join(names, ", "))
                          : fmt::format("did you mean `{}`?", meant));
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      ArgumentSpec a;
      const auto named = std::find_if(given.begin(), given.end(),
                                      [&](const ArgumentSpec& g) { return g.parameter == parameters[i].name; });
      const bool is_given = positional ? i < given.size() : named != given.end();
      if (is_given) a = positional ? given[i] : *named;
      a.parameter = parameters[i].name;
      a.type = parameters[i].type;
      const bool pointer = a.type.find('*') != std::string::npos || a.type.find('[') != std::string::npos;
      if (!is_given) infer(a, pointer, f);
      if (a.is_buffer) check_buffer(a, l);
      if (is_given && pointer != a.is_buffer && !(pointer && std::get<double>(a.value) == 0)) {
        wrong(place_of(a, l),
              fmt::format("parameter {} of {} is {}", a.parameter, l.kernel, pointer ? "a pointer" : "not a pointer"),
              pointer ? "give it a buffer" : "give it a number");
      }
      l.arguments.push_back(std::move(a));
    }
  }

  struct BufferAndOffset {
    std::string name, offset;  ///< "p", "+64"; the offset is empty where there is none
  };
  static BufferAndOffset parts_of(const std::string& text) {
    const std::size_t sign = std::min(text.find_first_of("+-"), text.size());
    return {std::string(trimmed(std::string_view(text).substr(0, sign))),
            std::string(trimmed(std::string_view(text).substr(sign)))};
  }

  void check_buffer(const ArgumentSpec& a, const LaunchSpec& l) {
    const std::string& text = std::get<std::string>(a.value);
    const auto [name, offset] = parts_of(text);
    if (buffer(name) == nullptr) {
      std::vector<std::string> names;
      for (const BufferSpec& b : header_.buffers) names.push_back(b.name);
      const std::string_view meant = nearest_name(name, names);
      wrong(place_of(a, l), fmt::format("argument {}: there is no buffer `{}`", a.parameter, name),
            meant.empty() ? "add it below [buffers]" : fmt::format("did you mean `{}`?", meant));
    }
    if (!offset.empty() && (offset.size() < 2 || offset.find_first_not_of("0123456789 ", 1) != std::string::npos)) {
      wrong(place_of(a, l), fmt::format("argument {}: `{}` is not an offset", a.parameter, text),
            "write for example \"p+64\", in elements");
    }
  }

  /// A pointer may stand behind the last element, as one that counts down does, but no further.
  void offsets(const LaunchSpec& l) {
    for (const ArgumentSpec& a : l.arguments) {
      if (!a.is_buffer) continue;
      auto [name, offset] = parts_of(std::get<std::string>(a.value));
      const BufferSpec* b = buffer(name);
      if (b == nullptr || offset.empty()) continue;
      if (offset.front() == '-') {
        wrong(place_of(a, l),
              fmt::format("argument {}: `{}{}` is before the first element of {}", a.parameter, name, offset, name),
              "offsets count from the buffer's first element");
        continue;
      }
      std::erase_if(offset, [](char c) { return c == ' ' || c == '+'; });
      std::uint64_t elements = 0;
      const auto [end, problem] = std::from_chars(offset.data(), offset.data() + offset.size(), elements);
      if (problem != std::errc() || end != offset.data() + offset.size() || elements > b->elements)
        wrong(place_of(a, l),
              fmt::format("argument {}: `{}+{}` is beyond the end of {}, which has {} elements", a.parameter, name,
                          offset, name, b->elements),
              "offsets are in elements");
    }
  }

  /// A buffer that no launch passes is a misspelling where some pointer was given an array that nobody wrote.
  void unused_buffers() {
    std::set<std::string> used;
    std::vector<std::string> assumed;
    for (const LaunchSpec& l : header_.launches)
      for (const ArgumentSpec& a : l.arguments)
        if (a.is_buffer) used.insert(parts_of(std::get<std::string>(a.value)).name);
    for (const BufferSpec& b : header_.buffers) {
      if (b.inferred && used.contains(b.name)) assumed.push_back(b.name);
      if (b.expected && b.expected->kind == Contents::Kind::copy_of) used.insert(b.expected->text);
    }
    for (const BufferSpec& b : header_.buffers) {
      if (b.inferred || used.contains(b.name)) continue;
      if (assumed.empty()) {
        wrong({b.line, b.column}, fmt::format("no launch passes the buffer `{}`", b.name),
              "name it in args, or remove it", Severity::warning);
        continue;
      }
      const std::string_view near = nearest_name(b.name, assumed);
      const std::string meant(near.empty() ? std::string_view(assumed.front()) : near);
      wrong({b.line, b.column},
            fmt::format("no launch passes the buffer `{}`, and the parameter {} has no buffer", b.name, meant),
            fmt::format("call the buffer `{}`, or name it in args", meant));
    }
  }

  void infer(ArgumentSpec& a, bool pointer, const FunctionRange& f) {
    if (!pointer) {
      a.value = 0.0;
      scalars_.push_back(a.parameter);
      return;
    }
    a.is_buffer = true;
    a.value = a.parameter;
    if (buffer(a.parameter) != nullptr) return;
    BufferSpec b;
    b.name = a.parameter;
    b.inferred = true;
    if (const std::optional<NumberType> known = number_type_in(a.type)) {
      b.element_type = known->element_type;
    } else {
      b.element_type = "f32";
      say(fmt::format("Buffer {}: f32, because the type `{}` is not known.", b.name, a.type));
    }
    int simd = 0;
    for (const Claim& c : claims_) simd = std::max(simd, c.stated.bits(layout::Place::simd));
    if ((b.element_type == "u32" || b.element_type == "s32") && simd > 0 && simd <= 3) {
      b.element_type = fmt::format("u{}", 32 >> simd);
      say(fmt::format("Buffer {}: {} elements packed into 32-bit words, from the claims' simd bits.", b.name,
                      b.element_type));
    }
    b.element_bits = element_bits(b.element_type);
    const bool reads_elsewhere =
        std::any_of(f.info.parameters.begin(), f.info.parameters.end(), [&](const Parameter& p) {
          return p.name != a.parameter && p.type.find("const") != std::string::npos &&
                 p.type.find('*') != std::string::npos;
        });
    const bool output = a.type.find("const") == std::string::npos && reads_elsewhere;
    b.initial.kind = output ? Contents::Kind::zeros : Contents::Kind::iota;
    header_.buffers.push_back(std::move(b));
  }

  void axes(BufferSpec& b) {
    b.axes = shape_of(lines_, b.name);
    std::string_view because = "its comment";
    if (b.axes.empty()) {
      b.axes = claimed_axes();
      because = "the claims' logical bits";
    }
    const std::size_t listed = std::max(b.initial.values.size(), b.expected ? b.expected->values.size() : 0);
    if (b.axes.empty() && listed > 0) {
      b.axes = {{.name = "n", .extent = listed, .stride_elements = 0}};
      because = "its list of contents";
    }
    if (b.axes.empty()) {
      std::uint64_t threads = 0;
      for (const LaunchSpec& l : header_.launches) {
        threads =
            std::max(threads, std::uint64_t{l.block[0]} * l.block[1] * l.block[2] * l.grid[0] * l.grid[1] * l.grid[2]);
      }
      b.axes = {{.name = "n", .extent = std::max<std::uint64_t>(1024, threads), .stride_elements = 0}};
      because = "the number of threads";
    }
    if (!lay_out(b).empty())
      wrong({b.line, b.column}, fmt::format("buffer {} is larger than the memory of any GPU", b.name),
            "give its axes in the launch header");
    std::string shape;
    for (const Axis& axis : b.axes) shape += fmt::format(" {}:{}", axis.name, axis.extent);
    say(fmt::format("Buffer {}: {}{}, from {}.", b.name, b.element_type, shape, because));
  }

  /// An axis for each letter of the claims' bits, alphabetical, one-bit names such as ReIm last.
  std::vector<Axis> claimed_axes() const {
    std::map<std::pair<bool, std::string>, int> bits;
    for (const Claim& c : claims_) {
      for (const std::string& name : layout::logical_bits(c.stated)) {
        const layout::LogicalBit bit = layout::split_name(name);
        int& top = bits[{bit.axis == name, bit.axis}];
        top = std::max(top, bit.bit + 1);
      }
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

  /// Scalars that nobody gave: a count of elements where the name says so, else 0.
  void sizes() {
    constexpr std::array<std::string_view, 12> counts = {
        "n", "N", "len", "length", "count", "size", "num", "elements", "num_elements", "total", "numel", "n_elements"};
    const std::uint64_t elements = header_.buffers.empty() ? 0 : header_.buffers.front().elements;
    for (LaunchSpec& l : header_.launches) {
      for (ArgumentSpec& a : l.arguments) {
        if (std::find(scalars_.begin(), scalars_.end(), a.parameter) == scalars_.end() || a.is_buffer) continue;
        const bool count = std::find(counts.begin(), counts.end(), a.parameter) != counts.end();
        if (count) a.value = static_cast<double>(elements);
        say(fmt::format("Argument {}: {}.", a.parameter,
                        count ? fmt::format("{}, the elements of {}", elements,
                                            header_.buffers.empty() ? "" : header_.buffers.front().name)
                              : "0"));
      }
    }
  }

  Header& header_;
  const Lexed& lexed_;
  const Outline& outline_;
  const std::vector<CommentLine>& lines_;
  const std::vector<Claim>& claims_;
  std::string_view file_;
  const std::vector<KernelBlock>& blocks_;
  std::vector<std::string> scalars_;
  std::vector<HostLaunch> host_;
  Diagnostics problems_;
};

}  // namespace

Diagnostics complete_header(Header& header, const Lexed& lexed, const Outline& outline,
                            const std::vector<CommentLine>& lines, const std::vector<Claim>& claims,
                            std::string_view file, const std::vector<KernelBlock>& blocks) {
  return Completer(header, lexed, outline, lines, claims, file, blocks).run();
}

}  // namespace lanescope::source
