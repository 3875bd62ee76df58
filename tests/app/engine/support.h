#pragma once
// Kernels of tests/data/engine, read and run.

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "app/engine/session/session.h"
#include "kernels/compile/compile.h"

namespace lanescope::engine::test {

inline std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream all;
  all << file.rdbuf();
  return all.str();
}

inline std::string data_path(const std::string& name) {
  return std::string(LANESCOPE_TEST_DATA_DIR) + "/engine/" + name;
}

inline RunRequest request_for(const std::string& name) {
  RunRequest request;
  request.file = data_path(name);
  request.text = text_of(request.file);
  return request;
}

inline RunRequest ptx_request() {
  RunRequest request = request_for("copy.ptx");
  request.launch_file = data_path("copy.toml");
  request.launch_text = text_of(request.launch_file);
  return request;
}

/// The built program.
#ifdef LANESCOPE_PROGRAM
inline constexpr const char* program = LANESCOPE_PROGRAM;
#else
inline constexpr const char* program = "lanescope";
#endif

inline bool have_nvrtc() { return compile::toolchain().nvrtc; }
#define NEEDS_NVRTC() \
  if (!lanescope::engine::test::have_nvrtc()) GTEST_SKIP() << "NVRTC is not installed"

inline const Output& output(const Session& session, const std::string& name) {
  for (const Output& o : session.outputs())
    if (o.name == name) return o;
  ADD_FAILURE() << "no buffer " << name;
  static const Output none;
  return none;
}

template <class T>
std::vector<T> elements(const Output& o) {
  std::vector<T> values(o.bytes.size() / sizeof(T));
  std::memcpy(values.data(), o.bytes.data(), values.size() * sizeof(T));
  return values;
}

inline int family(const results::Summary& summary, const std::string& name) {
  for (std::size_t i = 0; i < summary.families.size(); ++i)
    if (summary.families[i].name == name) return static_cast<int>(i);
  ADD_FAILURE() << "no family " << name;
  return -1;
}

/// The last step of a line in the recorded block; -1 when it never runs.
inline std::int64_t last_step(const results::Summary& summary, int line) {
  std::int64_t step = -1;
  for (const results::TimelineMark& m : summary.timeline)
    if (m.line == line) step = m.step;
  return step;
}
inline std::int64_t first_step(const results::Summary& summary, int line) {
  for (const results::TimelineMark& m : summary.timeline)
    if (m.line == line) return m.step;
  return -1;
}

inline std::string all_words(const results::Summary& summary) {
  std::string all;
  for (const Diagnostic& d : summary.diagnostics) all += to_string(d) + "\n";
  return all;
}

}  // namespace lanescope::engine::test
