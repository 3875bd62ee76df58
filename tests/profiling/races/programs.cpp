#include "programs.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace lanescope::races::test {
namespace {

using Kind = Ins::Kind;
using Order = Ins::Order;

std::string qualifier(const Ins& i) {
  const char* scope = i.cta ? ".cta" : i.in_cluster ? ".cluster" : ".gpu";
  switch (i.order) {
    case Order::weak:
      return "";
    case Order::is_volatile:
      return ".volatile";
    case Order::relaxed:
      return std::string(".relaxed") + scope;
    case Order::acquire:
      return std::string(".acquire") + scope;
    case Order::release:
      return std::string(".release") + scope;
  }
  return "";
}

/// %p1: the lane executes the instruction.
std::string guard(const Ins& i, int block_count, int warps) {
  std::string text = "mov.u32 %m, 0;\n";
  for (int w = 0; w < block_count * warps; ++w)
    text += fmt::format("setp.eq.u32 %p2, %gw, {};\n@%p2 mov.u32 %m, {};\n", w, i.masks[static_cast<std::size_t>(w)]);
  return text + "shr.u32 %r1, %m, %lane;\nand.b32 %r1, %r1, 1;\nsetp.ne.u32 %p1, %r1, 0;\n";
}

/// The place of %r3 in the block that the instruction is about.
std::string mapped(const Ins& i, int cluster) {
  return fmt::format(
      "mov.u32 %r6, %cluster_ctarank;\nadd.u32 %r6, %r6, {};\nrem.u32 %r6, %r6, {};\nmapa.shared::cluster.u32 %r3, "
      "%r3, "
      "%r6;\n",
      i.remote, cluster);
}

std::string address(const Ins& i, int cluster) {
  std::string text = fmt::format("mul.lo.u32 %r2, %lane, {};\nmad.lo.u32 %r2, %gw, {}, %r2;\nadd.u32 %r2, %r2, {};\n",
                                 i.stride, i.per_warp, i.first);
  text += fmt::format("and.b32 %r2, %r2, {};\nmul.lo.u32 %r2, %r2, {};\n", memory_bytes / i.width - 1, i.width);
  if (i.shared) return text + "mov.u32 %r3, s;\nadd.u32 %r3, %r3, %r2;\n" + (i.remote != 0 ? mapped(i, cluster) : "");
  return text + "cvt.u64.u32 %rd1, %r2;\nadd.u64 %rd1, %rd1, %rd0;\n";
}

/// %r3: the place of an asynchronous store.
std::string bulk(const Ins& i, int cluster) {
  if (i.kind == Kind::bulk_store || i.kind == Kind::bulk_reduce)
    return fmt::format("mov.u32 %r3, s;\n@%p1 {} [%rd0], [%r3], {};\n",
                       i.kind == Kind::bulk_store ? "cp.async.bulk.global.shared::cta.bulk_group"
                                                  : "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32",
                       memory_bytes);
  const bool store = i.kind == Kind::async_store;
  const std::string there = i.remote != 0 ? mapped(i, cluster) : "";
  std::string text = store ? "" : "mov.u32 %r3, s;\n" + there;
  text += "mov.u32 %r5, s;\nmov.u32 %r7, %r3;\n";
  text += fmt::format("mov.u32 %r3, mb;\nadd.u32 %r3, %r3, {};\n", 8 * i.object) + there;
  constexpr const char* how = "mbarrier::complete_tx::bytes";
  if (store) return text + fmt::format("@%p1 st.async.shared::cluster.{}.u32 [%r7], %r4, [%r3];\n", how);
  return text + (i.kind == Kind::bulk_load
                     ? fmt::format("@%p1 cp.async.bulk.shared::cluster.global.{} [%r7], [%rd0], {}, [%r3];\n", how,
                                   memory_bytes)
                     : fmt::format("@%p1 cp.async.bulk.shared::cluster.shared::cta.{} [%r7], [%r5], {}, [%r3];\n", how,
                                   memory_bytes));
}

std::string access(const Ins& i, std::size_t number, int cluster) {
  const std::string space = i.remote != 0 ? ".shared::cluster"
                            : i.shared    ? ".shared"
                                          : ".global",
                    at = i.shared ? "[%r3]" : "[%rd1]";
  std::string text = address(i, cluster);
  text += i.same_value ? "mov.u32 %r4, 7;\n"
                       : fmt::format("mad.lo.u32 %r4, %gw, 32, %lane;\nmad.lo.u32 %r4, %r4, 16, {};\n", number);
  const char* type = i.width == 1 ? "u8" : i.width == 2 ? "u16" : "u32";
  switch (i.kind) {
    case Kind::load:
      return text + fmt::format("@%p1 ld{}{}.{} %r5, {};\n", qualifier(i), space, type, at);
    case Kind::store:
      return text + fmt::format("@%p1 st{}{}.{} {}, %r4;\n", qualifier(i), space, type, at);
    case Kind::atomic:
      return text + fmt::format("@%p1 atom{}{}{}.add.u32 %r5, {}, 1;\n", i.order == Order::release ? ".release" : "",
                                i.cta                       ? ".cta"
                                : i.in_cluster              ? ".cluster"
                                : i.order == Order::release ? ".gpu"
                                                            : "",
                                space, at);
    case Kind::copy:
      return text +
             "mov.u32 %r3, s;\nadd.u32 %r3, %r3, %r2;\ncvt.u64.u32 %rd1, %r2;\nadd.u64 %rd1, %rd1, %rd0;\n@%p1 "
             "cp.async.ca.shared.global [%r3], [%rd1], 4;\n";
    case Kind::bulk_load:
    case Kind::bulk_push:
    case Kind::bulk_store:
    case Kind::bulk_reduce:
    case Kind::async_store:
      return text + bulk(i, cluster);
    default:
      return text + fmt::format("@%p1 red{}{}.add.u32 {}, 1;\n",
                                i.cta          ? ".cta"
                                : i.in_cluster ? ".cluster"
                                               : "",
                                space, at);
  }
}

std::string sync(const Ins& i) {
  const std::string lane_mask = "mov.u32 %m2, %m;\n";
  std::string text = lane_mask;
  if (i.others_too) text += "not.b32 %r6, %m;\nselp.b32 %m2, %m, %r6, %p1;\n";
  const std::string at = i.others_too ? "" : "@%p1 ";
  if (i.kind == Kind::warp_sync) return text + at + "bar.warp.sync %m2;\n";
  if (i.kind == Kind::vote) return text + at + "vote.sync.ballot.b32 %r5, %p1, %m2;\n";
  return text + at + "shfl.sync.idx.b32 %r5, %lane, 0, 31, %m2;\n";
}

std::string object_scope(const Ins& i, const char* order) {
  return i.cta ? std::string(order) + ".cta" : i.in_cluster ? std::string(order) + ".cluster" : "";
}

/// Groups of copies, and barrier objects.
std::string object(const Ins& i, std::size_t number, int cluster) {
  switch (i.kind) {
    case Kind::commit:
      return "@%p1 cp.async.commit_group;\n";
    case Kind::wait:
      return i.kept_groups < 0 ? "@%p1 cp.async.wait_all;\n"
                               : fmt::format("@%p1 cp.async.wait_group {};\n", i.kept_groups);
    case Kind::bulk_commit:
      return "@%p1 cp.async.bulk.commit_group;\n";
    case Kind::bulk_wait:
      return fmt::format("@%p1 cp.async.bulk.wait_group{} {};\n", i.only_reads ? ".read" : "", i.kept_groups);
    case Kind::arrive:
      if (i.remote != 0)
        return fmt::format("mov.u32 %r3, mb;\nadd.u32 %r3, %r3, {};\n", 8 * i.object) + mapped(i, cluster) +
               fmt::format("@%p1 mbarrier.arrive{}.shared::cluster.b64 _, [%r3];\n", object_scope(i, ".release"));
      return i.with_copies ? fmt::format("@%p1 cp.async.mbarrier.arrive.noinc.shared.b64 [mb+{}];\n", 8 * i.object)
                           : fmt::format("@%p1 mbarrier.arrive.shared.b64 %rd1, [mb+{}];\n", 8 * i.object);
    default:
      return fmt::format(
          "W{0}:\n@!%p1 bra D{0};\nmbarrier.test_wait.parity{2}.shared.b64 %p2, [mb+{1}], 0;\n@!%p2 bra W{0};\nD{0}:\n",
          number, 8 * i.object, object_scope(i, ".acquire"));
  }
}

std::string named(const Ins& i) {
  std::string text;
  for (std::size_t w = 0; w < most_warps; ++w) {
    if (i.roles[w] == Ins::Role::none) continue;
    text += fmt::format("setp.eq.u32 %p3, %warp, {};\n@%p3 bar.{} {}, {};\n", w,
                        i.roles[w] == Ins::Role::sync ? "sync" : "arrive", i.id, i.threads);
  }
  return text;
}

constexpr const char* head = ".version 8.0\n.target sm_90\n.address_size 64\n";

/// As nvcc calls the device runtime.
std::string launch(const GridLaunch& l, std::size_t number, int warps) {
  constexpr const char* sequence = R"(mov.u32 %r1, %ctaid.x;
setp.ne.u32 %p1, %r1, {block};
mov.u32 %r1, %tid.x;
setp.ne.or.u32 %p1, %r1, {thread}, %p1;
@%p1 bra L{number};
{{
.param .b64 a0; .param .align 4 .b8 a1[12]; .param .align 4 .b8 a2[12]; .param .b32 a3; .param .b64 r0;
mov.u64 %rd1, k{grid};
st.param.b64 [a0+0], %rd1;
st.param.b32 [a1+0], {blocks}; st.param.b32 [a1+4], 1; st.param.b32 [a1+8], 1;
st.param.b32 [a2+0], {threads}; st.param.b32 [a2+4], 1; st.param.b32 [a2+8], 1;
st.param.b32 [a3+0], 0;
call.uni (r0), __cudaCDP2GetParameterBufferV2, (a0, a1, a2, a3);
ld.param.b64 %rd1, [r0+0];
}}
st.u64 [%rd1], %rd0;
{{
.param .b64 a0; .param .b64 a1; .param .b32 r0;
st.param.b64 [a0+0], %rd1;
st.param.b64 [a1+0], {stream};
call.uni (r0), __cudaCDP2LaunchDeviceV2, (a0, a1);
ld.param.b32 %r1, [r0+0];
}}
L{number}:
)";
  return fmt::format(fmt::runtime(sequence), fmt::arg("block", l.block), fmt::arg("thread", l.warp * 32 + l.lane),
                     fmt::arg("number", number), fmt::arg("grid", l.grid), fmt::arg("blocks", blocks),
                     fmt::arg("threads", warps * 32), fmt::arg("stream", static_cast<int>(l.stream)));
}

}  // namespace

