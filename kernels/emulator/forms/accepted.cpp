#include <algorithm>

#include "kernels/emulator/forms/forms.h"

namespace lanescope::emulator {
namespace {

struct RefusedByName {
  std::string_view begins;  ///< of the instruction
  std::string_view why;
};

constexpr RefusedByName refused_names[] = {
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
    {"prefetch.tensormap", "tensor maps"},
    {"prefetch.const.tensormap", "tensor maps"},
    {"prefetch.param.tensormap", "tensor maps"},
    {"clusterlaunchcontrol.try_cancel.async.mbarrier::complete_tx::bytes.multicast", "answers to several blocks"},
    {"clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast",
     "answers to several blocks"},
    {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%s32], [%g64], 16, %c64",
     "the address of a barrier object without brackets"},
    {"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%s32], [%g64], 16, %c64",
     "the address of a barrier object without brackets"},
};

}  // namespace

std::string_view refused_by_name(std::string_view instance) {
  const auto at =
      std::ranges::find_if(refused_names, [&](const RefusedByName& r) { return instance.starts_with(r.begins); });
  return at == std::end(refused_names) ? std::string_view{} : at->why;
}

std::vector<AcceptedForm> accepted_forms(std::string_view text) {
  std::vector<AcceptedForm> out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t space = line.find(' ');
    if (line.starts_with('#') || space == std::string_view::npos) continue;
    out.push_back({.target = std::string(line.substr(0, space)), .instance = std::string(line.substr(space + 1))});
  }
  return out;
}

}  // namespace lanescope::emulator
