#pragma once
// Functions of CUDA's libraries (math.h, intrinsics, half precision, bfloat16) on inputs with any bits: tests/data/library.
// part.tsv and whole.tsv have what an H200 gave for 2^14 and 2^20 inputs of each function: FILE, FUNCTION, a sum over all
// results, and a byte for each of 64 chunks of the inputs, which locates a difference. tests/gpu/library_test.cpp measures
// them; tests/app/engine/corners compares the emulator with part.tsv.

#include "tests/corners.h"
#include "tests/sample.h"

namespace lanescope::library {

inline constexpr std::size_t chunks = 64, threads = 256;
inline constexpr int part_rounds = 1, whole_rounds = 64;  ///< each chunk has 256 inputs a round

inline std::filesystem::path folder() { return std::filesystem::path(LANESCOPE_TEST_DATA_DIR) / "library"; }
inline std::filesystem::path table(int rounds) { return folder() / (rounds == part_rounds ? "part.tsv" : "whole.tsv"); }
inline std::vector<std::string> files() { return corners::files(folder()); }

/// The argument of each line ROW(...), in order.
inline std::vector<std::string> functions(const std::string& text) {
  static const std::string head = "\n    ROW(";
  std::vector<std::string> rows;
  for (std::size_t at = 0; (at = text.find(head, at)) != std::string::npos;) {
    at += head.size();
    rows.push_back(text.substr(at, text.find('\n', at) - at - 1));
  }
  return rows;
}

/// The text of a file with one of `every` functions, unless LANESCOPE_EXHAUSTIVE is set: compiling them takes longest.
inline std::string sampled(std::string text, std::size_t every) {
  static const std::string head = "\n    ROW(", grid = "\ngrid = ";
  std::size_t number = 0;
  for (std::size_t at = 0; (at = text.find(head, at)) != std::string::npos;)
    if (test::in_sample(number++, every))
      at += head.size();
    else
      text.erase(at, text.find('\n', at + 1) - at);
  if (const std::size_t at = text.find(grid); at != std::string::npos) {
    const std::size_t begin = at + grid.size();
    text.replace(begin, text.find('\n', begin) - begin, std::to_string(functions(text).size()));
  }
  return text;
}

/// A chunk of one function, whose results are stored; or none.
struct Shown {
  int row = -1, chunk = -1;
};

/// The text of a file with other arguments of its launch.
inline std::string text_with(std::string text, int rounds, Shown shown = {}) {
  static const std::string own = "rounds = 1, row = -1, chunk = -1";
  const std::size_t at = text.find(own);
  if (at != std::string::npos)
    text.replace(at, own.size(), fmt::format("rounds = {}, row = {}, chunk = {}", rounds, shown.row, shown.chunk));
  return text;
}

inline std::vector<std::uint64_t> words_of(const trace::Bytes& bytes) {
  std::vector<std::uint64_t> words(bytes.size() / 8);
  std::memcpy(words.data(), bytes.data(), words.size() * 8);
  return words;
}

/// By function, from the contents of `digests`.
inline corners::Results results_of(const std::vector<std::string>& functions, const trace::Bytes& digests) {
  const std::vector<std::uint64_t> words = words_of(digests);
  corners::Results out;
  for (std::size_t f = 0; f < functions.size() && (f + 1) * chunks <= words.size(); ++f) {
    std::uint64_t sum = 0;
    std::string bytes;
    for (std::size_t c = 0; c < chunks; ++c) {
      sum += words[f * chunks + c];
      bytes += fmt::format("{:02x}", words[f * chunks + c] & 255);
    }
    out[functions[f]] = fmt::format("{:016x} {}", sum, bytes);
  }
  return out;
}

/// The first chunk in which two results of a function differ; -1 if none does.
inline int first_difference(const std::string& a, const std::string& b) {
  for (std::size_t c = 0; c < chunks; ++c)
    if (a.substr(17 + 2 * c, 2) != b.substr(17 + 2 * c, 2)) return static_cast<int>(c);
  return -1;
}

}  // namespace lanescope::library
