// Random pairs of assignments, planned, compiled and executed, every element compared: that what the planner writes is right.
// Stratified by element width (1 to 128 bits), size (half of them 10 bits of a place or more) and kind: permutations of
// bits, F2-affine ones, and ones with copies and junk. Every plan of a pair has its turn.
//
//   pairs_bench --pairs 100000 --workers 16          in the emulator; --batch pairs (250) are compiled at once
//   pairs_bench --pairs 1000 --emit DIR --files 16   as self-testing programs for a GPU:
//       ls DIR/*.cu | xargs -P 16 -I{} nvcc -std=c++17 -arch=native -o {}.run {}; for t in DIR/*.run; do $t | tail -1; done
//
// Each worker is a process, because the compiler works on one text at a time within one. --first N: begin at pair N.
// The last line is JSON: pairs, wrong ones, elements compared, seconds. Exit status 1 where anything is wrong.

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "kernels/convert/exports/verify.h"
#include "kernels/convert/planner.h"
#include "tests/kernels/convert/random_pairs.h"

namespace {

using namespace lanescope;
using namespace lanescope::convert;

struct Options {
  int pairs = 1000, first = 0, batch = 250, workers = 1, files = 16;
  std::string emit;
};

struct Sum {
  long long pairs = 0, wrong = 0, elements = 0, large = 0, copies_or_junk = 0, not_permutations = 0, shared = 0;
  void add(const Sum& s) {
    pairs += s.pairs, wrong += s.wrong, elements += s.elements, large += s.large, copies_or_junk += s.copies_or_junk;
    not_permutations += s.not_permutations, shared += s.shared;
  }
};

int bits_of_a_place(const layout::Assignment& a) {
  int bits = 0;
  for (const auto& row : a.rows) bits += row ? static_cast<int>(row->size()) : 0;
  return bits;
}

/// Pair number n: the same on every machine, independent of the others.
struct Case {
  Pair pair;
  Planned planned;
  std::size_t plan = 0;
  Kind kind = Kind::permutation;
};
Case pair_of_number(int n) {
  const auto kind = static_cast<Kind>(n % 3);
  const int element_bits = 1 << (n / 3 % 8);
  const bool large = n / 24 % 2 == 1;
  RandomPairs random(static_cast<unsigned>(n) * 2654435761U + 17);
  // Few are larger than 12 bits: they take the compiler seconds each and the planner nothing that is new.
  const int high = !large ? 9 : n / 48 % 16 == 0 ? 14 : 12, low = large ? 10 : 5;
  for (;;) {
    const Pair p = random.pair(kind, element_bits, large ? 7 : 4, random.any(3) == 0 ? 1 + random.any(3) : 0);
    const int bits = bits_of_a_place(p.from);
    // A register of 1-bit elements has 10 bits with the lanes already.
    if (bits < low || (bits > high && !(element_bits == 1 && !large && bits <= 10))) continue;
    Expected<Planned> planned = plan(p.from, p.to, element_bits);
    if (!planned) continue;
    const std::size_t count = planned->plans.size();
    return {p, std::move(*planned), static_cast<std::size_t>(n / 7) % count, kind};
  }
}

Sum run_batch(int first, int count) {
  std::vector<Case> cases;
  for (int n = first; n < first + count; ++n) cases.push_back(pair_of_number(n));
  std::vector<Conversion> conversions;
  for (const Case& c : cases) conversions.push_back({c.planned, c.planned.plans[c.plan]});
  Sum out;
  const std::vector<Verified> results = verify_functions(conversions);
  for (std::size_t n = 0; n < results.size(); ++n) {
    const Case& c = cases[n];
    ++out.pairs;
    out.elements += static_cast<long long>(results[n].elements);
    out.large += bits_of_a_place(c.pair.from) >= 10 ? 1 : 0;
    out.copies_or_junk += c.kind == Kind::spare ? 1 : 0;
    out.not_permutations += c.planned.map.is_permutation() ? 0 : 1;
    out.shared += c.planned.plans[c.plan].shared ? 1 : 0;
    if (results[n].right()) continue;
    ++out.wrong;
    std::fprintf(stderr, "pair %zu, plan %zu: %s\n  %d bits, from %s\n  to %s\n", static_cast<std::size_t>(first) + n,
                 c.plan + 1, results[n].compiler ? results[n].problem.c_str() : "no compiler", c.pair.element_bits,
                 layout::print_line(c.pair.from).c_str(), layout::print_line(c.pair.to).c_str());
  }
  return out;
}

Sum run_worker(const Options& o, int worker) {
  Sum sum;
  int number = 0;
  for (int first = 0; first < o.pairs; first += o.batch, ++number) {
    if (number % o.workers == worker) sum.add(run_batch(o.first + first, std::min(o.batch, o.pairs - first)));
  }
  return sum;
}

int run_all(const Options& o) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::pair<pid_t, int>> workers;
  for (int w = 0; w < o.workers; ++w) {
    int ends[2];
    if (pipe(ends) != 0) return 3;
    const pid_t child = fork();
    if (child == 0) {
      const Sum sum = run_worker(o, w);
      const bool written = write(ends[1], &sum, sizeof sum) == static_cast<ssize_t>(sizeof sum);
      _exit(written ? 0 : 3);
    }
    close(ends[1]);
    workers.emplace_back(child, ends[0]);
  }
  Sum all;
  bool whole = true;
  for (const auto& [child, end] : workers) {
    Sum sum;
    whole = read(end, &sum, sizeof sum) == static_cast<ssize_t>(sizeof sum) && whole;
    all.add(sum);
    int status = 0;
    waitpid(child, &status, 0);
    whole = whole && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    close(end);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  fmt::print(
      "{{\"pairs\": {}, \"wrong\": {}, \"elements\": {}, \"of_10_bits_or_more\": {}, \"with_copies_or_junk\": {}, "
      "\"not_permutations\": {}, \"through_shared_memory\": {}, \"seconds\": {:.1f}, \"workers\": {}, \"whole\": "
      "{}}}\n",
      all.pairs, all.wrong, all.elements, all.large, all.copies_or_junk, all.not_permutations, all.shared, took.count(),
      o.workers, whole);
  return whole && all.wrong == 0 && all.pairs == o.pairs ? 0 : 1;
}

int emit_all(const Options& o) {
  for (int file = 0; file < o.files; ++file) {
    std::vector<Case> cases;
    for (int n = file; n < o.pairs; n += o.files) cases.push_back(pair_of_number(o.first + n));
    std::vector<NamedConversion> named;
    for (std::size_t k = 0; k < cases.size(); ++k)
      named.push_back({{cases[k].planned, cases[k].planned.plans[cases[k].plan]},
                       fmt::format("pair{}", o.first + file + static_cast<int>(k) * o.files)});
    const std::string path = fmt::format("{}/pairs_{:02}.cu", o.emit, file);
    std::ofstream out(path);
    out << self_test_file(named, "");
    if (!out.flush()) {
      std::fprintf(stderr, "%s: could not be written\n", path.c_str());
      return 3;
    }
  }
  fmt::print("{} pairs in {} files of {}\n", o.pairs, o.files, o.emit);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  for (int n = 1; n + 1 < argc; n += 2) {
    const std::string key = argv[n];
    const char* const value = argv[n + 1];
    if (key == "--emit") o.emit = value;
    for (const auto& [name, to] : {std::pair{"--pairs", &o.pairs},
                                   {"--first", &o.first},
                                   {"--batch", &o.batch},
                                   {"--workers", &o.workers},
                                   {"--files", &o.files}}) {
      if (key == name) *to = std::max(name == std::string("--first") ? 0 : 1, std::atoi(value));
    }
  }
  return o.emit.empty() ? run_all(o) : emit_all(o);
}
