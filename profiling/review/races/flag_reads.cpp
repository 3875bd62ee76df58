#include "profiling/review/races/flag_reads.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "kernels/ptx/value_numbers.h"
#include "profiling/races/conflict.h"

namespace lanescope::review {
namespace {

using Kind = ptx::Operand::Kind;
using Loop = std::pair<std::size_t, std::size_t>;  // first and last instruction

/// How far after a read its comparison is looked for, in instructions.
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

using Place = ptx::ValueNumbers::Value;

/// Where each instruction accesses memory, by pc; the place of one that does not equals that of no other.
std::vector<std::optional<Place>> places_of(const ptx::Entry& entry, ptx::ValueNumbers& values) {
  std::vector<std::optional<Place>> out;
  for (const ptx::Instruction& in : entry.code) {
    const ptx::Operand* const at = address_of(in);
    out.push_back(at == nullptr ? std::nullopt : std::optional(values.place(*at)));
  }
  return out;
}

bool in_memory(const ptx::Instruction& in) {
  return (in.opcode == "ld" && !in.has("param") && !in.has("const")) || in.opcode == "st" || in.opcode == "atom" ||
         in.opcode == "red";
}

/// By pc: a thread that executes `from` may execute it later.
std::vector<bool> reached_from(const std::vector<ptx::Instruction>& code, std::size_t from) {
  std::vector<bool> seen(code.size(), false);
  std::vector<std::size_t> open{from};
  const auto visit = [&](std::size_t to) {
    if (to < code.size() && !seen[to]) seen[to] = true, open.push_back(to);
  };
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    const ptx::Instruction& in = code[at];
    for (const ptx::Operand& o : in.operands)
      if (o.kind == Kind::label && o.target >= 0) visit(static_cast<std::size_t>(o.target));
    const bool leaves = in.opcode == "bra" || in.opcode == "ret" || in.opcode == "exit";
    if (!leaves || in.predicate >= 0) visit(at + 1);
  }
  return seen;
}

/// Facts about the code, before its locks are found.
struct Code {
  const LaunchReview& launch;
  const std::vector<ptx::Instruction>& code;
  std::vector<bool> constants;               ///< by register
  std::vector<std::optional<Place>> places;  ///< by pc
  std::vector<bool> at_lock;  ///< by pc: at a place that a compare-and-swap or an exchange of constants takes
  std::size_t size() const { return std::min(code.size(), launch.code.size()); }
  bool same_place(std::size_t a, std::size_t b) const { return places[a] && places[a] == places[b]; }
};

bool is_atomic(const ptx::Instruction& in) { return in.opcode == "atom" || in.opcode == "red"; }

/// A plain load whose value is compared and used for nothing else, with an atomic minimum or maximum at its address
/// after it.
bool is_guard(const Code& c, std::size_t pc) {
  const ptx::Instruction& load = c.code[pc];
  if (load.opcode != "ld" || load.operands.size() != 2 || load.operands[0].kind != Kind::reg || load.has("volatile") ||
      load.has("relaxed") || load.has("acquire"))
    return false;
  const int reg = load.operands[0].reg;
  bool guarded = false;
  for (std::size_t i = 0; i < c.code.size(); ++i) {
    const ptx::Instruction& in = c.code[i];
    for (std::size_t n = 0; n < in.operands.size(); ++n) {
      const ptx::Operand& o = in.operands[n];
      const bool elsewhere = (n > 0 || !writes_register(in, reg)) && o.reg == reg && in.opcode != "setp";
      if (elsewhere || std::ranges::any_of(o.elements, [&](const ptx::Operand& e) { return e.reg == reg; }))
        return false;
    }
    guarded = guarded ||
              (i > pc && i < pc + reach && is_atomic(in) && (in.has("min") || in.has("max")) && c.same_place(i, pc));
  }
  return guarded;
}

/// By pc: instructions that compute the address of the access at `from`, including loads of pointers to locks.
void mark_makers(const Code& c, const ptx::ValueNumbers& values, std::size_t from, std::vector<bool>& makers) {
  std::vector<int> open{address_of(c.code[from])->reg};
  while (!open.empty()) {
    const int reg = open.back();
    open.pop_back();
    const int pc = reg < 0 ? -1 : values.definition(reg);
    if (pc < 0 || makers[static_cast<std::size_t>(pc)]) continue;
    makers[static_cast<std::size_t>(pc)] = true;
    const auto& operands = c.code[static_cast<std::size_t>(pc)].operands;
    for (std::size_t i = 1; i < operands.size(); ++i) open.push_back(operands[i].reg);
  }
}

/// Taken at `pc`; the thread writes to the same place after it: a constant, or, if `any_value`, any value. Without such
/// a write there is no lock.
std::optional<Lock> lock_of(const Code& c, const ptx::ValueNumbers& values, std::size_t pc, bool any_value,
                            const std::vector<bool>& decides) {
  const std::vector<ptx::Instruction>& code = c.code;
  const LaunchReview& launch = c.launch;
  if (!c.places[pc]) return std::nullopt;
  Lock lock{.takes = static_cast<std::uint32_t>(pc)};
  const auto at_lock = [&](std::size_t i) { return c.same_place(i, pc); };
  const std::vector<bool> later = reached_from(code, pc);
  const auto of_constant = [&](const ptx::Instruction& in) { return is_constant(c.constants, in.operands.back()); };
  for (std::size_t i = pc + 1; i < c.size(); ++i)
    if (later[i] && at_lock(i) && (any_value ? !decides[i] : of_constant(code[i])) && !code[i].has("cas") &&
        (code[i].opcode == "st" || is_atomic(code[i])))
      lock.gives_back = static_cast<std::uint32_t>(i);
  if (lock.gives_back == 0) return std::nullopt;
  const races::Instruction takes = races::read_instruction(launch.code[pc]),
                           gives = races::read_instruction(launch.code[lock.gives_back]);
  const auto has = [&](std::size_t i, const char* what) { return launch.code[i].text.find(what) != std::string::npos; };
  if (has(pc, ".acquire") || has(pc, ".acq_rel")) lock.after = takes.scope;
  if (gives.releases) lock.before = gives.scope;
  lock.plain_store = code[lock.gives_back].opcode == "st" && !races::is_strong(gives.touch);
  std::vector<bool> makers(code.size(), false);
  for (std::size_t i = 0; i < c.size(); ++i)
    if (at_lock(i)) mark_makers(c, values, i, makers);
  // Accesses of other locks and of the lock's own address are not protected ones.
  const auto is_data = [&](std::size_t i) {
    return in_memory(code[i]) && !makers[i] && !at_lock(i) && !c.at_lock[i] && !is_atomic(code[i]) &&
           !code[i].has("local");
  };
  for (std::size_t i = pc + 1; i < lock.gives_back && !is_data(i); ++i)
    lock.after = std::max(lock.after, races::read_instruction(launch.code[i]).fence);
  for (std::size_t i = lock.gives_back; i-- > pc + 1 && !is_data(i);)
    lock.before = std::max(lock.before, races::read_instruction(launch.code[i]).fence);
  lock.global = !code[pc].has("shared") && !code[pc].has("shared::cta");
  for (std::size_t i = pc + 1; i < lock.gives_back; ++i) lock.protects = lock.protects || is_data(i);
  return lock;
}

/// A register that an atomic addition or one of its copies has set: the place of the atomic.
std::optional<Place> ticket_of(const Code& c, const ptx::ValueNumbers& values, const ptx::Operand& operand) {
  int reg = operand.kind == Kind::reg ? operand.reg : -1;
  for (int steps = 0; reg >= 0 && steps < 8; ++steps) {
    const int pc = values.definition(reg);
    if (pc < 0) return std::nullopt;
    const ptx::Instruction& in = c.code[static_cast<std::size_t>(pc)];
    if (in.opcode == "atom")
      return in.has("add") || in.has("inc") ? c.places[static_cast<std::size_t>(pc)] : std::nullopt;
    if (in.opcode != "mov" && in.opcode != "cvt" && in.opcode != "and") return std::nullopt;
    reg = in.operands.size() > 1 && in.operands[1].kind == Kind::reg ? in.operands[1].reg : -1;
  }
  return std::nullopt;
}

/// A poll of a ticket lock: until the value read equals the ticket, which is from another address.
bool awaits_ticket(const Code& c, const ptx::ValueNumbers& values, std::size_t pc) {
  const int reg = c.code[pc].operands[0].reg;
  for (std::size_t i = pc + 1; i < std::min(c.code.size(), pc + reach); ++i) {
    const ptx::Instruction& in = c.code[i];
    if (in.opcode != "setp" || in.operands.size() < 3 || !(in.has("eq") || in.has("ne"))) continue;
    for (const int read : {1, 2}) {
      const ptx::Operand& o = in.operands[static_cast<std::size_t>(read)];
      if (o.kind != Kind::reg || o.reg != reg) continue;
      const std::optional<Place> from = ticket_of(c, values, in.operands[static_cast<std::size_t>(3 - read)]);
      if (from && c.places[pc] && from != c.places[pc]) return true;
    }
  }
  return false;
}

}  // namespace

