// Forms run one by one in a scene where each of them can: memory of every space, lanes together, barriers, products, hints.

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "tests/kernels/emulator/forms/instances_of.h"
#include "tests/kernels/emulator/harness.h"
#include "tests/kernels/emulator/oracle/oracle.h"

namespace lanescope::emulator::test {
namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

u8 pattern(u32 byte) { return static_cast<u8>(byte * 37 + 11 + (byte >> 3)); }

/// A kernel `k(p0)`: p0 points to 4096 bytes. Registers are those of forms.h; shared and local memory hold the pattern.
std::string scene(const std::string& body) {
  std::string bytes;
  for (u32 i = 0; i < 64; ++i) bytes += fmt::format("{}{}", i != 0 ? ", " : "", pattern(i));
  return ".version 9.0\n.target sm_100a\n.address_size 64\n.const .align 16 .b8 const_bytes[64] = {" + bytes + R"(};
.func (.param .b32 r) callee(.param .b32 x) { .reg .b32 %a; ld.param.b32 %a, [x]; add.u32 %a, %a, 1; st.param.b32 [r], %a; ret; }
.visible .entry k(.param .u64 p0)
{
.reg .b16 %d16, %e16, %f16, %g16, %a16, %b16, %c16; .reg .b32 %d32, %e32, %f32, %g32, %a32, %b32, %c32, %x32, %s32, %m32, %t, %u, %v;
.reg .b64 %d64, %e64, %f64, %g64, %a64, %b64, %c64, %s64, %l64, %n64, %q64, %r64; .reg .b128 %d128, %a128, %b128;
.reg .pred %p, %q, %pa, %pb, %first;
.reg .b32 %wd<130>, %wa<40>, %wb<20>, %wc<40>; .reg .b64 %ld<10>, %la<10>, %lb<10>, %lc<10>;
.shared .align 128 .b8 shared_bytes[4096]; .local .align 16 .b8 local_bytes[256];
ld.param.u64 %g64, [p0]; mov.u32 %t, %tid.x; setp.eq.u32 %first, %t, 0;
mov.u64 %s64, shared_bytes; cvt.u32.u64 %s32, %s64; add.u32 %m32, %s32, 2048; cvta.shared.u64 %n64, shared_bytes;
mov.u64 %l64, local_bytes; mov.u32 %u, 0;
fill: cvt.u64.u32 %q64, %u; add.s64 %r64, %g64, %q64; ld.global.b32 %v, [%r64]; add.s64 %r64, %s64, %q64; st.shared.b32 [%r64], %v;
add.s64 %r64, %l64, %q64; st.local.b32 [%r64], %v; add.u32 %u, %u, 4; setp.lt.u32 %p, %u, 256; @%p bra fill;
mov.b64 %b64, 0x1122334455667788; mov.b64 %c64, 0x99aabbccddeeff00; mov.b32 %b32, 0x55667788; mov.b32 %c32, 0xddeeff00;
mov.b16 %b16, 0x7788; mov.b16 %c16, 0xff00; setp.ne.u32 %pa, %t, %t; mov.b32 %a32, %t;
mov.b32 %wa0, 0xa0; mov.b32 %wa1, 0xa1; mov.b32 %wa2, 0xa2; mov.b32 %wa3, 0xa3; mov.b32 %wa4, 0xa4; mov.b32 %wa5, 0xa5; mov.b32 %wa6, 0xa6;
mov.b32 %wa7, 0xa7; mov.b64 %la0, 0x1a0; mov.b64 %la1, 0x1a1; mov.b64 %la2, 0x1a2; mov.b64 %la3, 0x1a3; mov.b64 %d64, 0; mov.b64 %e64, 0;
@%first mbarrier.init.shared.b64 [%m32], 1; bar.sync 0;
)" + body +
         "\nret;\n}\n";
}

struct Ran {
  std::vector<u8> bytes;
  u64 word(std::size_t at, std::size_t count) const {
    u64 x = 0;
    for (std::size_t i = 0; i < count; ++i) x |= u64{bytes[at + i]} << (8 * i);
    return x;
  }
};
Ran run_scene(const std::string& body, u32 threads = 1) {
  std::vector<u8> bytes(4096);
  for (u32 i = 0; i < 4096; ++i) bytes[i] = pattern(i);
  const auto module = module_of(scene(body));
  if (module.entries.empty()) return {bytes};
  std::vector<trace::Buffer> buffers{buffer_of("bytes", bytes)};
  run_ok(module, launch_of(1, threads, 1), buffers);
  return {values_of<u8>(buffers[0])};
}

/// The operands of the last statement, as written.
std::string_view last_of(const std::string& instance) {
  const std::size_t at = instance.rfind("; ");
  return std::string_view(instance).substr(at == std::string::npos ? 0 : at + 2);
}
int width_of_register(const std::string& r) {
  return r.starts_with("%w") ? 32 : r.starts_with("%l") ? 64 : std::stoi(r.substr(2));
}
u64 value_of_register(const std::string& r) {
  if (r.starts_with("%wa")) return 0xa0 + static_cast<u64>(r[3] - '0');
  if (r.starts_with("%la")) return 0x1a0 + static_cast<u64>(r[3] - '0');
  const u64 all = r[1] == 'b' ? 0x1122334455667788 : 0x99aabbccddeeff00;
  const int width = width_of_register(r);
  return width == 64 ? all : all & ((u64{1} << width) - 1);
}

/// Loads give the contents of memory, extended as the type says; stores take the low part of the registers.
TEST(Memory, LoadsAndStores) {
  for (const std::string& instance : instances_of("Memory.LoadsAndStores")) {
    const Words w = words_of(instance);
    const std::string space = w.has("shared")  ? "shared"
                              : w.has("local") ? "local"
                              : w.has("const") ? "const"
                                               : "global";
    const std::string base = space == "shared" ? "%s64" : space == "local" ? "%l64" : "%g64";
    std::string body = space == "const" ? "mov.u64 %a64, const_bytes;\n" : fmt::format("mov.u64 %a64, {};\n", base);
    body += instance + ";\n";
    std::vector<std::string> registers;
    std::string address;
    const std::string_view last = last_of(instance);
    for (const std::string& o : words_of(std::string(last)).operands)
      if (o.starts_with('['))
        address = o;
      else
        registers.push_back(o);
    const std::size_t count = w.has("v2") ? 2 : w.has("v4") ? 4 : w.has("v8") ? 8 : 1;
    registers.resize(std::min(registers.size(), count));
    const std::string type = w.parts.back();
    if (type == "b128" || (w.name == "mov" && w.parts[0] == "b128")) {  // see Atomics for stores and loads of 128 bits
      if (w.name == "ld") {
        body += "mov.b128 {%d64, %e64}, %d128; st.global.v2.b64 [%g64+2048], {%d64, %e64};\n";
        const Ran ran = run_scene(body);
        for (u32 i = 0; i < 16; ++i) ASSERT_EQ(ran.bytes[2048 + i], pattern(i)) << instance;
      } else if (w.name == "st") {
        body +=
            space == "shared" ? "ld.shared.v2.b64 {%d64, %e64}, [%a64];\n" : "ld.global.v2.b64 {%d64, %e64}, [%a64];\n";
        const Ran ran = run_scene(body + "st.global.v2.b64 [%g64+2048], {%d64, %e64};\n");
        ASSERT_EQ(ran.word(2048, 8), 0x1122334455667788u) << instance;
        ASSERT_EQ(ran.word(2056, 8), 0x99aabbccddeeff00u) << instance;
      } else {
        run_scene(body);
      }
      continue;
    }
    const u32 bytes = static_cast<u32>(std::stoi(type.substr(1))) / 8;
    const std::size_t plus = address.find('+');
    const u32 offset = plus == std::string::npos ? 0 : static_cast<u32>(std::stoi(address.substr(plus + 1)));
    const bool is_parameter = w.has("param");
    if (w.name == "st") {
      for (u32 i = 0; i < 32; i += 4)
        body += space == "global" ? ""
                                  : fmt::format("ld.{}.b32 %v, [%a64+{}]; st.global.b32 [%g64+{}], %v;\n", space, i, i);
      const Ran ran = run_scene(body);
      for (std::size_t e = 0; e < count; ++e) {
        const u64 keep = bytes == 8 ? ~u64{0} : (u64{1} << bytes * 8) - 1;
        ASSERT_EQ(ran.word(offset + e * bytes, bytes), value_of_register(registers[e]) & keep) << instance;
      }
      continue;
    }
    for (std::size_t e = 0; e < registers.size(); ++e) {
      const std::string& r = registers[e];
      if (r != "_") body += fmt::format("st.global.b{} [%g64+{}], {};\n", width_of_register(r), 2048 + 8 * e, r);
    }
    const Ran ran = run_scene(body);
    for (std::size_t e = 0; e < registers.size() && !is_parameter; ++e) {
      if (registers[e] == "_") continue;
      u64 want = 0;
      for (u32 i = 0; i < bytes; ++i) want |= u64{pattern(offset + static_cast<u32>(e) * bytes + i)} << (8 * i);
      if (type[0] == 's' && bytes < 8 && (want >> (bytes * 8 - 1) & 1) != 0) want |= ~u64{0} << bytes * 8;
      const int width = width_of_register(registers[e]);
      if (width < 64) want &= (u64{1} << width) - 1;
      ASSERT_EQ(ran.word(2048 + 8 * e, static_cast<std::size_t>(width) / 8), want) << instance << " " << registers[e];
    }
  }
}

/// Nothing that the kernel can see changes.
TEST(Hints, ChangeNothing) {
  const Ran without = run_scene("");
  for (const std::string& instance : instances_of("Hints.ChangeNothing")) {
    const Ran with = run_scene("mov.u64 %a64, %g64;\n" + instance + ";\nst.global.b32 [%g64+2048], %b32;\n", 32);
    ASSERT_EQ(with.word(2048, 4), 0x55667788u) << instance;
    ASSERT_TRUE(std::equal(with.bytes.begin(), with.bytes.begin() + 2048, without.bytes.begin())) << instance;
  }
}

/// All 64 threads come; then each stores, and what the reductions say is what the threads voted.
TEST(Barriers, OfABlock) {
  for (const std::string& instance : instances_of("Barriers.OfABlock")) {
    const Words w = words_of(instance);
    const bool arrives = w.has("arrive");
    std::string body =
        "and.b32 %v, %t, 1; setp.eq.u32 %pa, %v, 1; mov.b32 %a32, 3; mov.b32 %b32, 64; mov.b32 %d32, 0; setp.ne.u32 "
        "%p, %t, %t;\n";
    body += instance + ";\n";
    if (arrives) body += "bar.sync 2;\n";
    body +=
        "selp.u32 %v, 1, 0, %p; shl.b32 %u, %t, 3; cvt.u64.u32 %q64, %u; add.s64 %q64, %q64, %g64; st.global.v2.b32 "
        "[%q64+2048], {%d32, %v};\n";
    const Ran ran = run_scene(body, 64);
    const bool negated = instance.find('!') != std::string::npos;
    static_cast<void>(negated);
    for (std::size_t t = 0; t < 64; ++t) {
      ASSERT_EQ(ran.word(2048 + 8 * t, 4), w.has("popc") ? 32u : 0u) << instance << t;
      ASSERT_EQ(ran.word(2052 + 8 * t, 4), w.has("or") ? 1u : 0u) << instance << t;
    }
  }
}

/// Every lane's view of one instruction, against the definition.
TEST(Warps, LanesTogether) {
  std::vector<u64> a(32);
  for (u64 l = 0; l < 32; ++l) a[l] = l * 7 % 11;
  for (const std::string& instance : instances_of("Warps.LanesTogether")) {
    const Words w = words_of(instance);
    std::string body =
        "mul.lo.u32 %a32, %t, 7; rem.u32 %a32, %a32, 11; cvt.u64.u32 %a64, %a32; and.b32 %v, %a32, 1; setp.eq.u32 %pa, "
        "%v, 1;\n"
        "mov.b32 %b32, 5; mov.b32 %c32, 0x1f; mov.b32 %d32, 77; setp.ne.u32 %p, %t, %t;\n";
    const bool is_float = w.parts.back() == "f32";
    if (is_float) body += "cvt.rn.f32.u32 %a32, %a32;\n";
    if (w.has("up") && instance.find("%c32") != std::string::npos) body += "mov.b32 %c32, 0;\n";
    body += instance +
            ";\nselp.u32 %v, 1, 0, %p; shl.b32 %u, %t, 3; cvt.u64.u32 %q64, %u; add.s64 %q64, %q64, %g64;\n"
            "st.global.v2.b32 [%q64+2048], {%d32, %v};\n";
    const Ran ran = run_scene(body, 32);
    const bool negated = instance.find("!%pa") != std::string::npos;
    u32 votes = 0;
    for (u32 l = 0; l < 32; ++l) votes |= u32{((a[l] & 1) != 0) != negated} << l;
    for (u32 l = 0; l < 32; ++l) {
      u64 d = 77, p = 0;
      if (w.name == "shfl") {
        const u32 c = instance.find("%c32") != std::string::npos
                          ? (w.has("up") ? 0u : 0x1fu)
                          : static_cast<u32>(std::stoul(w.operands[3], nullptr, 0));
        const int segment = static_cast<int>(c >> 8 & 31), clamp = static_cast<int>(c & 31), lane = static_cast<int>(l);
        const int last = (lane & segment) | (clamp & ~segment);
        int j = w.has("up")     ? lane - 5
                : w.has("down") ? lane + 5
                : w.has("bfly") ? lane ^ 5
                                : (lane & segment) | (5 & ~segment);
        const bool inside = w.has("up") ? j >= last : j <= last;
        if (!inside) j = lane;
        d = a[static_cast<std::size_t>(j)];
        p = instance.find("|%p") != std::string::npos && inside;
      } else if (w.name == "vote") {
        if (w.has("ballot"))
          d = votes;
        else
          p = w.has("all") ? votes == ~0u : w.has("any") ? votes != 0 : votes == 0 || votes == ~0u;
      } else if (w.name == "match") {
        u32 same = 0;
        for (u32 k = 0; k < 32; ++k) same |= u32{a[k] == a[l]} << k;
        d = w.has("any") ? same : 0;
      } else if (w.name == "redux") {
        u64 r = a[0];
        for (u32 k = 1; k < 32; ++k)
          r = w.has("add")   ? r + a[k]
              : w.has("min") ? std::min(r, a[k])
              : w.has("max") ? std::max(r, a[k])
              : w.has("and") ? r & a[k]
              : w.has("or")  ? r | a[k]
                             : r ^ a[k];
        d = is_float ? std::bit_cast<u32>(static_cast<float>(r)) : r;
      } else if (w.name == "activemask") {
        d = 0xffffffff;
      } else if (w.name == "elect") {
        d = instance.find("%d32") != std::string::npos ? 0 : 77;
        p = l == 0;
      }
      ASSERT_EQ(ran.word(2048 + 8 * l, 4), d) << instance << " lane " << l;
      ASSERT_EQ(ran.word(2052 + 8 * l, 4), p) << instance << " lane " << l;
    }
  }
}

/// The word that a store or a reduction of `b` leaves where `old` was.
u64 left_by(const Words& w, u64 old, u64 b) {
  if (w.name == "st") return b;
  if (w.has("add")) return old + b;
  if (w.has("and")) return old & b;
  if (w.has("or")) return old | b;
  if (w.has("xor")) return old ^ b;
  if (w.has("inc")) return old >= b ? 0 : old + 1;
  if (w.has("dec")) return old == 0 || old > b ? b : old - 1;
  const bool is_signed = w.parts.back()[0] == 's';
  const bool less = is_signed ? static_cast<std::int32_t>(old) < static_cast<std::int32_t>(b) : old < b;
  return less == w.has("min") ? old : b;
}

/// A cluster of one block: every address is the block's own, and its rank is 0.
TEST(Clusters, OfOneBlock) {
  for (const std::string& instance : instances_of("Clusters.OfOneBlock")) {
    const Words w = words_of(instance);
    if (w.name == "st" || w.name == "red" || w.name == "atom") {
      const Ran ran = run_scene("mov.b32 %b32, 5; mov.b64 %b64, 5;\n" + instance +
                                ";\nld.shared.b64 %d64, [%s64]; st.global.b64 [%g64+2048], %d64;\n");
      const bool one = !w.has("v4");
      const u64 keep = one && width_of_register("%b" + w.parts.back().substr(1)) == 32 ? 0xffffffff : ~u64{0};
      const u64 before = ran.word(0, 8), b = one ? u64{5} : u64{0xa1'0000'00a0};
      ASSERT_EQ(ran.word(2048, 8), (before & ~keep) | (left_by(w, before & keep, b) & keep)) << instance;
      continue;
    }
    std::string body = "mov.b32 %b32, 0; mov.b32 %d32, 77; mov.b64 %d64, 77;\n";
    if (w.name == "barrier" && w.has("wait")) body += "barrier.cluster.arrive;\n";
    body += instance + ";\n";
    if (w.name == "barrier" && w.has("arrive")) body += "barrier.cluster.wait;\n";
    const bool wide = instance.find("%d64") != std::string::npos;
    body += wide ? "st.global.b64 [%g64+2048], %d64;\n" : "cvt.u64.u32 %d64, %d32; st.global.b64 [%g64+2048], %d64;\n";
    body +=
        "sub.s64 %q64, %d64, %n64; st.global.b64 [%g64+2056], %q64; cvt.u64.u32 %q64, %s32; sub.s64 %q64, %d64, %q64; "
        "st.global.b64 [%g64+2064], %q64;\n";
    const Ran ran = run_scene(body, 1);
    if (w.name == "getctarank") {
      ASSERT_EQ(ran.word(2048, 8), 0u) << instance;
    }
    if (w.name == "mapa" && w.has("shared::cluster")) {
      ASSERT_EQ(ran.word(2064, 8), instance.find("+4") != std::string::npos ? 4u : 0u) << instance;
    } else if (w.name == "mapa") {
      ASSERT_EQ(ran.word(2056, 8), 0u) << instance;
    } else if (w.name == "ld") {
      ASSERT_EQ(ran.word(2048, 8), pattern(0) | u64{pattern(1)} << 8 | u64{pattern(2)} << 16 | u64{pattern(3)} << 24)
          << instance;
    }
  }
}

/// Where the copied bytes are, and what a reduction of equal numbers leaves.
TEST(AsyncCopies, OfEveryForm) {
  for (const std::string& instance : instances_of("AsyncCopies.OfEveryForm")) {
    const Words w = words_of(instance);
    const bool reduces = w.has("reduce"),
               to_shared = w.operands.size() > 1 && w.operands[0].find("%s") != std::string::npos;
    std::string body = "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%m32], 64;\n";
    if (!reduces)
      for (int i = 0; i < 64; i += 8) body += fmt::format("mov.b64 %q64, 0; st.shared.b64 [%s64+{}], %q64;\n", i);
    body += instance + ";\nmbarrier.inval.shared.b64 [%m32];\n";
    for (int i = 0; i < 64; i += 8)
      body += fmt::format("ld.shared.b64 %q64, [%s64+{0}]; st.global.b64 [%g64+{1}], %q64;\n", i, 2048 + i);
    const Ran ran = run_scene(body);
    if (!w.has("shared") && !w.has("shared::cta") && !w.has("shared::cluster") && w.name != "st") continue;
    const bool bulk = w.has("bulk");
    const u32 bytes = bulk ? 64 : static_cast<u32>(std::stoi(w.operands[2]));
    const u32 from = instance.find("+64]") != std::string::npos ? 64 : 0;
    for (u32 i = 0; i < bytes && !reduces; ++i) {
      const u8 got = w.name == "st" || to_shared ? ran.bytes[2048 + i] : ran.bytes[i];
      ASSERT_EQ(got, w.name == "st" || !to_shared ? 0 : pattern(from + i)) << instance;
    }
    if (!reduces || to_shared || w.parts.back().find('f') != std::string::npos) continue;
    const u32 width = static_cast<u32>(std::stoi(w.parts.back().substr(1))) / 8;
    for (u32 i = 0; i < 64; i += width) {
      u64 x = 0;
      for (u32 k = 0; k < width; ++k) x |= u64{pattern(i + k)} << (8 * k);
      const u64 keep = width == 8 ? ~u64{0} : (u64{1} << width * 8) - 1;
      const u64 want = w.has("add") ? 2 * x : w.has("inc") || w.has("xor") ? 0 : w.has("dec") ? x - 1 : x;
      ASSERT_EQ(ran.word(i, width), want & keep) << instance;
    }
  }
}

/// Each runs on an object that waits for eight arrivals. (Mbarriers.CountArrivalsAndBytes says what they count.)
TEST(Mbarriers, OfEveryForm) {
  for (const std::string& instance : instances_of("Mbarriers.OfEveryForm")) {
    const Words w = words_of(instance);
    std::string body =
        "mbarrier.inval.shared.b64 [%m32]; mbarrier.init.shared.b64 [%m32], 8; mbarrier.init.b64 [%n64], 8; mov.b32 "
        "%b32, 48; mov.b64 %a64, 0;\n";
    body += "setp.eq.u32 %p, %t, %t;\n" + instance + ";\nselp.u32 %v, 1, 0, %p; st.global.b32 [%g64+2056], %v;\n";
    if (instance.find("%d64") != std::string::npos)
      body += "mbarrier.pending_count.b64 %d32, %d64; st.global.b32 [%g64+2048], %d32;\n";
    const Ran ran = run_scene(body);
    if (instance.find("%d64") != std::string::npos) {
      ASSERT_EQ(ran.word(2048, 4), 8u) << instance;
    }
    if (w.has("test_wait") || w.has("try_wait")) {
      ASSERT_EQ(ran.word(2056, 4), 0u) << instance;
    }
  }
}

TEST(Control, Branches) {
  for (const std::string& instance : instances_of("Control.Branches")) {
    const bool table = instance.starts_with("brx");
    std::string body =
        "mov.b32 %d32, 1; targets: .branchtargets after, there;\nand.b32 %a32, %t, 1; setp.eq.u32 %pa, %a32, 0;\n";
    if (instance.find(".uni") != std::string::npos) body += "mov.b32 %a32, 1; setp.eq.u32 %pa, %t, %t;\n";
    if (instance.find("!%pa") != std::string::npos && instance.find(".uni") != std::string::npos)
      body += "setp.ne.u32 %pa, %t, %t;\n";
    body +=
        instance +
        ";\nmov.b32 %d32, 2; bra.uni after;\nthere: mov.b32 %d32, 3;\n"
        "after: shl.b32 %u, %t, 2; cvt.u64.u32 %q64, %u; add.s64 %q64, %q64, %g64; st.global.b32 [%q64+2048], %d32;\n";
    const Ran ran = run_scene(body, 32);
    for (u32 l = 0; l < 32; ++l) {
      const bool uniform = instance.find(".uni") != std::string::npos;
      const bool even = l % 2 == 0, taken = uniform || (instance.find("!%pa") != std::string::npos ? !even : even);
      const u32 want = table ? (uniform || !even ? 3 : 1) : taken ? 3 : 2;
      ASSERT_EQ(ran.word(2048 + 4 * l, 4), want) << instance << l;
    }
  }
}

/// Instructions before an end are executed, instructions after it are not.
TEST(Control, Ends) {
  for (const std::string& instance : instances_of("Control.Ends")) {
    const auto module = module_of(scene("mov.b32 %d32, 5; st.global.b32 [%g64+2048], %d32;\n" + instance +
                                        ";\nst.global.b32 [%g64+2052], %d32;\n"));
    std::vector<trace::Buffer> buffers{buffer_of("bytes", std::vector<u8>(4096))};
    const auto result = run(module, launch_of(1, 32, 1), buffers, {});
    ASSERT_TRUE(result);
    const bool faults = instance == "trap" || instance == "brkpt";
    ASSERT_EQ(result->faults.size(), faults ? 1u : 0u) << instance;
    const auto bytes = values_of<u8>(buffers[0]);
    EXPECT_EQ(bytes[2048], 5) << instance;
    EXPECT_EQ(bytes[2052], 0) << instance;
  }
}

TEST(Addresses, OfEverySpace) {
  for (const std::string& instance : instances_of("Addresses.OfEverySpace")) {
    const Words w = words_of(instance);
    const bool is_predicate = instance.find("%p,") != std::string::npos,
               wide = instance.find("%d64") != std::string::npos;
    std::string body = instance + ";\n";
    body += is_predicate ? "selp.u64 %d64, 1, 0, %p;\n" : wide ? "" : "cvt.u64.u32 %d64, %d32;\n";
    body += "st.global.b64 [%g64+2048], %d64; sub.s64 %q64, %d64, %n64; st.global.b64 [%g64+2056], %q64;\n";
    const Ran ran = run_scene(body);
    if (w.name == "isspacep") {
      const bool of_global = instance.find("%g64") != std::string::npos;
      const bool want = of_global ? w.has("global") : w.has("shared::cta") || w.has("shared::cluster");
      ASSERT_EQ(ran.word(2048, 8), u64{want}) << instance;
    } else if (instance.starts_with("cvta.shared.u64 %d64, shared_bytes")) {
      ASSERT_EQ(ran.word(2056, 8), instance.find("+4") != std::string::npos ? 4u : 0u) << instance;
    } else if (instance.find("lanemask_eq") != std::string::npos || instance.find("ntid.y") != std::string::npos) {
      ASSERT_EQ(ran.word(2048, 8), 1u) << instance;
    } else if (instance.find("nctarank") != std::string::npos) {
      ASSERT_EQ(ran.word(2048, 8), 1u) << instance;
    }
  }
}

/// 8x8 matrices of 16 bits: row l / 4 and columns 2 (l % 4), + 1 in lane l, or the other way round with .trans.
TEST(Matrices, MoveAsDocumented) {
  for (const std::string& instance : instances_of("Matrices.MoveAsDocumented")) {
    const Words w = words_of(instance);
    const u32 count = w.has("x4") ? 4 : w.has("x2") ? 2 : 1;
    const bool trans = w.has("trans"), stores = w.name == "stmatrix", moves = w.name == "movmatrix";
    std::string body =
        "shl.b32 %u, %t, 4; add.u32 %s32, %s32, %u; cvt.u64.u32 %s64, %s32; cvt.u64.u32 %q64, %u; add.s64 %n64, %n64, "
        "%q64;\n";
    // A fragment of matrix i in register i: lane l has its halves 64 i + 2 l and 64 i + 2 l + 1.
    for (u32 i = 0; i < 4; ++i)
      body += fmt::format(
          "shl.b32 %v, %t, 1; add.u32 %v, %v, {}; add.u32 %u, %v, 1; shl.b32 %u, %u, 16; or.b32 %wa{}, %u, %v;\n",
          64 * i, i);
    body += "mov.b32 %a32, %wa0; mov.b32 %b32, %wa1;\n" + instance + ";\n";
    body += "shl.b32 %u, %t, 4; cvt.u64.u32 %q64, %u; add.s64 %q64, %q64, %g64;\n";
    if (stores)
      body +=
          "ld.shared.v4.b32 {%wd0, %wd1, %wd2, %wd3}, [%s32]; st.global.v4.b32 [%q64+2048], {%wd0, %wd1, %wd2, "
          "%wd3};\n";
    else
      body += count == 4   ? "st.global.v4.b32 [%q64+2048], {%wd0, %wd1, %wd2, %wd3};\n"
              : count == 2 ? "st.global.v2.b32 [%q64+2048], {%d32, %e32};\n"
                           : "st.global.b32 [%q64+2048], %d32;\n";
    const Ran ran = run_scene(body, 32);
    for (u32 i = 0; i < count; ++i)
      for (u32 l = 0; l < 32; ++l)
        for (u32 h = 0; h < 2; ++h) {
          const u32 row = trans ? 2 * (l % 4) + h : l / 4, column = trans ? l / 4 : 2 * (l % 4) + h;
          if (stores) {  // where the half of lane l goes: row r of matrix i is at 16 (8 i + r)
            ASSERT_EQ(ran.word(2048 + 16 * (8 * i + row) + 2 * column, 2), 64 * i + 2 * l + h) << instance << l;
          } else if (moves) {  // the element that is now in lane l, half h was at (column, row)
            const u32 r = l / 4, c = 2 * (l % 4) + h;
            ASSERT_EQ(ran.word(2048 + 16 * l + 2 * h, 2), 2 * (4 * c + r / 2) + r % 2) << instance << l;
          } else {
            const u32 at = 16 * (8 * i + row) + 2 * column;
            const u64 want = at + 1 < 256 ? pattern(at) | u64{pattern(at + 1)} << 8 : 0;
            ASSERT_EQ(ran.word(2048 + 16 * l + 4 * i + 2 * h, 2), want) << instance << l;
          }
        }
  }
}

}  // namespace
}  // namespace lanescope::emulator::test
