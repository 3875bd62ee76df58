#include "profiling/races/instruction.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

namespace lanescope::races {
namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// The opcode with its modifiers, without the guard: "@%p1 st.global.u32 [..], %r1;" -> "st.global.u32".
std::string_view opcode_of(std::string_view text) {
  if (text.starts_with('@')) text.remove_prefix(std::min(text.find(' ') + 1, text.size()));
  return text.substr(0, text.find_first_of(" ;"));
}

/// Of the whole opcode with modifiers; ".shared::cta" and ".shared::cluster" are state spaces, no scopes.
Scope scope_of(std::string_view opcode) {
  if (has(opcode, ".cta")) return Scope::block;
  return has(opcode, ".cluster") && !has(opcode, ".multicast") ? Scope::cluster : Scope::device;
}

/// The operands: "1, 64;".
std::string_view operands_of(std::string_view text) {
  if (text.starts_with('@')) text.remove_prefix(std::min(text.find(' ') + 1, text.size()));
  const std::size_t blank = text.find(' ');
  return blank == std::string_view::npos ? std::string_view() : text.substr(blank + 1);
}

std::ptrdiff_t commas(std::string_view text) { return std::ranges::count(text, ','); }

/// `bar.sync 0` and its kind.
bool of_whole_block(std::string_view opcode, std::string_view operands) {
  if (has(opcode, ".cluster") || has(opcode, ".arrive")) return false;
  if (!has(opcode, ".red")) return operands == "0;";
  return commas(operands) == 2 && has(operands, ", 0,");
}

CopyGroup copy_group(std::string_view opcode) {
  if (opcode.starts_with("wgmma.commit_group")) return CopyGroup::matrix_commit;
  if (opcode.starts_with("wgmma.wait_group")) return CopyGroup::matrix_wait;
  if (!opcode.starts_with("cp.async")) return CopyGroup::none;
  const bool bulk = has(opcode, ".bulk");
  if (has(opcode, ".commit_group")) return bulk ? CopyGroup::bulk_commit : CopyGroup::commit;
  if (has(opcode, ".wait_all")) return CopyGroup::wait_all;
  if (!has(opcode, ".wait_group")) return CopyGroup::none;
  if (!bulk) return CopyGroup::wait;
  return has(opcode, ".read") ? CopyGroup::bulk_wait_read : CopyGroup::bulk_wait;
}

}  // namespace

Instruction read_instruction(const trace::CodeSite& site) {
  Instruction i{.exits = site.kind == trace::StepKind::exit,
                .launches = site.kind == trace::StepKind::branch && has(site.text, "__cudaCDP2LaunchDevice")};
  const std::string_view opcode = opcode_of(site.text);
  if (opcode.starts_with("membar") ||
      (opcode.starts_with("fence") && !has(opcode, "proxy") && !has(opcode, "mbarrier")))
    i.fence = scope_of(opcode);
  i.fences_inits = opcode.starts_with("fence.mbarrier_init");
  i.relaxed = (has(opcode, "barrier.cluster.arrive") || opcode.starts_with("mbarrier.")) && has(opcode, ".relaxed");
  if (opcode.starts_with("mbarrier.")) {
    i.to_block = has(opcode, ".cta");
    i.unscoped = !i.to_block && !has(opcode, ".cluster");
  }
  i.copies = copy_group(opcode);
  i.of_warp = opcode.starts_with("wgmma.");
  i.object = has(opcode, "mbarrier") && !i.fences_inits;
  i.initialises = opcode.starts_with("mbarrier.init");
  i.asynchronous =
      (opcode.starts_with("cp.async") || opcode.starts_with("st.async") || opcode.starts_with("red.async")) &&
      i.copies == CopyGroup::none;
  for (const char c : operands_of(site.text))
    if (i.copies != CopyGroup::none && c >= '0' && c <= '9')
      i.kept_groups = i.kept_groups * 10 + static_cast<std::uint32_t>(c - '0');
  const bool atomic = site.kind == trace::StepKind::atomic;
  const bool store = opcode.starts_with("st") || opcode.starts_with("cp");
  const bool strong = atomic || has(opcode, ".relaxed") || has(opcode, ".acquire") || has(opcode, ".release");
  if (strong) {
    i.touch = atomic || store ? Touch::strong_write : Touch::strong_read;
    i.scope = scope_of(opcode);
  } else if (has(opcode, ".volatile") || has(opcode, ".mmio")) {
    i.touch = store ? Touch::volatile_write : Touch::volatile_read;
  } else {
    i.touch = store ? Touch::write : Touch::read;
  }
  if (site.kind == trace::StepKind::barrier) i.counts = commas(operands_of(site.text)) == (has(opcode, ".red") ? 3 : 1);
  i.updates = atomic;
  i.acquires =
      i.touch == Touch::strong_read || i.touch == Touch::volatile_read || (atomic && !opcode.starts_with("red"));
  i.releases = has(opcode, ".release") || has(opcode, ".acq_rel");
  i.acts = i.fence != Scope::none || i.fences_inits || i.of_warp || i.copies != CopyGroup::none || i.exits;
  return i;
}

