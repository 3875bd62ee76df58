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
#include "kernels/source/header/host_choice.h"
#include "kernels/source/header/host_steps.h"
#include "kernels/source/header/index_extents.h"
#include "kernels/source/header/launch_header.h"
#include "kernels/source/header/shared_tiles.h"
#include "kernels/source/header/sibling_host.h"
#include "kernels/source/host/host_cache.h"
#include "kernels/source/host/template_guess.h"
#include "kernels/source/notation/comment_shapes.h"

namespace lanescope::source {
namespace {

class Completer {
 public:
  Completer(Header& header, const Lexed& lexed, const Outline& outline, const std::vector<CommentLine>& lines,
            const std::vector<Claim>& claims, std::string_view file, const LaunchWish& wish,
            std::vector<KernelInstance>& instances)
      : header_(header),
        lexed_(lexed),
        outline_(outline),
        lines_(lines),
        claims_(claims),
        file_(file),
        wish_(wish),
        instances_(instances) {}

  Diagnostics run() {
    const auto kernels = std::count_if(outline_.functions.begin(), outline_.functions.end(),
                                       [](const FunctionRange& f) { return f.info.is_kernel; });
    if (kernels == 0) return {};  // a file of device functions; the compiler's business
    host_ = cached_host_run(lexed_, outline_);
    ask_siblings();
    instances_ = kernel_instances(host_, outline_);
    for (KernelInstance& k : instances_)
      if (sibling_ && k.line > sibling_->own_lines) k.line = 0;
    const std::vector<const HostLaunch*> sequence = launches();
    for (std::size_t i = 0; i < header_.launches.size(); ++i) {
      LaunchSpec& l = header_.launches[i];
      const FunctionRange* f = kernel_of(l);
      if (f == nullptr) continue;
      const HostLaunch* host = i < sequence.size() ? sequence[i] : host_launch_of(l);
      template_instance(l, *f);
      from_host(l, host);
      block(l, *f);
      grid(l);
      arguments(l, *f, host);
      for (KernelInstance& k : instances_) k.chosen = k.chosen || k.kernel == l.kernel;
    }
    steps(sequence);
    suggest();
    for (BufferSpec& b : header_.buffers) {
      if (b.axes.empty()) axes(b);
      contents_from_host(b);
    }
    sizes();
    symbols(sequence);
    tell_steps();
    notes_of_host(sequence);
    if (!problems_.empty()) return std::move(problems_);
    for (const LaunchSpec& l : header_.launches) offsets(l);
    unused_buffers();
    return std::move(problems_);
  }

 private:
  /// Where nothing in this file calls what launches its kernels: a file beside it that does.
  void ask_siblings() {
    if (header_.present && !header_.launches.empty()) return;
    if (std::any_of(host_.launches.begin(), host_.launches.end(), [](const HostLaunch& l) { return l.called; })) return;
    sibling_ = host_of_sibling(file_, lexed_, outline_);
    if (!sibling_) return;
    host_ = sibling_->run;
    say(fmt::format("Host code: that of {}, which calls functions of this file.", sibling_->file));
  }