std::string Program::ptx() const { return head + kernel("k"); }

std::string ptx_of(const Tree& tree) {
  std::string text = head;
  text +=
      ".extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2(.param .b64 a, .param .align 4 .b8 b[12], "
      ".param .align 4 .b8 c[12], .param .b32 d);\n"
      ".extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 a, .param .b64 b);\n";
  for (std::size_t g = tree.size(); g-- > 0;) {
    Program p = tree[g];
    std::string kernel = p.kernel(fmt::format("k{}", g));
    for (std::size_t l = 0; l < p.launches.size(); ++l) {
      const std::string mark = fmt::format("// launch {}\n", l);
      const int warps = tree[static_cast<std::size_t>(p.launches[l].grid)].warps;
      kernel.replace(kernel.find(mark), mark.size(), launch(p.launches[l], l, warps));
    }
    text += kernel;
  }
  return text;
}

std::string Program::kernel(const std::string& name) const {
  std::string text =
      ".visible .entry " + name +
      "(.param .u64 p0)\n{\n.reg .pred %p<4>;\n"
      ".reg .b32 %r<8>;\n.reg .b32 %m, %m2, %lane, %warp, %gw;\n.reg .b64 %rd<2>;\n.shared .align 16 .b8 "
      "s[16];\n.shared .align 8 .b8 mb[64];\n"
      "ld.param.u64 %rd0, [p0];\nmov.u32 %lane, %laneid;\nmov.u32 %warp, %tid.x;\nshr.u32 %warp, %warp, 5;\n"
      "mov.u32 %gw, %ctaid.x;\n";
  text += fmt::format("mad.lo.u32 %gw, %gw, {}, %warp;\n", warps);
  for (const Ins& i : code) {
    if (i.kind != Kind::arrive) continue;
    for (int b = 0; b < block_count; ++b) {
      int lanes = 0;
      for (int from = 0; from < block_count; ++from)
        for (int w = 0; w < warps && owner(i, from) == b; ++w)
          lanes += std::popcount(i.masks[static_cast<std::size_t>(from * warps + w)]);
      text += fmt::format(
          "mov.u32 %r1, %ctaid.x;\nsetp.eq.u32 %p1, %r1, {};\nmov.u32 %r1, %tid.x;\nsetp.eq.and.u32 %p1, %r1, 0, %p1;\n"
          "@%p1 mbarrier.init.shared.b64 [mb+{}], {};\n",
          b, 8 * i.object, lanes);
      int transferred = 0;
      for (const Ins& bulk : code)
        for (int from = 0; bulk.by_object() && bulk.object == i.object && from < block_count; ++from)
          for (int w = 0; w < warps && owner(bulk, from) == b; ++w)
            transferred += std::popcount(bulk.masks[static_cast<std::size_t>(from * warps + w)]) * bulk.width;
      if (transferred > 0)
        text += fmt::format("@%p1 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [mb+{}], {};\n", 8 * i.object,
                            transferred);
    }
  }
  if (objects > 0 && cluster > 1)
    text +=
        relaxed_start
            ? "fence.mbarrier_init.release.cluster;\nbarrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait;\n"
            : "barrier.cluster.arrive;\nbarrier.cluster.wait;\n";
  if (objects > 0) text += "bar.sync 0;\n";
  for (std::size_t n = 0; n <= code.size(); ++n) {
    for (std::size_t l = 0; l < launches.size(); ++l)
      if (launches[l].at == static_cast<int>(n)) text += fmt::format("// launch {}\n", l);
    if (n == code.size()) break;
    const Ins& i = code[n];
    if (i.kind == Kind::nothing) continue;
    if (i.kind == Kind::cluster_arrive || i.kind == Kind::cluster_wait) {
      text += i.kind == Kind::cluster_wait ? "barrier.cluster.wait.acquire;\n"
              : i.relaxed                  ? "barrier.cluster.arrive.relaxed;\n"
                                           : "barrier.cluster.arrive;\n";
      continue;
    }
    if (i.kind >= Kind::commit)
      text += guard(i, block_count, warps) + object(i, n, cluster);
    else if (i.kind == Kind::fence)
      text += guard(i, block_count, warps) + fmt::format("@%p1 {};\n", i.cta          ? "membar.cta"
                                                                       : i.in_cluster ? "fence.acq_rel.cluster"
                                                                                      : "membar.gl");
    else if (i.kind == Kind::barrier)
      text += "bar.sync 0;\n";
    else if (i.kind == Kind::named)
      text += named(i);
    else if (i.is_access())
      text += guard(i, block_count, warps) + access(i, n, cluster);
    else
      text += guard(i, block_count, warps) + sync(i);
  }
  return text + "add.u32 %r6, %r5, 0;\nret;\n}\n";  // uses the results of atomics
}

