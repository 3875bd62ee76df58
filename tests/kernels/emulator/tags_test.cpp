// Identities against brute force: flip one bit of the input, run again, and see which bits of the output change. A bit
// tagged as a source bit or a sum of them must change exactly when it contains that bit; a computed bit may only change
// when its set contains the element; a bit without data must never change.

#include <algorithm>

#include "tests/kernels/emulator/harness.h"

namespace lanescope::emulator::test {
namespace {

using trace::BitKind;
using trace::BitTag;
using trace::TagPool;
using trace::WordTag;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// Keeps the identities of what is stored into buffer 1, by word.
struct StoredTags : trace::Observer {
  std::vector<WordTag> words;
  u64 base = 0;
  int steers = 0;
  std::vector<trace::SteerEvent::What> what;
  void on_access(const trace::AccessEvent& e) override {
    if (e.space != trace::MemorySpace::global || e.kind == trace::AccessKind::load) return;
    for (std::size_t l = 0; l < 32; ++l)
      if ((e.where.active >> l & 1) != 0)
        for (std::size_t w = 0; w < e.values.size() / 32; ++w)
          words.at((e.addresses[l] - base) / 4 + w) = e.tags[w * 32 + l];
  }
  void on_steer(const trace::SteerEvent& e) override {
    ++steers;
    what.push_back(e.what);
  }
};

constexpr u32 words_per_thread = 4;

struct TaggedRun {
  std::vector<u32> out;
  StoredTags stored;
  TagPool pool;
};

TaggedRun run_tagged(const ptx::Module& module, const std::vector<u32>& in, u32 threads, int element_bits = 32) {
  TaggedRun r;
  std::vector<trace::Buffer> buffers{buffer_of("in", in), buffer_of("out", std::vector<u32>(in.size()))};
  buffers[0].element_bits = element_bits;
  r.pool.space = tag_space(buffers);
  r.stored.base = place_buffers(buffers)[1];
  r.stored.words.resize(in.size());
  Options o;
  o.tags = &r.pool;
  o.observers = {&r.stored};
  run_ok(module, launch_of(1, threads, 2), buffers, o);
  r.out = values_of<u32>(buffers[1]);
  return r;
}

std::vector<u32> run_plain(const ptx::Module& module, const std::vector<u32>& in, u32 threads) {
  std::vector<trace::Buffer> buffers{buffer_of("in", in), buffer_of("out", std::vector<u32>(in.size()))};
  run_ok(module, launch_of(1, threads, 2), buffers);
  return values_of<u32>(buffers[1]);
}

enum class Claim { never, exactly, perhaps };

Claim claim_of(const TagPool& pool, BitTag bit, u64 source_bit) {
  switch (bit.kind()) {
    case BitKind::none:
      return Claim::never;
    case BitKind::source:
      return bit.payload() == source_bit ? Claim::exactly : Claim::never;
    case BitKind::parity: {
      const bool among = std::ranges::binary_search(pool.set(static_cast<u32>(bit.payload())), source_bit);
      return among ? Claim::exactly : Claim::never;
    }
    case BitKind::computed: {
      const auto [buffer, element] = pool.space.element_of(source_bit);
      const auto set = pool.set(static_cast<u32>(bit.payload()));
      return std::ranges::binary_search(set, static_cast<u64>(buffer) << 40 | element) ? Claim::perhaps : Claim::never;
    }
  }
  return Claim::never;
}

void check_by_flipping(const std::string& body, u64 seed, int flips, int element_bits = 32) {
  SCOPED_TRACE(body);
  constexpr u32 threads = 32;
  const auto module = module_of(kernel(body, 2));
  Numbers numbers(seed);
  std::vector<u32> in(threads * words_per_thread);
  for (u32& w : in) w = static_cast<u32>(numbers.next());
  const TaggedRun tagged = run_tagged(module, in, threads, element_bits);
  ASSERT_EQ(tagged.out, run_plain(module, in, threads));
  for (int i = 0; i < flips; ++i) {
    const u64 bit = numbers.below(in.size() * 32);
    std::vector<u32> changed = in;
    changed[bit / 32] ^= 1u << bit % 32;
    const auto out = run_plain(module, changed, threads);
    for (std::size_t w = 0; w < out.size(); ++w) {
      const auto bits = tagged.pool.bits(tagged.stored.words[w]);
      for (u32 b = 0; b < 32; ++b) {
        const bool flipped = ((out[w] ^ tagged.out[w]) >> b & 1) != 0;
        const Claim claim = claim_of(tagged.pool, bits[b], bit);
        ASSERT_TRUE(claim == Claim::perhaps || flipped == (claim == Claim::exactly))
            << "source bit " << bit << ", output word " << w << " bit " << b << ", flipped " << flipped << ", kind "
            << static_cast<int>(bits[b].kind());
      }
    }
  }
}

const std::string load_four =
    "shl.b32 %r60, %tid, 4;\ncvt.u64.u32 %rd60, %r60;\nadd.s64 %rd61, %rd0, %rd60;\nadd.s64 %rd62, %rd1, %rd60;\n"
    "ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%rd61];\nand.b32 %r59, %tid, 1;\nsetp.eq.u32 %p0, %r59, 1;\n";
const std::string store_four = "st.global.v4.u32 [%rd62], {%r0, %r1, %r2, %r3};\n";

std::string random_body(Numbers& n) {
  std::string body = load_four;
  const auto reg = [&] { return "%r" + std::to_string(n.below(4)); };
  const auto constant = [&] { return std::to_string(static_cast<u32>(n.corner())); };
  const auto small = [&](u32 limit) { return std::to_string(n.below(limit)); };
  for (int i = 0; i < 12; ++i) {
    const std::string d = reg(), a = reg(), b = reg();
    switch (n.below(26)) {
      case 0:
        body += "and.b32 " + d + ", " + a + ", " + constant() + ";\n";
        break;
      case 1:
        body += "or.b32 " + d + ", " + a + ", " + constant() + ";\n";
        break;
      case 2:
        body += "xor.b32 " + d + ", " + a + ", " + b + ";\n";
        break;
      case 3:
        body += "shl.b32 " + d + ", " + a + ", " + small(36) + ";\n";
        break;
      case 4:
        body += "shr.s32 " + d + ", " + a + ", " + small(36) + ";\n";
        break;
      case 5:
        body += "prmt.b32 " + d + ", " + a + ", " + b + ", " + constant() + ";\n";
        break;
      case 6:
        body += "lop3.b32 " + d + ", " + a + ", " + b + ", " + reg() + ", " + small(256) + ";\n";
        break;
      case 7:
        body += "bfe.s32 " + d + ", " + a + ", " + small(40) + ", " + small(40) + ";\n";
        break;
      case 8:
        body += "bfi.b32 " + d + ", " + a + ", " + b + ", " + small(40) + ", " + small(40) + ";\n";
        break;
      case 9:
        body += "shf.l.wrap.b32 " + d + ", " + a + ", " + b + ", %tid;\n";
        break;
      case 10:
        body += "shf.r.clamp.b32 " + d + ", " + a + ", " + b + ", " + small(40) + ";\n";
        break;
      case 11:
        body += "brev.b32 " + d + ", " + a + ";\n";
        break;
      case 12:  // disjoint halves added
        body += "and.b32 %r10, " + a + ", 65535;\nshl.b32 %r11, " + b + ", 16;\nadd.s32 " + d + ", %r10, %r11;\n";
        break;
      case 13:
        body += "and.b32 %r10, " + a + ", 255;\nmul.lo.s32 " + d + ", %r10, 257;\n";
        break;
      case 14:
        body +=
            "and.b32 %r10, " + a + ", 255;\nand.b32 %r11, " + b + ", 255;\nmad.lo.s32 " + d + ", %r10, 65536, %r11;\n";
        break;
      case 15:
        body += "and.b32 %r10, " + a + ", " + constant() + ";\nsub.s32 " + d + ", " + a + ", %r10;\n";
        break;
      case 16:
        body += "selp.b32 " + d + ", " + a + ", " + b + ", %p0;\n";
        break;
      case 17:
        body += "shfl.sync.bfly.b32 " + d + ", " + a + ", " + small(32) + ", 31, -1;\n";
        break;
      case 18:
        body += "shfl.sync.up.b32 " + d + ", " + a + ", " + small(32) + ", 0, -1;\n";
        break;
      case 19:
        body += "add.s32 " + d + ", " + a + ", " + constant() + ";\n";
        break;
      case 20:
        body += "mul.wide.u32 %rd10, " + a + ", " + std::to_string(1u << n.below(32)) + ";\nmov.b64 {" + d +
                ", _}, %rd10;\n";
        break;
      case 21:
        body += "mov.b64 %rd10, {" + a + ", " + b + "};\nshr.u64 %rd10, %rd10, " + small(64) + ";\ncvt.u32.u64 " + d +
                ", %rd10;\n";
        break;
      case 22:
        body += "cvt.u16.u32 %h1, " + a + ";\ncvt.s32.s16 " + d + ", %h1;\n";
        break;
      case 23:
        body += "and.b32 %r10, " + a + ", 1;\nneg.s32 " + d + ", %r10;\n";
        break;
      case 24:
        body += "and.b32 " + d + ", " + a + ", " + b + ";\n";
        break;
      default:
        body += "mov.b32 {%h1, %h2}, " + a + ";\nmov.b32 " + d + ", {%h2, %h1};\n";
        break;
    }
  }
  return body + store_four;
}

TEST(Tags, RandomBitPrograms) {
  for (u64 seed = 1; seed <= 60; ++seed) {
    Numbers n(seed * 7919);
    check_by_flipping(random_body(n), seed, 40, seed % 2 == 0 ? 8 : 32);
    if (HasFatalFailure()) return;
  }
}

/// A property that the laws above cannot see: the rules are exact, not merely allowed to answer "computed".
TEST(Tags, ExactWhereTheDesignSaysSo) {
  const std::vector<std::string> bodies = {
      "and.b32 %r10, %r0, 255;\nmul.lo.s32 %r0, %r10, 257;",
      "and.b32 %r10, %r0, 65535;\nshl.b32 %r11, %r1, 16;\nadd.s32 %r0, %r10, %r11;",
      "and.b32 %r10, %r0, 252645135;\nsub.s32 %r0, %r0, %r10;",
      "xor.b32 %r0, %r0, %r1;\nxor.b32 %r1, %r0, %r1;\nxor.b32 %r0, %r0, %r1;",
      "and.b32 %r10, %r0, 1;\nneg.s32 %r0, %r10;",
      "mad.lo.s32 %r0, %r59, 256, %r0;\nmov.u32 %r0, %r1;",
      "prmt.b32 %r0, %r0, %r1, 29978;",
      "lop3.b32 %r0, 16711935, %r0, %r1, 0xCA;",  // bitwise choice by a constant mask
      "cvt.u16.u32 %h1, %r0;\ncvt.s32.s16 %r0, %h1;",
      "and.b32 %r10, %r0, 15;\nmul.wide.u32 %rd10, %r10, 4096;\ncvt.u32.u64 %r0, %rd10;",
  };
  for (const std::string& body : bodies) {
    SCOPED_TRACE(body);
    std::vector<u32> in(32 * words_per_thread);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<u32>(i * 0x9e3779b9u);
    const TaggedRun r = run_tagged(module_of(kernel(load_four + body + store_four, 2)), in, 32);
    for (WordTag w : r.stored.words)
      for (BitTag b : r.pool.bits(w)) ASSERT_NE(b.kind(), BitKind::computed);
    EXPECT_EQ(r.stored.steers, 0);
  }
}

TEST(Tags, XorSwapIsASwap) {
  std::vector<u32> in(128);
  const TaggedRun r = run_tagged(
      module_of(kernel(
          load_four + "xor.b32 %r0, %r0, %r1;\nxor.b32 %r1, %r0, %r1;\nxor.b32 %r0, %r0, %r1;\n" + store_four, 2)),
      in, 32);
  EXPECT_EQ(r.stored.words[4], TagPool::source_word(5));
  EXPECT_EQ(r.stored.words[5], TagPool::source_word(4));
}

TEST(Tags, BytesThroughSharedMemoryKeepTheirPlace) {
  const std::string body =
      "{ .reg .b32 %a; mov.u32 %a, buf; shl.b32 %r20, %tid, 4; add.s32 %r20, %r20, %a;\n" + load_four +
      "st.shared.u8 [%r20+3], %r0;\nshr.u32 %r9, %r0, 8;\nst.shared.u8 [%r20+2], %r9;\nshr.u32 %r9, %r0, 16;\n"
      "st.shared.u8 [%r20+1], %r9;\nshr.u32 %r9, %r0, 24;\nst.shared.u8 [%r20], %r9;\n"
      "st.shared.u16 [%r20+4], %r1;\nst.shared.u16 [%r20+6], %r2;\n"
      "ld.shared.u32 %r0, [%r20];\nld.shared.u32 %r1, [%r20+4];\nld.shared.s8 %r2, [%r20];\nld.shared.u16 %r3, "
      "[%r20+6];\n" +
      store_four + "}";
  const auto module = module_of(kernel(body, 2, ".shared .align 16 .b8 buf[1024];\n"));
  std::vector<u32> in(128);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<u32>(i * 0x9e3779b9u);
  const TaggedRun r = run_tagged(module, in, 32, 8);
  const u32 thread = 7, first = thread * 4;
  for (int b = 0; b < 4; ++b) {
    const auto e = r.pool.element(r.stored.words[first], b * 8, 8);
    EXPECT_EQ(e.kind, trace::ElementTag::Kind::exact);
    EXPECT_EQ(e.element, first * 4 + 3 - static_cast<u32>(b));
  }
  EXPECT_EQ(r.pool.element(r.stored.words[first + 1], 16, 8).element, (first + 2) * 4);
  EXPECT_EQ(r.pool.element(r.stored.words[first + 2], 0, 8).element, first * 4 + 3);
  const auto sign = r.pool.bits(r.stored.words[first + 2]);
  EXPECT_EQ(sign[31], sign[7]);
  EXPECT_EQ(r.pool.element(r.stored.words[first + 3], 0, 32).kind, trace::ElementTag::Kind::mixed);
  EXPECT_EQ(r.pool.element(r.stored.words[first + 3], 16, 16).kind, trace::ElementTag::Kind::none);
}

TEST(Tags, PackedHalvesStayApart) {
  std::vector<u32> in(128);
  const TaggedRun r =
      run_tagged(module_of(kernel(load_four + "add.f16x2 %r0, %r0, %r1;\nmul.f16x2 %r2, %r2, %r2;\n" + store_four, 2)),
                 in, 32, 16);
  const auto low = r.pool.sources(r.stored.words[0], 0, 16);
  EXPECT_EQ(low, (std::vector<std::pair<int, u64>>{{0, 0}, {0, 2}}));
  const auto square = r.pool.element(r.stored.words[2], 16, 16);
  EXPECT_EQ(square.kind, trace::ElementTag::Kind::computed);
  EXPECT_EQ(square.element, 5u);
}

TEST(Tags, ReductionHoldsEveryElement) {
  std::string body = load_four + "cvt.rn.f32.u32 %f0, %r0;\n";
  for (int step : {16, 8, 4, 2, 1})
    body += "mov.b32 %r10, %f0;\nshfl.sync.bfly.b32 %r11, %r10, " + std::to_string(step) +
            ", 31, -1;\nmov.b32 %f1, %r11;\nadd.f32 %f0, %f0, %f1;\n";
  const TaggedRun r =
      run_tagged(module_of(kernel(body + "mov.b32 %r0, %f0;\n" + store_four, 2)), std::vector<u32>(128, 1), 32);
  for (u32 lane = 0; lane < 32; ++lane) {
    const auto e = r.pool.element(r.stored.words[lane * 4], 0, 32);
    EXPECT_EQ(e.kind, trace::ElementTag::Kind::mixed);
    EXPECT_EQ(e.count, 32u);
  }
}

TEST(Tags, DataThatSteersIsTold) {
  const auto steers = [](const std::string& body) {
    std::vector<u32> in(128, 1);
    return run_tagged(module_of(kernel(load_four + body + store_four, 2)), in, 32).stored.what;
  };
  using What = trace::SteerEvent::What;
  EXPECT_EQ(steers("setp.gt.u32 %p1, %r0, 5;\nselp.b32 %r0, %r1, %r2, %p1;\n"), std::vector{What::select});
  EXPECT_EQ(steers("setp.gt.u32 %p1, %r0, 5;\n@%p1 bra skip;\nmov.u32 %r0, 3;\nskip:\n"), std::vector{What::branch});
  EXPECT_EQ(steers("shfl.sync.idx.b32 %r1, %r2, %r0, 31, -1;\n"), std::vector{What::lane});
  EXPECT_EQ(steers("and.b32 %r10, %r0, 4;\ncvt.u64.u32 %rd10, %r10;\nadd.s64 %rd10, %rd10, %rd0;\nld.global.u32 %r0, "
                   "[%rd10];\n"),
            std::vector{What::address});
  EXPECT_EQ(steers("shl.b32 %r1, %r2, %r0;\n"), std::vector{What::select});
  EXPECT_TRUE(steers("and.b32 %r10, %tid, 3;\nsetp.gt.u32 %p1, %r10, 1;\n@%p1 add.s32 %r0, %r0, 1;\n").empty());
}

/// A sum over many elements in one thread: as many set nodes as additions, not their square.
TEST(Tags, LongRunningSum) {
  const std::string body =
      "mov.f32 %f0, 0f00000000;\nmov.u32 %r10, 0;\nmov.b64 %rd10, %rd0;\nloop:\nld.global.f32 %f1, [%rd10];\nadd.f32 "
      "%f0, %f0, %f1;\n"
      "add.s64 %rd10, %rd10, 4;\nadd.s32 %r10, %r10, 1;\nsetp.lt.u32 %p1, %r10, 100000;\n@%p1 bra loop;\nst.global.f32 "
      "[%rd1], %f0;\n";
  const TaggedRun r = run_tagged(module_of(kernel(body, 2)), std::vector<u32>(100000, 0x3f800000), 1);
  const auto e = r.pool.element(r.stored.words[0], 0, 32);
  EXPECT_EQ(e.count, 100000u);
}

}  // namespace
}  // namespace lanescope::emulator::test