  void say(std::string sentence) {
    if (sibling_) sentence = with_sibling_lines(sentence, *sibling_);
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

  void assume(std::string sentence) {
    if (sibling_) sentence = with_sibling_lines(sentence, *sibling_);
    say(sentence);
    if (std::find(header_.assumed.begin(), header_.assumed.end(), sentence) == header_.assumed.end())
      header_.assumed.push_back(sentence);
  }

  /// Kernels that have claims in their bodies.
  std::vector<std::string> kernels_with_claims() const {
    std::vector<std::string> out;
    for (const FunctionRange& f : outline_.functions)
      for (const Claim& c : claims_)
        if (f.info.is_kernel && c.first_line >= f.info.first_line && c.first_line <= f.info.last_line)
          out.push_back(f.info.name);
    return out;
  }

  /// The launches of a file whose header states none: those of its host code. Which of them is returned for each.
  std::vector<const HostLaunch*> launches() {
    if (!header_.launches.empty()) {  // the header's own, or those of them that launch the chosen kernel
      if (wish_.kernel.empty()) return {};
      std::vector<LaunchSpec> wanted;
      for (const LaunchSpec& l : header_.launches)
        if (names_instance(wish_.kernel, l.kernel)) wanted.push_back(l);
      if (wanted.empty()) {
        LaunchSpec l = header_.launches.front();
        if (!l.kernel.empty())
          l = {.kernel = {}, .grid = {0, 0, 0}, .block = {0, 0, 0}, .cluster = {}, .arguments = {}};
        l.kernel = wish_.kernel;
        l.places.kernel = {};
        wanted.push_back(std::move(l));
      }
      header_.launches = std::move(wanted);
      return {};
    }
    HostChoice choice = choose_launches(host_, outline_, wish_.kernel, kernels_with_claims());
    if (choice.launches.empty()) {
      LaunchSpec& l = header_.launches.emplace_back();
      l.grid = l.block = {0, 0, 0};
      l.kernel = wish_.kernel;
      return {};
    }
    for (const HostLaunch* h : choice.launches) {
      LaunchSpec& l = header_.launches.emplace_back();
      l.grid = l.block = {0, 0, 0};
      l.kernel = h->kernel;
      if (h->kernel.find('<') != std::string::npos) {
        say(fmt::format("Template instance: {}, from the launch at line {}.", h->kernel, h->line));
      } else {
        say(fmt::format("Kernel: {}, from the launch at line {}.", h->kernel, h->line));
      }
    }
    if (!choice.left_out.empty()) say(std::move(choice.left_out));
    return choice.launches;
  }

  const FunctionRange* kernel_of(LaunchSpec& l) {
    std::vector<std::string> names;
    for (const FunctionRange& f : outline_.functions) {
      if (!f.info.is_kernel) continue;
      if (l.kernel.empty()) {
        l.kernel = f.info.name;
        say(fmt::format("Kernel: {}, the {} of the file.", l.kernel, names.empty() ? "first" : "next"));
      }
      if (kernel_name(l.kernel) == f.info.name) return &f;
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
    for (const HostLaunch& h : host_.launches) {
      if (!names_instance(l.kernel, h.kernel)) continue;
      if (l.kernel.find('<') == std::string::npos && h.kernel.find('<') != std::string::npos) {
        l.kernel = h.kernel;
        say(fmt::format("Template instance: {}, from the launch at line {}.", l.kernel, h.line));
      }
      return &h;
    }
    for (const HostLaunch& h : host_.launches)  // another instance has the same sizes, as a rule
      if (kernel_name(h.kernel) == kernel_name(l.kernel)) return &h;
    return nullptr;
  }

  /// A template that nobody gives arguments: which instance runs.
  void template_instance(LaunchSpec& l, const FunctionRange& f) {
    if (!f.info.is_template || l.kernel.find('<') != std::string::npos) return;
    const auto guessed = host::guessed_instance(lexed_, f);
    if (!guessed) return;
    for (KernelInstance& k : instances_)
      if (k.kernel == l.kernel) k.kernel = guessed->kernel;
    l.kernel = guessed->kernel;
    assume(fmt::format("Template instance: {}, {}.", l.kernel, guessed->because));
  }

  void from_host(LaunchSpec& l, const HostLaunch* h) {
    l.shared_assumed = !header_.present && (h == nullptr || !h->shared_bytes);
    if (h == nullptr) return;
    const auto take = [&](std::array<std::uint32_t, 3>& to, const auto& from, std::string_view what,
                          std::string_view unit) {
      if (to[0] != 0 || !from) return;
      to = *from;
      say(fmt::format("{}: {} x {} x {} {}, from the launch at line {}.", what, to[0], to[1], to[2], unit, h->line));
    };
    take(l.block, h->block, "Block", "threads");
    take(l.grid, h->grid, "Grid", "blocks");
    if (h->cluster && !l.cluster) {
      l.cluster = *h->cluster;
      say(fmt::format("Cluster: {} x {} x {} blocks, from the launch at line {}.", (*l.cluster)[0], (*l.cluster)[1],
                      (*l.cluster)[2], h->line));
    }
    for (const std::string& why : h->because) say(fmt::format("Launch at line {}: {}.", h->line, why));
    if (h->shared_bytes.value_or(0) > 0 && l.dynamic_shared_bytes == 0) {
      l.dynamic_shared_bytes = *h->shared_bytes;
      say(fmt::format("Dynamic shared memory: {} bytes, from the launch at line {}.", *h->shared_bytes, h->line));
    }
  }

  /// An argument that the header left out, from the host code. False: it is not known there.
  bool from_host(ArgumentSpec& a, bool pointer, const FunctionRange& f, const HostLaunch* h, std::size_t at) {
    if (h == nullptr || h->arguments.size() != f.info.parameters.size()) return false;
    const HostArgument& given = h->arguments[at];
    if (given.kind == HostArgument::Kind::unknown) {
      say(fmt::format("Argument {}: unknown in the launch at line {}, because {}.", a.parameter, h->line,
                      given.because));
      return false;
    }
    if (given.kind == HostArgument::Kind::number && !pointer) {
      a.value = given.number;
      say(fmt::format("Argument {}: {}, from the launch at line {}.", a.parameter, given.number, h->line));
      return true;
    }
    if (given.kind == HostArgument::Kind::fields && !pointer) {
      for (const HostField& field : given.fields) {
        FieldSpec m{.value = field.number.value_or(0),
                    .type = field.type,
                    .offset_bytes = field.offset_bytes,
                    .bytes = field.bytes};
        if (field.is_pointer && field.pointer.buffer >= 0)
          m.value = place_of(field.pointer, field.type, a.parameter, f);
        if (!field.is_pointer && !field.number)
          assume(fmt::format("Argument {}: its member {} is 0, because its value is unknown in the launch at line {}.",
                             a.parameter, field.name, h->line));
        a.members.push_back(std::move(m));
      }
      a.value = 0.0;
      say(fmt::format("Argument {}: its {} members are those of the launch at line {}.", a.parameter, a.members.size(),
                      h->line));
      return true;
    }
    if (given.kind != HostArgument::Kind::pointer || !pointer) return false;
    if (given.pointer.buffer < 0) {
      a.value = 0.0;
      say(fmt::format("Argument {}: the null pointer, from the launch at line {}.", a.parameter, h->line));
      return true;
    }
    const BufferSpec* own = buffer(a.parameter);
    if (own != nullptr && !own->inferred) return false;
    a.is_buffer = true;
    a.value = place_of(given.pointer, a.type, a.parameter, f);
    return true;
  }

  /// "p", "p+64" for an address of the host code. The buffer is made at its first use, by the name of the parameter.
  std::string place_of(const HostPointer& pointer, const std::string& type, const std::string& parameter,
                       const FunctionRange& f) {
    const HostBuffer& host = host_.buffers[static_cast<std::size_t>(pointer.buffer)];
    std::string& name = names_[pointer.buffer];
    if (name.empty()) {
      name = parameter;
      if (name.empty() || buffer(name) != nullptr) name = host.name.empty() ? parameter + "_2" : host.name;
      for (int n = 2; buffer(name) != nullptr; ++n)
        name = fmt::format("{}_{}", host.name.empty() ? parameter : host.name, n);
      std::string of = type;
      if (!number_type_in(of) && !host.element_type.empty()) of = host.element_type;
      new_buffer(name, parameter, of, f, host.element_type);
      host_of_[name] = pointer.buffer;
    }
    const BufferSpec* b = buffer(name);
    const std::int64_t elements = pointer.offset_bytes * 8 / std::max(b->element_bits, 1);
    return elements == 0 ? name : fmt::format("{}+{}", name, elements);
  }

  const HostBuffer* host_buffer(const BufferSpec& b) const {
    const auto known = host_of_.find(b.name);
    return known == host_of_.end() ? nullptr : &host_.buffers[static_cast<std::size_t>(known->second)];
  }

  void contents_from_host(BufferSpec& b) {
    const HostBuffer* host = host_buffer(b);
    if (host == nullptr) return;
    const std::uint64_t bytes = (b.elements * static_cast<std::uint64_t>(b.element_bits) + 7) / 8;
    if (host->contents && host->contents->size() == bytes) {
      b.initial.kind = Contents::Kind::bytes;
      b.initial.bytes = std::make_shared<const std::vector<std::byte>>(*host->contents);
      if (std::all_of(host->contents->begin(), host->contents->end(), [](std::byte x) { return x == std::byte{0}; }))
        b.initial = {.kind = Contents::Kind::zeros, .text = {}, .values = {}};
      say(fmt::format("Buffer {}: its contents are those that the host code sets.", b.name));
    } else if (host->written && !host->contents) {
      say(fmt::format("Buffer {}: its contents are {}, because those of the host code are unknown: {}.", b.name,
                      b.initial.kind == Contents::Kind::zeros ? "zeros" : "iota", host->because));
    } else if (!host->written && b.inferred && b.initial.kind == Contents::Kind::iota) {
      b.initial.kind =
          Contents::Kind::zeros;  // as memory of a GPU mostly is; a sum over it must not look like a result
      say(fmt::format("Buffer {}: zeros, because the host code puts nothing there before the launch.", b.name));
    }
    if (host->host_only)
      say(fmt::format("Buffer {}: memory of the host that is not pinned; only some GPUs can reach it.", b.name));
  }

  /// Scalars of a launch that have values.
  std::map<std::string, std::int64_t> known_scalars(const LaunchSpec& l) const {
    std::map<std::string, std::int64_t> out;
    for (const ArgumentSpec& a : l.arguments)
      if (!a.is_buffer && a.members.empty() && std::holds_alternative<double>(a.value) &&
          std::find(scalars_.begin(), scalars_.end(), a.parameter) == scalars_.end())
        out[a.parameter] = static_cast<std::int64_t>(std::get<double>(a.value));
    return out;
  }

  const FunctionRange* range_of(const LaunchSpec& l) const {
    for (const FunctionRange& f : outline_.functions)
      if (f.info.is_kernel && f.info.name == kernel_name(l.kernel)) return &f;
    return nullptr;
  }

  /// What guards and indices of the kernels say of sizes that nobody gives.
  void suggest() {
    for (const LaunchSpec& l : header_.launches) {
      const FunctionRange* f = range_of(l);
      if (f == nullptr) continue;
      const SuggestedSizes s = suggested_sizes(lexed_, *f, l.grid, l.block, known_scalars(l));
      for (const auto& [name, value] : s.scalars) guarded_[name] = std::max(guarded_[name], value);
      for (const ArgumentSpec& a : l.arguments) {
        const auto n = s.elements.find(a.parameter);
        if (!a.is_buffer || n == s.elements.end()) continue;
        std::uint64_t& most = indexed_[parts_of(std::get<std::string>(a.value)).name];
        most = std::max(most, n->second);
      }
    }
  }

  /// Whether the indices of every launch with this name for a scalar stay within the buffers when it has this value.
  bool fits(const std::string& name, std::int64_t value) {
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
        if (b != nullptr && n->second > b->elements) return false;
      }
    }
    return true;
  }

