// Stored PTX: a file beside the kernel whose first line says what it was made from.
//
//   // lanescope.stored key=<sha256> made_by=NVRTC-13.0 entries=_Z1fP6__half registers=18 shared=0 spill=0 dropped=
//   .version 9.0 ...

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "kernels/compile/compile.h"
#include "kernels/compile/compile_options.h"
#include "kernels/compile/file_names.h"
#include "kernels/source/sha256.h"

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view mark = "// lanescope.stored ";

/// The value of `name=` in the first line.
std::string field(std::string_view line, std::string_view name) {
  const std::string wanted = fmt::format(" {}=", name);
  const std::size_t at = line.find(wanted);
  if (at == std::string_view::npos) return {};
  const std::size_t start = at + wanted.size();
  return std::string(line.substr(start, line.find_first_of(" \r", start) - start));
}

std::optional<int> number_field(std::string_view line, std::string_view name) {
  const std::string text = field(line, name);
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  return std::atoi(text.c_str());
}

std::vector<std::string> list_field(std::string_view line, std::string_view name) {
  std::vector<std::string> out;
  std::stringstream text(field(line, name));
  for (std::string part; std::getline(text, part, ',');) out.push_back(part);
  return out;
}

std::string optional_text(std::string_view name, const std::optional<int>& v) {
  return v ? fmt::format(" {}={}", name, *v) : "";
}

}  // namespace

std::string stored_key(const source::Source& source, Variant variant, const Options& options) {
  std::string all = source.text;
  all += fmt::format("\n{} {}\n", variant == Variant::plain ? "plain" : "probed", wanted_arch(source, options));
  for (const std::string& o : source.header.compile.options) all += o + '\n';
  for (const std::string& o : options.extra) all += o + '\n';
  if (variant == Variant::probed) {
    // Probe numbers are part of the PTX: another way of placing them makes another text.
    for (const source::ProbePoint& p : source.probes)
      all += fmt::format("{}:{}:{}:{}\n", p.id, p.line, p.column, fmt::join(p.variables, ","));
  }
  return source::sha256(all);
}

std::string stored_path(std::string_view cu_path, Variant variant) {
  fs::path path(cu_path);
  path.replace_extension(variant == Variant::plain ? ".plain.ptx" : ".probed.ptx");
  return path.string();
}

std::optional<Compiled> find_stored(const source::Source& source, Variant variant, const Options& options) {
  std::ifstream in(stored_path(source.file, variant), std::ios::binary);
  if (!in) return std::nullopt;
  std::string line;
  if (!std::getline(in, line) || !line.starts_with(mark) || field(line, "key") != stored_key(source, variant, options))
    return std::nullopt;
  std::stringstream rest;
  rest << in.rdbuf();
  Compiled out;
  const std::string name = fs::path(source.file).filename().string();
  out.ptx = rename_files(rest.str(), [&](std::string_view f) { return f == name ? source.file : std::string(f); });
  out.made_by = "stored PTX";
  out.entry_names = list_field(line, "entries");
  out.registers = number_field(line, "registers");
  out.shared_bytes = number_field(line, "shared");
  out.spill_bytes = number_field(line, "spill");
  return out;
}

Expected<std::string> store(const source::Source& source, Variant variant, const Options& options,
                            const Outcome& outcome) {
  const std::string path = stored_path(source.file, variant);
  const std::string temporary = fmt::format("{}.{}.tmp", path, getpid());
  const Compiled& c = outcome.compiled;
  std::string maker = c.made_by;
  // The kernel's own name without its folder, the toolkit's headers without theirs: the same text on every machine.
  const std::string text = rename_files(c.ptx, [&](std::string_view f) {
    return f == source.file || f.starts_with("/") ? fs::path(f).filename().string() : std::string(f);
  });
  std::replace(maker.begin(), maker.end(), ' ', '-');
  {
    std::ofstream out(temporary, std::ios::binary);
    out << mark << "key=" << stored_key(source, variant, options) << " made_by=" << maker
        << fmt::format(" entries={}", fmt::join(c.entry_names, ",")) << optional_text("registers", c.registers)
        << optional_text("shared", c.shared_bytes) << optional_text("spill", c.spill_bytes)
        << fmt::format(" dropped={}\n", fmt::join(outcome.dropped_probes, ",")) << text;
    if (!out.flush()) {
      std::error_code ignored;
      fs::remove(temporary, ignored);
      return failure(Diagnostic{.file = path,
                                .message = "the stored PTX could not be written",
                                .remedy = "check the folder's permissions and free space"});
    }
  }
  std::error_code problem;
  fs::rename(temporary, path, problem);
  if (problem) {
    fs::remove(temporary, problem);
    return failure(Diagnostic{.file = path,
                              .message = fmt::format("the stored PTX could not be renamed: {}", problem.message()),
                              .remedy = {}});
  }
  return path;
}

}  // namespace lanescope::compile
