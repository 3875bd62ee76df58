// ldmatrix, stmatrix and movmatrix against the fragment layout written out element by element: which 16-bit element of
// the input lies in which half of which output word, by value and by identity.

#include <functional>

#include "tests/kernels/emulator/harness.h"

namespace lanescope::emulator::test {
namespace {

using trace::AccessEvent;
using trace::ElementTag;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u32 words = 128;  // four matrices

struct Seen : trace::Observer {
  std::vector<trace::WordTag> out = std::vector<trace::WordTag>(words);
  u64 base = 0;
  std::vector<AccessEvent> matrices;
  std::vector<u64> addresses;
  std::vector<u32> values;
  void on_access(const AccessEvent& e) override {
    if (e.matrix != 0) {
      matrices.push_back(e);
      addresses.assign(e.addresses.begin(), e.addresses.end());
      values.assign(e.values.begin(), e.values.end());
    }
    if (e.space != trace::MemorySpace::global || e.kind == trace::AccessKind::load) return;
    for (std::size_t l = 0; l < 32; ++l)
      for (std::size_t w = 0; w < e.values.size() / 32; ++w)
        out.at((e.addresses[l] - base) / 4 + w) = e.tags[w * 32 + l];
  }
};

const std::string begin =
    "shl.b32 %r60, %tid, 4;\ncvt.u64.u32 %rd60, %r60;\nadd.s64 %rd61, %rd0, %rd60;\nadd.s64 %rd62, %rd1, %rd60;\n"
    "mov.u32 %r50, buf;\nadd.u32 %r51, %r50, %r60;\nxor.b32 %r52, %tid, 5;\nshl.b32 %r52, %r52, 4;\nadd.u32 %r52, "
    "%r52, %r50;\n"
    "ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%rd61];\n";
const std::string to_shared =
    "st.shared.v4.u32 [%r51], {%r0, %r1, %r2, %r3};\nmov.u32 %r0, 0;\nmov.u32 %r1, 0;\nmov.u32 %r2, 0;\nmov.u32 %r3, "
    "0;\nbar.sync 0;\n";
const std::string from_shared = "bar.sync 0;\nld.shared.v4.u32 {%r0, %r1, %r2, %r3}, [%r51];\n";
const std::string end = "st.global.v4.u32 [%rd62], {%r0, %r1, %r2, %r3};\n";

/// `source(word, half)`: the input element expected there, or -1 for zero without identity.
Seen check_product(const std::string& body, const std::function<int(u32 word, u32 half)>& source) {
  SCOPED_TRACE(body);
  std::vector<u32> in(words);
  for (u32 i = 0; i < words; ++i) in[i] = (2 * i + 1) * 7 << 16 | (2 * i) * 7;
  std::vector<trace::Buffer> buffers{buffer_of("in", in), buffer_of("out", std::vector<u32>(words))};
  buffers[0].element_bits = 16;
  trace::TagPool pool;
  pool.space = tag_space(buffers);
  Seen seen;
  seen.base = place_buffers(buffers)[1];
  Options o;
  o.tags = &pool;
  o.observers = {&seen};
  run_ok(module_of(kernel(begin + body + end, 2, ".shared .align 16 .b8 buf[512];\n")), launch_of(1, 32, 2), buffers,
         o);
  const auto out = values_of<u32>(buffers[1]);
  for (u32 w = 0; w < words; ++w)
    for (u32 half = 0; half < 2; ++half) {
      const int from = source(w, half);
      EXPECT_EQ(out[w] >> 16 * half & 0xffff, from < 0 ? 0 : static_cast<u32>(from) * 7) << w << " " << half;
      const ElementTag tag = pool.element(seen.out[w], static_cast<int>(half) * 16, 16);
      EXPECT_EQ(tag.kind, from < 0 ? ElementTag::Kind::none : ElementTag::Kind::exact) << w << " " << half;
      if (from >= 0) {
        EXPECT_EQ(tag.element, static_cast<u64>(from)) << w << " " << half;
      }
    }
  return seen;
}

/// Element of row r of a matrix, column c, where the row begins at 16-byte block r of the input.
int element(u32 block, u32 column) { return static_cast<int>(block * 8 + column); }

TEST(Matrix, LoadsPutRowsIntoLanes) {
  for (u32 count : {1u, 2u, 4u})
    for (bool trans : {false, true}) {
      const std::string list = count == 1 ? "{%r0}" : count == 2 ? "{%r0, %r1}" : "{%r0, %r1, %r2, %r3}";
      const std::string text = "ldmatrix.sync.aligned.m8n8.x" + std::to_string(count) + (trans ? ".trans" : "") +
                               ".shared.b16 " + list + ", [%r52];\n";
      const Seen seen = check_product(to_shared + text, [&](u32 word, u32 half) {
        const u32 lane = word / 4, matrix = word % 4;
        if (matrix >= count) return -1;
        const u32 row = trans ? 2 * (lane % 4) + half : lane / 4, column = trans ? lane / 4 : 2 * (lane % 4) + half;
        return element((matrix * 8 + row) ^ 5, column);
      });
      ASSERT_EQ(seen.matrices.size(), 1u);
      const AccessEvent& e = seen.matrices[0];
      EXPECT_EQ(e.matrix, static_cast<int>(count));
      EXPECT_EQ(e.width_bytes, 16);
      EXPECT_EQ(e.space, trace::MemorySpace::shared);
      EXPECT_EQ(e.where.active, count == 4 ? ~0u : (1u << 8 * count) - 1);
      for (u32 l = 0; l < 8 * count; ++l) {
        EXPECT_EQ(seen.addresses[l], (l ^ 5) * 16);
        EXPECT_EQ(seen.values[64 + l] & 0xffff, ((l ^ 5) * 8 + 4) * 7);  // third word of the row
      }
    }
}

TEST(Matrix, StoresPutLanesIntoRows) {
  for (u32 count : {1u, 2u, 4u})
    for (bool trans : {false, true}) {
      const std::string list = count == 1 ? "{%r0}" : count == 2 ? "{%r0, %r1}" : "{%r0, %r1, %r2, %r3}";
      const std::string text = "stmatrix.sync.aligned.m8n8.x" + std::to_string(count) + (trans ? ".trans" : "") +
                               ".shared.b16 [%r52], " + list + ";\n";
      check_product(text + from_shared, [&](u32 word, u32 half) {
        const u32 at = (word / 4) ^ 5, matrix = at / 8, row = at % 8, column = word % 4 * 2 + half;
        if (matrix >= count) return -1;
        const u32 lane = trans ? column * 4 + row / 2 : row * 4 + column / 2, part = trans ? row % 2 : column % 2;
        return static_cast<int>((lane * 4 + matrix) * 2 + part);
      });
    }
}

TEST(Matrix, MoveTransposesInRegisters) {
  check_product("movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r1;\nmov.u32 %r0, 0;\nmov.u32 %r1, 0;\nmov.u32 %r3, 0;\n",
                [](u32 word, u32 half) {
                  if (word % 4 != 2) return -1;
                  const u32 lane = word / 4, row = 2 * (lane % 4) + half, column = lane / 4;  // of the source
                  return static_cast<int>(((row * 4 + column / 2) * 4 + 1) * 2 + column % 2);
                });
  // Twice is nothing; storing transposed what was loaded transposed is a copy.
  check_product("movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r0;\nmovmatrix.sync.aligned.m8n8.trans.b16 %r0, %r0;\n",
                [](u32 word, u32 half) { return static_cast<int>(word * 2 + half); });
  check_product(to_shared +
                    "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r0, %r1, %r2, %r3}, [%r51];\nbar.sync 0;\n"
                    "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%r51], {%r0, %r1, %r2, %r3};\n" +
                    from_shared,
                [](u32 word, u32 half) { return static_cast<int>(word * 2 + half); });
}

TEST(Matrix, WhatCannotBeIsToldByName) {
  const auto faults = [](const std::string& body) {
    std::vector<trace::Buffer> buffers{buffer_of("in", std::vector<u32>(words)),
                                       buffer_of("out", std::vector<u32>(words))};
    auto r =
        run(module_of(kernel(begin + body, 2, ".shared .align 16 .b8 buf[512];\n")), launch_of(1, 32, 2), buffers, {});
    return r && !r->faults.empty() ? r->faults[0].message : "";
  };
  EXPECT_NE(faults("setp.gt.u32 %p1, %tid, 3;\n@%p1 exit;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r52];\n")
                .find("all 32 lanes"),
            std::string::npos);
  EXPECT_NE(faults("add.u32 %r52, %r52, 8;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r52];\n")
                .find("multiple of 16"),
            std::string::npos);
  EXPECT_NE(
      faults("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r52+512];\n").find("beyond the end of shared memory"),
      std::string::npos);
}

}  // namespace
}  // namespace lanescope::emulator::test
