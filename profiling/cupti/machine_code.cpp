#include "profiling/cupti/machine_code.h"

#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "kernels/base/enum_size.h"
#include "kernels/base/process.h"
#include "kernels/base/text.h"
#include "profiling/cupti/interfaces.h"

namespace lanescope::cupti {
namespace {

namespace fs = std::filesystem;

/// A file that is removed with its holder.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& bytes) {
    std::error_code ignored;
    path_ = (fs::temp_directory_path(ignored) / "lanescope-XXXXXX").string();
    const int fd = ::mkstemp(path_.data());
    if (fd < 0) return;
    written_ = write_all(fd, Bytes(bytes.begin(), bytes.end()));
    ::close(fd);
  }
  ~TemporaryFile() { ::unlink(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  bool written() const { return written_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool written_ = false;
};

/// NAME of `.section .text.NAME,"ax",@progbits`; empty for any other line.
std::string_view section_function(std::string_view line) {
  constexpr std::string_view directive = ".section", text = ".text.";
  if (!line.starts_with(directive)) return {};
  const std::string_view name = trimmed(line.substr(directive.size()));
  return name.starts_with(text) ? name.substr(text.size(), name.find(',') - text.size()) : std::string_view{};
}

/// `/*01f0*/  MOV R1, c[0x0][0x28] ;` -> offset and text; false for any other line.
bool instruction(std::string_view line, SassLine& out) {
  if (!line.starts_with("/*")) return false;
  const std::size_t end = line.find("*/"), stop = line.find(';');
  if (end == std::string_view::npos || stop == std::string_view::npos || stop < end) return false;
  const std::string digits(line.substr(2, end - 2));
  char* after = nullptr;
  const unsigned long offset = std::strtoul(digits.c_str(), &after, 16);
  if (digits.empty() || *after != '\0') return false;
  std::string_view text = trimmed(line.substr(end + 2, stop - end - 2));
  while (text.starts_with('{')) text = trimmed(text.substr(1));
  if (text.empty()) return false;
  out.offset = static_cast<std::uint32_t>(offset);
  out.text = text;
  return true;
}

/// `"k.cu", line 5` from the front of `text`, which begins after it then; line 0: it is none.
SourcePlace named_place(std::string_view& text) {
  if (!text.starts_with('"')) return {};
  constexpr std::string_view between = "\", line ";
  const std::size_t end = text.find(between);
  if (end == std::string_view::npos) return {};
  SourcePlace place{.file = std::string(text.substr(1, end - 1))};
  text.remove_prefix(end + between.size());
  std::size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9' && place.line < 100'000'000)
    place.line = place.line * 10 + (text[digits++] - '0');
  text.remove_prefix(digits);
  return place;
}

/// Lines that begin with //## before an instruction: its origin.
class Places {
 public:
  /// False: `line` is no such line.
  bool take(std::string_view line) {
    constexpr std::string_view mark = "//## File ", call = " inlined at ";
    if (!line.starts_with(mark)) return false;
    line.remove_prefix(mark.size());
    SourcePlace here = named_place(line);
    if (here.line == 0) return true;
    if (here.file == ".nv_debug_ptx_txt") {
      ptx_line_ = here.line;
      return true;
    }
    if (std::exchange(used_, false)) stack_.clear();
    // Each line of an inlined function repeats its caller, which has the next line for itself.
    if (stack_.empty() || stack_.back() != here) stack_.push_back(std::move(here));
    if (line.starts_with(call)) {
      line.remove_prefix(call.size());
      if (SourcePlace caller = named_place(line); caller.line > 0) stack_.push_back(std::move(caller));
    }
    return true;
  }
  void put_into(SassLine& instruction) {
    used_ = true;
    instruction.ptx_line = ptx_line_;
    if (stack_.empty()) return;
    instruction.file = stack_.front().file, instruction.line = stack_.front().line;
    instruction.callers.assign(stack_.begin() + 1, stack_.end());
  }

 private:
  std::vector<SourcePlace> stack_;
  int ptx_line_ = 0;
  bool used_ = false;
};

/// Output of nvdisasm with these options; empty if it refuses them.
Expected<std::vector<SassLine>> listing(const std::string& program, std::vector<std::string> options,
                                        const std::string& file) {
  std::vector<std::string> words{program};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(file);
  const ChildReply reply = ask_child(words, {}, "nvdisasm", std::chrono::seconds(30));
  if (reply.end != ChildReply::End::answered) return failure(reply.problem.message);
  return parse_disassembly({reinterpret_cast<const char*>(reply.answer.data()), reply.answer.size()});
}

struct Mnemonic {
  std::string_view name;
  SassKind kind;
};

// Mnemonics of compute capability 7.5 to 12.0, as the CUDA Binary Utilities list them.
constexpr Mnemonic mnemonics[] = {
    {"LDG", SassKind::global_load},      {"STG", SassKind::global_store},    {"LDS", SassKind::shared_load},
    {"STS", SassKind::shared_store},     {"STAS", SassKind::shared_store},   {"LDSM", SassKind::matrix_load},
    {"STSM", SassKind::matrix_store},    {"MOVM", SassKind::permute},        {"LDL", SassKind::local_load},
    {"STL", SassKind::local_store},      {"LD", SassKind::generic_load},     {"ST", SassKind::generic_store},
    {"LDC", SassKind::constant_load},    {"LDCU", SassKind::constant_load},  {"ULDC", SassKind::constant_load},
    {"ATOM", SassKind::global_atomic},   {"ATOMG", SassKind::global_atomic}, {"ATOMS", SassKind::shared_atomic},
    {"RED", SassKind::reduction},        {"REDG", SassKind::reduction},      {"REDAS", SassKind::reduction},
    {"LDGSTS", SassKind::async_copy},    {"UBLKCP", SassKind::bulk_copy},    {"UBLKPF", SassKind::bulk_copy},
    {"UBLKRED", SassKind::bulk_copy},    {"UTMALDG", SassKind::bulk_copy},   {"UTMASTG", SassKind::bulk_copy},
    {"UTMAPF", SassKind::bulk_copy},     {"UTMAREDG", SassKind::bulk_copy},  {"TEX", SassKind::texture},
    {"TLD", SassKind::texture},          {"TLD4", SassKind::texture},        {"TMML", SassKind::texture},
    {"TXD", SassKind::texture},          {"TXQ", SassKind::texture},         {"SULD", SassKind::texture},
    {"SUST", SassKind::texture},         {"SUATOM", SassKind::texture},      {"SURED", SassKind::texture},
    {"SHFL", SassKind::shuffle},         {"VOTE", SassKind::vote},           {"VOTEU", SassKind::vote},
    {"MATCH", SassKind::vote},           {"REDUX", SassKind::vote},          {"CREDUX", SassKind::vote},
    {"BAR", SassKind::barrier},          {"SYNCS", SassKind::barrier},       {"UCGABAR_ARV", SassKind::barrier},
    {"UCGABAR_WAIT", SassKind::barrier}, {"ARRIVES", SassKind::barrier},     {"ACQBULK", SassKind::barrier},
    {"MEMBAR", SassKind::fence},         {"FENCE", SassKind::fence},         {"ERRBAR", SassKind::fence},
    {"CCTL", SassKind::fence},           {"CCTLL", SassKind::fence},         {"DEPBAR", SassKind::fence},
    {"LDGDEPBAR", SassKind::fence},      {"UTMACMDFLUSH", SassKind::fence},  {"UTMACCTL", SassKind::fence},
    {"PRMT", SassKind::permute},         {"UPRMT", SassKind::permute},       {"SEL", SassKind::select},
    {"FSEL", SassKind::select},          {"USEL", SassKind::select},         {"BRA", SassKind::branch},
    {"BRX", SassKind::branch},           {"BRXU", SassKind::branch},         {"JMP", SassKind::branch},
    {"JMX", SassKind::branch},           {"JMXU", SassKind::branch},         {"CALL", SassKind::branch},
    {"RET", SassKind::branch},           {"EXIT", SassKind::branch},         {"BSSY", SassKind::branch},
    {"BSYNC", SassKind::branch},         {"BREAK", SassKind::branch},        {"BMOV", SassKind::branch},
    {"WARPSYNC", SassKind::branch},      {"YIELD", SassKind::branch},        {"KILL", SassKind::branch},
    {"BPT", SassKind::branch},
};

/// HMMA, IMMA, DMMA, HGMMA, QGMMA, ...: the one ending that is a family of its own.
bool multiplies_matrices(std::string_view name) { return name.size() >= 4 && name.ends_with("MMA"); }

}  // namespace

SourcePlace source_place(const std::string& cubin, const std::string& function, std::uint64_t offset_bytes) {
  const auto api = source_interface();
  if (!api) return {};
  SourceLineArguments a;
  a.cubin = cubin.data(), a.cubin_bytes = cubin.size();
  a.function = function.c_str(), a.offset = offset_bytes;
  SourcePlace place;
  if ((*api)->cuptiGetSassToSourceCorrelation(&a) == 0) {
    const std::string name = a.file ? a.file : "", folder = a.folder ? a.folder : "";
    place.file = folder.empty() || name.starts_with('/') ? name : folder + "/" + name;
    place.line = static_cast<int>(a.line);
  }
  std::free(a.file), std::free(a.folder);
  return place;
}

std::string find_nvdisasm() {
  std::vector<fs::path> folders;
  if (const char* path = std::getenv("PATH"))
    for (std::string_view rest = path; !rest.empty();) {
      const std::size_t colon = rest.find(':');
      folders.emplace_back(rest.substr(0, colon));
      rest = colon == std::string_view::npos ? std::string_view{} : rest.substr(colon + 1);
    }
  for (const fs::path& toolkit : toolkit_folders()) folders.push_back(toolkit / "bin");
  for (const fs::path& folder : folders)
    if (const fs::path file = folder / "nvdisasm"; ::access(file.c_str(), X_OK) == 0) return file.string();
  return "";
}

std::vector<SassLine> parse_disassembly(std::string_view text) {
  std::vector<SassLine> code;
  SassLine current;
  Places places;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    if (const std::string_view function = section_function(line); !function.empty())
      current = {.function = std::string(function)}, places = {};
    if (places.take(line) || current.function.empty() || !instruction(line, current)) continue;
    places.put_into(current);
    code.push_back(current);
  }
  return code;
}

Expected<std::vector<SassLine>> disassemble(const std::string& cubin) {
  const std::string program = find_nvdisasm();
  if (program.empty())
    return failure(
        "nvdisasm, which prints machine code as text, was not found",
        "install nvdisasm: it is in the CUDA Toolkit, and alone in its package cuda-nvdisasm; where it is neither on "
        "PATH nor in /usr/local/cuda*, set CUDA_HOME");
  const TemporaryFile file(cubin);
  if (!file.written()) return failure("the machine code cannot be written to a temporary file");
  auto code = listing(program, {"-c", "-gi", "-gp"}, file.path());
  if (code && !code->empty() && std::ranges::any_of(*code, [](const SassLine& l) { return l.line || l.ptx_line; }))
    return code;
  if (!code || code->empty()) code = listing(program, {"-c"}, file.path());
  if (!code) return code;
  if (code->empty()) return failure("nvdisasm prints no instruction of this machine code");
  for (SassLine& l : *code) {
    SourcePlace place = source_place(cubin, l.function, l.offset);
    l.line = place.line, l.file = std::move(place.file);
  }
  return code;
}

std::string_view opcode(std::string_view text) {
  const auto skip_blanks = [&] { text = without_indent(text); };
  skip_blanks();
  if (text.starts_with('@')) {
    const std::size_t end = text.find_first_of(" \t");
    text.remove_prefix(end == std::string_view::npos ? text.size() : end);
    skip_blanks();
  }
  return text.substr(0, text.find_first_of(" \t;"));
}

SassKind kind_of(std::string_view text) {
  const std::string_view whole = opcode(text);
  const std::string_view name = whole.substr(0, whole.find('.'));
  const auto* found =
      std::find_if(std::begin(mnemonics), std::end(mnemonics), [&](const Mnemonic& m) { return m.name == name; });
  if (found != std::end(mnemonics)) return found->kind;
  return multiplies_matrices(name) ? SassKind::matrix_multiply : SassKind::other;
}

std::string_view kind_name(SassKind kind) {
  static_assert(sass_kinds == enum_size<SassKind>);
  constexpr std::string_view names[] = {
      "global load",   "global store", "shared load",  "shared store",    "matrix load",   "matrix store",
      "local load",    "local store",  "generic load", "generic store",   "constant load", "global atomic",
      "shared atomic", "reduction",    "async copy",   "bulk copy",       "texture",       "shuffle",
      "vote",          "barrier",      "fence",        "matrix multiply", "permute",       "select",
      "branch",        "other"};
  return entry_for(names, kind);
}

}  // namespace lanescope::cupti