  /// What the host code sets: before the first launch the variable holds it, later it is a step.
  void symbols(const std::vector<const HostLaunch*>& sequence) {
    const std::vector<std::size_t> positions = positions_of(host_, sequence);
    for (const HostSymbol& s : host_.symbols) {
      const int launch = sequence.empty() ? 0 : next_launch(positions, s.launches_before);
      if (launch < 0) continue;
      if (!s.contents || s.name.find_first_of("<:") != std::string::npos) {
        assume(fmt::format("`{}` {}, because what the host code sets at line {} is unknown.", s.name,
                           launch == 0 ? "holds zeros" : "keeps what it holds", s.line));
      } else if (launch == 0) {
        header_.symbols.push_back({.name = s.name, .offset_bytes = s.offset_bytes, .bytes = *s.contents});
        say(fmt::format("`{}` holds what the host code sets at line {}.", s.name, s.line));
      } else {
        add_step(launch, step_of(s));
      }
    }
  }

  void add_step(int launch, HostStep step) {
    if (sibling_) step.words = with_sibling_lines(step.words, *sibling_);
    header_.launches[static_cast<std::size_t>(launch)].before.push_back(std::move(step));
  }

  /// The name of a buffer that no argument may lead to, which is made here then.
  std::string named_buffer(int index) {
    std::string& name = names_[index];
    if (!name.empty()) return name;
    const HostBuffer& host = host_.buffers[static_cast<std::size_t>(index)];
    const std::string stem = host.name.empty() ? "memory" : host.name;
    name = stem;
    for (int n = 2; buffer(name) != nullptr; ++n) name = fmt::format("{}_{}", stem, n);
    BufferSpec b;
    b.name = name;
    b.inferred = true;
    const bool fits = element_bits(host.element_type) > 0 &&
                      host.bytes * 8 % static_cast<std::uint64_t>(element_bits(host.element_type)) == 0;
    b.element_type = fits ? host.element_type : host.bytes % 4 == 0 ? "u32" : "u8";
    b.element_bits = element_bits(b.element_type);
    b.initial.kind = Contents::Kind::zeros;
    header_.buffers.push_back(std::move(b));
    host_of_[name] = index;
    return name;
  }