namespace {

Program random_program_of(std::mt19937_64& random, bool copies, Program p) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  p.warps = below(3) == 0 ? 3 : 2;
  // Some programs know no fences and no named barriers: there the observer keeps less.
  const bool in_parts = below(2) == 0, all_differ = below(2) == 0, strong = below(2) == 0;
  const int length = 3 + below(12);
  int next_id = 1;
  bool with_objects = false;
  for (int n = 0; n < length; ++n) {
    Ins i;
    const auto some_lanes = [&] {
      std::uint32_t used = 0;
      for (const int l : lanes_used) used |= 1u << l;
      switch (below(4)) {
        case 0:
          return used;
        case 1:
          return used & static_cast<std::uint32_t>(random());
        default:
          return 1u << lanes_used[static_cast<std::size_t>(below(3))];
      }
    };
    for (int w = 0; w < p.block_count * p.warps; ++w)
      i.masks[static_cast<std::size_t>(w)] = below(2) == 0 ? 0 : some_lanes();
    const int what = below(in_parts ? 20 : 16);
    if (copies && below(2) == 0) {
      const int which = below(12);
      if (which < 5) {
        i.kind = Kind::copy;
        i.shared = true;
        i.stride = below(3), i.per_warp = below(3), i.first = below(16);
      } else if (which < 9) {
        // Who waits for copies in both ways has more than it should (order.h).
        i.kind = which < 7 || with_objects ? Kind::commit : Kind::wait;
        i.kept_groups = below(3) - 1;
        if (below(3) != 0)
          for (auto& m : i.masks) m = 0xffffffffu;
      } else if (which < 11 && p.objects < 8) {
        i.kind = Kind::arrive;
        i.object = p.objects++;
        i.with_copies = below(2) == 0;
        with_objects = with_objects || i.with_copies;
        for (int b = 0; b < p.block_count; ++b) i.masks[static_cast<std::size_t>(b * p.warps)] |= 1;
      } else if (p.objects > 0) {
        i.kind = Kind::await;
        i.object = below(p.objects);
      } else {
        i.kind = Kind::barrier;
      }
    } else if (what < 11) {
      i.shared = below(2) == 0;
      i.kind = what < 4 ? Kind::load : what < 8 ? Kind::store : what < 10 ? Kind::atomic : Kind::reduction;
      i.stride = below(3), i.per_warp = below(3), i.first = below(16);
      if (i.updates()) {
        i.cta = below(4) == 0;
        if (in_parts && i.kind == Kind::atomic && below(5) == 0) i.order = Order::release;
      } else {
        const int order = strong ? below(4) : 0;
        if (order == 1) i.order = Order::is_volatile;
        if (order == 2) i.order = Order::relaxed, i.cta = below(4) == 0;
        if (order == 3 && in_parts)
          i.order = i.kind == Kind::load ? Order::acquire : Order::release, i.cta = below(4) == 0;
        i.width = below(3) == 0 ? 1 << below(2) : 4;
        i.same_value = !all_differ && below(2) == 0;
      }
    } else if (what < 13) {
      i.kind = Kind::barrier;
    } else if (what < 16) {
      i.kind = what == 13 ? Kind::shuffle : what == 14 ? Kind::vote : Kind::warp_sync;
      i.others_too = below(2) == 0;
      if (below(2) == 0)
        for (auto& m : i.masks) m = 0xffffffffu;
      if (i.others_too)
        for (auto& m : i.masks)
          if (m == 0) m = 1;
    } else if (what < 18) {
      i.kind = Kind::fence;
      i.cta = below(3) == 0;
    } else {
      i.kind = Kind::named;
      i.id = next_id++;
      int came = 0;
      bool waits = false;
      for (int w = 0; w < p.warps; ++w) {
        const int role = below(3);
        i.roles[static_cast<std::size_t>(w)] = static_cast<Ins::Role>(role);
        came += role != 0 ? 1 : 0;
        waits = waits || role == 1;
      }
      if (came < 2 || !waits || next_id > 15) i.kind = Kind::barrier;
      i.threads = came * 32;
    }
    p.code.push_back(i);
  }
  return p;
}

}  // namespace

