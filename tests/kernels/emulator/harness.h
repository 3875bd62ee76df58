#pragma once
// Small kernels for tests: one instruction over arrays, or a whole body of PTX.

#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/emulator/emulator.h"

namespace lanescope::emulator::test {

inline ptx::Module module_of(const std::string& text) {
  auto module = ptx::parse(text, "test.ptx");
  if (!module) {
    for (const Diagnostic& d : module.error()) ADD_FAILURE() << to_string(d);
    return {};
  }
  return std::move(*module);
}

template <class T>
trace::Buffer buffer_of(std::string name, const std::vector<T>& values, bool traced = true) {
  trace::Buffer b{std::move(name), "u32", sizeof(T) * 8, std::vector<std::byte>(values.size() * sizeof(T)), traced};
  std::memcpy(b.bytes.data(), values.data(), b.bytes.size());
  return b;
}
template <class T>
std::vector<T> values_of(const trace::Buffer& b) {
  std::vector<T> out(b.bytes.size() / sizeof(T));
  std::memcpy(out.data(), b.bytes.data(), out.size() * sizeof(T));
  return out;
}
template <class T>
trace::ValueArgument value_of(T value) {
  trace::ValueArgument bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

inline const std::string header = ".version 8.0\n.target sm_90\n.address_size 64\n";

/// For bodies: the address of the thread's word of the first buffer in %rd21, and %r0 stored there.
inline const std::string out_address = "mul.wide.u32 %rd20, %tid, 4;\nadd.s64 %rd21, %rd0, %rd20;\n";
inline const std::string store_r0 = "st.global.u32 [%rd21], %r0;\n";

/// A kernel `k` with one pointer parameter per buffer, in %rd0, %rd1, ..., the thread's number in the grid in %tid, and
/// plenty of registers: %r, %rd, %h (16 bits), %f, %fd, %p.
inline std::string kernel(const std::string& body, int buffers, const std::string& declarations = "") {
  std::string text = header + ".visible .entry k(";
  for (int i = 0; i < buffers; ++i) text += (i != 0 ? ", " : "") + std::string(".param .u64 p") + std::to_string(i);
  text +=
      ")\n{\n.reg .pred %p<16>;\n.reg .b32 %r<64>;\n.reg .b64 %rd<64>;\n.reg .b16 %h<16>;\n.reg .f32 %f<16>;\n"
      ".reg .f64 %fd<16>;\n.reg .b32 %tid, %bid;\n" +
      declarations;
  for (int i = 0; i < buffers; ++i)
    text += "ld.param.u64 %rd" + std::to_string(i) + ", [p" + std::to_string(i) + "];\n";
  text +=
      "mov.u32 %tid, %tid.x;\nmov.u32 %bid, %ntid.x;\nmov.u32 %r63, %ctaid.x;\nmad.lo.s32 %tid, %r63, %bid, %tid;\n";
  return text + body + "\nret;\n}\n";
}

inline trace::Launch launch_of(std::uint32_t blocks, std::uint32_t threads, int buffers) {
  trace::Launch l;
  l.kernel = "k";
  l.grid = {blocks, 1, 1};
  l.block = {threads, 1, 1};
  for (int i = 0; i < buffers; ++i) l.arguments.emplace_back(std::in_place_type<trace::BufferArgument>, i);
  return l;
}

inline Result run_ok(const ptx::Module& module, const trace::Launch& launch, std::vector<trace::Buffer>& buffers,
                     const Options& options = {}) {
  auto result = run(module, launch, buffers, options);
  if (!result) {
    for (const Diagnostic& d : result.error()) ADD_FAILURE() << to_string(d);
    return {};
  }
  for (const Fault& f : result->faults) ADD_FAILURE() << f.message;
  return *result;
}

/// Deterministic numbers with the corners that break arithmetic.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t n) { return next() % n; }
  std::uint64_t corner() {
    static constexpr std::uint64_t corners[] = {0,
                                                1,
                                                2,
                                                3,
                                                31,
                                                32,
                                                33,
                                                63,
                                                64,
                                                0x7f,
                                                0x80,
                                                0xff,
                                                0x7fff,
                                                0x8000,
                                                0xffff,
                                                0x10000,
                                                0x7fffffff,
                                                0x80000000,
                                                0xffffffff,
                                                0x7fffffffffffffff,
                                                0x8000000000000000,
                                                0xffffffffffffffff,
                                                0x3f800000,
                                                0xbf800000,
                                                0x7f800000,
                                                0xff800000,
                                                0x7fc00000,
                                                0x00000001,
                                                0x00800000,
                                                0x3c003c00,
                                                0x7c00fc00,
                                                0x7e000001,
                                                0x0400840,
                                                0x3ff0000000000000,
                                                0x7ff0000000000000,
                                                0xfff8000000000000,
                                                0x4b000000,
                                                0x4f000000,
                                                0xcf000000};
    const std::uint64_t r = next();
    if (r % 3 == 0) return corners[(r >> 8) % std::size(corners)];
    if (r % 3 == 1) return next() >> (r >> 8) % 64;
    return next();
  }

 private:
  std::uint64_t state_;
};

}  // namespace lanescope::emulator::test