namespace {

/// Calls `take` with each register in the text.
void each_register(std::string_view text, auto take) {
  for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 1)) {
    std::size_t end = at + 1;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_' || text[end] == '$'))
      ++end;
    take(text.substr(at, end - at));
  }
}

/// "%r5" of "@%p1 atom.global.add.u32 %r5, [%rd1], 1;", "{%r1, %r2}" of one of 128 bits.
std::string_view destination_of(std::string_view text) {
  const std::string_view operands = operands_of(text);
  const bool vector = operands.starts_with('{');
  return operands.substr(0, operands.find(vector ? '}' : ','));
}

}  // namespace

std::vector<Instruction> read_instructions(const std::vector<trace::CodeSite>& code) {
  std::vector<Instruction> out;
  out.reserve(code.size());
  for (const trace::CodeSite& site : code) out.push_back(read_instruction(site));
  if (std::ranges::none_of(out, [](const Instruction& i) { return i.updates && i.acquires; })) return out;
  std::unordered_map<std::string_view, int> occurrences;
  for (const trace::CodeSite& site : code) each_register(site.text, [&](std::string_view r) { ++occurrences[r]; });
  for (std::size_t pc = 0; pc < out.size(); ++pc) {
    const std::string_view opcode = opcode_of(code[pc].text);
    if (!out[pc].updates || has(opcode, ".acquire") || has(opcode, ".acq_rel")) continue;
    bool used = false;
    each_register(destination_of(code[pc].text), [&](std::string_view r) { used = used || occurrences[r] > 1; });
    out[pc].acquires = out[pc].acquires && used;
  }
  return out;
}

bool has_narrow_scopes(const std::vector<Instruction>& code) {
  return std::ranges::any_of(code, [](const Instruction& i) {
    return !is_plain(i.touch) && !is_volatile(i.touch) && i.scope != Scope::device;
  });
}

bool uses_clusters(const std::vector<trace::CodeSite>& code) {
  return std::ranges::any_of(code, [](const trace::CodeSite& site) {
    return has(site.text, "cluster") || has(site.text, "mapa") || has(site.text, "st.async") ||
           has(site.text, "red.async");
  });
}

bool orders_in_parts(const std::vector<trace::CodeSite>& code) {
  if (uses_clusters(code)) return true;
  for (const trace::CodeSite& site : code) {
    const Instruction i = read_instruction(site);
    if (i.fence != Scope::none || i.releases) return true;
    const std::string_view opcode = opcode_of(site.text);
    if (has(opcode, "mbarrier") || opcode.starts_with("cp.async") || i.scope == Scope::cluster) return true;
    if (site.kind != trace::StepKind::barrier || has(opcode, ".warp")) continue;
    if (!of_whole_block(opcode, operands_of(site.text))) return true;
  }
  return false;
}

}  // namespace lanescope::races
