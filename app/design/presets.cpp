#include "app/design/presets.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/layout/affine_map.h"
#include "kernels/source/notation/cute_layout.h"

namespace lanescope::design {
namespace {

constexpr std::string_view ptx = "PTX ISA, fragments of mma.sync", ptx_ld = "PTX ISA, ldmatrix",
                           ptx_wgmma = "PTX ISA, fragments of wgmma";

constexpr Preset fragment_table[] = {
    {"mma.m16n8k16", "A of mma.m16n8k16", "f16", "simd: k0; register: k3 i3; thread: i2 i1 i0 k2 k1", ptx},
    {"mma.m16n8k16", "B of mma.m16n8k16", "f16", "simd: k0; register: k3; thread: j2 j1 j0 k2 k1", ptx},
    {"mma.m16n8k16", "C of mma.m16n8k16, f32", "f32", "simd: -; register: i3 j0; thread: i2 i1 i0 j2 j1", ptx},
    {"mma.m16n8k16", "C of mma.m16n8k16, f16", "f16", "simd: j0; register: i3; thread: i2 i1 i0 j2 j1", ptx},
    {"mma.m16n8k8", "A of mma.m16n8k8", "f16", "simd: k0; register: i3; thread: i2 i1 i0 k2 k1", ptx},
    {"mma.m16n8k8", "B of mma.m16n8k8", "f16", "simd: k0; register: -; thread: j2 j1 j0 k2 k1", ptx},
    {"mma.m16n8k8", "A of mma.m16n8k8, tf32", "f32", "simd: -; register: k2 i3; thread: i2 i1 i0 k1 k0", ptx},
    {"mma.m16n8k8", "B of mma.m16n8k8, tf32", "f32", "simd: -; register: k2; thread: j2 j1 j0 k1 k0", ptx},
    {"mma.m16n8k32", "A of mma.m16n8k32, s8", "s8", "simd: k1 k0; register: k4 i3; thread: i2 i1 i0 k3 k2", ptx},
    {"mma.m16n8k32", "B of mma.m16n8k32, s8", "s8", "simd: k1 k0; register: k4; thread: j2 j1 j0 k3 k2", ptx},
    {"ldmatrix", "ldmatrix.x1", "f16", "simd: j0; register: -; thread: i2 i1 i0 j2 j1", ptx_ld},
    {"ldmatrix", "ldmatrix.x2", "f16", "simd: j0; register: m0; thread: i2 i1 i0 j2 j1", ptx_ld},
    {"ldmatrix", "ldmatrix.x4", "f16", "simd: j0; register: m1 m0; thread: i2 i1 i0 j2 j1", ptx_ld},
    {"ldmatrix", "ldmatrix.x4.trans", "f16", "simd: i0; register: m1 m0; thread: j2 j1 j0 i2 i1", ptx_ld},
    {"wgmma", "accumulator of wgmma.m64n8, f32", "f32", "simd: -; register: i3 j0; thread: i2 i1 i0 j2 j1; warp: i5 i4",
     ptx_wgmma},
    {"wgmma", "accumulator of wgmma.m64n64, f32", "f32",
     "simd: -; register: j5 j4 j3 i3 j0; thread: i2 i1 i0 j2 j1; warp: i5 i4", ptx_wgmma},
    {"wgmma", "accumulator of wgmma.m64n128, f32", "f32",
     "simd: -; register: j6 j5 j4 j3 i3 j0; thread: i2 i1 i0 j2 j1; warp: i5 i4", ptx_wgmma},
};

constexpr Chain chain_table[] = {
    {"half2 transpose of the reference notes", "f16", "simd: k0; register: j3 j2; thread: j1 j0 k3 k2 k1",
     "simd: j3; register: k0 k3; thread: j1 j0 j2 k2 k1", "register assignment notes"},
    {"CHIME beamformer, samples to E", "u8",
     "simd: n1 n0; register: e1 e0 n2; thread: t0 n6 n5 n4 n3; warp: t4 t3 t2 t1 n7",
     "simd: e1 e0; register: n6 n0 t0; thread: n5 n4 n3 n2 n1; warp: t4 t3 t2 t1 n7", "published production kernel"},
    {"transpose of a 32 x 32 bit matrix", "1", "simd: j4 j3 j2 j1 j0; register: -; thread: i4 i3 i2 i1 i0",
     "simd: i4 i3 i2 i1 i0; register: -; thread: j4 j3 j2 j1 j0", "bit matrices"},
    {"structures of 4 words, one a thread", "f32", "simd: -; register: i4 i3; thread: i2 i1 i0 e1 e0",
     "simd: -; register: e1 e0; thread: i4 i3 i2 i1 i0", "array of structures"},
    {"rows to columns of a 32 x 32 tile, 4 warps", "f32",
     "simd: -; register: i4 i3 i2; thread: j4 j3 j2 j1 j0; warp: i1 i0",
     "simd: -; register: j4 j3 j2; thread: i4 i3 i2 i1 i0; warp: j1 j0", "tile transpose"},
};

constexpr RefusedPreset refused_table[] = {
    {"wmma fragments, 16x16x16",
     "The PTX ISA leaves open which lane holds which element of a wmma fragment, and it differs between architectures. "
     "Take the fragments of mma, which are specified."},
};

int log2_of(std::uint64_t n) { return std::countr_zero(n); }

std::string bit_name(std::string_view axis, int bit) { return fmt::format("{}{}", axis, bit); }

layout::Term named(std::string name) { return layout::sum_of({std::move(name)}); }

}  // namespace

std::span<const Preset> fragments() { return fragment_table; }
std::span<const RefusedPreset> refused_presets() { return refused_table; }
std::span<const Chain> chains() { return chain_table; }

Expected<layout::Assignment> coalesced(const Amount& amount, int vector_bytes) {
  const auto bits = LS_TRY(bits_of(amount.type));
  const auto power = [](std::uint64_t n) { return n > 0 && std::has_single_bit(n); };
  if (!power(amount.elements) || amount.elements > most_elements)
    return failure(fmt::format("{} elements are no power of two up to {}", amount.elements, most_elements),
                   "write 256, for instance");
  if (amount.threads < 32 || amount.threads > 1024 || !power(static_cast<std::uint64_t>(amount.threads)))
    return failure(fmt::format("{} threads are no power of two from 32 to 1024", amount.threads),
                   "write 32 for one warp");
  if (!power(static_cast<std::uint64_t>(std::max(vector_bytes, 0))) || vector_bytes > 16 || vector_bytes * 8 < bits)
    return failure(fmt::format("no access of {} bytes holds elements of {} bits", vector_bytes, bits),
                   "use 4, 8 or 16 bytes");
  const int total = log2_of(amount.elements), threads = log2_of(static_cast<std::uint64_t>(amount.threads));
  const int local = total - threads;
  const int vector = log2_of(static_cast<std::uint64_t>(vector_bytes * 8 / bits));
  const int simd = bits < 32 ? log2_of(static_cast<std::uint64_t>(32 / bits)) : 0;
  if (local < 0)
    return failure(fmt::format("{} elements are fewer than {} threads", amount.elements, amount.threads),
                   "use fewer threads");
  if (local < simd)
    return failure(fmt::format("each thread has {} elements, and a register holds {}", 1 << local, 1 << simd),
                   "use fewer threads, or more elements");
  if (local - simd > 8)
    return failure(fmt::format("each thread has {} registers", 1 << (local - simd)),
                   "use more threads, or fewer elements");
  if (vector > local)
    return failure(fmt::format("each thread has {} elements, and an access holds {}", 1 << local, 1 << vector),
                   "use a narrower access");
  layout::Assignment a;
  using layout::Place;
  for (const Place p : {Place::simd, Place::reg, Place::thread}) a.row(p).emplace();
  if (threads > 5) a.row(Place::warp).emplace();
  for (int bit = 0; bit < total; ++bit) {
    const Place place = bit < simd                               ? Place::simd
                        : bit < std::max(vector, simd)           ? Place::reg
                        : bit < std::max(vector, simd) + 5       ? Place::thread
                        : bit < std::max(vector, simd) + threads ? Place::warp
                                                                 : Place::reg;
    a.row(place)->push_back(named(bit_name("i", bit)));
  }
  return a;
}

Expected<layout::Assignment> coalesced(const Amount& amount) {
  Expected<layout::Assignment> last = coalesced(amount, 16);
  for (int width = 8; !last && width >= 1; width /= 2) {
    auto next = coalesced(amount, width);
    if (next) return next;
    // The refusal of the widest access counts if only the width is wrong.
    if (width * 8 >= bits_of(amount.type).value_or(8)) last = std::move(next);
  }
  return last;
}

namespace {

/// Numbers in brackets or parentheses after a name; empty where it is not there.
std::vector<std::uint64_t> list_after(std::string_view text, std::string_view name) {
  std::vector<std::uint64_t> out;
  std::size_t at = text.find(name);
  if (at == std::string_view::npos) return out;
  at = text.find_first_of("[({", at + name.size());
  if (at == std::string_view::npos) return out;
  for (++at; at < text.size() && text[at] != ']' && text[at] != ')' && text[at] != '}'; ++at) {
    if (text[at] < '0' || text[at] > '9') continue;
    std::uint64_t n = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
      n = std::min<std::uint64_t>(n * 10 + static_cast<std::uint64_t>(text[at] - '0'), most_elements * 2);
    out.push_back(n);
    --at;
  }
  return out;
}

/// Bits of places, from the lowest: local ones, lanes, warps. Local bits fill a register of 32 bits first.
struct Placed {
  std::vector<layout::Term> local, lanes, warps;
};

Expected<layout::Assignment> assembled(Placed placed, int element_bits) {
  using layout::Place;
  const int simd = element_bits < 32 ? log2_of(static_cast<std::uint64_t>(32 / element_bits)) : 0;
  if (static_cast<int>(placed.local.size()) < simd)
    return failure(
        fmt::format("a thread has {} elements, and a register holds {}", 1 << placed.local.size(), 1 << simd),
        "choose a wider type");
  if (static_cast<int>(placed.local.size()) - simd > 8)
    return failure("a thread has more than 256 registers", "use more threads");
  layout::Assignment a;
  a.row(Place::simd).emplace(placed.local.begin(), placed.local.begin() + simd);
  a.row(Place::reg).emplace(placed.local.begin() + simd, placed.local.end());
  a.row(Place::thread) = std::move(placed.lanes);
  if (!placed.warps.empty()) a.row(Place::warp) = std::move(placed.warps);
  return a;
}

}  // namespace

Expected<layout::Assignment> triton_blocked(std::string_view text, int element_bits) {
  const auto per_thread = list_after(text, "sizePerThread"), per_warp = list_after(text, "threadsPerWarp"),
             warps = list_after(text, "warpsPerCTA"), shape = list_after(text, "shape");
  auto order = list_after(text, "order");
  const std::size_t rank = per_thread.size();
  constexpr std::array<std::string_view, 4> axes{"i", "j", "k", "l"};
  if (rank == 0 || rank > axes.size())
    return failure("sizePerThread is missing, or has more than 4 numbers", "write sizePerThread=[1,8]");
  for (const auto& [name, list] :
       {std::pair<std::string_view, const std::vector<std::uint64_t>&>{"threadsPerWarp", per_warp},
        {"warpsPerCTA", warps}})
    if (list.size() != rank)
      return failure(fmt::format("{} needs {} numbers", name, rank), fmt::format("write {}=[...]", name));
  if (order.empty())
    for (std::size_t n = rank; n > 0; --n) order.push_back(n - 1);
  std::vector<bool> used(rank, false);
  for (const std::uint64_t o : order)
    if (o < rank) used[o] = true;
  if (order.size() != rank || std::ranges::find(used, false) != used.end())
    return failure("order is no permutation of the axes", "write order=[1,0]");
  if (!shape.empty() && shape.size() != rank)
    return failure(fmt::format("shape needs {} numbers", rank), "write shape=[64,64]");
  std::uint64_t lanes = 1;
  for (std::size_t n = 0; n < rank; ++n) {
    for (const std::uint64_t number : {per_thread[n], per_warp[n], warps[n], shape.empty() ? 1 : shape[n]})
      if (number == 0 || !std::has_single_bit(number) || number > most_elements)
        return failure(fmt::format("{} is no power of two", number), "blocked layouts have powers of two");
    lanes *= per_warp[n];
  }
  if (lanes != 32) return failure(fmt::format("threadsPerWarp makes {} lanes", lanes), "a warp has 32");
  std::vector<int> next(rank, 0), bits(rank, 0);
  for (std::size_t n = 0; n < rank; ++n)
    bits[n] = shape.empty() ? log2_of(per_thread[n] * per_warp[n] * warps[n]) : log2_of(shape[n]);
  Placed out;
  const auto fill = [&](std::vector<layout::Term>& to, const std::vector<std::uint64_t>& extents) {
    for (const std::uint64_t o : order)
      for (int b = 0; b < log2_of(extents[o]); ++b) {
        // Beyond the shape the same elements come again.
        if (next[o] < bits[o])
          to.push_back(named(bit_name(axes[o], next[o]++)));
        else
          to.push_back({.role = layout::Term::Role::unused, .constant = false});
      }
  };
  fill(out.local, per_thread);
  fill(out.lanes, per_warp);
  fill(out.warps, warps);
  for (const std::uint64_t o : order)
    while (next[o] < bits[o]) out.local.push_back(named(bit_name(axes[o], next[o]++)));
  return assembled(std::move(out), element_bits);
}

namespace {

/// "Swizzle<2,3,3>" taken off the begin of a text.
struct SwizzleBits {
  int bits = 0, base = 0, shift = 0;
};
std::optional<SwizzleBits> take_swizzle(std::string_view& text) {
  const std::size_t at = text.find("Swizzle<");
  if (at == std::string_view::npos) return SwizzleBits{};
  const std::size_t end = text.find('>', at);
  if (end == std::string_view::npos) return std::nullopt;
  std::array<int, 3> numbers{};
  std::size_t n = 0;
  bool digit = false;
  for (const char c : text.substr(at + 8, end - at - 8)) {
    if (c >= '0' && c <= '9') {
      if (n >= 3 || numbers[n] > 99) return std::nullopt;
      numbers[n] = numbers[n] * 10 + (c - '0');
      digit = true;
    } else if (c == ',') {
      ++n;
    } else if (c != ' ' && c != '_') {
      return std::nullopt;
    }
  }
  if (n != 2 || !digit || numbers[0] > 8 || numbers[1] > 20 || numbers[2] > 20) return std::nullopt;
  // "Swizzle<B,M,S> o shape:stride" and "Swizzle<...>, shape:stride".
  text.remove_prefix(end + 1);
  const std::size_t open = text.find_first_of("(0123456789");
  if (open == std::string_view::npos) return std::nullopt;
  text.remove_prefix(open);
  return SwizzleBits{numbers[0], numbers[1], numbers[2]};
}

}  // namespace

Expected<layout::Assignment> cute_layout(std::string_view text, int element_bits) {
  constexpr std::string_view form = "write (threads,values):(strides), such as ((4,8),(2,2)):((32,1),(16,8))";
  const auto swizzle = take_swizzle(text);
  if (!swizzle) return failure("the swizzle is not Swizzle<B,M,S>", "write Swizzle<3,3,3>, for instance");
  const auto found = source::find_cute_layout(text);
  if (!found || !is_blank(text.substr(0, found->at)) || !is_blank(text.substr(found->end)))
    return failure("this is no layout of CuTe", std::string(form));
  const std::vector<source::CuteLayout::Mode>& modes = found->layout.modes;
  if (modes.size() != 2) return failure("a layout of threads and values has two modes", std::string(form));
  layout::PhysicalToLogical map;
  std::vector<std::uint64_t> threads, values;
  for (std::size_t which = 0; which < 2; ++which)
    for (std::size_t n = 0; n < modes[which].shape.size(); ++n) {
      const auto extent = static_cast<std::uint64_t>(modes[which].shape[n]),
                 stride = static_cast<std::uint64_t>(modes[which].stride[n]);
      if (!std::has_single_bit(extent))
        return failure(fmt::format("the extent {} is no power of two", extent), "such a layout is not F2-linear");
      if (stride != 0 && (!std::has_single_bit(stride) || stride > most_elements))
        return failure(fmt::format("the stride {} is no power of two up to {}", stride, most_elements),
                       "such a layout is not F2-linear");
      for (int b = 0; b < log2_of(extent); ++b) (which == 0 ? threads : values).push_back(stride << b);
    }
  std::uint64_t seen = 0;
  for (const auto* list : {&threads, &values})
    for (const std::uint64_t s : *list) {
      if (s != 0 && (seen & s) != 0)
        return failure(fmt::format("two bits of the layout have the stride {}", s),
                       "their sum carries, so that the layout is not F2-linear");
      seen |= s;
    }
  if (threads.size() < 5)
    return failure(fmt::format("the layout has {} threads", 1 << threads.size()), "a warp has 32");
  if (threads.size() > 10) return failure("the layout has more than 1024 threads", "a block has at most 1024");
  const auto swizzled = [&](std::uint64_t x) {
    const std::uint64_t mask = ((std::uint64_t{1} << swizzle->bits) - 1) << (swizzle->base + swizzle->shift);
    return x ^ ((x & mask) >> swizzle->shift);
  };
  const int simd = element_bits < 32 ? log2_of(static_cast<std::uint64_t>(32 / element_bits)) : 0;
  if (static_cast<int>(values.size()) < simd)
    return failure(fmt::format("a thread has {} values, and a register holds {}", 1 << values.size(), 1 << simd),
                   "choose a wider type");
  if (static_cast<int>(values.size()) - simd > 8)
    return failure("a thread has more than 256 registers", "use more threads");
  int out_bits = 0;
  for (const auto* list : {&values, &threads})
    for (const std::uint64_t s : *list) out_bits = std::max(out_bits, static_cast<int>(std::bit_width(swizzled(s))));
  for (int b = 0; b < out_bits; ++b) map.names.push_back(bit_name("i", b));
  map.map.out_bits = out_bits;
  for (const auto* list : {&values, &threads})
    for (const std::uint64_t s : *list) map.map.columns.push_back(swizzled(s));
  map.shape.bits = {simd, static_cast<int>(values.size()) - simd, 5, static_cast<int>(threads.size()) - 5, 0};
  layout::Assignment a = layout::from_map(map);
  using layout::Place;
  for (const Place p : {Place::simd, Place::reg})
    if (!a.row(p)) a.row(p).emplace();
  return a;
}

Expected<layout::Assignment> import_assignment(std::string_view text, int element_bits) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  if (text.find("sizePerThread") != std::string_view::npos) return triton_blocked(text, element_bits);
  if (text.starts_with('(') || text.starts_with("Swizzle")) return cute_layout(text, element_bits);
  return layout::parse(text);
}

}  // namespace lanescope::design
