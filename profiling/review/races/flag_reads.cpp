#include "profiling/review/races/flag_reads.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "profiling/races/conflict.h"

namespace lanescope::review {
namespace {

using Kind = ptx::Operand::Kind;
using Loop = std::pair<std::size_t, std::size_t>;  // first and last instruction

/// How far behind a read its comparison is looked for, in instructions.
constexpr std::size_t reach = 48;

std::vector<Loop> loops_of(const ptx::Entry& entry) {
  std::vector<Loop> loops;
  for (std::size_t pc = 0; pc < entry.code.size(); ++pc)
    for (const ptx::Operand& o : entry.code[pc].operands)
      if (o.kind == Kind::label && o.target >= 0 && static_cast<std::size_t>(o.target) <= pc)
        loops.emplace_back(static_cast<std::size_t>(o.target), pc);
  return loops;
}

/// By register: it is set in one place, to a constant.
std::vector<bool> constant_registers(const ptx::Entry& entry) {
  std::vector<int> times(entry.registers.size(), 0), constants(entry.registers.size(), 0);
  const auto count = [&](const ptx::Operand& d, bool constant) {
    if (d.kind != Kind::reg || d.reg < 0 || static_cast<std::size_t>(d.reg) >= times.size()) return;
    ++times[static_cast<std::size_t>(d.reg)];
    constants[static_cast<std::size_t>(d.reg)] += constant ? 1 : 0;
  };
  for (const ptx::Instruction& in : entry.code) {
    if (in.operands.empty()) continue;
    count(in.operands[0], in.opcode == "mov" && in.operands.size() > 1 && in.operands[1].kind == Kind::immediate);
    for (const ptx::Operand& d : in.operands[0].elements) count(d, false);
  }
  std::vector<bool> out;
  for (std::size_t r = 0; r < times.size(); ++r) out.push_back(times[r] == 1 && constants[r] == 1);
  return out;
}

bool is_constant(const std::vector<bool>& constants, const ptx::Operand& o) {
  if (o.kind == Kind::immediate) return true;
  return o.kind == Kind::reg && o.reg >= 0 && static_cast<std::size_t>(o.reg) < constants.size() &&
         constants[static_cast<std::size_t>(o.reg)];
}

bool writes_register(const ptx::Instruction& in, int reg) {
  if (in.operands.empty() || in.opcode == "st" || in.opcode == "red") return false;
  const ptx::Operand& d = in.operands[0];
  return (d.kind == Kind::reg && d.reg == reg) ||
         std::ranges::any_of(d.elements, [&](const ptx::Operand& e) { return e.kind == Kind::reg && e.reg == reg; });
}

/// The value is compared: with a constant, or with anything.
enum class Compared : std::uint8_t { no, with_value, with_constant };

Compared compared(const ptx::Entry& entry, const std::vector<bool>& constants, std::size_t pc, int reg) {
  std::set<int> values{reg};
  Compared found = Compared::no;
  for (std::size_t i = pc + 1; i < std::min(entry.code.size(), pc + reach); ++i) {
    const ptx::Instruction& in = entry.code[i];
    const auto is_value = [&](const ptx::Operand& o) { return o.kind == Kind::reg && values.contains(o.reg); };
    if (in.operands.size() < 2 || std::none_of(in.operands.begin() + 1, in.operands.end(), is_value)) continue;
    if (in.opcode == "setp") {
      const bool constant = std::any_of(in.operands.begin() + 1, in.operands.end(),
                                        [&](const ptx::Operand& o) { return is_constant(constants, o); });
      if (constant) return Compared::with_constant;
      found = Compared::with_value;
    } else if ((in.opcode == "mov" || in.opcode == "cvt" || in.opcode == "and") && in.operands[0].kind == Kind::reg) {
      values.insert(in.operands[0].reg);
    }
  }
  return found;
}

const ptx::Operand* address_of(const ptx::Instruction& in) {
  for (const ptx::Operand& o : in.operands)
    if (o.kind == Kind::address) return &o;
  return nullptr;
}

bool same_place(const ptx::Operand& a, const ptx::Operand& b) {
  return a.reg == b.reg && a.symbol == b.symbol && a.symbol_scope == b.symbol_scope && a.offset == b.offset;
}

bool in_memory(const ptx::Instruction& in) {
  return (in.opcode == "ld" && !in.has("param") && !in.has("const")) || in.opcode == "st" || in.opcode == "atom" ||
         in.opcode == "red";
}

/// By pc: a thread that executes `from` may execute it later.
std::vector<bool> reached_from(const std::vector<ptx::Instruction>& code, std::size_t from) {
  std::vector<bool> seen(code.size(), false);
  std::vector<std::size_t> open{from};
  const auto go = [&](std::size_t to) {
    if (to < code.size() && !seen[to]) seen[to] = true, open.push_back(to);
  };
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    const ptx::Instruction& in = code[at];
    for (const ptx::Operand& o : in.operands)
      if (o.kind == Kind::label && o.target >= 0) go(static_cast<std::size_t>(o.target));
    const bool leaves = in.opcode == "bra" || in.opcode == "ret" || in.opcode == "exit";
    if (!leaves || in.predicate >= 0) go(at + 1);
  }
  return seen;
}

/// The lock that an atomic takes: the thread writes a constant to the same place behind it. An atomic that nobody undoes takes none.
std::optional<Lock> lock_of(const LaunchReview& launch, const std::vector<bool>& constants, std::size_t pc) {
  const std::vector<ptx::Instruction>& code = launch.entry->code;
  const ptx::Operand* const place = address_of(code[pc]);
  if (place == nullptr) return std::nullopt;
  Lock lock{.takes = static_cast<std::uint32_t>(pc)};
  const auto at_lock = [&](std::size_t i) {
    const ptx::Operand* const at = address_of(code[i]);
    return at != nullptr && same_place(*at, *place);
  };
  const std::size_t size = std::min(code.size(), launch.code.size());
  const std::vector<bool> later = reached_from(code, pc);
  const auto of_constant = [&](const ptx::Instruction& in) { return is_constant(constants, in.operands.back()); };
  for (std::size_t i = pc + 1; i < size; ++i)
    if (later[i] && at_lock(i) && of_constant(code[i]) && !code[i].has("cas") &&
        (code[i].opcode == "st" || code[i].opcode == "atom" || code[i].opcode == "red"))
      lock.gives_back = static_cast<std::uint32_t>(i);
  if (lock.gives_back == 0) return std::nullopt;
  const races::Instruction takes = races::read_instruction(launch.code[pc]),
                           gives = races::read_instruction(launch.code[lock.gives_back]);
  const auto has = [&](std::size_t i, const char* what) { return launch.code[i].text.find(what) != std::string::npos; };
  if (has(pc, ".acquire") || has(pc, ".acq_rel")) lock.behind = takes.scope;
  if (gives.releases) lock.before = gives.scope;
  for (std::size_t i = pc + 1; i < lock.gives_back && (!in_memory(code[i]) || at_lock(i)); ++i)
    lock.behind = std::max(lock.behind, races::read_instruction(launch.code[i]).fence);
  for (std::size_t i = lock.gives_back; i-- > pc + 1 && !in_memory(code[i]);)
    lock.before = std::max(lock.before, races::read_instruction(launch.code[i]).fence);
  lock.global = !code[pc].has("shared") && !code[pc].has("shared::cta");
  for (std::size_t i = pc + 1; i < lock.gives_back; ++i)
    lock.protects = lock.protects || (in_memory(code[i]) && !at_lock(i) && !code[i].has("local") &&
                                      code[i].opcode != "atom" && code[i].opcode != "red");
  return lock;
}

}  // namespace

