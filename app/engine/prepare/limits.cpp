#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/engine/prepare/launch_plan.h"
#include "kernels/base/byte_order_mark.h"
#include "kernels/base/memory.h"
#include "kernels/base/read_file.h"
#include "kernels/base/text.h"
#include "kernels/source/cxx/lexer.h"

namespace lanescope::engine {
namespace {

struct SharedLimit {
  std::string_view arch;
  std::uint32_t kibibytes;
};
// CUDA C++ Programming Guide 13.0, table "Technical Specifications per Compute Capability": most shared memory per block.
constexpr SharedLimit shared_limits[] = {{"sm_75", 64},   {"sm_80", 163},  {"sm_86", 99},  {"sm_87", 163},
                                         {"sm_88", 99},   {"sm_89", 99},   {"sm_90", 227}, {"sm_100", 227},
                                         {"sm_103", 227}, {"sm_110", 227}, {"sm_120", 99}, {"sm_121", 99}};

constexpr std::array<std::uint64_t, 3> most_blocks = {2147483647, 65535, 65535};
constexpr std::array<std::uint64_t, 3> most_threads = {1024, 1024, 64};
constexpr std::uint64_t most_threads_in_block = 1024;
constexpr std::uint64_t most_blocks_in_cluster = 16;
constexpr std::array<char, 3> axis_letters = {'x', 'y', 'z'};

/// Identities number 32-bit words with 31 bits (kernels/trace/tags.h).
constexpr std::uint64_t most_traced_bytes = std::uint64_t{4} << 31;
/// Initial contents, one copy each for the plain run, the probed run and its history, a word of identity beside each word,
/// and which bytes were never written.
constexpr std::uint64_t copies_of_a_buffer = 6;
/// Most of them share their pages (kernels/trace/pages.h), so that about half of them count.
constexpr std::uint64_t budgets_of_copies = 2;
/// Of buffers that do not fit, of which a part is enough to see what the kernel does.
constexpr std::uint64_t most_part_bytes = std::uint64_t{1} << 28;

using Code = source::Assumption::Code;

constexpr std::string_view part_words = "a part of the size in the file, which does not fit in memory";

struct Refusals {
  const source::Source& source;
  Diagnostics list;
  void add(const source::TextPlace& at, std::string message, std::string remedy) {
    list.push_back({.file = source.file,
                    .line = at.line,
                    .column = at.column,
                    .message = std::move(message),
                    .remedy = std::move(remedy)});
  }
};

void check_buffers(Refusals& out, std::uint64_t memory_bytes) {
  long double total = 0;
  const source::BufferSpec* largest = nullptr;
  for (const source::BufferSpec& b : out.source.header.buffers) {
    const int bits = source::element_bits(b.element_type);
    if (bits == 0) {
      out.add({b.line, b.column}, fmt::format("buffer '{}' has the unknown element type '{}'", b.name, b.element_type),
              "use one of b1 u4 s4 u8 s8 u16 s16 f16 bf16 u32 s32 f32 u64 s64 f64");
      continue;
    }
    if (b.elements == 0)
      out.add({b.line, b.column}, fmt::format("buffer '{}' has no elements", b.name),
              "give every axis an extent of at least 1");
    total += static_cast<long double>(b.elements) * bits / 8;
    if (!largest || b.elements > largest->elements) largest = &b;
  }
  const long double most = static_cast<long double>(memory_bytes) * budgets_of_copies / copies_of_a_buffer;
  if (!largest || (total <= most && total <= most_traced_bytes)) return;
  const auto wanted =
      total > 1e18L ? std::string("more than 10^18 bytes") : bytes_in_words(static_cast<std::uint64_t>(total));
  out.add({largest->line, largest->column},
          fmt::format("the buffers need {}, most of it '{}'; buffers can have {} within {} of memory", wanted,
                      largest->name, bytes_in_words(std::min(static_cast<std::uint64_t>(most), most_traced_bytes)),
                      bytes_in_words(memory_bytes)),
          "make the array smaller (the register assignments do not depend on its size), or allow more memory "
          "(--max-memory)");
}

void check_launch(Refusals& out, const source::LaunchSpec& launch, const std::string& arch) {
  const auto at = [&](source::TextPlace source::LaunchPlaces::*place) {
    return launch.place_or_line(launch.places.*place);
  };
  std::uint64_t threads = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const char letter = axis_letters[axis];
    if (launch.grid[axis] == 0 || launch.grid[axis] > most_blocks[axis])
      out.add(at(&source::LaunchPlaces::grid),
              fmt::format("the grid's {} is {}; devices take 1 to {}", letter, launch.grid[axis], most_blocks[axis]),
              "change grid in the launch header");
    if (launch.block[axis] == 0 || launch.block[axis] > most_threads[axis])
      out.add(at(&source::LaunchPlaces::block),
              fmt::format("the block's {} is {}; devices take 1 to {}", letter, launch.block[axis], most_threads[axis]),
              "change block in the launch header");
    threads *= launch.block[axis];
  }
  if (threads > most_threads_in_block)
    out.add(at(&source::LaunchPlaces::block),
            fmt::format("a block of {} threads; devices take at most {}", threads, most_threads_in_block),
            "make the block smaller and the grid larger");
  if (launch.cluster) {
    const auto& cluster = *launch.cluster;
    if (std::uint64_t{cluster[0]} * cluster[1] * cluster[2] > most_blocks_in_cluster)
      out.add(at(&source::LaunchPlaces::cluster),
              fmt::format("a cluster of {} blocks; devices take at most {}",
                          std::uint64_t{cluster[0]} * cluster[1] * cluster[2], most_blocks_in_cluster),
              "make the cluster smaller");
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (cluster[axis] != 0 && launch.grid[axis] % cluster[axis] != 0)
        out.add(at(&source::LaunchPlaces::cluster),
                fmt::format("the grid's {} of {} is not a multiple of the cluster's {}", axis_letters[axis],
                            launch.grid[axis], cluster[axis]),
                "make the grid a whole number of clusters");
  }
  const std::uint32_t limit = shared_limit_bytes(arch);
  if (limit && launch.dynamic_shared_bytes > limit)
    out.add(at(&source::LaunchPlaces::shared),
            fmt::format("{} bytes of dynamic shared memory; a block has at most {} on {}", launch.dynamic_shared_bytes,
                        limit, arch),
            "use less");
}

}  // namespace

