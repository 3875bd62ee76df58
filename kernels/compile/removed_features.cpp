#include "kernels/compile/compile_log.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "kernels/compile/texts.h"

namespace lanescope::compile {
namespace {

// Each was seen to be refused by NVRTC 13.0 for sm_75 to sm_120, or to be absent from the headers of the toolkit 13.0.
struct Removed {
  std::string_view name;     ///< as the compiler quotes it
  std::string_view why;      ///< what became of it
  std::string_view instead;  ///< what to write
};

constexpr std::string_view
    no_shuffle = "shuffles without `_sync` do not exist for compute capability 7.0 and later",
    no_vote = "votes without `_sync` do not exist for compute capability 7.0 and later",
    no_reference = "texture and surface references were removed in CUDA 12; textures and surfaces are objects now",
    no_multi_grid = "groups of several grids were removed in CUDA 13",
    no_device_wait = "device code can no longer wait for its own launches: it was removed in CUDA 13",
    no_old_name = "this function of early CUDA versions was removed",
    no_header = "this header is no longer part of CUDA";

constexpr Removed functions[] = {
    {"__shfl", no_shuffle, "write __shfl_sync(mask, value, lane); mask 0xffffffff where all lanes take part"},
    {"__shfl_up", no_shuffle, "write __shfl_up_sync(mask, value, delta); mask 0xffffffff where all lanes take part"},
    {"__shfl_down", no_shuffle,
     "write __shfl_down_sync(mask, value, delta); mask 0xffffffff where all lanes take part"},
    {"__shfl_xor", no_shuffle,
     "write __shfl_xor_sync(mask, value, lane_mask); mask 0xffffffff where all lanes take part"},
    {"__any", no_vote, "write __any_sync(mask, predicate); mask 0xffffffff where all lanes take part"},
    {"__all", no_vote, "write __all_sync(mask, predicate); mask 0xffffffff where all lanes take part"},
    {"__ballot", no_vote, "write __ballot_sync(mask, predicate); mask 0xffffffff where all lanes take part"},
    {"texture", no_reference, "pass a cudaTextureObject_t to the kernel and read it with tex1Dfetch<float>(object, i)"},
    {"surface", no_reference,
     "pass a cudaSurfaceObject_t to the kernel and read it with surf2Dread<float>(object, ...)"},
    {"tex1Dfetch", no_reference, "pass a cudaTextureObject_t to the kernel: tex1Dfetch<float>(object, i)"},
    {"tex1D", no_reference, "pass a cudaTextureObject_t to the kernel: tex1D<float>(object, x)"},
    {"tex2D", no_reference, "pass a cudaTextureObject_t to the kernel: tex2D<float>(object, x, y)"},
    {"tex3D", no_reference, "pass a cudaTextureObject_t to the kernel: tex3D<float>(object, x, y, z)"},
    {"this_multi_grid", no_multi_grid, "launch one grid on each GPU and order them with events of the host"},
    {"multi_grid_group", no_multi_grid, "launch one grid on each GPU and order them with events of the host"},
    {"cudaDeviceSynchronize", no_device_wait,
     "launch the rest as a separate kernel: into cudaStreamTailLaunch, or from host code"},
    {"cudaThreadSynchronize", no_device_wait,
     "launch the rest as a separate kernel: into cudaStreamTailLaunch, or from host code"},
    {"mul24", no_old_name, "write __mul24(a, b), or a * b"},
    {"umul24", no_old_name, "write __umul24(a, b), or a * b"},
    {"saturate", no_old_name, "write __saturatef(x)"},
    {"usad", no_old_name, "write __usad(a, b, c)"},
    {"float2int", no_old_name, "write __float2int_rn(x); _rz, _ru and _rd round otherwise"},
    {"float2uint", no_old_name, "write __float2uint_rn(x); _rz, _ru and _rd round otherwise"},
    {"int2float", no_old_name, "write __int2float_rn(x); _rz, _ru and _rd round otherwise"},
    {"uint2float", no_old_name, "write __uint2float_rn(x); _rz, _ru and _rd round otherwise"},
};

constexpr Removed headers[] = {
    {"nvToolsExt.h", no_header, "include nvtx3/nvToolsExt.h"},
    {"math_functions.hpp", no_header, "remove this line: these functions are built into the compiler"},
    {"device_functions.hpp", no_header, "remove this line: these functions are built into the compiler"},
    {"math_functions_dbl_ptx3.h", no_header, "remove this line: these functions are built into the compiler"},
    {"sm_11_atomic_functions.h", no_header, "remove this line: these functions are built into the compiler"},
    {"sm_12_atomic_functions.h", no_header, "remove this line: these functions are built into the compiler"},
    {"sm_13_double_functions.h", no_header, "remove this line: these functions are built into the compiler"},
    {"texture_fetch_functions.h", no_header, "read textures through objects: tex2D<float>(object, x, y)"},
    {"cuda_texture_types.h", no_header, "read textures through objects: tex2D<float>(object, x, y)"},
    {"surface_functions.h", no_header, "use surface objects: surf2Dread<float>(object, x, y)"},
    {"cuda_surface_types.h", no_header, "use surface objects: surf2Dread<float>(object, x, y)"},
};

/// The text between the first two quotes after `before`; empty: the message has none.
std::string_view quoted_after(std::string_view message, std::string_view before) {
  const std::size_t at = message.find(before);
  if (at == std::string_view::npos) return {};
  const std::size_t from = at + before.size(), end = message.find('"', from);
  return end == std::string_view::npos ? std::string_view() : message.substr(from, end - from);
}

const Removed* row_of(const auto& rows, std::string_view name) {
  const auto at = std::ranges::find(rows, name, &Removed::name);
  return name.empty() || at == std::end(rows) ? nullptr : &*at;
}

const Removed* removed_in(std::string_view message) {
  if (const Removed* header = row_of(headers, quoted_after(message, "open source file \""))) return header;
  for (const std::string_view before : {"identifier \"", "has no member \"", "no instance of overloaded function \""})
    if (const Removed* function = row_of(functions, quoted_after(message, before))) return function;
  for (const std::string_view name : {"texture", "surface"})
    if (message == fmt::format("{} is not a template", name)) return row_of(functions, name);
  return nullptr;
}

}  // namespace

Diagnostic with_replacement(Diagnostic d) {
  if (d.severity != Severity::error) return d;
  if (const Removed* removed = removed_in(d.message)) {
    d.message = fmt::format("`{}`: {}", removed->name, removed->why);
    d.remedy = removed->instead;
  } else if (d.message == "class \"__half\" has no member \"x\"") {
    d.message = "`__half` has no member `x` since CUDA 9";
    d.remedy = "write __half_as_ushort(h) for its bits, and __ushort_as_half(bits) for a number of such bits";
  } else if (d.message.starts_with("device-side kernel launch")) {
    d.code = DiagnosticCode::launch_in_device_code;
    d.message = "a kernel that launches kernels is not supported";
    d.remedy = "launch it from host code";
  } else if (std::string remedy = remedy_of_ambiguous(d.message); !remedy.empty()) {
    while (d.message.ends_with(':')) d.message.pop_back();
    d.remedy = std::move(remedy);
  }
  return d;
}

}  // namespace lanescope::compile
