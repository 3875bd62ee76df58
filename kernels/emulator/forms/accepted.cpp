#include <algorithm>

#include "kernels/emulator/forms/forms.h"

namespace lanescope::emulator {
namespace {

struct RefusedByName {
  std::string_view mnemonic;
  std::string_view part;  ///< that the opcode has; empty: any opcode of the mnemonic
  std::string_view why;
};

constexpr std::string_view textures = "textures and surfaces", tensor_maps = "tensor maps",
                           narrow = "matrices of 8, 6 and 4 bits";
constexpr RefusedByName refused_names[] = {
    {"multimem", "", "memory of several GPUs"},
    {"tcgen05", "", "tensor memory"},
    {"tensormap", "", tensor_maps},
    {"tex", "", textures},
    {"tld4", "", textures},
    {"txq", "", textures},
    {"suld", "", textures},
    {"suq", "", textures},
    {"sured", "", textures},
    {"sust", "", textures},
    {"istypep", "", textures},
    {"prefetch", "tensormap", tensor_maps},
    {"cp", "tensor", tensor_maps},
    {"ldmatrix", "b8", narrow},
    {"ldmatrix", "b8x16", narrow},
    {"stmatrix", "b8", narrow},
    {"fma", "oob", "a NaN that the PTX ISA leaves open"},
    {"clusterlaunchcontrol", "multicast::cluster::all", "answers to several blocks"},
    {"clusterlaunchcontrol", "v4", "an answer in four registers"},
    {"cp", "cp_mask", "byte masks of copies"},
};

bool has_part(std::string_view opcode, std::string_view part) {
  for (std::size_t at = opcode.find(part); at != std::string_view::npos; at = opcode.find(part, at + 1))
    if (opcode[at - 1] == '.' && (at + part.size() == opcode.size() || opcode[at + part.size()] == '.')) return true;
  return false;
}

}  // namespace

std::string_view refused_by_name(std::string_view instance) {
  const std::string_view opcode = opcode_of(instance), mnemonic = mnemonic_of(instance);
  const auto at = std::ranges::find_if(refused_names, [&](const RefusedByName& r) {
    return r.mnemonic == mnemonic && (r.part.empty() || has_part(opcode, r.part));
  });
  if (at != std::end(refused_names)) return at->why;
  // The PTX ISA writes [mbar]; ptxas takes it without brackets, too.
  const bool bare = opcode.starts_with("cp.async.bulk.") && has_part(opcode, "mbarrier::complete_tx::bytes") &&
                    !instance.ends_with(']');
  return bare ? "the address of a barrier object without brackets" : "";
}

std::vector<AcceptedForm> accepted_forms(std::string_view text) {
  std::vector<AcceptedForm> out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t space = line.find(' ');
    if (line.starts_with('#') || space == std::string_view::npos) continue;
    for (std::string& instance : instances({.pattern = line.substr(space + 1)}))
      out.push_back({.target = std::string(line.substr(0, space)), .instance = std::move(instance)});
  }
  return out;
}

}  // namespace lanescope::emulator