Program random_program(std::mt19937_64& random, bool copies) { return random_program_of(random, copies, {}); }

Program random_cluster_program(std::mt19937_64& random) {
  const auto below = [&](std::size_t n) { return static_cast<int>(random() % n); };
  Program p;
  p.cluster = below(4) == 0 ? 3 : 2;
  p.block_count = p.cluster == 3 ? 3 : below(2) == 0 ? 2 : 4;
  p.relaxed_start = below(2) == 0;
  p = random_program_of(random, below(3) == 0, std::move(p));
  const bool scopes = below(2) == 0;
  for (Ins& i : p.code) {
    const bool can_be_remote =
        (i.shared && i.is_access() && !i.is_copy()) || (i.kind == Kind::arrive && !i.with_copies);
    if (can_be_remote && below(2) == 0) i.remote = 1 + below(static_cast<std::size_t>(p.cluster) - 1);
    if ((i.kind == Kind::fence || i.strong()) && scopes && !i.cta && i.order != Order::is_volatile)
      i.in_cluster = below(2) == 0;
    // Those that name no scope count as ones of the cluster.
    if ((i.kind == Kind::arrive && i.remote != 0) || i.kind == Kind::await) {
      i.cta = below(4) == 0;
      i.in_cluster = !i.cta && below(2) == 0;
    }
  }
  // Who comes again has waited: pairs that follow each other.
  std::vector<std::size_t> places;
  for (int n = 2 * below(4); n > 0; --n) places.push_back(random() % (p.code.size() + 1));
  if (below(2) == 0) places.insert(places.end(), {0, 0});
  if (below(4) != 0) places.insert(places.end(), {p.code.size(), p.code.size()});
  std::ranges::sort(places);
  for (std::size_t n = places.size(); n-- > 0;) {
    Ins i;
    i.kind = n % 2 == 0 ? Kind::cluster_arrive : Kind::cluster_wait;
    // With three blocks a thread may learn from a second one that a third has begun.
    i.relaxed = p.cluster == 2 && below(4) == 0;
    p.code.insert(p.code.begin() + static_cast<std::ptrdiff_t>(places[n]), i);
  }
  return p;
}

