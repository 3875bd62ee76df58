#include "kernels/compile/compile_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/base/text.h"
#include "kernels/compile/calls/call.h"
#include "kernels/compile/calls/workers.h"
#include "kernels/compile/texts.h"
#include "kernels/source/data/sha256.h"
#include "kernels/source/notation/probes.h"
#include "kernels/source/options/nvcc_words.h"

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

const std::string types_option = std::string("--pre-include=") + types_header;

std::string usable_arch(const Nvrtc& library, const std::string& wanted, Diagnostics& notes) {
  const int number = architecture_number(wanted);
  const std::vector<int>& known = library.architectures;
  if (known.empty() || std::find(known.begin(), known.end(), number) != known.end()) return wanted;
  int best = known.front();
  for (const int k : known)
    if (k <= number) best = k;
  notes.push_back({.file = {},
                   .message = fmt::format("NVRTC {} does not support {}; the kernel was compiled for sm_{}",
                                          library.version_text, wanted, best),
                   .remedy = "install a CUDA Toolkit that supports it",
                   .severity = Severity::note});
  return fmt::format("sm_{}", best);
}

/// NVRTC assembles for a real architecture and stops at PTX for a virtual one; the PTX is the same.
std::string gpu_option(const std::string& arch, bool assembled) {
  constexpr std::string_view real = "sm_";
  const bool named = arch.starts_with(real);
  return "--gpu-architecture=" + (assembled || !named ? arch : "compute_" + arch.substr(real.size()));
}

/// Options of the header, and those put after them, in NVRTC's words. Those of nvcc that it has no use for are noted.
void translate(const source::Source& source, const Options& options, NvrtcOptions& out) {
  std::vector<std::string> words = source.header.compile.options;
  words.insert(words.end(), options.extra.begin(), options.extra.end());
  const options::CompileSettings read =
      options::read_words(words, {options::Origin::header, out.folder, source.file, {source.file, 0}, true});
  for (const options::UsedOption& o : read.used) {
    const bool relative = o.kind == options::Kind::include_folder && fs::path(o.value).is_relative();
    if (!o.word.empty()) out.list.push_back(relative ? "-I" + (out.folder / o.value).string() : o.word);
  }
  for (const options::LeftOut& o : read.left_out)
    if (!o.replaced)
      out.notes.push_back({.file = {},
                           .message = fmt::format("option {} is not used: it {}", o.written, o.reason),
                           .remedy = {},
                           .severity = Severity::note,
                           .code = DiagnosticCode::option_not_used});
  out.notes.insert(out.notes.end(), read.diagnostics.begin(), read.diagnostics.end());
}

/// Files that the options let the text read, beside the toolkit's own.
LocalHeaders headers_of(const source::Source& source, const NvrtcOptions& options) {
  LocalHeaders out = local_headers(source.text, options.folder, options.searched);
  for (const std::string& o : options.list)
    if (o.find("include") != std::string::npos && !o.starts_with("-I") && !o.starts_with("--include-path=") &&
        o != types_option)
      out.known = false;
  return out;
}

std::vector<fs::path> searched_folders(const Nvrtc& library, const std::vector<std::string>& options) {
  std::vector<fs::path> out;
  for (const std::string& o : options)
    for (const std::string_view word : {"-I", "--include-path="})
      if (o.starts_with(word) && o.substr(word.size()) != library.include_directory)
        out.emplace_back(o.substr(word.size()));
  return out;
}

}  // namespace

std::string wanted_arch(const source::Source& source, const Options& options) {
  return source.header.compile.arch.empty() ? options.arch : source.header.compile.arch;
}

