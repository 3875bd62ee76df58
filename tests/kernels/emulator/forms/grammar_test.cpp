// Forms that the syntax of the PTX ISA has and the assembler takes, found without the decoder (scripts/ptx_forms.py): each is
// executed, or its refusal is named here.

#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "kernels/emulator/forms/forms.h"

namespace lanescope::emulator::test {
namespace {

/// What is refused by name: the beginning of the instruction, and the reason in short.
struct Refused {
  std::string_view begins, why;
};
constexpr Refused refused_by_name[] = {
    {"multimem.", "memory of several GPUs"},
    {"tcgen05.", "tensor memory"},
    {"tensormap.", "tensor maps"},
    {"tex.", "textures"},
    {"tld4.", "textures"},
    {"txq.", "textures"},
    {"suld.", "surfaces"},
    {"suq.", "surfaces"},
    {"sured.", "surfaces"},
    {"sust.", "surfaces"},
    {"istypep.", "textures and surfaces"},
    {"prefetch.tensormap ", "tensor maps"},
    {"prefetch.const.tensormap ", "tensor maps"},
    {"prefetch.param.tensormap ", "tensor maps"},
    {"prefetch.tensormap.param ", "tensor maps"},
    {"clusterlaunchcontrol.try_cancel.async.mbarrier::complete_tx::bytes.multicast", "answers to several blocks"},
    {"clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast", "the same"},
    {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%s32], [%g64], 16, %c64",
     "the address of a barrier object without brackets"},
    {"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%s32], [%g64], 16, %c64", "the same"},
};

bool named(std::string_view instance) {
  for (const Refused& r : refused_by_name)
    if (instance.starts_with(r.begins)) return true;
  return false;
}

std::map<std::string, std::vector<std::string>> accepted_by_target() {
  std::map<std::string, std::vector<std::string>> out;
  std::ifstream in(LANESCOPE_TEST_DATA_DIR "/ptx/accepted_forms.txt");
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t space = line.find(' ');
    out[line.substr(0, space)].push_back(line.substr(space + 1));
  }
  return out;
}

TEST(GrammarForms, WhatTheAssemblerTakesIsExecutedOrRefusedByName) {
  std::size_t all = 0, executed = 0, refused = 0;
  for (const auto& [target, instances] : accepted_by_target()) {
    const std::vector<std::string> why = refusals(instances, target);
    for (std::size_t i = 0; i < instances.size(); ++i) {
      ++all;
      executed += why[i].empty() ? 1 : 0;
      if (why[i].empty()) continue;
      ++refused;
      if (!named(instances[i])) ADD_FAILURE() << target << " " << instances[i] << ": " << why[i];
    }
  }
  EXPECT_GT(all, 4000u);
  RecordProperty("executed", static_cast<int>(executed));
  RecordProperty("refused", static_cast<int>(refused));
}

}  // namespace
}  // namespace lanescope::emulator::test