races::Scope scope_needed(const Lock& lock, const LaunchReview& launch) {
  return lock.global && launch.launch.grid.count() > 1 ? races::Scope::device : races::Scope::block;
}

std::string_view where_unfenced(const Lock& lock, races::Scope needed) {
  const bool after = lock.after < needed, before = lock.before < needed;
  return after && before ? "after taking it and before releasing it"
         : after         ? "after taking it"
         : before        ? "before releasing it"
                         : std::string_view();
}

FlagReads flag_reads(const LaunchReview& launch) {
  FlagReads out;
  const ptx::Entry& entry = *launch.entry;
  out.decides.assign(launch.code.size(), false);
  out.guards.assign(launch.code.size(), false);
  const std::vector<Loop> loops = loops_of(entry);
  ptx::ValueNumbers values(entry);
  Code c{.launch = launch,
         .code = entry.code,
         .constants = constant_registers(entry),
         .places = places_of(entry, values),
         .at_lock = std::vector<bool>(entry.code.size(), false)};
  for (std::size_t pc = 0; pc < c.size(); ++pc) out.guards[pc] = is_guard(c, pc);
  const auto of_constants = [&](const ptx::Instruction& in) {
    return in.operands.size() > 2 && std::all_of(in.operands.begin() + 2, in.operands.end(),
                                                 [&](const ptx::Operand& o) { return is_constant(c.constants, o); });
  };
  for (std::size_t pc = 0; pc < entry.code.size(); ++pc) {
    const ptx::Instruction& in = entry.code[pc];
    if (in.opcode != "atom" || !in.has("cas") || !of_constants(in)) continue;
    for (std::size_t i = 0; i < entry.code.size(); ++i)
      if (c.same_place(i, pc)) c.at_lock[i] = true;
  }
  std::set<std::tuple<int, int, std::string>> places;  // the compiler may have copied a loop's first turn
  const auto place = [&](std::size_t pc) {
    const trace::CodeSite& site = launch.code[pc];
    return std::tuple(site.line, site.column, entry.code[pc].opcode);
  };
  const std::size_t size = c.size();
  std::vector<std::size_t> taken, awaited;  // pcs where locks may be taken
  for (std::size_t pc = 0; pc < size; ++pc) {
    const races::Instruction how = races::read_instruction(launch.code[pc]);
    const ptx::Instruction& in = entry.code[pc];
    out.fence = std::max({out.fence, how.fence, how.releases ? how.scope : races::Scope::none});
    const bool access = launch.code[pc].kind == trace::StepKind::load || launch.code[pc].kind == trace::StepKind::store;
    out.strong = out.strong || how.updates || (access && races::is_strong(how.touch));
    if ((in.opcode != "ld" && in.opcode != "atom") || in.operands.size() < 2 || in.operands[0].kind != Kind::reg)
      continue;
    const Compared is = compared(entry, c.constants, pc, in.operands[0].reg);
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
    if (is == Compared::with_constant && of_constants(in) && (in.has("cas") || (in.has("exch") && polls)))
      taken.push_back(pc);
    else if (polls && (in.opcode == "atom" || races::is_strong(how.touch)) && awaits_ticket(c, values, pc))
      awaited.push_back(pc);
  }
  for (std::size_t pc = 0; pc < size; ++pc)
    if (!out.decides[pc] && (entry.code[pc].opcode == "ld" || entry.code[pc].opcode == "atom"))
      out.decides[pc] = launch.code[pc].line > 0 && places.contains(place(pc));
  for (const std::size_t pc : taken)
    if (const std::optional<Lock> lock = lock_of(c, values, pc, false, out.decides)) out.locks.push_back(*lock);
  for (const std::size_t pc : awaited)
    if (const std::optional<Lock> lock = lock_of(c, values, pc, true, out.decides)) out.locks.push_back(*lock);
  out.at_flag.assign(launch.code.size(), false);
  std::set<std::pair<int, std::int64_t>> flags;
  for (std::size_t pc = 0; pc < size; ++pc)
    if (out.decides[pc] && c.places[pc]) flags.emplace(c.places[pc]->number, c.places[pc]->offset);
  for (std::size_t pc = 0; pc < size; ++pc)
    out.at_flag[pc] =
        in_memory(entry.code[pc]) && c.places[pc] && flags.contains({c.places[pc]->number, c.places[pc]->offset});
  return out;
}

}  // namespace lanescope::review
