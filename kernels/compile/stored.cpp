// Stored PTX: a file beside the kernel whose first line says what it was made from.
//
//   // lanescope.stored key=<sha256> made_by=NVRTC-13.0 entries=_Z1fP6__half resources=_Z1fP6__half:18:0:0:0 dropped=
//   .version 9.0 ...
//
// Resources, a kernel: registers, bytes of static shared memory, of spills, of local memory.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include "kernels/base/byte_order_mark.h"
#include "kernels/base/plain_name.h"
#include "kernels/base/read_file.h"
#include "kernels/base/write_file.h"
#include "kernels/compile/compile.h"
#include "kernels/compile/compile_options.h"
#include "kernels/compile/file_names.h"
#include "kernels/compile/local_headers.h"
#include "kernels/source/data/sha256.h"

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

std::vector<std::string> list_field(std::string_view line, std::string_view name) {
  std::vector<std::string> out;
  std::stringstream text(field(line, name));
  for (std::string part; std::getline(text, part, ',');) out.push_back(part);
  return out;
}

std::string resources_text(const std::map<std::string, Resources>& all) {
  std::string out;
  for (const auto& [name, r] : all)
    out += fmt::format("{}{}:{}:{}:{}:{}", out.empty() ? "" : ",", name, r.registers, r.shared_bytes, r.spill_bytes,
                       r.local_bytes);
  return out;
}

/// The relative folders of -I options: those of absolute ones are of this machine, not of the kernel.
std::vector<fs::path> relative_folders(const fs::path& beside, const std::vector<std::string>& options) {
  std::vector<fs::path> out;
  for (std::size_t i = 0; i < options.size(); ++i) {
    std::string_view name = options[i];
    if (name == "-I" && i + 1 < options.size())
      name = options[++i];
    else if (name.starts_with("-I"))
      name.remove_prefix(2);
    else
      continue;
    if (fs::path(name).is_relative()) out.push_back(beside / name);
  }
  return out;
}

/// Empty where the kernel includes no file of its own.
std::string headers_key(const source::Source& source, const Options& options) {
  fs::path folder = fs::path(source.file).parent_path();
  if (folder.empty()) folder = ".";
  std::vector<fs::path> searched = relative_folders(folder, source.header.compile.options);
  for (fs::path& more : relative_folders(folder, options.extra)) searched.push_back(std::move(more));
  return local_headers(source.text, folder, searched).key_by_relative_names;
}

/// The names of the files of a source in stored PTX: the kernel's own without its folder, those of its headers relative
/// to that folder, the toolkit's without theirs. The same text on every machine.
struct StoredName {
  std::string own, stored;
};
std::vector<StoredName> stored_names(const source::Source& source) {
  const fs::path file(source.file);
  std::vector<StoredName> out = {{plain_name(source.file), plain_name(file.filename().string())}};
  const fs::path folder = (file.parent_path().empty() ? fs::path(".") : file.parent_path()).lexically_normal();
  for (std::size_t k = 1; k < source.lines.files.size(); ++k) {
    const fs::path path(source.lines.files[k].path);
    const fs::path relative = path.lexically_relative(folder);
    out.push_back({plain_name(path.string()), plain_name((relative.empty() ? path : relative).string())});
  }
  return out;
}

/// Entries of another form are left out: what is not known is not said.
std::map<std::string, Resources> resources_field(std::string_view line) {
  std::map<std::string, Resources> out;
  for (const std::string& one : list_field(line, "resources")) {
    const std::size_t colon = one.find(':');
    Resources r;
    if (colon != std::string::npos && std::sscanf(one.c_str() + colon, ":%d:%d:%d:%d", &r.registers, &r.shared_bytes,
                                                  &r.spill_bytes, &r.local_bytes) == 4)
      out.emplace(one.substr(0, colon), r);
  }
  return out;
}

}  // namespace

std::string stored_key(const source::Source& source, Variant variant, const Options& options) {
  std::string all(without_byte_order_mark(source.text));
  all += fmt::format("\n{} {}\n", variant == Variant::plain ? "plain" : "probed", wanted_arch(source, options));
  for (const std::string& o : source.header.compile.options) all += o + '\n';
  for (const std::string& o : options.extra) all += o + '\n';
  if (const std::string headers = headers_key(source, options); !headers.empty()) all += "headers " + headers + '\n';
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
  const auto text = read_file(stored_path(source.file, variant));
  if (!text) return std::nullopt;
  const std::size_t end = std::min(text->find('\n'), text->size());
  const std::string line = text->substr(0, end);
  if (!line.starts_with(mark) || field(line, "key") != stored_key(source, variant, options)) return std::nullopt;
  Compiled out;
  const auto names = stored_names(source);
  out.ptx = rename_files(std::string_view(*text).substr(std::min(end + 1, text->size())), [&](std::string_view f) {
    const auto known = std::ranges::find(names, f, &StoredName::stored);
    return known == names.end() ? std::string(f) : known->own;
  });
  out.made_by = "stored PTX";
  out.arch = wanted_arch(source, options);
  out.entry_names = list_field(line, "entries");
  out.resources = resources_field(line);
  return out;
}

Expected<std::string> store(const source::Source& source, Variant variant, const Options& options,
                            const Outcome& outcome) {
  const std::string path = stored_path(source.file, variant);
  if (!outcome.compiled.assumed.empty())
    return failure({.file = source.file,
                    .message = fmt::format("{} was found by a search, and is not part of the key of stored PTX",
                                           outcome.compiled.assumed.front().name),
                    .remedy = "name its folder with -I in the options of the launch header"});
  const Compiled& c = outcome.compiled;
  std::string maker = c.made_by;
  const auto names = stored_names(source);
  const std::string text = rename_files(c.ptx, [&](std::string_view f) {
    if (const auto known = std::ranges::find(names, f, &StoredName::own); known != names.end()) return known->stored;
    const std::string last = fs::path(f).filename().string();
    const bool taken = std::ranges::find(names, last, &StoredName::stored) != names.end();
    return taken ? "../" + last : last;
  });
  std::replace(maker.begin(), maker.end(), ' ', '-');
  const std::string head = fmt::format("{}key={} made_by={} entries={} resources={} dropped={}\n", mark,
                                       stored_key(source, variant, options), maker, fmt::join(c.entry_names, ","),
                                       resources_text(c.resources), fmt::join(outcome.dropped_probes, ","));
  if (auto written = write_file(path, head + text); !written) return tl::unexpected(std::move(written.error()));
  return path;
}

}  // namespace lanescope::compile
