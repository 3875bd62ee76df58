// Results of the kernels on shuffles, warps, groups, reductions and tensor cores, as plain loops over arrays.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>

#include "tests/catalogue/expectations.h"

namespace lanescope::catalogue {
namespace {

using u32 = std::uint32_t;
using Words = std::vector<u32>;

template <class T>
std::vector<T> as(const Bytes& bytes) {
  std::vector<T> out(bytes.size() / sizeof(T));
  std::memcpy(out.data(), bytes.data(), out.size() * sizeof(T));
  return out;
}

template <class T>
Bytes raw(const std::vector<T>& values) {
  Bytes out(values.size() * sizeof(T));
  std::memcpy(out.data(), values.data(), out.size());
  return out;
}

Words words(const Inputs& in, std::string_view name) { return as<u32>(in(name)); }

/// A kernel that makes words of `p` into words of `q`.
Expectation of_words(std::function<Words(const Words&)> f) {
  return {.input = "p", .output = "q", .result = [f](const Inputs& in) { return raw(f(words(in, "p"))); }};
}
Expectation moved(Origin origin, int bits = 32) {
  return {.input = "p", .output = "q", .bits = bits, .origin = std::move(origin)};
}

// --- shuffles and warps ----------------------------------------------------------------------------------------------

Words four_shuffles(const Words& p) {
  Words q;
  for (u32 l = 0; l < 32; ++l) q.push_back(p[(l & 1) << 4 | (l & 2) << 2 | (l & 4) | (l & 8) >> 2 | l >> 4]);
  for (u32 l = 0; l < 32; ++l) q.push_back(p[l ^ 5]);
  for (u32 l = 0; l < 32; ++l) q.push_back(p[l == 0 ? 0 : l - 1]);
  for (u32 l = 0; l < 32; ++l) q.push_back(p[l + 4 > 31 ? l : l + 4]);
  return q;
}

Words last_multiple_of_seven(const Words& p) {
  Words q = p;
  for (std::size_t warp = 0; warp < p.size(); warp += 32)
    for (std::size_t l = 0; l < 32; ++l)
      if (p[warp + l] % 7 == 0) std::fill_n(q.begin() + static_cast<std::ptrdiff_t>(warp), 32, p[warp + l]);
  return q;
}

Words summed_from_above(Words p) {
  for (const std::size_t distance : {16, 8, 4, 2, 1}) {
    const Words before = p;
    for (std::size_t l = 0; l < 32; ++l) p[l] = before[l] + before[l + distance < 32 ? l + distance : l];
  }
  return p;
}

Words prefix_sums(Words p) {
  for (std::size_t i = 0; i < p.size(); ++i)
    if (i % 32 != 0) p[i] += p[i - 1];
  return p;
}

Words sorted_by_warp(Words p) {
  for (u32& key : p) key = key * 40503u % 65521u;
  for (auto warp = p.begin(); warp != p.end(); warp += 32) std::sort(warp, warp + 32);
  return p;
}

/// Where each key of a block stood. Keys are distinct: 65,521 is a prime, and there are fewer elements.
Words places_of_sorted_keys(const Words& p) {
  Words places(p.size());
  std::iota(places.begin(), places.end(), 0u);
  for (auto block = places.begin(); block != places.end(); block += 128)
    std::sort(block, block + 128, [&](u32 a, u32 b) { return p[a] * 40503u % 65521u < p[b] * 40503u % 65521u; });
  return places;
}

Words sorted_by_block(const Words& p) {
  Words q;
  for (const u32 place : places_of_sorted_keys(p)) q.push_back(p[place] * 40503u % 65521u);
  return q;
}

Words digests(const Words& p) {
  Words q;
  for (std::size_t i = 0; i < p.size(); i += 7) {
    u32 digest = 0;
    for (std::size_t c = 0; c < 7; ++c) digest = 31 * digest + p[i + c];
    q.push_back(digest);
  }
  return q;
}

Bytes shifted_copies(const Inputs& in) {
  const Bytes p = in("p");
  const Words from = words(in, "from");
  Bytes q(2048);
  for (std::size_t warp = 0; warp < 4; ++warp)
    for (std::size_t byte = 0; byte < 28 * 16; ++byte) q[512 * warp + byte] = p[from[warp] + byte];
  return q;
}

Words sums_of_both_sides(const Words& p) {
  Words q(p.size());
  for (std::size_t warp = 0; warp < p.size(); warp += 32) {
    u32 sum = 20 * 100;
    for (std::size_t l = 0; l < 32; ++l) sum += p[warp + l];
    for (std::size_t l = 0; l < 32; ++l) q[warp + l] = l < 12 ? sum : 3 * sum;
  }
  return q;
}

u32 sum_of(const Words& p, std::size_t begin, std::size_t end) {
  u32 sum = 0;
  for (std::size_t i = begin; i < std::min(end, p.size()); ++i) sum += p[i];
  return sum;
}

Words whole_sum(const Words& p) { return {sum_of(p, 0, p.size())}; }

/// As the author of the kernel thought: all lanes are together.
Words converged(Words p) {
  for (std::size_t l = 0; l < 32; ++l) p[l] = (l < 16 ? p[l] / 3 : p[l] * p[l]) + 1000;
  return p;
}
Words in_lockstep(Words p) {
  for (u32& x : p) x = 3 * x + 1;
  return p;
}

u32 label_of(u32 x) { return x % 7 % 5; }

Words counts_of_labels(const Words& p) {
  Words q(5);
  for (const u32 x : p) ++q[label_of(x)];
  return q;
}
Words sums_of_labels(const Words& p) {
  Words q(5);
  for (const u32 x : p) q[label_of(x)] += x;
  return q;
}

// --- groups ----------------------------------------------------------------------------------------------------------

Words sums_of_block_and_warps(const Words& p) {
  Words q{sum_of(p, 0, 128)};
  for (std::size_t warp = 0; warp < 4; ++warp) q.push_back(sum_of(p, 32 * warp, 32 * warp + 32));
  return q;
}

Words sums_of_tiles(const Words& p) {
  Words q;
  for (const std::size_t tile : {32, 16, 4})
    for (std::size_t i = 0; i < p.size(); ++i) q.push_back(sum_of(p, i / tile * tile, i / tile * tile + tile));
  return q;
}

bool is_packed(u32 x) { return x % 5 % 2 == 0; }

Words packed_words(const Words& p) {
  Words q(p.size());
  for (std::size_t warp = 0; warp < p.size(); warp += 32)
    std::copy_if(p.begin() + static_cast<std::ptrdiff_t>(warp), p.begin() + static_cast<std::ptrdiff_t>(warp + 32),
                 q.begin() + static_cast<std::ptrdiff_t>(warp), is_packed);
  return q;
}
Words packed_counts(const Words& p) {
  Words counts;
  for (auto warp = p.begin(); warp != p.end(); warp += 32)
    counts.push_back(static_cast<u32>(std::count_if(warp, warp + 32, is_packed)));
  return counts;
}

Words sums_of_64(const Words& p) {
  Words sums;
  for (std::size_t block = 0; block < p.size(); block += 64) sums.push_back(sum_of(p, block, block + 64));
  return sums;
}
Words plus_blocks_below(Words p) {
  const Words sums = sums_of_64(p);
  for (std::size_t i = 0; i < p.size(); ++i) p[i] += sum_of(sums, 0, i / 64);
  return p;
}

Expectation with_other(Expectation e, const std::string& name, std::function<Words(const Words&)> f,
                       const std::string& from = "p") {
  e.others.emplace(name, [f, from](const Inputs& in) { return raw(f(words(in, from))); });
  return e;
}

// --- reductions ------------------------------------------------------------------------------------------------------

/// Sums of the first n elements, `per_block` of them each.
Words sums_of_blocks(const Words& p, std::size_t per_block, std::size_t n) {
  Words q;
  for (std::size_t first = 0; first < p.size(); first += per_block)
    q.push_back(sum_of(p, first, std::min(first + per_block, n)));
  return q;
}

Expectation reduces(std::size_t per_block, std::size_t n) {
  Expectation e = of_words([=](const Words& p) { return sums_of_blocks(p, per_block, n); });
  e.in_place = true;
  return e;
}

/// Numbers from 0 on; `first` says which of them go the way 5 x + 1, the others x ^ x >> 3, plus the number of the round.
Bytes branched(u32 rounds, bool (*first)(std::size_t)) {
  Words p(128);
  std::iota(p.begin(), p.end(), 0u);
  for (std::size_t i = 0; i < p.size(); ++i)
    for (u32 k = 0; k < rounds; ++k) p[i] = first(i) ? 5 * p[i] + 1 : (p[i] ^ p[i] >> 3) + k;
  return raw(p);
}
Expectation without_input(Bytes (*f)()) {
  return {.input = "", .output = "q", .result = [f](const Inputs&) { return f(); }};
}
bool is_even(std::size_t i) { return i % 2 == 0; }
bool is_in_even_warp(std::size_t i) { return i / 32 % 2 == 0; }

Words rows_times_columns(const Words& p) {
  Words q(64);
  for (std::size_t j = 0; j < 64; ++j)
    for (std::size_t i = 0; i < 64; ++i) q[j] += p[64 * i + j] * p[64 * j + i];
  return q;
}

// --- tensor cores ----------------------------------------------------------------------------------------------------

double half_value(unsigned bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31), fraction = static_cast<int>(bits & 1023);
  const double size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return (bits >> 15 & 1) != 0 ? -size : size;
}

/// c[i,j]: sums of a[i,k] b[j,k] in steps of 16, exact within a step and rounded as f32 after it. Double precision holds 16
/// products of halves between -1 and 1, or of integers below 2,048, exactly.
Expectation multiplies(std::size_t rows, std::size_t columns, std::size_t depth) {
  const auto product = [=](const Inputs& in) {
    const auto a = as<std::uint16_t>(in("a")), b = as<std::uint16_t>(in("b"));
    std::vector<float> c(rows * columns);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j)
        for (std::size_t step = 0; step < depth; step += 16) {
          double sum = c[i * columns + j];
          for (std::size_t k = step; k < step + 16; ++k)
            sum += half_value(a[i * depth + k]) * half_value(b[j * depth + k]);
          c[i * columns + j] = static_cast<float>(sum);
        }
    return raw(c);
  };
  return {.input = "a", .output = "c", .result = product};
}

