// wgmma. Its shapes are so many that their patterns are written out here. Source: PTX ISA 9.0, "Asynchronous Warpgroup
// Level Matrix Multiply-Accumulate Instructions".

#include <deque>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "kernels/emulator/forms/forms.h"

namespace lanescope::emulator {

namespace {

constexpr std::string_view warpgroup_test = "Warpgroups.MultiplyFromSharedMemory";

struct Patterns {
  std::deque<std::string> texts;  ///< the forms point into them
  std::vector<Form> forms;
  void add(std::string text) {
    texts.push_back(std::move(text));
    forms.push_back({texts.back(), "sm_90a", warpgroup_test});
  }
};

/// Products of one type: `types` after the shape, `depth` of a dense product, `after` what follows the predicate where A
/// is in memory and in registers.
void add_products(Patterns& out, int columns, int depth, std::string_view types, int results,
                  std::string_view in_memory, std::string_view in_registers, bool has_sparse = true) {
  for (const bool sparse : {false, true}) {
    if (sparse && !has_sparse) continue;
    // One word of metadata comes from two lanes of four, or from all of them where elements have 8 bits.
    const std::string_view metadata = !sparse ? "" : depth == 32 ? ", %x32, 0" : ", %x32, <0|1>";
    const std::string head = fmt::format("wgmma.mma_async{}.sync.aligned.m64n{}k{}{} {{%wd*{}}}", sparse ? ".sp" : "",
                                         columns, sparse ? 2 * depth : depth, types, results);
    out.add(fmt::format("{}, %a64, %b64{}, %pa{}", head, metadata, in_memory));
    out.add(fmt::format("{}, {{%wa*4}}, %b64{}, %pa{}", head, metadata, in_registers));
  }
}

Patterns all_patterns() {
  Patterns out;
  for (const std::string_view text :
       {"wgmma.fence.sync.aligned", "wgmma.commit_group.sync.aligned", "wgmma.wait_group.sync.aligned <0|1>"})
    out.add(std::string(text));
  for (int n = 8; n <= 256; n += 8) {
    // Transposes and signs are the same for all shapes: they are listed for some.
    const bool few = n == 8 || n == 16 || n == 64 || n == 256;
    const std::string_view both = few ? ", 1, <1|-1>, <0|1>, <0|1>" : ", 1, 1, 0, 0";
    const std::string_view one = few ? ", <1|-1>, 1, <0|1>" : ", 1, 1, 0";
    add_products(out, n, 16, ".f32.<f16|bf16>.$1", n / 2, both, one);
    add_products(out, n, 16, ".f16.f16.f16", n / 4, both, one);
    add_products(out, n, 8, ".f32.tf32.tf32", n / 2, few ? ", <1|-1>, <1|-1>" : ", 1, 1", ", 1, 1");
    add_products(out, n, 32, ".f32.<e4m3|e5m2>.<e4m3|e5m2>", n / 2, ", 1, 1", few ? ", -1, 1" : ", 1, 1");
    add_products(out, n, 32, ".f16.<e4m3|e5m2>.<e4m3|e5m2>", n / 4, ", 1, 1", few ? ", 1, -1" : ", 1, 1");
    if (n > 32 && n % 16 != 0) continue;
    add_products(out, n, 32, "<|.satfinite>.s32.<s8|u8>.<s8|u8>", n / 2, "", "");
    add_products(out, n, 256, ".s32.b1.b1.and.popc", n / 2, "", "", false);
  }
  out.add("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%wd*4}, %a64, %b64, <0|1>, 1, 1, 0, 0");
  return out;
}

}  // namespace

std::span<const Form> warpgroup_forms() {
  static const Patterns all = all_patterns();
  return all.forms;
}

}  // namespace lanescope::emulator
