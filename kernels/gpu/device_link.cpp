#include "kernels/gpu/driver.h"

#include <array>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

namespace lanescope::gpu {

namespace {

constexpr int input_ptx = 1, input_library = 4;    // CUjitInputType
constexpr int error_log = 5, error_log_bytes = 6;  // CUjit_option

}  // namespace

bool needs_device_runtime(const std::string& ptx) { return ptx.find("__cudaCDP2") != std::string::npos; }

std::string device_runtime_library() {
  std::vector<std::filesystem::path> toolkits;
  for (const char* name : {"CUDA_PATH", "CUDA_HOME"})
    if (const char* value = std::getenv(name)) toolkits.emplace_back(value);
  toolkits.emplace_back("/usr/local/cuda");
  for (const std::filesystem::path& t : toolkits)
    for (const char* folder : {"lib64", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib", "lib"}) {
      std::error_code ignored;
      if (const auto file = t / folder / "libcudadevrt.a"; std::filesystem::exists(file, ignored)) return file.string();
    }
  return {};
}

Expected<std::vector<char>> linked_with_device_runtime(const Driver& d, const std::string& ptx) {
  const std::string library = device_runtime_library();
  if (library.empty())
    return failure("the kernel launches kernels, and libcudadevrt.a, which that needs on a GPU, was not found",
                   "install the CUDA Toolkit, or set CUDA_PATH to it");
  std::array<char, 8192> log{};
  std::array<int, 2> options{error_log, error_log_bytes};
  std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size())};
  LinkState link = nullptr;
  Status s = d.cuLinkCreate(options.size(), options.data(), values.data(), &link);
  if (!s)
    s = d.cuLinkAddData(link, input_ptx, const_cast<char*>(ptx.c_str()), ptx.size() + 1, "k.ptx", 0, nullptr, nullptr);
  if (!s) s = d.cuLinkAddFile(link, input_library, library.c_str(), 0, nullptr, nullptr);
  void* code = nullptr;
  std::size_t bytes = 0;
  if (!s) s = d.cuLinkComplete(link, &code, &bytes);
  std::vector<char> out;
  if (!s) out.assign(static_cast<const char*>(code), static_cast<const char*>(code) + bytes);
  if (link != nullptr) d.cuLinkDestroy(link);
  if (!s) return out;
  return failure(fmt::format("the kernel cannot be linked with the device runtime ({}): {}{}", library, status_words(s),
                             log[0] ? fmt::format("\n{}", log.data()) : ""));
}

}  // namespace lanescope::gpu
