// The PTX of the trials: one kernel per kind, each with a single instruction that touches memory.

#include <fmt/format.h>

#include <cstdlib>

#include "tests/gpu/trials.h"

namespace lanescope::gpu_test {
namespace {

void add_plain(std::vector<Kind>& out) {
  struct Width {
    int bytes;
    const char* type;
  };
  constexpr Width widths[] = {{1, "u8"}, {2, "u16"}, {4, "b32"}, {8, "v2.b32"}, {16, "v4.b32"}};
  for (const Width& w : widths) {
    out.push_back(
        {Family::shared_load, fmt::format("shared_load_{}", w.bytes), fmt::format("ld.shared.{}", w.type), w.bytes});
    out.push_back(
        {Family::shared_store, fmt::format("shared_store_{}", w.bytes), fmt::format("st.shared.{}", w.type), w.bytes});
    out.push_back(
        {Family::global_load, fmt::format("global_load_{}", w.bytes), fmt::format("ld.global.{}", w.type), w.bytes});
    out.push_back(
        {Family::global_store, fmt::format("global_store_{}", w.bytes), fmt::format("st.global.{}", w.type), w.bytes});
  }
}

void add_matrices(std::vector<Kind>& out) {
  for (const int n : {1, 2, 4}) {
    for (const char* trans : {"", ".trans"})
      out.push_back({Family::matrix_load, fmt::format("matrix_load_x{}{}", n, *trans ? "_trans" : ""),
                     fmt::format("ldmatrix.sync.aligned.m8n8.x{}{}.shared.b16", n, trans), 16, n, 75});
    out.push_back({Family::matrix_store, fmt::format("matrix_store_x{}", n),
                   fmt::format("stmatrix.sync.aligned.m8n8.x{}.shared.b16", n), 16, n, 90});
  }
}

void add_atomics(std::vector<Kind>& out) {
  out.push_back({Family::shared_atomic, "shared_add_u32", "atom.shared.add.u32", 4});
  out.push_back({Family::shared_atomic, "shared_reduce_u32", "red.shared.add.u32", 4});
  out.push_back({Family::shared_atomic, "shared_exchange_b32", "atom.shared.exch.b32", 4});
  out.push_back({Family::shared_atomic, "shared_exchange_b64", "atom.shared.exch.b64", 8});
  out.push_back({Family::global_atomic, "global_add_u32", "atom.global.add.u32", 4});
  out.push_back({Family::global_atomic, "global_exchange_b64", "atom.global.exch.b64", 8});
  out.push_back({Family::global_reduction, "global_reduce_u32", "red.global.add.u32", 4});
  out.push_back({Family::global_reduction, "global_reduce_f32", "red.global.add.f32", 4});
}

std::vector<Kind> make_kinds() {
  std::vector<Kind> out;
  add_plain(out);
  add_matrices(out);
  for (const int w : {4, 8, 16})
    out.push_back({Family::async_copy, fmt::format("async_copy_{}", w), "cp.async.ca.shared.global", w, 0, 80});
  out.push_back({Family::async_copy, "async_copy_16_cg", "cp.async.cg.shared.global", 16, 0, 80});
  add_atomics(out);
  return out;
}

/// "{%v0, %v1}" for vectors and matrices, "%v0" or "%h0" otherwise.
std::string registers(const Kind& kind) {
  const int count = kind.matrices ? kind.matrices : kind.width_bytes > 4 ? kind.width_bytes / 4 : 1;
  if (count == 1) return kind.matrices ? "{%v0}" : kind.width_bytes == 2 ? "%h0" : "%v0";
  std::string list = "{%v0";
  for (int i = 1; i < count; ++i) list += fmt::format(", %v{}", i);
  return list + "}";
}

std::string the_instruction(const Kind& kind) {
  const std::string& i = kind.instruction;
  switch (kind.family) {
    case Family::shared_load:
      return fmt::format("@%on {} {}, [%shared];", i, registers(kind));
    case Family::shared_store:
      return fmt::format("@%on {} [%shared], {};", i, registers(kind));
    case Family::global_load:
      return fmt::format("@%on {} {}, [%global];", i, registers(kind));
    case Family::global_store:
      return fmt::format("@%on {} [%global], {};", i, registers(kind));
    case Family::matrix_load:
      return fmt::format("{} {}, [%shared];", i, registers(kind));
    case Family::matrix_store:
      return fmt::format("{} [%shared], {};", i, registers(kind));
    case Family::async_copy:
      return fmt::format("@%on {} [%other], [%global], {};\n  cp.async.wait_all;", i, kind.width_bytes);
    case Family::shared_atomic:
    case Family::global_atomic:
    case Family::global_reduction:
      break;
  }
  const char* address = kind.family == Family::shared_atomic ? "%shared" : "%global";
  const char* value = i.ends_with("f32") ? "%f0" : kind.width_bytes == 8 ? "%d1" : "%lane";
  if (i.starts_with("red")) return fmt::format("@%on {} [{}], {};", i, address, value);
  return fmt::format("@%on {} {}, [{}], {};", i, kind.width_bytes == 8 ? "%d0" : "%v0", address, value);
}

bool has_results(Family family) {
  return family == Family::shared_load || family == Family::global_load || family == Family::matrix_load ||
         family == Family::shared_atomic || family == Family::global_atomic;
}

constexpr const char* kernel_text = R"(
.visible .entry {name}(.param .u64 window, .param .align 4 .b8 offsets[256], .param .u32 mask, .param .u32 keep)
{{
  .shared .align 1024 .b8 tile[32768];
  .reg .pred %on, %kept;
  .reg .b16 %h<2>;
  .reg .b32 %lane, %bit, %four, %own, %second, %tile, %shared, %other, %keep, %all, %v<5>;
  .reg .f32 %f<2>;
  .reg .b64 %global, %window, %table, %d<3>, %place;
  mov.u32 %lane, %tid.x;
  mov.u32 %v0, %lane;  mov.u32 %v1, %lane;  mov.u32 %v2, %lane;  mov.u32 %v3, %lane;
  cvt.u16.u32 %h0, %lane;
  cvt.rn.f32.u32 %f0, %lane;
  cvt.u64.u32 %d0, %lane;  cvt.u64.u32 %d1, %lane;
  ld.param.u32 %bit, [mask];
  shr.u32 %bit, %bit, %lane;
  and.b32 %bit, %bit, 1;
  setp.ne.u32 %on, %bit, 0;
  shl.b32 %four, %lane, 2;
  cvt.u64.u32 %place, %four;
  mov.b64 %table, offsets;
  add.u64 %table, %table, %place;
  ld.param.u32 %own, [%table];
  ld.param.u32 %second, [%table+128];
  mov.u32 %tile, tile;
  add.u32 %shared, %tile, %own;
  add.u32 %other, %tile, %second;
  ld.param.u64 %window, [window];
  cvta.to.global.u64 %window, %window;
  cvt.u64.u32 %place, %own;
  add.u64 %global, %window, %place;
  {instruction}
{use}  ret;
}}
)";

/// Results are stored only when the argument `keep` is not zero, which it never is: they count as used and cost nothing.
constexpr const char* use_text = R"(  ld.param.u32 %keep, [keep];
  setp.ne.u32 %kept, %keep, 0;
  cvt.u32.u16 %all, %h0;
  xor.b32 %all, %all, %v0;  xor.b32 %all, %all, %v1;  xor.b32 %all, %all, %v2;  xor.b32 %all, %all, %v3;
  cvt.u32.u64 %v4, %d0;
  xor.b32 %all, %all, %v4;
  @%kept st.global.b32 [%window], %all;
)";

}  // namespace

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = make_kinds();
  return all;
}

int arch_number(const std::string& arch) { return std::atoi(arch.c_str() + std::string_view("sm_").size()); }

std::string_view family_name(Family family) {
  constexpr std::string_view names[] = {"shared load",   "shared store",    "global load", "global store",
                                        "ldmatrix",      "stmatrix",        "cp.async",    "shared atomic",
                                        "global atomic", "global reduction"};
  return names[static_cast<std::size_t>(family)];
}

std::string kernels_ptx(const std::string& arch) {
  const int number = arch_number(arch);
  std::string ptx = fmt::format(".version {}\n.target {}\n.address_size 64\n", number >= 100 ? "8.6" : "7.8", arch);
  for (const Kind& kind : kinds())
    if (number >= kind.minimal_arch)
      ptx += fmt::format(fmt::runtime(kernel_text), fmt::arg("name", kind.name),
                         fmt::arg("instruction", the_instruction(kind)),
                         fmt::arg("use", has_results(kind.family) ? use_text : ""));
  return ptx;
}

}  // namespace lanescope::gpu_test
