#pragma once
// Kernels as tests use them: files of tests/data/source and texts written in place.

#include <gtest/gtest.h>

#include <string>

#include "kernels/base/read_file.h"
#include "kernels/source/notation/probes.h"
#include "kernels/source/source.h"

namespace lanescope::source {

inline std::string data_path(const std::string& name) {
  return std::string(LANESCOPE_TEST_DATA_DIR) + "/source/" + name;
}

inline std::string file_text(const std::string& path) { return read_file(path).value_or(""); }

inline std::string words(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics) out += to_string(d) + "\n";
  return out;
}

/// Reads what has to be readable.
inline Source read_well(const std::string& text, const std::string& file = "k.cu") {
  Expected<Source> s = read(file, text);
  EXPECT_TRUE(s.has_value()) << (s ? "" : words(s.error()));
  return s ? std::move(*s) : Source{};
}

inline Source read_data(const std::string& name) { return read_well(file_text(data_path(name)), data_path(name)); }

/// "x0 x1 x2 x3" of one claim.
inline std::string registers_of(const Source& s, std::size_t claim) {
  std::string out;
  for (const int id : s.claims.at(claim).registers) {
    if (!out.empty()) out += ' ';
    out += s.variables.at(static_cast<std::size_t>(id)).name;
  }
  return out;
}

inline const ProbePoint& probe_of(const Source& s, std::size_t claim) {
  return s.probes.at(static_cast<std::size_t>(s.claims.at(claim).probe));
}

}  // namespace lanescope::source
