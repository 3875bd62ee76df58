// A target for libFuzzer: a PTX file, the line "//LAUNCH" and its launch file. The changes are those of the tests
// (tests/fuzz), so that most of what is tried runs; one in eight is libFuzzer's own.
//
//   cmake -B build/fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++-19 -DLANESCOPE_FUZZ=ON -DLANESCOPE_GUI=OFF
//   cmake --build build/fuzz --target ptx_fuzz
//   build/fuzz/bench/ptx_fuzz -runs=100000 -timeout=60 -rss_limit_mb=4096 CORPUS_FOLDER

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/fuzz/cases/cases.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {
using namespace lanescope;

const std::vector<fuzz::Case>& all_seeds() {
  static const std::vector<fuzz::Case> all = fuzz::seeds();
  return all;
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::Outcome outcome = fuzz::run_case(fuzz::split({reinterpret_cast<const char*>(data), size}), size % 8 == 0);
  if (!outcome.broken.empty()) {
    std::fprintf(stderr, "%s\n", outcome.broken.c_str());
    std::abort();
  }
  return outcome.executed ? 0 : -1;  // what does not run is kept out of the corpus
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  if (seed % 8 == 0 && size > 1) return LLVMFuzzerMutate(data, size, most);
  fuzz::Mutator mutator(seed);
  fuzz::Case from = fuzz::split({reinterpret_cast<const char*>(data), size});
  if (from.launch.empty()) from = mutator.choose(all_seeds());
  const std::string text = fuzz::joined(mutator.mutated(from, all_seeds()));
  const std::size_t length = std::min(text.size(), most);
  std::memcpy(data, text.data(), length);
  return length;
}