Program random_bulk_program(std::mt19937_64& random) {
  const auto below = [&](std::size_t n) { return static_cast<int>(random() % n); };
  Program p = below(2) == 0 ? random_cluster_program(random) : random_program(random, below(2) == 0);
  // A bulk copy is of all the memory: with many other accesses nearly every program races.
  const std::size_t kept = 1 + random() % 6;
  for (Ins& i : p.code)
    if (i.is_access() && random() % p.code.size() >= kept) i = {.kind = Kind::nothing};
  const auto insert = [&](int at, const Ins& i) {
    p.code.insert(p.code.begin() + at, i);
    return at + 1;
  };
  const auto after = [&](int at) { return at + below(p.code.size() + 1 - static_cast<std::size_t>(at)); };
  const auto everybody = [&](Ins& i) { i.masks.fill(0xffffffffu); };
  for (int n = 1 + below(3); n > 0; --n) {
    Ins i;
    const bool groups = below(5) < 2;
    i.kind = groups                           ? (below(3) == 0 ? Kind::bulk_reduce : Kind::bulk_store)
             : p.cluster > 1 && below(3) == 0 ? Kind::bulk_push
             : below(3) == 0                  ? Kind::async_store
                                              : Kind::bulk_load;
    i.shared = !groups;
    i.width = i.kind == Kind::async_store ? 4 : memory_bytes;
    i.stride = below(3), i.per_warp = below(3), i.first = below(16);
    // One lane, as code does it, and seldom more: those of one warp, or of several.
    const int warps = p.block_count * p.warps;
    i.masks[static_cast<std::size_t>(below(static_cast<std::size_t>(warps)))] =
        1u << lanes_used[static_cast<std::size_t>(below(3))];
    if (below(6) == 0) i.masks[static_cast<std::size_t>(below(static_cast<std::size_t>(warps)))] |= 3;
    const int at = after(0);
    if (groups) {
      int next = insert(at, i);
      Ins commit{.kind = Kind::bulk_commit}, wait{.kind = Kind::bulk_wait};
      everybody(commit), everybody(wait);
      wait.kept_groups = below(4) == 0 ? 1 : 0;
      wait.only_reads = below(3) == 0;
      if (below(8) != 0) next = insert(below(2) == 0 ? next : after(next), commit);
      if (below(5) != 0) next = insert(after(next), wait);
      if (below(2) == 0) insert(after(next), {.kind = Kind::barrier});
      continue;
    }
    if (p.objects >= 8) continue;
    if (p.cluster > 1 && (i.kind == Kind::bulk_push || below(2) == 0))
      i.remote = 1 + below(static_cast<std::size_t>(p.cluster) - 1);
    i.object = p.objects++;
    Ins arrive{.kind = Kind::arrive}, await{.kind = Kind::await};
    arrive.object = await.object = i.object;
    for (int b = 0; b < p.block_count; ++b) arrive.masks[static_cast<std::size_t>(b * p.warps)] = 1;
    for (int w = 0; w < warps; ++w)
      await.masks[static_cast<std::size_t>(w)] =
          below(4) == 0 ? static_cast<std::uint32_t>(random()) & 35 : 0xffffffffu;
    if (p.cluster > 1) {
      await.cta = below(4) == 0;
      await.in_cluster = !await.cta && below(2) == 0;
    }
    int next = insert(at, i);
    if (below(3) == 0) next = insert(next, {.kind = Kind::barrier});
    next = insert(after(next), arrive);
    if (below(8) != 0) next = insert(after(next), await);
    if (below(4) == 0) insert(after(next), {.kind = Kind::barrier});
  }
  return p;
}

