#include "tests/gpu/trials.h"

#include <algorithm>
#include <numeric>

namespace lanescope::gpu_test {
namespace {

using Random = std::mt19937_64;

std::uint32_t below(Random& random, std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); }

std::uint32_t random_mask(Random& random) {
  const auto any = static_cast<std::uint32_t>(random());
  std::uint32_t mask = ~0u;
  switch (random() % 12) {
    case 0:
      mask = any;
      break;
    case 1:
      mask = any & static_cast<std::uint32_t>(random() >> 32);
      break;
    case 2:
      mask = any | static_cast<std::uint32_t>(random() >> 32);
      break;
    case 3:
      mask = 0x55555555u << random() % 2;
      break;
    case 4:
      mask = 0x33333333u << 2 * (random() % 2);
      break;
    case 5:
      mask = 0xffffu << 16 * (random() % 2);
      break;
    case 6:
      mask = 0x55555555u ^ ((any & 0x55555555u) * 3);
      break;  // one lane of every pair, or none
    case 7:
      mask = 1u << random() % 32;
      break;
    default:
      break;
  }
  return mask ? mask : 1u;
}

/// Element indices below `limit`, in one of the shapes that programs have, or none.
std::array<std::uint32_t, 32> random_indices(Random& random, std::uint32_t limit) {
  std::array<std::uint32_t, 32> index{};
  const std::uint32_t start = random() % 2 ? below(random, limit) : 0, stride = below(random, 72);
  const std::uint32_t few = std::min(limit, 1 + below(random, 96));
  std::array<std::uint32_t, 5> basis{};
  for (auto& b : basis) b = random() % 3 ? 1u << random() % 11 : below(random, limit);
  std::array<std::uint32_t, 32> permutation{};
  std::iota(permutation.begin(), permutation.end(), 0u);
  std::shuffle(permutation.begin(), permutation.end(), random);
  std::array<std::uint32_t, 32> drawn{};
  for (auto& d : drawn) d = below(random, random() % 2 ? few : limit);
  const auto shape = random() % 9;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    std::uint32_t affine = 0;
    for (std::uint32_t b = 0; b < 5; ++b) affine ^= lane >> b & 1 ? basis[b] : 0;
    const std::uint32_t shapes[] = {
        lane * stride,     affine, permutation[lane], permutation[lane] * stride, drawn[lane], drawn[lane] % few,
        drawn[lane >> 1],   // pairs of neighbours agree
        drawn[lane & ~2u],  // lanes two apart agree
        drawn[lane & 7]};
    index[lane] = (start + shapes[shape]) % limit;
  }
  // Some lanes leave the shape, to find where a rule about all lanes breaks.
  if (random() % 4 == 0)
    for (auto n = 1 + random() % 3; n > 0; --n) index[random() % 32] = below(random, limit);
  return index;
}

std::array<std::uint32_t, 32> random_offsets(Random& random, std::uint32_t window_bytes, int width_bytes) {
  const auto width = static_cast<std::uint32_t>(width_bytes);
  auto offsets = random_indices(random, window_bytes / width);
  for (auto& o : offsets) o *= width;
  return offsets;
}

/// Where copies go: to the same place in a tile, to a swizzled or padded one, or anywhere.
std::array<std::uint32_t, 32> random_destinations(const Trial& t, Random& random) {
  const auto width = static_cast<std::uint32_t>(t.kind->width_bytes);
  std::array<std::uint32_t, 32> to = random_offsets(random, shared_window_bytes, t.kind->width_bytes);
  const auto shape = random() % 5;
  const std::uint32_t swizzle = below(random, 8) * 16 / width * width, pad = below(random, 5) * 16;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t same = t.offsets[lane] % shared_window_bytes, row = t.offsets[lane] / 128;
    if (shape == 0) to[lane] = same;
    if (shape == 1) to[lane] = (same ^ swizzle) % shared_window_bytes;
    if (shape == 2) to[lane] = (same + row * pad) % shared_window_bytes;
    if (shape == 3) to[lane] = static_cast<std::uint32_t>(lane) * width;
  }
  return to;
}

bool is_global(Family f) {
  return f == Family::global_load || f == Family::global_store || f == Family::global_atomic ||
         f == Family::global_reduction || f == Family::async_copy;
}

bool is_matrix(Family f) { return f == Family::matrix_load || f == Family::matrix_store; }

template <class T>
void append(std::vector<std::byte>& bytes, const T& value) {
  const auto* begin = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof value);
}

}  // namespace

access::Access Trial::access() const {
  access::Access p;
  const bool loads =
      kind->family == Family::shared_load || kind->family == Family::global_load || kind->family == Family::matrix_load;
  const bool atomic = kind->family == Family::shared_atomic || kind->family == Family::global_atomic ||
                      kind->family == Family::global_reduction;
  p.space = is_global(kind->family) ? trace::MemorySpace::global : trace::MemorySpace::shared;
  p.kind = loads                                ? trace::AccessKind::load
           : atomic                             ? trace::AccessKind::atomic
           : kind->family == Family::async_copy ? trace::AccessKind::async_copy
                                                : trace::AccessKind::store;
  p.matrices = kind->matrices;
  p.width_bytes = kind->width_bytes;
  p.mask = p.matrices > 0 ? ~0u >> (32 - 8 * p.matrices) : mask;
  std::copy(offsets.begin(), offsets.end(), p.addresses.begin());
  return p;
}

Trial random_trial(const Kind& kind, std::mt19937_64& random) {
  Trial t;
  t.kind = &kind;
  if (!is_matrix(kind.family)) t.mask = random_mask(random);  // matrix instructions need the whole warp
  const std::uint32_t window = is_global(kind.family) ? global_window_bytes : shared_window_bytes;
  t.offsets = random_offsets(random, window, kind.width_bytes);
  if (kind.family == Family::async_copy) t.other_offsets = random_destinations(t, random);
  return t;
}

trace::Launch launch_of(const Trial& trial) {
  std::vector<std::byte> offsets, mask, keep;
  append(offsets, trial.offsets);
  append(offsets, trial.other_offsets);
  append(mask, trial.mask);
  append(keep, std::uint32_t{0});
  return {.kernel = trial.kind->name,
          .grid = {1, 1, 1},
          .block = {32, 1, 1},
          .arguments = {trace::BufferArgument{.buffer = 0}, offsets, mask, keep}};
}

std::vector<trace::Buffer> buffers() {
  return {{.name = "window",
           .element_type = "u8",
           .element_bits = 8,
           .bytes = std::vector<std::byte>(global_window_bytes + 64)}};
}

}  // namespace lanescope::gpu_test
