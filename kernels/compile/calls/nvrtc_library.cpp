#include "kernels/compile/calls/nvrtc_library.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;

/// File names and folders, newest first.
std::vector<std::string> candidates() {
  std::vector<std::string> out;
  if (const char* own = std::getenv("LANESCOPE_NVRTC"); own != nullptr && *own != '\0') return {own};
  const std::vector<std::string> names = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"};
  out = names;
  std::vector<std::string> roots;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* root = std::getenv(variable); root != nullptr && *root != '\0') roots.emplace_back(root);
  roots.emplace_back("/usr/local/cuda");
  std::error_code ignored;
  std::vector<std::string> versions;
  for (const auto& entry : fs::directory_iterator("/usr/local", ignored)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("cuda-")) versions.push_back(entry.path());
  }
  std::sort(versions.rbegin(), versions.rend());
  roots.insert(roots.end(), versions.begin(), versions.end());
  for (const std::string& root : roots)
    for (const char* folder : {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"})
      for (const std::string& name : names) out.push_back(root + "/" + folder + "/" + name);
  return out;
}

template <class F>
bool load(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

bool load_all(void* library, Nvrtc& n) {
  bool good = load(library, "nvrtcVersion", n.version);
  good = load(library, "nvrtcGetErrorString", n.error_string) && good;
  good = load(library, "nvrtcCreateProgram", n.create) && good;
  good = load(library, "nvrtcDestroyProgram", n.destroy) && good;
  good = load(library, "nvrtcCompileProgram", n.compile) && good;
  good = load(library, "nvrtcGetPTXSize", n.ptx_size) && good;
  good = load(library, "nvrtcGetPTX", n.ptx) && good;
  good = load(library, "nvrtcGetCUBINSize", n.cubin_size) && good;
  good = load(library, "nvrtcGetCUBIN", n.cubin) && good;
  good = load(library, "nvrtcGetProgramLogSize", n.log_size) && good;
  good = load(library, "nvrtcGetProgramLog", n.log) && good;
  good = load(library, "nvrtcAddNameExpression", n.add_name) && good;
  good = load(library, "nvrtcGetLoweredName", n.lowered_name) && good;
  good = load(library, "nvrtcGetNumSupportedArchs", n.arch_count) && good;
  good = load(library, "nvrtcGetSupportedArchs", n.archs) && good;
  load(library, "nvrtcGetPCHCreateStatus", n.pch_status);
  load(library, "nvrtcSetPCHHeapSize", n.set_pch_heap);
  return good;
}

/// The toolkit's headers lie beside its libraries: lib64/../include, targets/x86_64-linux/include.
void find_includes(Nvrtc& n) {
  std::error_code ignored;
  const fs::path real = fs::canonical(n.path, ignored);
  for (const fs::path& folder : {fs::path(n.path).parent_path(), real.parent_path()})
    for (const char* up : {"../include", "../../include", "../../../include"}) {
      const fs::path include = fs::weakly_canonical(folder / up, ignored);
      if (!fs::exists(include / "cuda_fp16.h", ignored)) continue;
      n.include_directory = include;
      if (fs::exists(include / "cccl", ignored)) n.cccl_directory = include / "cccl";
      return;
    }
}

Nvrtc open() {
  Nvrtc n;
  void* library = nullptr;
  std::string refused;
  for (const std::string& name : candidates()) {
    library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      // A file that is there and does not load is worth more words than one that is missing.
      if (name.find('/') != std::string::npos && fs::exists(name)) refused = dlerror();
      continue;
    }
    if (load_all(library, n)) break;
    refused = fmt::format("{} is older than CUDA 11.2", name);
    dlclose(library);
    library = nullptr;
  }
  if (library == nullptr) {
    n.problem = refused.empty() ? "NVRTC, the CUDA compiler library, is not installed"
                                : fmt::format("NVRTC could not be opened ({})", refused);
    return n;
  }
  struct link_map* map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr) n.path = map->l_name;
  n.version(&n.major, &n.minor);
  n.version_text = fmt::format("{}.{}", n.major, n.minor);
  int count = 0;
  n.arch_count(&count);
  n.architectures.resize(static_cast<std::size_t>(std::max(count, 0)));
  if (count > 0) n.archs(n.architectures.data());
  std::sort(n.architectures.begin(), n.architectures.end());
  find_includes(n);
  return n;
}

}  // namespace

const Nvrtc& nvrtc() {
  static const Nvrtc library = open();
  return library;
}

}  // namespace lanescope::compile
