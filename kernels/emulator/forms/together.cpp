// Operations of several lanes of a warp, warps of a block or blocks of a cluster, and control flow. Source:
// PTX ISA 9.0, "Parallel Synchronization and Communication Instructions", "Control Flow Instructions", "Stack
// Manipulation Instructions", "Miscellaneous Instructions".

#include "kernels/emulator/forms/forms.h"

namespace lanescope::emulator {

std::span<const Form> warp_forms() {
  static constexpr std::string_view test = "Warps.LanesTogether";
  static constexpr Form table[] = {
      {"shfl.sync.<up|down|bfly|idx>.b32 %d32, %a32, %b32, <0|0x1f|0x181f>, -1", "sm_75", test},
      {"shfl.sync.<up|down|bfly|idx>.b32 %d32|%p, %a32, %b32, %c32, -1", "sm_75", test},
      {"vote.sync.<all|any|uni>.pred %p, <|!>%pa, -1", "sm_75", test},
      {"vote.sync.ballot.b32 %d32, <|!>%pa, -1", "sm_75", test},
      {"match.sync.any.<b32|b64> %d32, %a#1, -1", "sm_75", test},
      {"match.sync.all.<b32|b64> %d32|%p, %a#1, -1", "sm_75", test},
      {"redux.sync.<add|min|max>.<u32|s32> %d32, %a32, -1", "sm_80", test},
      {"redux.sync.<and|or|xor>.b32 %d32, %a32, -1", "sm_80", test},
      {"redux.sync.<min|max><|.abs><|.NaN>.f32 %d32, %a32, -1", "sm_100a", test},
      {"activemask.b32 %d32", "sm_75", test},
      {"elect.sync <%d32|_>|%p, -1", "sm_90", test},
      {"bar.warp.sync -1", "sm_75", test},
      {"movmatrix.sync.aligned.m8n8.trans.b16 %d32, %a32", "sm_75", "Matrices.MoveAsDocumented"},
      {"ldmatrix.sync.aligned.m8n8.x1<|.trans><.shared|.shared::cta>.b16 {%d32}, [%s64]", "sm_90",
       "Matrices.MoveAsDocumented"},
      {"ldmatrix.sync.aligned.m8n8.x1<|.trans>.b16 {%d32}, [%n64]", "sm_75", "Matrices.MoveAsDocumented"},
      {"ldmatrix.sync.aligned.m8n8.x2<|.trans>.shared.b16 {%d32, %e32}, [%s32]", "sm_75", "Matrices.MoveAsDocumented"},
      {"ldmatrix.sync.aligned.m8n8.x4<|.trans>.shared.b16 {%wd*4}, [%s32]", "sm_75", "Matrices.MoveAsDocumented"},
      {"stmatrix.sync.aligned.m8n8.x1<|.trans>.shared.b16 [%s32], {%a32}", "sm_90", "Matrices.MoveAsDocumented"},
      {"stmatrix.sync.aligned.m8n8.x2<|.trans>.shared.b16 [%s32], {%a32, %b32}", "sm_90", "Matrices.MoveAsDocumented"},
      {"stmatrix.sync.aligned.m8n8.x4<|.trans>.shared.b16 [%s32], {%wa*4}", "sm_90", "Matrices.MoveAsDocumented"},
  };
  return table;
}

std::span<const Form> barrier_forms() {
  static constexpr std::string_view blocks = "Barriers.OfABlock", objects = "Mbarriers.OfEveryForm",
                                    clusters = "Clusters.OfOneBlock", fences = "Hints.ChangeNothing";
  static constexpr Form table[] = {
      {"bar<|.cta>.sync 0<|, 64>", "sm_75", blocks},
      {"bar<|.cta>.sync %a32<|, %b32>", "sm_75", blocks},
      {"bar<|.cta>.arrive 1, 64", "sm_75", blocks},
      {"bar<|.cta>.red.popc.u32 %d32, 0<|, 64>, <|!>%pa", "sm_75", blocks},
      {"bar<|.cta>.red.<and|or>.pred %p, 0<|, 64>, <|!>%pa", "sm_75", blocks},
      {"barrier<|.cta>.sync<|.aligned> 0<|, 64>", "sm_75", blocks},
      {"barrier<|.cta>.arrive<|.aligned> 1, 64", "sm_75", blocks},
      {"barrier<|.cta>.red.popc<|.aligned>.u32 %d32, 0<|, 64>, %pa", "sm_75", blocks},
      {"barrier<|.cta>.red.<and|or><|.aligned>.pred %p, 0<|, 64>, !%pa", "sm_75", blocks},
      {"barrier.cluster.arrive<|.release|.relaxed><|.aligned>", "sm_90", clusters},
      {"barrier.cluster.wait<|.acquire><|.aligned>", "sm_90", clusters},
      {"mapa.u64 %d64, %n64, %b32", "sm_90", clusters},
      {"mapa.shared::cluster.u32 %d32, %s32, %b32", "sm_90", clusters},
      {"mapa.shared::cluster.u64 %d64, %s64, <%b32|0>", "sm_90", clusters},
      {"mapa.shared::cluster.u32 %d32, shared_bytes<|+4>, 0", "sm_90", clusters},
      {"getctarank.u64 %d32, %n64", "sm_90", clusters},
      {"getctarank.shared::cluster.<u32|u64> %d32, %s#1", "sm_90", clusters},
      {"getctarank.shared::cluster.u32 %d32, shared_bytes<|+4>", "sm_90", clusters},
      {"ld<|.relaxed.cluster|.acquire.cluster>.shared::cluster.b32 %d32, [%s32]", "sm_90", clusters},
      {"st<|.relaxed.cluster|.release.cluster>.shared::cluster.b32 [%s32], %b32", "sm_90", clusters},
      {"atom.shared::cluster.add.u32 %d32, [%s32], %b32", "sm_90", clusters},
      {"red.shared::cluster.add.u32 [%s32], %b32", "sm_90", clusters},
      {"clusterlaunchcontrol.try_cancel.async.<shared::cta.mbarrier::complete_tx::bytes.b128 [%s32], [%m32]|"
       "mbarrier::complete_tx::bytes.b128 [%n64], [%n64]>",
       "sm_100", "Clusters.EveryBlockIsLaunched"},
      {"clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p, %a128", "sm_100", "Clusters.EveryBlockIsLaunched"},
      {"clusterlaunchcontrol.query_cancel.get_first_ctaid::<x|y|z>.b32.b128 %d32, %a128", "sm_100",
       "Clusters.EveryBlockIsLaunched"},
      // Barrier objects
      {"mbarrier.init.b64 [%n64], 2", "sm_80", objects},
      {"mbarrier.init.shared::cta.b64 [%m32], 2", "sm_90", objects},
      {"mbarrier.init.shared.b64 [%m32], %b32", "sm_80", objects},
      {"mbarrier.inval.shared.b64 [%m32]", "sm_80", objects},
      {"mbarrier.arrive<.noComplete|>.shared.b64 %d64, [%m32], 1", "sm_90", objects},
      {"mbarrier.arrive.shared.b64 %d64, [%m32]", "sm_80", objects},
      {"mbarrier.arrive.<release|relaxed>.<cta|cluster>.shared::cta.b64 <%d64|_>, [%m32]<|, 2>", "sm_90", objects},
      {"mbarrier.arrive<|.release.cluster>.shared::cluster.b64 _, [%m32]<|, 2>", "sm_90", objects},
      {"mbarrier.arrive.expect_tx<|.release.cta|.relaxed.cluster>.shared::cta.b64 %d64, [%m32], %b32", "sm_90",
       objects},
      {"mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%m32], %b32", "sm_90", objects},
      {"mbarrier.arrive_drop.shared.b64 %d64, [%m32]", "sm_80", objects},
      {"mbarrier.arrive_drop.noComplete.shared.b64 %d64, [%m32], 1", "sm_80", objects},
      {"mbarrier.arrive_drop.expect_tx.shared::cta.b64 %d64, [%m32], %b32", "sm_90", objects},
      {"mbarrier.expect_tx.relaxed.<cta|cluster>.shared::cta.b64 [%m32], %b32", "sm_90", objects},
      {"mbarrier.complete_tx.relaxed.<cta|cluster>.shared::cta.b64 [%m32], %b32", "sm_90", objects},
      {"mbarrier.test_wait.shared.b64 %p, [%m32], %a64", "sm_80", objects},
      {"mbarrier.test_wait.parity<|.acquire.cta|.relaxed.cluster>.shared::cta.b64 %p, [%m32], %b32", "sm_90", objects},
      {"mbarrier.try_wait<|.acquire.cta|.relaxed.cluster>.shared::cta.b64 %p, [%m32], %a64<|, %b32>", "sm_90", objects},
      {"mbarrier.try_wait.parity<|.acquire.cluster>.shared::cta.b64 %p, [%m32], %b32<|, 1000>", "sm_90", objects},
      {"mbarrier.pending_count.b64 %d32, %a64", "sm_80", objects},
      // Order in memory: the emulator is sequentially consistent
      {"membar.<cta|gl|sys>", "sm_75", fences},
      {"membar.proxy.alias", "sm_75", fences},
      {"fence<|.sc|.acq_rel>.<cta|gpu|sys>", "sm_75", fences},
      {"fence.<sc|acq_rel|acquire|release>.cluster", "sm_90", fences},
      {"fence.<acquire|release>.<cta|gpu|sys>", "sm_90", fences},
      {"fence.acquire.sync_restrict::shared::cluster.cluster", "sm_90", fences},
      {"fence.release.sync_restrict::shared::cta.cluster", "sm_90", fences},
      {"fence.mbarrier_init.release.cluster", "sm_90", fences},
      {"fence.proxy.<alias|async|async.global|async.shared::cta|async.shared::cluster>", "sm_90", fences},
      {"fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster", "sm_90", fences},
      {"fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster", "sm_90", fences},
      {"fence.proxy.tensormap::generic.release.<cta|gpu|sys>", "sm_90", fences},
      {"fence.proxy.tensormap::generic.acquire.<cta|gpu|sys> [%g64], 128", "sm_90", fences},
  };
  return table;
}

std::span<const Form> control_forms() {
  static constexpr std::string_view test = "Control.Branches",
                                    calls = "Control.CallsThroughPointersAndRegistersAndTheStack",
                                    hints = "Hints.ChangeNothing", ends = "Control.Ends";
  static constexpr Form table[] = {
      {"@<|!>%pa bra<|.uni> there", "sm_75", test},
      {"brx.idx<|.uni> %a32, targets", "sm_75", test},
      {"call<|.uni> (cr), callee, (ca)", "sm_75", calls},
      {"call<|.uni> (cr), %g64, (ca), <prototype|functions>", "sm_75", calls},
      {"ret<|.uni>", "sm_75", ends},
      {"exit", "sm_75", ends},
      {"trap", "sm_75", ends},
      {"brkpt", "sm_75", ends},
      {"alloca.u64 %d64, %a64<|, 16>", "sm_75", calls},
      {"stacksave.u64 %d64", "sm_75", calls},
      {"stackrestore.u64 %d64", "sm_75", calls},
      {"nanosleep.u32 <%a32|20>", "sm_75", hints},
      {"pmevent 1", "sm_75", hints},
      {"pmevent.mask 3", "sm_75", hints},
      {"griddepcontrol.<launch_dependents|wait>", "sm_90", hints},
      {"setmaxnreg.<inc|dec>.sync.aligned.u32 40", "sm_90a", hints},
  };
  return table;
}

}  // namespace lanescope::emulator
