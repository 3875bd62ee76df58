// NVRTC in this process.

#include <filesystem>

#include "kernels/compile/calls/call.h"
#include "kernels/compile/calls/nvrtc_library.h"

namespace lanescope::compile {
namespace {

/// A program of NVRTC, destroyed at the end of its scope.
class Program {
 public:
  Program(const Nvrtc& library, const Call& call) : library_(library) {
    std::vector<const char*> names, texts;
    for (const auto& [name, text] : call.headers) {
      names.push_back(name.c_str());
      texts.push_back(text.c_str());
    }
    library_.create(&program_, call.text.c_str(), call.name.c_str(), static_cast<int>(names.size()), texts.data(),
                    names.data());
    for (const std::string& expression : call.expressions) library_.add_name(program_, expression.c_str());
  }
  ~Program() {
    if (program_ != nullptr) library_.destroy(&program_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  int compile(const std::vector<std::string>& options) const {
    std::vector<const char*> raw;
    for (const std::string& o : options) raw.push_back(o.c_str());
    return library_.compile(program_, static_cast<int>(raw.size()), raw.data());
  }

  std::string log() const { return text(library_.log_size, library_.log); }
  std::string ptx() const { return text(library_.ptx_size, library_.ptx); }
  std::string cubin() const { return bytes(library_.cubin_size, library_.cubin); }
  std::string lowered(const std::string& expression) const {
    const char* name = nullptr;
    return library_.lowered_name(program_, expression.c_str(), &name) == 0 && name != nullptr ? name : "";
  }

 private:
  std::string bytes(auto size, auto read) const {
    std::size_t count = 0;
    if (size(program_, &count) != 0 || count == 0) return {};
    std::string out(count, '\0');
    return read(program_, out.data()) == 0 ? out : std::string();
  }
  std::string text(auto size, auto read) const {
    std::string out = bytes(size, read);
    while (!out.empty() && out.back() == '\0') out.pop_back();
    return out;
  }

  const Nvrtc& library_;
  Nvrtc::Program program_ = nullptr;
};

/// Said at a place that is not in the text itself.
bool warns_of_a_header(const std::string& log, const std::string& name) {
  for (std::size_t at = log.find("): warning"); at != std::string::npos; at = log.find("): warning", at + 1)) {
    const std::size_t line = log.rfind('\n', at) + 1;  // 0 on the first one
    if (log.compare(line, name.size(), name) != 0 || log[line + name.size()] != '(') return true;
  }
  return false;
}

}  // namespace

Answer call_here(const Call& call) {
  const Nvrtc& library = nvrtc();
  const NumberedFolders folders(call.folders);
  const Program program(library, call);
  std::vector<std::string> options = call.options;
  if (const std::string folder = pch_folder(call.precompiled); !folder.empty()) {
    // NVRTC 13.0 crashes where the folder of its precompiled headers is not there.
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    for (const char* o : {"--pch", "--pch-messages=false"}) options.emplace_back(o);
    options.push_back("--pch-dir=" + folder);
  }
  Answer out{.status = program.compile(options), .log = program.log()};
  // A header that was precompiled is not warned of again, and the user would see its warnings once.
  if (warns_of_a_header(out.log, call.name)) forget_precompiled(call.precompiled);
  out.ptx = program.ptx();  // what ptxas refuses is still there as a text (seen with 13.0)
  if (out.status != 0) return out;
  out.cubin = program.cubin();
  for (const std::string& expression : call.expressions) out.lowered.push_back(program.lowered(expression));
  return out;
}

}  // namespace lanescope::compile