races::Scope scope_needed(const Lock& lock, const LaunchReview& launch) {
  return lock.global && launch.launch.grid.count() > 1 ? races::Scope::device : races::Scope::block;
}

std::string_view where_unfenced(const Lock& lock, races::Scope needed) {
  const bool behind = lock.behind < needed, before = lock.before < needed;
  return behind && before ? "behind taking it and before giving it back"
         : behind         ? "behind taking it"
         : before         ? "before giving it back"
                          : std::string_view();
}

FlagReads flag_reads(const LaunchReview& launch) {
  FlagReads out;
  const ptx::Entry& entry = *launch.entry;
  out.decides.assign(launch.code.size(), false);
  const std::vector<Loop> loops = loops_of(entry);
  const std::vector<bool> constants = constant_registers(entry);
  std::set<std::tuple<int, int, std::string>> places;  // the compiler may have copied a loop's first turn
  const auto place = [&](std::size_t pc) {
    const trace::CodeSite& site = launch.code[pc];
    return std::tuple(site.line, site.column, entry.code[pc].opcode);
  };
  const std::size_t size = std::min(launch.code.size(), entry.code.size());
  for (std::size_t pc = 0; pc < size; ++pc) {
    const races::Instruction how = races::read_instruction(launch.code[pc]);
    const ptx::Instruction& in = entry.code[pc];
    out.fence = std::max({out.fence, how.fence, how.releases ? how.scope : races::Scope::none});
    const bool access = launch.code[pc].kind == trace::StepKind::load || launch.code[pc].kind == trace::StepKind::store;
    out.strong = out.strong || how.updates || (access && races::is_strong(how.touch));
    if ((in.opcode != "ld" && in.opcode != "atom") || in.operands.size() < 2 || in.operands[0].kind != Kind::reg)
      continue;
    const Compared is = compared(entry, constants, pc, in.operands[0].reg);
    if (is == Compared::no) continue;
    const ptx::Operand& address = in.operands[1];
    const bool polls = std::ranges::any_of(loops, [&](const Loop& l) {
      return l.first <= pc && pc <= l.second &&
             (address.reg < 0 ||
              std::none_of(entry.code.begin() + static_cast<std::ptrdiff_t>(l.first),
                           entry.code.begin() + static_cast<std::ptrdiff_t>(l.second) + 1,
                           [&](const ptx::Instruction& i) { return writes_register(i, address.reg); }));
    });
    if (is == Compared::with_value && !polls) continue;
    out.decides[pc] = true;
    places.insert(place(pc));
    const bool of_constants = std::all_of(in.operands.begin() + 2, in.operands.end(),
                                          [&](const ptx::Operand& o) { return is_constant(constants, o); });
    if (is == Compared::with_constant && of_constants && (in.has("cas") || (in.has("exch") && polls)))
      if (const std::optional<Lock> lock = lock_of(launch, constants, pc)) out.locks.push_back(*lock);
  }
  for (std::size_t pc = 0; pc < size; ++pc)
    if (!out.decides[pc] && (entry.code[pc].opcode == "ld" || entry.code[pc].opcode == "atom"))
      out.decides[pc] = launch.code[pc].line > 0 && places.contains(place(pc));
  out.at_flag.assign(launch.code.size(), false);
  std::vector<const ptx::Operand*> flags;
  for (std::size_t pc = 0; pc < size; ++pc)
    if (const ptx::Operand* at = address_of(entry.code[pc]); out.decides[pc] && at != nullptr)
      if (std::ranges::none_of(flags, [&](const ptx::Operand* f) { return same_place(*at, *f); })) flags.push_back(at);
  for (std::size_t pc = 0; pc < size; ++pc)
    if (const ptx::Operand* at = address_of(entry.code[pc]); in_memory(entry.code[pc]) && at != nullptr)
      out.at_flag[pc] = std::ranges::any_of(flags, [&](const ptx::Operand* f) { return same_place(*at, *f); });
  return out;
}

}  // namespace lanescope::review
