#include "kernels/emulator/translate/generator.h"
#include "kernels/emulator/translate/translate.h"

#ifdef LANESCOPE_TRANSLATES

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <string_view>

#include "kernels/emulator/lanes/instruction_sets.h"
#include "kernels/emulator/machine/schedule.h"
#include "kernels/emulator/steps/steps.h"

namespace lanescope::emulator {

namespace {

constexpr u32 longest_stretch = 128, shortest_stretch = 2;
constexpr std::size_t most_stretches = 4096;

struct Stretch {
  Stretch(const StretchPlan& plan, std::size_t count) : generator(plan), active(count, all_lanes) {}
  Generator generator;  ///< has the code
  StretchCode code = nullptr;
  std::vector<u32> active;
};

/// Steps so far, those that observers have not heard of among them: up to operation `end` of the stretch.
void report_steps(StretchRun& run, u32 end) {
  Context& c = *run.context;
  if (end == run.reported) return;
  const trace::Where first{run.first_step + run.reported, c.block.index, c.warp.index, run.first + run.reported, 0};
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

/// The store of a whole warp's access, if later ones may take it for theirs without asking.
const Store* site_of(Context& c, const MemoryOp& m) {
  const u64 first = m.base_bits == 64 ? *row<u64>(c.registers(), m.base) + static_cast<u64>(m.offset)
                                      : static_cast<u32>(*row<u32>(c.registers(), m.base) + static_cast<u32>(m.offset));
  const Store* const s = c.machine.global.find(first, u64{m.bytes} * lanes);
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
  const bool plain = mask == all_lanes && m.plain_rows && m.area == Area::global && c.machine.view == nullptr;
  // Before the access, which may change the address.
  const Store* const site = plain && !c.machine.observed() ? site_of(c, m) : nullptr;
  const Flow flow = mask != 0 ? op.step(c, op, mask) : Flow::next;
  if (site != nullptr) run->sites[index] = site;
  return static_cast<u64>(flow);
}

class MachineCode final : public Translation {
 public:
  explicit MachineCode(const Running& machine)
      : Translation(machine.program->ops.size(), machine.observed()),
        program_(*machine.program),
        has_view_(machine.view != nullptr),
        sites_(program_.ops.size()),
        stretches_(program_.ops.size()) {}

  Ran run(Context& c, u32 budget) override {
    Running& machine = c.machine;
    const u32 first = c.group().pc;
    Stretch& s = *stretches_[first];
    if (stores_ != machine.global.stores.data()) {
      stores_ = machine.global.stores.data();
      std::ranges::fill(sites_, nullptr);
    }
    StretchRun run{.registers = c.registers(),
                   .left = c.group().polls >= polls_to_yield ? s.active.size() : budget,  // one round
                   .shared = &c.block.shared,
                   .active = s.active.data(),
                   .first = first,
                   .first_step = machine.result.warp_instructions,
                   .context = &c,
                   .sites = sites_.data() + first};
    const u64 end = s.code(&run);
    const u32 n = static_cast<u32>(run.executed);
    machine.result.warp_instructions = run.first_step + n;
    machine.result.thread_instructions += u64{n} * lanes - run.idle_lanes;
    count_stores(run);
    if (observed()) report_steps(run, n);
    c.group().pc = static_cast<u32>(end);
    return {n, static_cast<Flow>(end >> 32)};
  }

 protected:
  u32 translate(u32 first) override {
    u32 count = 0;
    while (count < longest_stretch && first + count < program_.ops.size() && can_be_inside(program_.ops[first + count]))
      ++count;
    // What a jump leads to is only what follows where there is an observer of the jump.
    if (count < longest_stretch && count > 0 && first + count < program_.ops.size() && !observed() &&
        program_.ops[first + count].step == step_branch)
      ++count;
    if (count < shortest_stretch || translated_ == most_stretches) return 0;
    ++translated_;
    auto s = std::make_unique<Stretch>(StretchPlan{.program = &program_,
                                                   .first = first,
                                                   .count = count,
                                                   .observed = observed(),
                                                   .has_view = has_view_,
                                                   .run_step = run_step,
                                                   .sites = sites_.data() + first},
                                       count);
    s->code = s->generator.generate();
    if (s->code == nullptr) return 0;
    stretches_[first] = std::move(s);
    return count;
  }

 private:
  bool can_be_inside(const Op& op) const {
    if (op.gathers) return false;
    if (op.exec != nullptr || op.step == step_memory) return true;
    return !observed() && (op.step == step_probe || (op.step == step_nothing && op.immediate != 1));
  }

  const Program& program_;
  bool has_view_ = false;
  const Store* stores_ = nullptr;  ///< where the sites are
  std::vector<const Store*> sites_;
  std::vector<std::unique_ptr<Stretch>> stretches_;  ///< by the first operation
  std::size_t translated_ = 0;
};

bool is_possible() {
  static const bool possible = [] {
    const auto is = [](const char* name, std::string_view value) {
      const char* const set = std::getenv(name);
      return set != nullptr && set == value;
    };
    return !is("LANESCOPE_TRANSLATE", "off") && has_avx512();
  }();
  return possible;
}

}  // namespace

std::unique_ptr<Translation> make_translation(const Running& machine) {
  if (machine.tags() || !machine.options.translate || !is_possible()) return nullptr;
  return std::make_unique<MachineCode>(machine);
}

}  // namespace lanescope::emulator

#else

namespace lanescope::emulator {
std::unique_ptr<Translation> make_translation(const Running&) { return nullptr; }
}  // namespace lanescope::emulator

#endif