  /// What the host code does to buffers between the launches that are made, and before the first of them where it cannot be
  /// told as contents.
  void steps(const std::vector<const HostLaunch*>& sequence) {
    if (sequence.empty()) return;
    std::set<int> taken;
    for (const auto& [buffer, name] : names_) taken.insert(buffer);
    const SeenChanges seen = seen_changes(host_, sequence, std::move(taken));
    for (std::size_t i = 0; i < seen.launch.size(); ++i) {
      const HostChange& c = host_.changes[i];
      const int launch = seen.launch[i];
      if (launch >= 0 && c.kind == HostChange::Kind::unknown)
        assume(
            fmt::format("Buffer {}: what the host code puts there before launch {} (line {}) is left out, because it "
                        "is unknown: {}.",
                        c.symbol.empty() ? named_buffer(c.to.buffer) : c.symbol, launch + 1, c.line, c.because));
      else if (launch >= 0)
        add_step(launch, step_of(c, [this](int buffer) { return named_buffer(buffer); }));
    }
    for (const int i : seen.doubtful)
      assume(fmt::format("Host code, line {}: whether it changes a buffer is unknown; it is left out.",
                         host_.changes[static_cast<std::size_t>(i)].line));
  }

  void tell_steps() {
    constexpr std::size_t most_told = 8;
    for (std::size_t l = 0; l < header_.launches.size(); ++l) {
      const std::vector<HostStep>& before = header_.launches[l].before;
      for (std::size_t i = 0; i < std::min(before.size(), most_told); ++i)
        say(fmt::format("Before launch {}: the host code, {}.", l + 1, before[i].words));
      if (before.size() > most_told)
        say(fmt::format("Before launch {}: {} more changes by the host code.", l + 1, before.size() - most_told));
    }
  }