std::uint32_t shared_limit_bytes(const std::string& arch) {
  std::string_view name = arch;
  while (!name.empty() && (name.back() == 'a' || name.back() == 'f')) name.remove_suffix(1);
  for (const SharedLimit& limit : shared_limits)
    if (limit.arch == name) return limit.kibibytes * 1024;
  return 0;
}

bool shrink_to_memory(source::Source& source, std::uint64_t memory_bytes) {
  if (memory_bytes == 0) memory_bytes = memory_budget_bytes();
  const std::uint64_t most = std::min(memory_bytes / copies_of_a_buffer * budgets_of_copies, most_traced_bytes);
  std::uint64_t wanted = most;  // a part of it, once they do not fit: there are other programs
  const auto bytes_of = [](const source::BufferSpec& b) {
    return b.elements / 8 * static_cast<std::uint64_t>(std::max(source::element_bits(b.element_type), 1));
  };
  bool changed = false;
  for (;;) {
    std::uint64_t total = 0;
    source::BufferSpec* largest = nullptr;
    for (source::BufferSpec& b : source.header.buffers) {
      if (b.elements > std::uint64_t{1} << 50) return changed;
      total += bytes_of(b);
      const bool loose = b.inferred && b.axes.size() == 1 && b.initial.kind != source::Contents::Kind::bytes;
      if (loose && (largest == nullptr || bytes_of(b) > bytes_of(*largest))) largest = &b;
    }
    if (total > most) wanted = std::min(most / 4, most_part_bytes);
    if (total <= wanted || largest == nullptr || bytes_of(*largest) < total / 4) return changed;
    const std::uint64_t whole = largest->elements;
    largest->axes.front().extent = whole / 2;
    largest->axes.front().stride_elements = 0;
    if (!source::lay_out(*largest).empty()) return changed;
    largest->size_assumed = false;
    changed = true;
    std::erase_if(source.header.assumed, [&](const source::Assumption& a) {
      return (a.code == Code::buffer_part || a.code == Code::buffer_size) && a.name == largest->name;
    });
    source.header.assumed.push_back({.code = Code::buffer_part,
                                     .name = largest->name,
                                     .value = std::to_string(largest->elements),
                                     .because = std::string(part_words)});
  }
}

