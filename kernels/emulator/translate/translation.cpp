#include "kernels/emulator/translate/generator.h"
#include "kernels/emulator/translate/translate.h"

#ifdef LANESCOPE_TRANSLATES

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <string_view>

#include "kernels/emulator/lanes/instruction_sets.h"
#include "kernels/emulator/machine/memory_access.h"
#include "kernels/emulator/machine/schedule.h"
#include "kernels/emulator/steps/steps.h"

namespace lanescope::emulator {

namespace {

constexpr u32 longest_stretch = 128, shortest_stretch = 2;
constexpr std::size_t most_stretches = 1024;

struct Stretch {
  Stretch(const StretchPlan& plan, std::size_t count) : generator(plan), active(count, all_lanes) {}
  Generator generator;  ///< has the code
  StretchCode code = nullptr;
  std::vector<u32> active;
};

/// Of the code; 0: nothing is translated.
u32 vector_bytes() {
  static const u32 chosen = [] {
    const char* const set = std::getenv("LANESCOPE_TRANSLATE");
    const std::string_view mode = set != nullptr ? set : "";
    if (mode == "off" || !has_avx2()) return 0u;
    return has_avx512() && mode != "avx2" ? 64u : 32u;
  }();
  return chosen;
}

/// Steps so far, those that observers have not heard of among them: up to operation `end` of the stretch.
void report_steps(StretchRun& run, u32 end) {
  Context& c = *run.context;
  if (end == run.reported) return;
  const trace::Where first{run.first_step + run.executed + run.reported, c.block.index, c.warp.index,
                           run.first + run.reported, 0};
  for (trace::Observer* o : c.machine.options.observers)
    o->on_steps(first, {run.active + run.reported, run.active + end});
  run.reported = end;
}

void count_stores(StretchRun& run) {
  if (run.stores == 0) return;
  run.context->group().polls = 0;
  run.context->machine.acts += run.stores;
  run.stores = 0;
}

/// The store of lane 0, if later accesses may take it for theirs without asking: they are inside of it, or not plain.
const Store* site_of(Context& c, const MemoryOp& m) {
  const u64 first = m.base_bits == 64 ? *row<u64>(c.registers(), m.base) + static_cast<u64>(m.offset)
                                      : static_cast<u32>(*row<u32>(c.registers(), m.base) + static_cast<u32>(m.offset));
  const Store* const s = c.machine.global.find(first, u64{m.bytes} * m.count);
  return s != nullptr && !s->is_heap && (s->writable || m.kind == trace::AccessKind::load) ? s : nullptr;
}

u64 run_step(StretchRun* run, u32 index) {
  Context& c = *run->context;
  const u32 pc = run->first + index;
  const Op& op = c.machine.program->ops[pc];
  const u32 mask = *row<u32>(c.registers(), op.guard) ^ op.guard_flip;
  count_stores(*run);
  run->idle_lanes += static_cast<u64>(lanes - std::popcount(mask));
  c.group().pc = pc;
  c.where.step = run->first_step + run->executed + index;
  c.where.pc = pc;
  c.where.active = mask;
  c.machine.result.warp_instructions = c.where.step + 1;
  if (c.machine.observed()) {
    run->active[index] = mask;
    report_steps(*run, index + 1);
  }
  const MemoryOp& m = c.machine.program->memory[op.immediate];
  const bool plain = mask == all_lanes && m.area == Area::global && c.machine.view == nullptr;
  // Before the access, which may change the address.
  const Store* const site = plain ? site_of(c, m) : nullptr;
  const Flow flow = mask != 0 ? op.step(c, op, mask) : Flow::next;
  if (site != nullptr) run->sites[index] = site;
  return static_cast<u64>(flow);
}

void report_made(StretchRun* run, u32 index, const u8* memory) {
  Context& c = *run->context;
  count_stores(*run);
  report_steps(*run, index + 1);
  c.where.step = run->first_step + run->executed + index;
  c.where.pc = run->first + index;
  report_run(c, c.machine.program->memory[c.machine.program->ops[c.where.pc].immediate], run->addresses, memory);
}

u64 run_branch(StretchRun* run, u32 index) {
  Context& c = *run->context;
  const u32 count = index + 1;
  const Op& op = c.machine.program->ops[run->first + index];
  const u32 mask = *row<u32>(c.registers(), op.guard) ^ op.guard_flip;
  count_stores(*run);
  run->idle_lanes += static_cast<u64>(lanes - std::popcount(mask));
  report_steps(*run, count);  // a branch is executed by all
  run->reported = 0;
  c.group().pc = run->first + index;
  c.where.step = run->first_step + run->executed + index;
  c.where.pc = run->first + index;
  c.where.active = all_lanes;
  op.step(c, op, mask);
  run->executed += count;
  run->left -= count;
  const Group& g = c.group();
  return g.mask == all_lanes && g.pc == run->first && g.polls < polls_to_yield && run->left >= count ? 1 : 0;
}

class MachineCode final : public Translation {
 public:
  explicit MachineCode(const Running& machine)
      : Translation(machine.program->ops.size(), machine.observed()),
        program_(*machine.program),
        has_view_(machine.view != nullptr),
        side_by_side_(machine.options.slice == 1),
        sites_(program_.ops.size()),
        stretches_(program_.ops.size()) {
    for (const Function& f : program_.functions) may_begin(f.first_op);
    for (std::size_t pc = program_.ops.size(); pc-- > 0;) {
      const Op& op = program_.ops[pc];
      if (op.step == step_branch) set_apart(pc, 1);
      if (op.exec != nullptr && !op.gathers)
        set_apart(pc, pc + 1 < program_.ops.size() ? 1 + apart(static_cast<u32>(pc) + 1) : 1);
      if (op.step == step_branch) may_begin(op.immediate);
      if (!can_be_inside(op)) may_begin(pc + 1);
    }
    for (const std::vector<u32>& targets : program_.branch_tables)
      for (const u32 pc : targets) may_begin(pc);
  }

