#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "kernels/base/read_file.h"
#include "kernels/resources/resources.h"
#include "tests/fuzz/cases/cases.h"

namespace lanescope::fuzz {
namespace {

namespace fs = std::filesystem;

/// Longer ones are mostly the text of libraries, and take the time of many short ones.
constexpr std::size_t longest_ptx = 14'000;
constexpr std::string_view mark = "\n//LAUNCH\n";

std::string text_at(const fs::path& path) { return read_file(path.string()).value_or(""); }

/// The launch header of a .cu file, as a launch file.
std::string header_of(const std::string& source) {
  const std::size_t from = source.find("[lanescope]"), to = source.find("*/", from);
  return from == std::string::npos || to == std::string::npos ? std::string() : source.substr(from, to - from);
}

/// Names of the parameters of the only kernel.
std::vector<std::string> parameters_of(const std::string& source) {
  const std::size_t kernel = source.find("__global__"), body = source.find('{', kernel);
  const std::size_t from = source.rfind('(', body), to = source.find(')', from);
  std::vector<std::string> out;
  if (kernel == std::string::npos || body == std::string::npos || to == std::string::npos) return out;
  std::string word, last;
  for (const char c : source.substr(from + 1, to - from)) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      word += c;
      continue;
    }
    if (!word.empty()) last = std::exchange(word, "");
    if (c == ',' || c == ')') out.push_back(std::exchange(last, ""));
  }
  return out;
}

/// Arguments by the names that parameters of PTX have, those of buffers as well.
std::string with_ptx_names(const std::string& launch, const std::vector<std::string>& parameters) {
  const std::size_t from = launch.find("args = {"), to = launch.find('}', from);
  if (from == std::string::npos || to == std::string::npos) return launch;
  std::string args = launch.substr(from, to - from);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::string& name = parameters[i];
    if (const std::size_t at = args.find(" " + name + " ="); at != std::string::npos)
      args.replace(at + 1, name.size(), fmt::format("param_{}", i));
    else if (launch.find("[buffers." + name + "]") != std::string::npos ||
             launch.find("\n" + name + " =") != std::string::npos)
      args += fmt::format(", param_{} = \"{}\"", i, name);
  }
  return launch.substr(0, from) + args + launch.substr(to);
}

/// Instructions of every kind, with the registers that forms of instructions name.
constexpr std::string_view workbench = R"(.version 9.0
.target sm_100a
.address_size 64
.const .align 16 .b8 const_bytes[64] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
.func (.param .b32 r) callee(.param .b32 x)
{
.reg .b32 %a;
ld.param.b32 %a, [x];
add.u32 %a, %a, 1;
st.param.b32 [r], %a;
ret;
}
.visible .entry k(.param .u64 p0)
{
.reg .b16 %d16, %e16, %f16, %g16, %a16, %b16, %c16;
.reg .b32 %d32, %e32, %f32, %g32, %a32, %b32, %c32, %x32, %y32, %s32, %m32, %t, %u, %v;
.reg .b64 %d64, %e64, %f64, %g64, %a64, %b64, %c64, %s64, %l64, %n64, %q64, %r64;
.reg .b128 %d128, %a128, %b128;
.reg .pred %p, %q, %pa, %pb, %first;
.reg .b32 %wd<130>, %wa<40>, %wb<20>, %wc<40>;
.reg .b64 %ld<10>, %la<10>, %lb<10>, %lc<10>;
.shared .align 128 .b8 shared_bytes[4096];
.local .align 16 .b8 local_bytes[256];
ld.param.u64 %g64, [p0];
mov.u32 %t, %tid.x;
setp.eq.u32 %first, %t, 0;
mov.u64 %s64, shared_bytes;
cvt.u32.u64 %s32, %s64;
add.u32 %m32, %s32, 2048;
cvta.shared.u64 %n64, shared_bytes;
mov.u64 %l64, local_bytes;
mov.u32 %u, 0;
fill:
cvt.u64.u32 %q64, %u;
add.s64 %r64, %g64, %q64;
ld.global.b32 %v, [%r64];
add.s64 %r64, %s64, %q64;
st.shared.b32 [%r64], %v;
add.u32 %u, %u, 4;
setp.lt.u32 %p, %u, 64;
@%p bra fill;
mov.b64 %a64, 0x0123456789abcdef;
mov.b64 %b64, 0x1122334455667788;
mov.b64 %c64, 0x99aabbccddeeff00;
mov.b32 %b32, 0x55667788;
mov.b32 %c32, 0xddeeff00;
mov.b32 %a32, %t;
mov.b16 %a16, 0x3c00;
mov.b16 %b16, 0x7788;
mov.b16 %c16, 0xff00;
mov.b32 %x32, 0x99aabbcc;
mov.b32 %y32, 0x11223344;
setp.ne.u32 %pa, %t, %t;
setp.eq.u32 %pb, %t, %t;
mov.b64 %d64, 0;
mov.b32 %d32, 0;
@%first mbarrier.init.shared.b64 [%m32], 1;
bar.sync 0;
shl.b32 %u, %t, 3;
cvt.u64.u32 %q64, %u;
add.s64 %q64, %q64, %g64;
st.global.v2.b32 [%q64+2048], {%d32, %a32};
ret;
}
)";
constexpr std::string_view workbench_launch = R"(block = 64
args = ["bytes"]
[buffers]
bytes = { type = "u8", axes = "i:4096", init = "random" }
)";

}  // namespace

std::vector<Case> seeds() {
  std::vector<Case> out;
  const fs::path kernels = resources::assets_directory() / "kernels";
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(kernels))
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    const std::string ptx = text_at(fs::path(file).replace_extension(".plain.ptx"));
    const std::string source = text_at(file), launch = header_of(source);
    if (ptx.empty() || ptx.size() > longest_ptx || launch.empty()) continue;
    if (launch.find("kernel =") != std::string::npos) continue;  // by names that PTX does not have
    out.push_back({file.stem().string(), ptx, with_ptx_names(launch, parameters_of(source))});
  }
  out.push_back({"workbench", std::string(workbench), std::string(workbench_launch)});
  return out;
}

std::string joined(const Case& one) { return one.ptx + std::string(mark) + one.launch; }

Case split(std::string_view text) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {"", std::string(text), ""};
  return {"", std::string(text.substr(0, at)), std::string(text.substr(at + mark.size()))};
}

}  // namespace lanescope::fuzz
