#include "tests/catalogue/support.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>

#include "kernels/compile/compile.h"
#include "tests/catalogue_files.h"

namespace lanescope::catalogue {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

fs::path kernels_folder() { return fs::path(LANESCOPE_SOURCE_DIR) / "assets" / "kernels"; }

std::vector<std::uint64_t> seeds_or(std::vector<std::uint64_t> usual) {
  const char* const count = std::getenv("LANESCOPE_TEST_SEEDS");
  if (count == nullptr) return usual;
  usual.resize(std::strtoull(count, nullptr, 10));
  std::iota(usual.begin(), usual.end(), std::uint64_t{1});
  return usual;
}

std::vector<std::string> kernel_names(std::size_t every) {
  std::vector<std::string> names;
  for (const fs::path& file : test::catalogue_files(every)) names.push_back(file.stem().string());
  return names;
}

fs::path kernel_path(const std::string& name) { return kernels_folder() / (name + ".cu"); }
std::string kernel_text(const std::string& name) { return read_text(kernel_path(name)); }

bool can_compile() {
  static const bool can = [] {
    const compile::Toolchain t = compile::toolchain();
    return t.nvrtc && !t.include_directory.empty();
  }();
  return can;
}

engine::RunRequest request_for(const std::string& name, std::string text) {
  return {.file = kernel_path(name).string(), .text = std::move(text), .launch_file = {}, .launch_text = {}};
}

engine::Session run(const engine::RunRequest& request) {
  engine::Session session;
  session.run(request);
  return session;
}

const engine::Session& catalogue_run(const std::string& name) {
  static std::map<std::string, engine::Session> runs;
  const auto found = runs.find(name);
  if (found != runs.end()) return found->second;
  return runs.emplace(name, run(request_for(name, kernel_text(name)))).first->second;
}

const engine::Output* output(const engine::Session& session, std::string_view name) {
  const auto found = std::ranges::find(session.outputs(), name, &engine::Output::name);
  return found == session.outputs().end() ? nullptr : &*found;
}

std::vector<std::byte> initial_bytes(const source::Source& source, std::string_view buffer) {
  const auto found = std::ranges::find(source.header.buffers, buffer, &source::BufferSpec::name);
  if (found == source.header.buffers.end()) return {};
  return source::contents(*found, found->initial, fs::path(source.file).parent_path().string())
      .value_or(std::vector<std::byte>());
}

namespace {

std::size_t find_nth(const std::string& text, std::string_view what, int nth) {
  std::size_t at = text.find(what);
  for (int n = 0; n < nth && at != std::string::npos; ++n) at = text.find(what, at + 1);
  if (at == std::string::npos) {
    ADD_FAILURE() << "the kernel's text has no `" << what << "`";
    return 0;
  }
  return at;
}

}  // namespace

std::string replaced(const std::string& text, std::string_view from, std::string_view to, int nth) {
  std::string out = text;
  out.replace(find_nth(text, from, nth), from.size(), to);
  return out;
}

int line_of(const std::string& text, std::string_view what, int nth) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(find_nth(text, what, nth));
  return static_cast<int>(std::count(text.begin(), end, '\n')) + 1;
}

std::string words(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics) out += to_string(d) + '\n';
  return out;
}

namespace {

/// A folder of this process, gone at its end.
const fs::path& scratch() {
  struct Folder {
    fs::path path;
    Folder() {
      std::string pattern = (fs::temp_directory_path() / "lanescope-catalogue-XXXXXX").string();
      path = mkdtemp(pattern.data());
    }
    ~Folder() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  return folder.path;
}

std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

fs::path scratch_file(const std::string& name, std::string_view text) {
  const fs::path path = scratch() / name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::optional<Ran> program(const std::vector<std::string>& arguments) {
#ifdef LANESCOPE_PROGRAM
  const fs::path out = scratch() / "stdout", err = scratch() / "stderr";
  std::string command = quoted(LANESCOPE_PROGRAM);
  for (const std::string& a : arguments) command += ' ' + quoted(a);
  command += fmt::format(" >{} 2>{}", quoted(out.string()), quoted(err.string()));
  const int status = std::system(command.c_str());  // NOLINT(cert-env33-c): the shell redirects
  return Ran{WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(out), read_text(err)};
#else
  (void)arguments;
  return std::nullopt;
#endif
}

}  // namespace lanescope::catalogue