Tree random_tree(std::mt19937_64& random) {
  const auto below = [&](std::size_t n) { return static_cast<int>(random() % n); };
  Tree tree;
  const std::size_t grids = 2 + random() % 4;
  for (std::size_t g = 0; g < grids; ++g) {
    Program p = random_program(random);
    // Few accesses to a grid, or nearly every tree races.
    const std::size_t kept = 2 + random() % 5;
    if (p.code.size() > kept) p.code.resize(kept);
    tree.push_back(std::move(p));
    if (g == 0) continue;
    Program& by = tree[random() % g];
    using Stream = GridLaunch::Stream;
    constexpr std::array streams{Stream::of_block, Stream::of_block, Stream::of_thread, Stream::tail, Stream::forget};
    // In a place of its own, so that it comes before what the next instruction reads.
    const int at = below(by.code.size() + 1);
    Ins place;
    place.kind = Kind::nothing;
    by.code.insert(by.code.begin() + at, place);
    for (GridLaunch& earlier : by.launches) earlier.at += earlier.at >= at ? 1 : 0;
    by.launches.push_back({.at = at,
                           .block = below(blocks),
                           .warp = below(static_cast<std::size_t>(by.warps)),
                           .lane = lanes_used[static_cast<std::size_t>(below(3))],
                           .grid = static_cast<int>(g),
                           .stream = streams[static_cast<std::size_t>(below(streams.size()))]});
  }
  return tree;
}

}  // namespace lanescope::races::test