const source::BufferSpec* in_missing_part(const source::Source& source, const std::vector<std::uint64_t>& addresses,
                                          std::uint64_t address) {
  const std::size_t count = std::min(addresses.size(), source.header.buffers.size());
  const auto after =
      std::upper_bound(addresses.begin(), addresses.begin() + static_cast<std::ptrdiff_t>(count), address);
  if (after == addresses.begin()) return nullptr;
  const auto before = static_cast<std::size_t>(after - addresses.begin() - 1);
  const source::BufferSpec& b = source.header.buffers[before];
  const bool part = std::ranges::any_of(source.header.assumed, [&](const source::Assumption& a) {
    return a.code == Code::buffer_part && a.name == b.name;
  });
  return part ? &b : nullptr;
}

namespace {

/// The first kernel in a part of the file that conditions of the preprocessor leave out, and the condition around it.
struct LeftOutKernel {
  source::TextPlace place;
  int condition_line = 0;
  std::string condition;  ///< "#ifdef SHUFFLE"
};

std::optional<LeftOutKernel> kernel_left_out(const source::Source& source) {
  const source::Lexed whole = source::lex_plainly(without_byte_order_mark(source.text));
  for (int i = 0; i < whole.count(); ++i) {
    const source::Token& t = whole.token(i);
    if (!whole.is(i, "__global__") || t.offset >= source.active_text.size() || source.active_text[t.offset] != ' ')
      continue;
    std::vector<const source::Directive*> open;
    for (const source::Directive& d : whole.directives) {
      if (d.offset > t.offset) break;
      const std::string_view name = trimmed(whole.text.substr(d.offset + 1, d.length - 1));
      if (name.starts_with("if"))
        open.push_back(&d);
      else if (name.starts_with("endif") && !open.empty())
        open.pop_back();
      else if (name.starts_with("el") && !open.empty())
        open.back() = &d;
    }
    if (open.empty()) return std::nullopt;
    const source::Directive& d = *open.back();
    return LeftOutKernel{.place = {t.line, t.column},
                         .condition_line = d.line,
                         .condition = std::string(trimmed(whole.text.substr(d.offset, d.length)))};
  }
  return std::nullopt;
}

}  // namespace

Diagnostics refusals(const source::Source& source, const std::string& arch, std::uint64_t memory_bytes) {
  Refusals out{source, {}};
  check_buffers(out, memory_bytes ? memory_bytes : memory_budget_bytes());
  const bool has_kernel = std::ranges::any_of(source.functions, [](const source::Function& f) { return f.is_kernel; });
  if (!has_kernel || source.header.launches.empty()) {
    std::string message = "there is no kernel in this file", remedy = "add a __global__ function";
    source::TextPlace place;
    const auto refused = std::ranges::find_if(source.contracts, [](const auto& c) { return !c.problem.empty(); });
    if (refused != source.contracts.end()) {
      message += fmt::format(", and `{}` cannot be called by itself: {}", refused->function, refused->problem);
      remedy = "correct that, or add a kernel that calls the function";
    } else if (!source.contracts.empty()) {  // another name was requested
      message = "there is no kernel and no such function in this file";
      remedy =
          fmt::format("name a function that can be called by itself, such as {}", source.contracts.front().function);
    } else if (!source.claims.empty()) {
      message += ", and no comment states the input of a function";
      remedy += ", or state what the parameters of a function hold at its beginning";
    } else if (const std::optional<LeftOutKernel> kernel = kernel_left_out(source)) {
      place = kernel->place;
      message = fmt::format("this kernel is left out by the condition `{}` at line {}, and no other is in this file",
                            kernel->condition, kernel->condition_line);
      remedy = "define the macros that it needs, as in k.cu -- -DNAME=1";
    }
    out.add(place, message, remedy);
    return out.list;
  }
  for (const source::LaunchSpec& launch : source.header.launches) check_launch(out, launch, arch);
  return out.list;
}

}  // namespace lanescope::engine
