#pragma once
// Kernels of tests/data/corners, written from the PTX ISA and the programming guide alone, and what an H100 gave for them:
// tests/data/corners/results.tsv has FILE, BUFFER and CONTENTS of each array after the launches. tests/gpu/corners_test.cpp
// measures it; tests/app/engine/corners compares the emulator with it.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "kernels/trace/launch.h"

namespace lanescope::corners {

inline std::filesystem::path folder() { return std::filesystem::path(LANESCOPE_TEST_DATA_DIR) / "corners"; }

/// Names of the kernel files of a folder, sorted.
inline std::vector<std::string> files(const std::filesystem::path& in = folder()) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(in))
    if (entry.path().extension() == ".cu") names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

/// Name of a test for a file.
inline std::string test_name(const std::string& file) { return file.substr(0, file.find('.')); }

inline constexpr std::size_t most_words = 256;  ///< that are written out

/// 32-bit words in base 16, equal neighbours as WORD*COUNT. Of more than `most_words` a checksum and the first 16.
inline std::string contents_words(const trace::Bytes& bytes) {
  std::vector<std::uint32_t> words((bytes.size() + 3) / 4);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    words[i / 4] |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << 8 * (i % 4);
  std::string text;
  std::size_t shown = words.size();
  if (words.size() > most_words) {
    std::uint64_t sum = 14695981039346656037u;
    for (const std::uint32_t w : words) sum = (sum ^ w) * 1099511628211u;
    text = fmt::format("checksum {:016x} of {} words ", sum, words.size());
    shown = 16;
  }
  for (std::size_t i = 0; i < shown;) {
    std::size_t n = 1;
    while (i + n < shown && words[i + n] == words[i]) ++n;
    text += n == 1 ? fmt::format("{:x} ", words[i]) : fmt::format("{:x}*{} ", words[i], n);
    i += n;
  }
  text.pop_back();
  return text;
}

/// A text in one field of the table.
inline std::string printed_words(std::string text) {
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) text.replace(at, 1, "\\n");
  return text;
}

/// By buffer; `*` stands for the file: "fault" or "hang" where the launches did not end, or what they printed.
using Results = std::map<std::string, std::string>;

/// Rows of a table for one file: the field after the buffer.
inline Results rows_of(const std::filesystem::path& table, const std::string& file) {
  Results rows;
  std::ifstream in(table);
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
    if (line.substr(0, first) == file) rows[line.substr(first + 1, second - first - 1)] = line.substr(second + 1);
  }
  return rows;
}

}  // namespace lanescope::corners
