
#include <gtest/gtest.h>

#include <algorithm>

#include <fmt/format.h>

#include "kernels/emulator/forms/forms.h"
#include "kernels/explain/explain.h"
#include "profiling/access/traffic.h"
#include "profiling/occupancy/gpu_table.h"

namespace lanescope::explain {
namespace {

std::vector<Generation> generations() {
  std::vector<Generation> out;
  for (const occupancy::Arch& a : occupancy::gpu_table().value().archs)
    out.push_back({.arch = a.name, .name = a.generation, .memory = a.memory});
  return out;
}
bool passes(const Route& route, std::string_view stop) {
  return std::ranges::any_of(route.stops, [&](const std::string& s) { return s.starts_with(stop); });
}
Route route_of_text(std::string_view statement, const Generation& g) {
  const Explanation e = explain(statement, g);
  EXPECT_TRUE(e.route) << statement;
  return e.route.value_or(Route{});
}

/// The table of GPUs decides what L1 holds; cache operators decide what is queried of it.
TEST(ExplainRoute, LoadsOfGlobalMemoryTakeTheWayOfTheirGeneration) {
  for (const Generation& g : generations()) {
    const access::MemoryModel& m = g.memory;
    const Route plain = route_of_text("ld.global.f32 %f1, [%rd1];", g);
    EXPECT_EQ(passes(plain, "L1"), m.global_loads_in_l1) << g.arch;
    EXPECT_EQ(plain.transaction_bytes,
              m.global_loads_in_l1 ? m.cached_load_transaction_bytes : m.uncached_load_transaction_bytes)
        << g.arch;
    EXPECT_EQ(passes(route_of_text("ld.global.ca.f32 %f1, [%rd1];", g), "L1"),
              m.global_loads_in_l1 || m.global_loads_in_l1_on_request)
        << g.arch;
    for (const char* past :
         {"ld.global.cg.f32", "ld.global.cv.f32", "ld.volatile.global.f32", "ld.relaxed.gpu.global.f32"})
      EXPECT_FALSE(passes(route_of_text(past, g), "L1")) << g.arch << " " << past;
    EXPECT_EQ(passes(route_of_text("ld.relaxed.cta.global.f32", g), "L1"), m.global_loads_in_l1) << g.arch;
    const Route read_only = route_of_text("ld.global.nc.f32", g);
    EXPECT_EQ(passes(read_only, "read-only cache") || passes(read_only, "L1 (which"), m.read_only_path) << g.arch;
    const Route store = route_of_text("st.global.f32 [%rd1], %f1;", g);
    EXPECT_FALSE(passes(store, "L1")) << g.arch;
    EXPECT_EQ(store.stops.front(), "registers");
    EXPECT_EQ(plain.stops.back(), "registers");
  }
}

/// The pieces of a warp side by side are those that the calculator counts.
TEST(ExplainRoute, PiecesAreThoseOfTheCalculator) {
  for (const Generation& g : generations())
    for (const auto& [type, width] :
         {std::pair{"b8", 1}, {"b16", 2}, {"b32", 4}, {"b64", 8}, {"v2.b64", 16}, {"v4.f32", 16}}) {
      access::Access p;
      p.width_bytes = width;
      for (std::size_t lane = 0; lane < 32; ++lane) p.addresses[lane] = lane * static_cast<std::size_t>(width);
      const access::Traffic t = access::traffic(p, access::LoadPath::non_caching, g.memory);
      const Route route = route_of_text(fmt::format("ld.global.cg.{} {{%r1}}, [%rd1];", type), g);
      const bool halves = g.memory.half_warps != access::HalfWarps::none;
      EXPECT_NE(route.warp.find(fmt::format(", {} {}", t.segments, halves ? "transaction" : "sector")),
                std::string::npos)
          << g.arch << " " << route.warp;
      EXPECT_NE(route.warp.find(fmt::format("{} bytes", 32 * width)), std::string::npos) << route.warp;
      if (halves) continue;  // shared memory has no count there
      p.space = trace::MemorySpace::shared;
      p.kind = trace::AccessKind::store;
      const Route shared = route_of_text(fmt::format("st.shared.{} [%r9], {{%r1}};", type), g);
      EXPECT_NE(shared.warp.find(fmt::format(", {} wavefront", access::cost(p, g.memory).wavefronts)),
                std::string::npos)
          << g.arch << " " << shared.warp;
    }
}

TEST(ExplainRoute, ParametersAreConstantsOfAKernelOnly) {
  EXPECT_TRUE(passes(route_of_text("ld.param.u64 %rd1, [k_param_0];", {}), "constant cache"));
  EXPECT_FALSE(explain("ld.param.b32 %r1, [retval0];").route);
  EXPECT_FALSE(explain("st.param.b32 [param0], %r1;").route);
}

/// Instructions that a generation lacks have no route; the forms that tests run need no more than the table says.
TEST(ExplainRoute, InstructionsOfLaterGenerationsAreSaid) {
  for (const Generation& g : generations()) {
    const int number = std::stoi(g.arch.substr(3));
    const Explanation copy = explain("cp.async.ca.shared.global [%r1], [%rd1], 16;", g);
    EXPECT_EQ(copy.lacking, number < 80) << g.arch;
    EXPECT_EQ(copy.route.has_value(), number >= 80) << g.arch;
    EXPECT_EQ(explain("wgmma.fence.sync.aligned;", g).lacking, number != 90) << g.arch;
    EXPECT_FALSE(explain("ld.global.f32 %f1, [%rd1];", g).lacking);
  }
  EXPECT_EQ(explain("cp.async.bulk.commit_group;").needs, "sm_90");
  EXPECT_EQ(explain("cp.async.commit_group;").needs, "sm_80");
  EXPECT_EQ(explain("atom.global.add.f64 %fd1, [%rd1], %fd2;").needs, "sm_60");
  EXPECT_EQ(explain("atom.global.add.f32 %f1, [%rd1], %f2;").needs, "");
  EXPECT_EQ(
      explain(
          "red.async.relaxed.cluster.global.mbarrier::complete_tx::bytes.shared::cluster.add.u64 [%r1], %rd2, [%r3];")
          .needs,
      "sm_90");
  for (const emulator::Form& form : emulator::forms())
    for (const std::string& instance : emulator::instances(form)) {
      const Generation least{.arch = std::string(form.target), .name = "", .memory = access::h200_memory()};
      EXPECT_FALSE(explain(emulator::opcode_of(instance), least).lacking) << instance << " on " << form.target;
      break;
    }
}

TEST(ExplainRoute, LocalMemoryGoesPastL1OnMaxwellAndPascal) {
  for (const Generation& g : generations()) {
    const bool past = g.name == "Maxwell" || g.name == "Pascal";
    const bool l1 = !past && g.name != "Tesla";
    EXPECT_EQ(passes(route_of_text("ld.local.b32 %r1, [%rd1];", g), "L1"), l1) << g.arch;
    EXPECT_EQ(passes(route_of_text("STL [R1], R2 ;", g), "L1"), l1) << g.arch;
  }
}

TEST(ExplainRoute, TheFirstGenerationHasNoCaches) {
  for (const Generation& g : generations()) {
    const bool none = g.memory.half_warps != access::HalfWarps::none;
    EXPECT_EQ(none, std::stoi(g.arch.substr(3)) < 20) << g.arch;
    for (const char* text : {"ld.global.f32 %f1, [%rd1];", "st.global.f32 [%rd1], %f1;", "ld.const.f32 %f1, [%rd1];"}) {
      const Route route = route_of_text(text, g);
      EXPECT_EQ(!passes(route, "L2"), none) << g.arch << " " << text << ": " << route.words();
      EXPECT_EQ(route.source.empty(), std::string_view(text).starts_with("ld.const"));
    }
  }
}

/// PTX and the machine instruction that it becomes take the same way.
TEST(ExplainRoute, MachineInstructionsTakeTheSameWay) {
  for (const Generation& g : generations())
    for (const auto& [ptx, sass] : {std::pair{"ld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1];", "LDG.E.128 R4, [R2.64] ;"},
                                    {"ld.global.nc.f32 %f1, [%rd1];", "LDG.E.CONSTANT R4, [R2.64] ;"},
                                    {"st.global.u16 [%rd1], %rs1;", "STG.E.U16 [R2.64], R4 ;"},
                                    {"ld.shared.f64 %fd1, [%r1];", "LDS.64 R4, [R2] ;"},
                                    {"ld.volatile.global.f32 %f1, [%rd1];", "LDG.E.STRONG.SYS R4, [R2.64] ;"},
                                    {"red.global.add.f32 [%rd1], %f1;", "RED.E.ADD.F32.STRONG.GPU [R2.64], R4 ;"}}) {
      EXPECT_EQ(route_of_text(ptx, g).stops, route_of_text(sass, g).stops) << g.arch << " " << ptx;
      EXPECT_EQ(route_of_text(ptx, g).warp, route_of_text(sass, g).warp) << g.arch << " " << ptx;
    }
}

}  // namespace
}  // namespace lanescope::explain
