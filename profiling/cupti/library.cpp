#include "profiling/cupti/library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace lanescope::cupti {
namespace {

namespace fs = std::filesystem;

// NOLINTBEGIN(bugprone-macro-parentheses,bugprone-sizeof-expression): names of types and members, sizes of pointers
#define LS_BLOCK_ENDS_AT(block, last) \
  static_assert(offsetof(block, last) + sizeof(block{}.last) == block{}.block_bytes, #block " has another layout")
LS_BLOCK_ENDS_AT(PlainArguments, reserved);
LS_BLOCK_ENDS_AT(ChipNameArguments, chip);
LS_BLOCK_ENDS_AT(DeviceSupportedArguments, interface);
LS_BLOCK_ENDS_AT(AvailabilityArguments, image);
LS_BLOCK_ENDS_AT(HostInitializeArguments, host);
LS_BLOCK_ENDS_AT(HostArguments, host);
LS_BLOCK_ENDS_AT(AddMetricsArguments, count);
LS_BLOCK_ENDS_AT(ConfigSizeArguments, config_bytes);
LS_BLOCK_ENDS_AT(ConfigArguments, config);
LS_BLOCK_ENDS_AT(PassesArguments, passes);
LS_BLOCK_ENDS_AT(EvaluateArguments, values);
LS_BLOCK_ENDS_AT(RangeEnableArguments, profiler);
LS_BLOCK_ENDS_AT(RangeArguments, profiler);
LS_BLOCK_ENDS_AT(RangeStopArguments, all_passes_submitted);
LS_BLOCK_ENDS_AT(PushRangeArguments, name);
LS_BLOCK_ENDS_AT(SetConfigArguments, target_nesting_level);
LS_BLOCK_ENDS_AT(DecodeArguments, dropped_ranges);
LS_BLOCK_ENDS_AT(DataSizeArguments, data_bytes);
LS_BLOCK_ENDS_AT(DataInitializeArguments, data);
LS_BLOCK_ENDS_AT(DataInfoArguments, ranges);
LS_BLOCK_ENDS_AT(RangeInfoArguments, name);
// NOLINTEND(bugprone-macro-parentheses,bugprone-sizeof-expression)
#undef LS_BLOCK_ENDS_AT

/// Looks the symbols up; returns the first one that is missing, or "".
std::string fill(Library& l, void* handle) {
  const char* missing = nullptr;
#define LS_FIND(name, ...)                                           \
  l.name = reinterpret_cast<decltype(l.name)>(dlsym(handle, #name)); \
  if (!l.name && !missing) missing = #name;
  LS_CUPTI_FUNCTIONS(LS_FIND)
#undef LS_FIND
  return missing ? missing : "";
}

std::vector<std::string> candidates() {
  const std::vector<std::string> names{"libcupti.so.13", "libcupti.so.12"};
  std::vector<std::string> all = names;
  for (const fs::path& toolkit : toolkit_folders())
    for (const char* folder : {"lib64", "extras/CUPTI/lib64", "targets/x86_64-linux/lib"})
      for (const std::string& name : names) {
        const fs::path file = toolkit / folder / name;
        std::error_code ignored;
        if (fs::exists(file, ignored)) all.push_back(file.string());
      }
  return all;
}

struct OpenedLibrary {
  Library library;
  std::string problem, remedy;  ///< problem empty: usable
};

std::string path_of(void* symbol, const std::string& otherwise) {
  Dl_info info{};
  return dladdr(symbol, &info) && info.dli_fname ? info.dli_fname : otherwise;
}

OpenedLibrary open_library() {
  OpenedLibrary o{.problem = "CUPTI, the library that reads hardware counters, was not found (libcupti.so.13 or .12)",
                  .remedy = "install the CUDA Toolkit, or set CUDA_HOME to where it is"};
  for (const std::string& candidate : candidates()) {
    void* handle = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) continue;
    Library found;
    if (const std::string missing = fill(found, handle); !missing.empty()) {
      o.problem = fmt::format("the CUPTI in {} is too old: it has no {}", candidate, missing);
      o.remedy = "install the CUDA Toolkit 12.6 or newer";
      dlclose(handle);
      continue;
    }
    found.cuptiGetVersion(&found.version);
    found.handle = handle;
    found.path = path_of(reinterpret_cast<void*>(found.cuptiGetVersion), candidate);
    return {.library = found, .problem = "", .remedy = ""};
  }
  return o;
}

}  // namespace

const char* const permission_remedy =
    "hardware counters are reserved for administrators here: run as root (or with CAP_SYS_ADMIN), or let everyone read "
    "them with the line 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' in /etc/modprobe.d/nvidia-profiler.conf "
    "and a restart; in a container, also start it with --cap-add=SYS_ADMIN";

std::vector<fs::path> toolkit_folders() {
  std::vector<fs::path> found;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* folder = std::getenv(variable); folder && *folder) found.emplace_back(folder);
  std::vector<fs::path> installed;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/usr/local", ignored))
    if (entry.path().filename().string().starts_with("cuda")) installed.push_back(entry.path());
  std::sort(installed.rbegin(), installed.rend());
  found.insert(found.end(), installed.begin(), installed.end());
  return found;
}

Expected<const Library*> library() {
  static const OpenedLibrary o = open_library();
  if (!o.problem.empty()) return failure(o.problem, o.remedy);
  return &o.library;
}

std::string result_words(const Library& library, Result result) {
  const char* name = nullptr;
  library.cuptiGetResultString(result, &name);
  return fmt::format("{} ({})", name ? name : "CUPTI error", result);
}

tl::unexpected<Diagnostics> refusal(const Library& library, Result status, std::string_view doing) {
  std::string message = fmt::format("{} failed: {}", doing, result_words(library, status));
  if (status == result::insufficient_privileges || status == result::virtual_device_insufficient_privileges)
    return failure(std::move(message), permission_remedy);
  return failure(std::move(message));
}

}  // namespace lanescope::cupti