/// Sample n of `bits` bits, the first ones of a byte in its low bits.
int sample(const Bytes& bytes, std::size_t bits, std::size_t n) {
  const auto byte = std::to_integer<unsigned>(bytes[n * bits / 8]);
  return static_cast<int>(byte >> n * bits % 8 & ((1u << bits) - 1));
}

Expectation correlates(std::size_t bits, std::size_t samples, int (*of_pair)(int, int)) {
  const auto sums = [=](const Inputs& in) {
    const Bytes a = in("a"), b = in("b");
    std::vector<std::int32_t> c(16 * 8);
    for (std::size_t i = 0; i < 16; ++i)
      for (std::size_t j = 0; j < 8; ++j)
        for (std::size_t k = 0; k < samples; ++k)
          c[8 * i + j] += of_pair(sample(a, bits, i * samples + k), sample(b, bits, j * samples + k));
    return raw(c);
  };
  return {.input = "a", .output = "c", .result = sums};
}
int differs(int a, int b) { return a != b ? 1 : 0; }
int signed_product(int a, int b) { return ((a ^ 8) - 8) * ((b ^ 8) - 8); }

}  // namespace

const std::map<std::string, Expectation>& warp_expectations() {
  static const Origin three_to_the_right = [](Index n) { return n / 32 * 32 + (n + 3) % 32; };
  static const Origin turned_around = [](Index n) { return n / 128 * 128 + 127 - n % 128; };
  static const std::map<std::string, Expectation> all = {
      {"shuffle_variants", of_words(four_shuffles)},
      {"shuffle_64bit", moved([](Index n) { return n ^ 1; }, 64)},
      {"neighbour_unsafe", moved(three_to_the_right)},
      {"broadcast_lane0", moved([](Index n) { return n / 32 * 32; })},
      {"broadcast_voted", of_words(last_multiple_of_seven)},
      {"warp_sum_down", of_words(summed_from_above)},
      {"scan_shuffle", of_words(prefix_sums)},
      {"scan_predicate", of_words(prefix_sums)},
      {"scan_shared", of_words(prefix_sums)},
      {"sort_shuffle", of_words(sorted_by_warp)},
      {"sort_shared", of_words(sorted_by_warp)},
      {"sort_block", with_other(of_words(sorted_by_block), "v", places_of_sorted_keys)},
      {"structures_direct", of_words(digests)},
      {"structures_shuffle", of_words(digests)},
      {"structures_shared", of_words(digests)},
      {"copy_by_vote", {.input = "p", .output = "q", .result = shifted_copies}},
      {"sum_in_branches", of_words(sums_of_both_sides)},
      {"tail_synced", of_words(whole_sum)},
      {"tail_unsynced", of_words(whole_sum)},
      {"assume_convergence", of_words(converged)},
      {"assume_lockstep", of_words(in_lockstep)},
      {"assume_order", of_words(whole_sum)},
      {"match_any", of_words(counts_of_labels)},
      {"group_reduce", of_words(sums_of_block_and_warps)},
      {"group_tiles", of_words(sums_of_tiles)},
      {"group_coalesced", with_other(of_words(packed_words), "used", packed_counts)},
      {"group_labelled", of_words(sums_of_labels)},
      {"group_grid_sync", with_other(of_words(plus_blocks_below), "sums", sums_of_64)},
      {"reduce_neighboured", reduces(128, 500)},
      {"reduce_less_divergent", reduces(128, 500)},
      {"reduce_interleaved", reduces(128, 500)},
      {"reduce_unrolled2", reduces(256, 1000)},
      {"reduce_unrolled4", reduces(512, 1000)},
      {"reduce_unrolled8", reduces(1024, 2000)},
      {"reduce_unrolled_warp", reduces(1024, 2000)},
      {"reduce_unrolled_fully", reduces(1024, 2000)},
      {"reduce_template",
       with_other(
           reduces(1024, 2000), "s", [](const Words& r) { return sums_of_blocks(r, 2048, 2000); }, "r")},
      {"rmse_shuffle", {.input = "a", .output = "sum", .result = squared_differences}},
      {"branch_divergent", without_input([] { return branched(8, is_even); })},
      {"branch_by_warp", without_input([] { return branched(8, is_in_even_warp); })},
      {"branch_predicated", without_input([] { return branched(1, is_even); })},
      {"index_64bit", of_words(rows_times_columns)},
      {"index_32bit", of_words(rows_times_columns)},
      {"index_64bit_checked", of_words(rows_times_columns)},
      {"mma_product", multiplies(32, 16, 32)},
      {"ldmatrix_product", multiplies(32, 16, 32)},
      {"wgmma_product", multiplies(64, 8, 16)},
      {"correlate_1bit", correlates(1, 256, differs)},
      {"correlate_4bit", correlates(4, 64, signed_product)},
      {"tiles_async", moved(turned_around)},
      {"tiles_waiting", moved(turned_around)},
  };
  return all;
}

}  // namespace lanescope::catalogue
