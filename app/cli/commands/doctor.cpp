#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <filesystem>

#include "app/cli/answers/report.h"
#include "app/cli/commands/commands.h"
#include "generated/resources.h"
#include "kernels/base/json_fields.h"
#include "kernels/compile/calls/answer_cache.h"
#include "kernels/compile/compile.h"
#include "kernels/gpu/gpu.h"
#include "kernels/resources/resources.h"
#include "profiling/cupti/cupti.h"
#include "profiling/cupti/machine_code.h"

namespace lanescope::cli {
namespace {

/// One thing that a machine has or lacks, and what follows from it.
struct DoctorRow {
  std::string name;
  bool present = false;
  std::string detail;  ///< what was found, or why it is missing
  std::string remedy;  ///< missing: how to get it, and what works without it
};

bool library_opens(const char* name) {
  void* handle = ::dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (handle) ::dlclose(handle);
  return handle != nullptr;
}

DoctorRow nvrtc(bool forbidden) {
  const compile::Toolchain t = compile::toolchain(forbidden);
  if (t.nvrtc) return {"NVRTC", true, fmt::format("version {}, {}", t.nvrtc_version, t.nvrtc_path), ""};
  return {"NVRTC", false, t.problem,
          "install the CUDA Toolkit, or Debian's libnvrtc11.2 (non-free section, 16 MB); without it the catalogue and "
          ".ptx files still run"};
}

DoctorRow cuda_headers(bool forbidden) {
  const compile::Toolchain t = compile::toolchain(forbidden);
  if (!t.include_directory.empty()) return {"CUDA headers", true, t.include_directory, ""};
  return {
      "CUDA headers", false, "there is no include folder beside NVRTC",
      "install the CUDA Toolkit's headers; without them kernels must not include cuda_fp16.h or cooperative_groups.h"};
}

/// Stored answers of NVRTC.
DoctorRow compile_cache() {
  const compile::CachePlace place = compile::answer_place();
  if (place.folder.empty())
    return {"compile cache", false, place.reason, "nothing is kept: the same text is compiled again each time"};
  const compile::CacheContents c = compile::contents_of(place.folder);
  return {"compile cache", true,
          fmt::format("{}, {} of {:.1f} MiB, at most {} MiB", place.folder.string(),
                      c.entries == 1 ? "1 answer" : fmt::format("{} answers", c.entries),
                      static_cast<double>(c.bytes) / (1 << 20), compile::most_cache_bytes >> 20),
          ""};
}

DoctorRow catalogue() {
  namespace fs = std::filesystem;
  const fs::path folder = resources::assets_directory() / "kernels";
  int kernels = 0, stored = 0;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".cu") continue;
    ++kernels;
    bool both = true;
    for (const auto variant : {compile::Variant::plain, compile::Variant::probed})
      both = both && fs::exists(compile::stored_path(entry.path().string(), variant), error);
    stored += both;
  }
  if (kernels == 0)
    return {"catalogue", false, fmt::format("no kernels in {}", folder.string()),
            "set LANESCOPE_ASSETS to the assets folder of the sources"};
  const std::string detail = fmt::format("{} kernels, {} with stored PTX, in {}", kernels, stored, folder.string());
  return {"catalogue", stored > 0, detail, stored > 0 ? "" : "kernels of the catalogue without stored PTX need NVRTC"};
}

DoctorRow graphics_card() {
  const auto devices = gpu::devices();
  if (!devices) {
    const Diagnostic& d = devices.error().front();
    return {"GPU", false, d.message, (d.remedy.empty() ? "" : d.remedy + "; ") + "all features work in the emulator"};
  }
  std::vector<std::string> names;
  for (const gpu::DeviceInfo& d : *devices)
    names.push_back(fmt::format("{} ({}, {} GiB)", d.name, d.arch(), d.memory_bytes >> 30));
  return {"GPU", true, fmt::format("{}", fmt::join(names, ", ")), ""};
}

/// Opens the device: nothing is measured in this process.
DoctorRow hardware_counters() {
  const cupti::Readiness r = cupti::readiness();
  return {"GPU counters", r.state == cupti::State::ready, r.words + (r.library.empty() ? "" : ", " + r.library),
          r.remedy};
}

DoctorRow disassembler() {
  const std::string path = cupti::find_nvdisasm();
  if (!path.empty()) return {"nvdisasm", true, path, ""};
  return {"nvdisasm", false, "not on PATH and not in a CUDA Toolkit",
          "install the CUDA Toolkit's binary utilities; only machine code as text needs them"};
}

DoctorRow display() {
  for (const char* variable : {"WAYLAND_DISPLAY", "DISPLAY"})
    if (const char* value = std::getenv(variable); value && *value)
      return {"display", true, fmt::format("{}={}", variable, value), ""};
  return {"display", false, "neither DISPLAY nor WAYLAND_DISPLAY is set",
          "log in to a desktop session or use ssh -X; all commands work without a display"};
}

DoctorRow opengl() {
  const bool gl = library_opens("libGL.so.1"), egl = library_opens("libEGL.so.1");
  if (gl && egl) return {"OpenGL and EGL", true, "both libraries can be opened", ""};
  return {"OpenGL and EGL", false,
          fmt::format("{} cannot be opened", !gl && !egl ? "libGL.so.1 and libEGL.so.1"
                                             : gl        ? "libEGL.so.1"
                                                         : "libGL.so.1"),
          "install libgl1 and libegl1 (a driver, or Mesa's software one); only the window needs them"};
}

DoctorRow fonts() {
  std::vector<std::string> missing;
  std::error_code error;
  for (const resources::Font font : resources::all_fonts)
    if (const std::string& file = resources::font(font); !std::filesystem::exists(file, error)) missing.push_back(file);
  if (missing.empty()) return {"fonts", true, "Inter and JetBrains Mono", ""};
  return {"fonts", false, fmt::format("missing: {}", fmt::join(missing, ", ")),
          "install fonts-inter and fonts-jetbrains-mono; without them PNG pictures and the window cannot draw text"};
}

}  // namespace

int doctor(const DoctorOptions& options) {
  const DoctorRow findings[] = {nvrtc(options.no_nvrtc),
                                cuda_headers(options.no_nvrtc),
                                compile_cache(),
                                catalogue(),
                                graphics_card(),
                                hardware_counters(),
                                disassembler(),
                                display(),
                                opengl(),
                                fonts()};
  if (options.json) {
    nlohmann::json list = nlohmann::json::array();
    for (const DoctorRow& f : findings) {
      nlohmann::json one = fields("name", f.name, "present", f.present, "detail", f.detail);
      put_known(one, "remedy", f.remedy);
      list.push_back(std::move(one));
    }
    const nlohmann::json out = fields("version", resources::version, "findings", std::move(list));
    say(out);
    return all_good;
  }
  say("lanescope {}\n", resources::version);
  for (const DoctorRow& f : findings) {
    say("{:<8} {:<15} {}\n", f.present ? "present" : "missing", f.name, f.detail);
    if (!f.remedy.empty()) say("{:<8} {:<15} -> {}\n", "", "", f.remedy);
  }
  return all_good;
}

}  // namespace lanescope::cli