NvrtcOptions nvrtc_options(const Nvrtc& library, const source::Source& source,
                           const std::vector<std::string>& header_texts, const Options& options,
                           const std::vector<std::string>& found, std::string_view answered) {
  NvrtcOptions out;
  out.as_read = options.extra.empty() || options.extra == source.options;
  out.folder = fs::path(source.file).parent_path();
  if (out.folder.empty()) out.folder = ".";
  out.arch = usable_arch(library, wanted_arch(source, options), out.notes);
  out.list = {gpu_option(out.arch, options.assembled), "-lineinfo", "-default-device", types_option};
  if (options.assembled) out.list.emplace_back("--ptxas-options=-v");
  const auto has_wide = [](const std::string& text) { return text.find("int128") != std::string::npos; };
  if (library.at_least(11, 5) && (has_wide(source.text) || std::ranges::any_of(header_texts, has_wide)))
    out.list.emplace_back("--device-int128");  // nvcc takes them on Linux
  translate(source, options, out);
  out.list.push_back("-I" + out.folder.string());
  for (const std::string& folder : found) out.list.push_back("-I" + folder);
  if (!library.include_directory.empty()) out.list.push_back("-I" + library.include_directory);
  if (!library.at_least(12, 8)) return out;
  // A #line directive keeps NVRTC from writing a precompiled header, which it says each time; our probes have them.
  out.list.emplace_back("-diag-suppress=20283");
  // Beside a driver NVRTC takes machine code that it made before from the driver's cache, and ptxas then says nothing of
  // registers (seen with 13.0 on an H200).
  out.list.emplace_back("--no-cache");
  out.searched = searched_folders(library, out.list);
  out.headers = headers_of(source, out);
  LocalHeaders compiled = out.headers;
  for (const std::string& text : header_texts) {
    if (text.find(source::probe_file) != std::string::npos) return out;  // another text after each edit of the file
    compiled.key = source::sha256(compiled.key + text);
  }
  if (!answered.empty()) compiled.key = source::sha256(compiled.key + std::string(answered));
  if (!can_precompile() || !out.headers.known) return out;
  // The compiler has folders by number: which they are makes the state, too.
  for (const std::string& o : out.list)
    if (o.starts_with("-I")) compiled.key += '\n' + o;
  out.precompiled = source::sha256(compiled.key).substr(0, 16);
  return out;
}

bool contracts(const source::Source& source) {
  std::vector<std::string_view> words(source.options.begin(), source.options.end());
  words.insert(words.end(), source.header.compile.options.begin(), source.header.compile.options.end());
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (one_of(words[i], {"-G", "--device-debug"})) return false;
    std::string_view name = words[i], value;
    if (const std::size_t at = name.find('='); at != std::string_view::npos)
      value = name.substr(at + 1), name = name.substr(0, at);
    else if (i + 1 < words.size())
      value = words[i + 1];
    if (!one_of(name, {"-Xptxas", "--ptxas-options"})) continue;
    for (std::size_t end = 0; !value.empty(); value.remove_prefix(std::min(value.size(), end + 1))) {
      end = std::min(value.find(','), value.size());
      if (one_of(value.substr(0, end), {"-O0", "--opt-level=0", "-fmad=false", "--fmad=false", "-g", "--device-debug"}))
        return false;
    }
  }
  return true;
}

void forget_edited_headers(const source::Source& source, const NvrtcOptions& options) {
  if (!options.precompiled.empty() && !options.headers.key.empty() &&
      headers_of(source, options).key != options.headers.key)
    forget_precompiled_everywhere(options.precompiled);
}

std::string cccl_option(const Nvrtc& library) {
  return library.cccl_directory.empty() ? "" : "-I" + library.cccl_directory;
}

int architecture_number(std::string_view name) {
  if (name.starts_with("sm_"))
    name.remove_prefix(3);
  else if (name.starts_with("compute_"))
    name.remove_prefix(8);
  else
    return 0;
  int number = 0;
  std::size_t digits = 0;
  while (digits < name.size() && is_digit(name[digits])) number = 10 * number + (name[digits++] - '0');
  if (digits < 2 || digits > 3 || name[0] == '0') return 0;
  const std::string_view kind = name.substr(digits);
  return kind.empty() || kind == "a" || kind == "f" ? number : 0;
}

Diagnostics wrong_architecture(const std::string& file, const std::string& name) {
  if (architecture_number(name) > 0) return {};
  return {{.file = file,
           .message = fmt::format("there is no architecture '{}'", name),
           .remedy = "write it as in sm_90 or sm_90a"}};
}

}  // namespace lanescope::compile
