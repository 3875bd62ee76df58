// Results of an H200 that the PTX ISA leaves open, or that the emulator once computed differently.

#include "tests/kernels/emulator/harness.h"
#include "tests/kernels/emulator/oracle/lane_forms.h"

namespace lanescope::emulator::test {
namespace {

struct Measured {
  const char* instance;
  u64 a, b, c, d;
};

TEST(Measured, OnAnH200) {
  static constexpr Measured all[] = {
      {"rem.u16 %d16, %a16, %b16", 0xe1930000425c8000, 0x9ae5ea43bf800000, 0, 0xffff},
      {"rem.u32 %d32, %a32, %b32", 0xaf93f80c3f64f00, 0x43e0000000000000, 0, 0xffffffff},
      {"rem.s64 %d64, %a64, %b64", 0x3fb2b8ea7f779af6, 0, 0, 0xffffffffffffffff},
      {"bfe.u64 %d64, %a64, %b32, %c32", 0x999625c065ba314b, 0x15, 0xc6bc70004f000000, 0x4ccb12e032d},
      {"bfe.s64 %d64, %a64, %b32, %c32", 0x999625c065ba314b, 0x15, 0xc6bc70004f000000, 0xfffffcccb12e032d},
      {"bfi.b64 %d64, %a64, %b64, %c32, %x32", 0x8290c000, 0x40419817cabcf22c, 0x2755742f56586513, 0x40419817cabcf22c},
      {"add.f64 %d64, %a64, %b64", 0x7ff8000000000000, 0x8000000000000, 0, 0x7ff8000000000000},
      {"mul.rm.f64 %d64, %a64, %b64", 0x5ef41acc9ffe06d1, 0xffffc7eb42ffaddb, 0, 0xffffc7eb42ffaddb},
      {"fma.rn.f64 %d64, %a64, %b64, %c64", 0x5ef41acc9ffe06d1, 0xffffc7eb42ffaddb, 0xb76a44ee46734f87,
       0xffffc7eb42ffaddb},
      {"sqrt.rp.f64 %d64, %a64", 0x7ff8000000000000, 0, 0, 0x7ff8000000000000},
      {"abs.f32 %d32, %a32", 0xffc00001, 0, 0, 0x7fffffff},
      {"neg.ftz.f32 %d32, %a32", 0xffc00001, 0, 0, 0x7fffffff},
      {"abs.f64 %d64, %a64", 0xfff8000000000001, 0, 0, 0xfff8000000000001},
      {"neg.f64 %d64, %a64", 0x7ff8000000000000, 0, 0, 0x7ff8000000000000},
      {"abs.f16x2 %d32, %a32", 0x7db0bd35, 0, 0, 0x7fff3d35},
      {"neg.bf16x2 %d32, %a32", 0xcd69ffc0, 0, 0, 0x4d697fff},
      {"min.NaN.xorsign.abs.f32 %d32, %a32, %b32", 0x43e00000, 0xffffffff, 0, 0x7fffffff},
      {"max.NaN.xorsign.abs.f16x2 %d32, %a32, %b32", 0x387fffff, 2, 0, 0x387f7fff},
      {"testp.normal.f32 %p, %a32", 0x80000000, 0, 0, 1},
      {"testp.normal.f64 %p, %a64", 0, 0, 0, 1},
      {"slct.ftz.b32.f32 %d32, %a32, %b32, %c32", 0x624bb000, 0x19, 0x80000001, 0x624bb000},
      {"cvt.rz.f16.f64 %d16, %a64", 0xffffb9b909e30400, 0, 0, 0xffee},
      {"cvt.rn.f32.f64 %d32, %a64", 0xffffb9b909e30400, 0, 0, 0xfffdcdc8},
      {"cvt.rn.bf16.f64 %d16, %a64", 0x7ff8000000000000, 0, 0, 0x7fc0},
      {"cvt.rm.ftz.f16.f32 %d16, %a32", 0x80000001, 0, 0, 0x8001},
      {"cvt.f64.f16 %d64, %a16", 0x7c59, 0, 0, 0x7ff9640000000000},
      {"cvt.f64.f32 %d64, %a32", 0x7f80bd5a, 0, 0, 0x7ff817ab40000000},
      {"cvt.ftz.f64.f32 %d64, %a32", 0x7f80bd5a, 0, 0, 0x7fffffffe0000000},
      {"cvt.f32.f32 %d32, %a32", 0x7f80bd5a, 0, 0, 0x7f80bd5a},
      {"cvt.f32.bf16 %d32, %a16", 0xffff, 0, 0, 0xffff0000},
      {"cvt.f64.bf16 %d64, %a16", 0xffff, 0, 0, 0xffffe00000000000},
      {"cvt.rn.relu.f16.f32 %d16, %a32", 0x80000000, 0, 0, 0},
      {"cvt.rn.satfinite.relu.e4m3x2.f16x2 %d16, %a32", 0x8000, 0, 0, 0},
      {"cvt.rn.relu.f16x2.e5m2x2 %d32, %a16", 0x3880, 0, 0, 0x38000000},
      {"cvt.rna.tf32.f32 %d32, %a32", 0x7fc00000, 0, 0, 0x7fc00000},
      {"cvt.rna.satfinite.tf32.f32 %d32, %a32", 0xffff432b, 0, 0, 0xffff2000},
      {"fns.b32 %d32, %a32, %b32, %c32", 0x47600000, 0x424c0000, 0x80000000, 0},
      {"cvt.rn.tf32.f32 %d32, %a32", 0x7fc00000, 0, 0, 0x7fffe000},
  };
  std::vector<std::string> instances;
  for (const Measured& m : all) instances.emplace_back(m.instance);
  const std::size_t n = instances.size();
  std::vector<u64> a(n), b(n), c(n);
  for (std::size_t i = 0; i < n; ++i) a[i] = all[i].a, b[i] = all[i].b, c[i] = all[i].c;
  std::vector<trace::Buffer> buffers{buffer_of("a", a), buffer_of("b", b), buffer_of("c", c),
                                     buffer_of("out", std::vector<u64>(n * n * 2))};
  trace::Launch launch = launch_of(1, static_cast<u32>(n), 4);
  launch.kernel = "forms";
  run_ok(module_of(lane_kernel(instances, "sm_90", "9.0")), launch, buffers);
  const auto out = values_of<u64>(buffers[3]);
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(out[2 * (i * n + i)], all[i].d) << all[i].instance << std::hex;
}

}  // namespace
}  // namespace lanescope::emulator::test