  /// What the interpreter passed over, where its launches are used.
  void notes_of_host(const std::vector<const HostLaunch*>& sequence) {
    if (sequence.empty()) return;
    for (const std::string& note : host_.notes) {
      const std::string sentence = fmt::format("Host code, {}.", note);
      note.find("command line is taken as") != std::string::npos ? assume(sentence) : say(sentence);
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
    for (const KernelBlock& known : wish_.blocks) {
      if (known.kernel != f.info.name) continue;
      l.block = known.block;
      return say(fmt::format("Block: {} x {} x {} threads, from {} of the kernel.", l.block[0], l.block[1], l.block[2],
                             known.because));
    }
    const bool no_claim = most_bits(layout::Place::warp) == 0 && most_bits(layout::Place::thread) == 0;
    if (no_claim && f.info.launch_bounds.empty()) {
      if (const auto tiles =
              block_of_tiles(lexed_, f, known_values(lexed_, header_, l), mentions(f, "threadIdx", "y"))) {
        l.block = tiles->block;
        return assume(fmt::format("Block: {} x {} x 1 threads, as the shared array {} suggests.", l.block[0],
                                  l.block[1], tiles->array));
      }
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
    if (two && threads == 32 && no_claim && !header_.present) {
      l.block = {16, 16, 1};
      because = "the default for a kernel with two axes of threads";
    }
    const std::string sentence = fmt::format("Block: {} x {} x 1 threads, from {}.", l.block[0], l.block[1], because);
    because.starts_with("the default") && !header_.present ? assume(sentence) : say(sentence);
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
      header_.present ? say("Grid: one block.") : assume("Grid: one block.");
    }
  }

  BufferSpec* buffer(std::string_view name) {
    for (BufferSpec& b : header_.buffers) {
      if (b.name == name) return &b;
    }
    return nullptr;
  }

  /// Given arguments by position or by name; the rest by the parameter's name.
  void arguments(LaunchSpec& l, const FunctionRange& f, const HostLaunch* host) {
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
      if (!is_given && !from_host(a, pointer, f, host, i)) infer(a, pointer, f);
      if (a.is_buffer) check_buffer(std::get<std::string>(a.value), a, l);
      for (const FieldSpec& m : a.members)
        if (const auto* name = std::get_if<std::string>(&m.value)) check_buffer(*name, a, l);
      if (is_given && !a.members.empty()) known_structure(a, l);
      if (is_given && a.members.empty() && pointer != a.is_buffer && !(pointer && std::get<double>(a.value) == 0)) {
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

  /// The types of the members of a structure of the file, in the order of the list.
  void known_structure(ArgumentSpec& a, const LaunchSpec& l) {
    for (const HostRecord& r : host_.records) {
      const Lexed type = lex(a.type);
      bool named = false;
      for (int t = 0; t < type.count(); ++t) named = named || type.of(t) == r.name;
      if (!named) continue;
      if (r.fields.size() != a.members.size())
        return wrong(place_of(a, l),
                     fmt::format("argument {}: {} values are given, and {} has {} members", a.parameter,
                                 a.members.size(), r.name, r.fields.size()),
                     "give one value for each member, those of inner structures included");
      for (std::size_t i = 0; i < r.fields.size(); ++i) {
        FieldSpec& m = a.members[i];
        if (std::holds_alternative<std::string>(m.value) != r.fields[i].is_pointer &&
            !(r.fields[i].is_pointer && std::get<double>(m.value) == 0))
          return wrong(place_of(a, l),
                       fmt::format("argument {}: its member {} is {}", a.parameter, r.fields[i].name,
                                   r.fields[i].is_pointer ? "a pointer" : "a number"),
                       r.fields[i].is_pointer ? "give it a buffer" : "give it a number");
        m.type = r.fields[i].type, m.offset_bytes = r.fields[i].offset_bytes, m.bytes = r.fields[i].bytes;
      }
      return;
    }
  }

  void check_buffer(const std::string& text, const ArgumentSpec& a, const LaunchSpec& l) {
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
      std::vector<std::string> places;
      if (a.is_buffer) places.push_back(std::get<std::string>(a.value));
      for (const FieldSpec& m : a.members)
        if (const auto* place = std::get_if<std::string>(&m.value)) places.push_back(*place);
      for (const std::string& place : places) offset(place, a, l);
    }
  }

  void offset(const std::string& place, const ArgumentSpec& a, const LaunchSpec& l) {
    auto [name, offset] = parts_of(place);
    const BufferSpec* b = buffer(name);
    if (b == nullptr || offset.empty()) return;
    if (offset.front() == '-') {
      wrong(place_of(a, l),
            fmt::format("argument {}: `{}{}` is before the first element of {}", a.parameter, name, offset, name),
            "offsets count from the buffer's first element");
      return;
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

  /// A buffer that no launch passes is a misspelling where some pointer was given an array that nobody wrote.
  void unused_buffers() {
    std::set<std::string> used;
    std::vector<std::string> assumed;
    for (const LaunchSpec& l : header_.launches)
      for (const ArgumentSpec& a : l.arguments) {
        if (a.is_buffer) used.insert(parts_of(std::get<std::string>(a.value)).name);
        for (const FieldSpec& m : a.members)
          if (const auto* place = std::get_if<std::string>(&m.value)) used.insert(parts_of(*place).name);
      }
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
    if (buffer(a.parameter) == nullptr) new_buffer(a.parameter, a.parameter, a.type, f, "");
  }

  /// `otherwise`: its element type where that of the parameter is not known.
  void new_buffer(const std::string& name, const std::string& parameter, const std::string& type,
                  const FunctionRange& f, const std::string& otherwise) {
    BufferSpec b;
    b.name = name;
    b.inferred = true;
    if (const std::optional<NumberType> known = number_type_in(type)) {
      b.element_type = known->element_type;
    } else if (element_bits(otherwise) > 0) {
      b.element_type = otherwise;
    } else {
      b.element_type = "f32";
      say(fmt::format("Buffer {}: f32, because the type `{}` is not known.", b.name, type));
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
          return p.name != parameter && p.type.find("const") != std::string::npos &&
                 p.type.find('*') != std::string::npos;
        });
    const bool output = type.find("const") == std::string::npos && reads_elsewhere;
    b.initial.kind = output ? Contents::Kind::zeros : Contents::Kind::iota;
    header_.buffers.push_back(std::move(b));
  }

  void axes(BufferSpec& b) {
    b.axes = shape_of(lines_, b.name);
    b.axes_assumed = b.axes.empty();
    std::string because = "its comment";
    if (b.axes.empty()) {
      b.axes = claimed_axes();
      because = "the claims' logical bits";
    }
    const std::size_t listed = std::max(b.initial.values.size(), b.expected ? b.expected->values.size() : 0);
    if (const HostBuffer* host = host_buffer(b)) {
      const std::uint64_t elements = host->bytes * 8 / static_cast<std::uint64_t>(std::max(b.element_bits, 1));
      std::uint64_t claimed = b.axes.empty() ? 0 : 1;
      for (const Axis& axis : b.axes) claimed *= axis.extent;
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
    if (b.axes.empty()) {
      std::uint64_t threads = 0;
      for (const LaunchSpec& l : header_.launches) {
        threads =
            std::max(threads, std::uint64_t{l.block[0]} * l.block[1] * l.block[2] * l.grid[0] * l.grid[1] * l.grid[2]);
      }
      const auto indexed = indexed_.find(b.name);
      const bool by_index = indexed != indexed_.end() && indexed->second > std::max<std::uint64_t>(1024, threads);
      b.axes = {{.name = "n",
                 .extent = by_index ? indexed->second : std::max<std::uint64_t>(1024, threads),
                 .stride_elements = 0}};
      because = by_index ? "the largest index that the kernel's text suggests" : "the number of threads";
    }
    if (!lay_out(b).empty())
      wrong({b.line, b.column}, fmt::format("buffer {} is larger than the memory of any GPU", b.name),
            "give its axes in the launch header");
    std::string shape;
    for (const Axis& axis : b.axes) shape += fmt::format(" {}:{}", axis.name, axis.extent);
    const std::string sentence = fmt::format("Buffer {}: {}{}, from {}.", b.name, b.element_type, shape, because);
    b.size_assumed = because.ends_with("threads") || because.ends_with("suggests");
    b.size_assumed ? assume(sentence) : say(sentence);
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
        const auto guarded = guarded_.find(a.parameter);
        const bool stated = !header_.buffers.empty() && !header_.buffers.front().inferred;
        const bool whole =
            count && (stated || guarded == guarded_.end() || fits(a.parameter, static_cast<std::int64_t>(elements)));
        if (whole) {
          a.value = static_cast<double>(elements);
          assume(fmt::format("Argument {}: {}, the elements of {}.", a.parameter, elements,
                             header_.buffers.empty() ? "" : header_.buffers.front().name));
        } else if (guarded != guarded_.end()) {
          a.value = static_cast<double>(guarded->second);
          assume(
              fmt::format("Argument {}: {}, as its guards suggest for these threads.", a.parameter, guarded->second));
        } else if (const auto extent = extent_by_name(a.parameter, a.type); extent && !header_.present) {
          a.value = static_cast<double>(*extent);
          assume(fmt::format("Argument {}: {}, as its name suggests.", a.parameter, *extent));
        } else {
          assume(fmt::format("Argument {}: 0.", a.parameter));
        }
      }
    }
  }

  Header& header_;
  const Lexed& lexed_;
  const Outline& outline_;
  const std::vector<CommentLine>& lines_;
  const std::vector<Claim>& claims_;
  std::string_view file_;
  const LaunchWish& wish_;
  std::vector<KernelInstance>& instances_;
  std::vector<std::string> scalars_;
  std::map<std::string, std::int64_t> guarded_;   ///< scalars, as guards suggest
  std::map<std::string, std::uint64_t> indexed_;  ///< buffers: elements, as indices suggest
  HostRun host_;
  std::optional<SiblingHost> sibling_;
  std::map<int, std::string> names_;                 ///< of buffers of the host code
  std::map<std::string, int, std::less<>> host_of_;  ///< the other way
  Diagnostics problems_;
};

}  // namespace

Diagnostics complete_header(Header& header, const Lexed& lexed, const Outline& outline,
                            const std::vector<CommentLine>& lines, const std::vector<Claim>& claims,
                            std::string_view file, const LaunchWish& wish, std::vector<KernelInstance>& instances) {
  return Completer(header, lexed, outline, lines, claims, file, wish, instances).run();
}

}  // namespace lanescope::source
