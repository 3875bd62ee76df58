#include "profiling/cupti/machine_code.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "kernels/base/ask_child.h"
#include "kernels/base/text.h"
#include "profiling/cupti/interfaces.h"

namespace lanescope::cupti {
namespace {

namespace fs = std::filesystem;

/// A file that goes away with its holder.
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
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    if (const std::string_view function = section_function(line); !function.empty()) current.function = function;
    if (!current.function.empty() && instruction(line, current)) code.push_back(current);
  }
  return code;
}

Expected<std::vector<SassLine>> disassemble(const std::string& cubin) {
  const std::string program = find_nvdisasm();
  if (program.empty())
    return failure("nvdisasm, which prints machine code as text, was not found",
                   "install the CUDA Toolkit's nvdisasm, or set CUDA_HOME to where it is");
  const TemporaryFile file(cubin);
  if (!file.written()) return failure("the machine code cannot be written to a temporary file");
  const ChildReply reply = ask_child({program, "-c", file.path()}, {}, "nvdisasm", std::chrono::seconds(30));
  if (reply.end != ChildReply::End::answered) return failure(reply.problem.message);
  auto code = parse_disassembly({reinterpret_cast<const char*>(reply.answer.data()), reply.answer.size()});
  if (code.empty()) return failure("nvdisasm prints no instruction of this machine code");
  for (SassLine& l : code) {
    SourcePlace place = source_place(cubin, l.function, l.offset);
    l.line = place.line, l.file = std::move(place.file);
  }
  return code;
}

}  // namespace lanescope::cupti
