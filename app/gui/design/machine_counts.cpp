#include "app/gui/design/machine_counts.h"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "kernels/base/ask_child.h"
#include "kernels/base/text.h"
#include "kernels/compile/compile.h"
#include "profiling/cupti/machine_code.h"

namespace lanescope::gui {
namespace {

namespace fs = std::filesystem;

/// A folder that is gone when this is.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "lanescope_sass_XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Mnemonic without its modifiers and its predicate.
std::string_view mnemonic(std::string_view text) {
  if (text.starts_with('@')) text = trimmed(text.substr(std::min(text.find(' '), text.size())));
  return text.substr(0, text.find_first_of(" .;"));
}

}  // namespace

Expected<MachineCounts> machine_counts(const std::string& file, std::string_view text, const std::string& arch,
                                       const std::vector<std::string>& options) {
  const std::string disassembler = cupti::find_nvdisasm();
  const fs::path assembler = fs::path(disassembler).parent_path() / "ptxas";
  if (disassembler.empty() || ::access(assembler.c_str(), X_OK) != 0)
    return failure("nvdisasm and ptxas, which make and print machine code, were not found",
                   "install them with the CUDA Toolkit, or set CUDA_HOME to where it is");
  const auto source = source::read(file, text, {.watch_probes = false, .options = options});
  if (!source) return tl::unexpected<Diagnostics>(source.error());
  const auto compiled = compile::compile(*source, compile::Variant::plain, {.arch = arch, .extra = {}});
  if (!compiled) return tl::unexpected<Diagnostics>(compiled.error());
  const TemporaryFolder folder;
  const fs::path ptx = folder.path() / "kernel.ptx", cubin = folder.path() / "kernel.cubin";
  std::ofstream(ptx) << compiled->compiled.ptx;
  const ChildReply reply =
      ask_child({assembler.string(), "-arch=" + compiled->compiled.arch, "-o", cubin.string(), ptx.string()}, {},
                "ptxas", std::chrono::seconds(60));
  std::ifstream in(cubin, std::ios::binary);
  std::stringstream bytes;
  bytes << in.rdbuf();
  if (!in || bytes.str().empty())
    return failure(reply.problem.message.empty() ? "ptxas makes no machine code of this kernel"
                                                 : reply.problem.message);
  const auto code = cupti::disassemble(bytes.str());
  if (!code) return tl::unexpected<Diagnostics>(code.error());
  const auto& names = compiled->compiled.entry_names;
  MachineCounts out;
  for (const cupti::SassLine& line : *code) {
    if (!names.empty() && line.function != names.front()) continue;
    const std::string_view word = mnemonic(line.text);
    if (word == "NOP") continue;
    ++out.all;
    out.shuffles += word == "SHFL", out.selects += word == "SEL", out.permutes += word == "PRMT";
  }
  return out;
}

}  // namespace lanescope::gui