  Ran run(Context& c, u32 budget) override {
    Running& machine = c.machine;
    const u32 first = c.group().pc;
    Stretch& s = *stretches_[first];
    if (stores_ != machine.global.stores.data()) {
      stores_ = machine.global.stores.data();
      std::ranges::fill(sites_, nullptr);
    }
    StretchRun run;  // its addresses are not set
    run.registers = c.registers();
    run.left = c.group().polls >= polls_to_yield ? s.active.size() : budget;  // one round
    run.shared = &c.block.shared;
    run.active = s.active.data();
    run.first = first;
    run.first_step = machine.result.warp_instructions;
    run.context = &c;
    run.sites = sites_.data() + first;
    const u64 end = s.code(&run);
    const u32 n = static_cast<u32>(run.executed);
    machine.result.warp_instructions = run.first_step + n;
    machine.result.thread_instructions += u64{n} * lanes - run.idle_lanes;
    count_stores(run);
    const auto flow = static_cast<Flow>(end >> 32);
    if (observed() && flow == Flow::next) run.executed = 0, report_steps(run, n);   // else they were reported
    if (!observed() || flow != Flow::jumped) c.group().pc = static_cast<u32>(end);  // else the branch has set it
    return {n, flow};
  }

 protected:
  u32 translate(u32 first) override {
    u32 count = 0;
    while (count < longest_stretch && first + count < program_.ops.size() && can_be_inside(program_.ops[first + count]))
      ++count;
    if (count < longest_stretch && count > 0 && first + count < program_.ops.size() &&
        program_.ops[first + count].step == step_branch)
      ++count;
    if (count < shortest_stretch || translated_ == most_stretches) return 0;
    ++translated_;
    auto s = std::make_unique<Stretch>(StretchPlan{.program = &program_,
                                                   .first = first,
                                                   .count = count,
                                                   .observed = observed(),
                                                   .has_view = has_view_,
                                                   .vector_bytes = vector_bytes(),
                                                   .calls = {run_step, report_made, run_branch},
                                                   .sites = sites_.data() + first},
                                       count);
    s->code = s->generator.generate();
    if (s->code == nullptr) return 0;
    stretches_[first] = std::move(s);
    may_begin(first + count);
    return count;
  }

 private:
  bool can_be_inside(const Op& op) const {
    if (op.gathers) return false;
    if (op.exec != nullptr || (op.step == step_memory && !side_by_side_)) return true;
    return !observed() && (op.step == step_probe || (op.step == step_nothing && op.immediate != 1));
  }

  const Program& program_;
  bool has_view_ = false;
  bool side_by_side_ = false;      ///< warps execute one instruction after the other: Running::round()
  const Store* stores_ = nullptr;  ///< where the sites are
  std::vector<const Store*> sites_;
  std::vector<std::unique_ptr<Stretch>> stretches_;  ///< by the first operation
  std::size_t translated_ = 0;
};

}  // namespace

std::unique_ptr<Translation> make_translation(const Running& machine) {
  if (machine.tags() || !machine.options.translate || vector_bytes() == 0) return nullptr;
  return std::make_unique<MachineCode>(machine);
}

}  // namespace lanescope::emulator

#else

namespace lanescope::emulator {
std::unique_ptr<Translation> make_translation(const Running&) { return nullptr; }
}  // namespace lanescope::emulator

#endif
