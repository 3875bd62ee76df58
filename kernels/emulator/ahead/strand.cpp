#include "kernels/emulator/ahead/strand.h"

#include <algorithm>

#include "kernels/emulator/steps/steps.h"
#include "kernels/emulator/translate/translate.h"

namespace lanescope::emulator {

namespace {

/// Effects of these depend on the registers, shared and local memory of the block, and on words of global memory that
/// they reach through resolve() or find_run() (memory_access.h), which note them. A step that is added to the machine
/// belongs here only if that holds for it.
constexpr Step independent_steps[] = {
    step_memory,        step_atomic,     step_wide_atomic,    step_async_copy,   step_barrier_object, step_warpgroup,
    step_indirect_call, step_stack,      step_branch,         step_branch_table, step_call,           step_return,
    step_exit,          step_barrier,    step_probe,          step_nothing,      step_shuffle,        step_vote,
    step_match,         step_activemask, step_reduce,         step_elect,        step_matrix_memory,  step_matrix_move,
    step_mma,           step_fragments,  step_fragment_memory};

Flow step_in_turn(Context& c, const Op&, u32) {
  c.machine.wait_for_turn();
  return Flow::faulted;
}

}  // namespace

std::shared_ptr<const Program> independent_program(const Program& program) {
  auto out = std::make_shared<Program>(program);
  for (Op& op : out->ops)
    if (op.exec == nullptr && std::ranges::find(independent_steps, op.step) == std::end(independent_steps))
      op.step = step_in_turn;
  return out;
}

Strand::Strand(const Running& launch, std::shared_ptr<const Program> program) : launch_(launch), view_(launch.global) {
  machine_.program = std::move(program);
  machine_.buffers = launch.buffers;
  machine_.options = launch.options;
  machine_.options.limits = {.leave_at = launch.options.limits.leave_at};
  machine_.options.observers.clear();
  machine_.global = view_.space();
  machine_.heap = launch.heap;
  machine_.view = &view_;
  machine_.not_needed = &stopped_;
  machine_.chosen = launch.chosen;
  machine_.absent = launch.absent;
  using Atomics = trace::Observer::Atomics;
  const auto need = [&](Atomics when) {
    return std::ranges::any_of(launch.options.observers,
                               [&](const trace::Observer* o) { return o->needs_atomics() == when; });
  };
  defers_atomics_ = !need(Atomics::at_once);
  machine_.logs_all_atomics = need(Atomics::in_turn);
}

void Strand::run(Unit& unit, u64 most_steps, std::size_t most_pages, std::size_t most_tag_bytes) {
  view_.keep_at_most(most_pages);
  machine_.options.tags = nullptr;
  if (launch_.tags()) {
    unit.tags.emplace(*launch_.options.tags, trace::TagPool::OnTop{}).keep_at_most(most_tag_bytes);
    machine_.options.tags = &*unit.tags;
    machine_.cache = std::make_unique<TagCache>();  // what it remembers are numbers of one pool
  }
  // The result of such an operation depends on the contents of memory, and so does its identity.
  machine_.defers_atomics = defers_atomics_ && !launch_.tags();
  static_cast<Progress&>(machine_) = Progress{};
  machine_.blocks = machine_.result.coverage.blocks = machine_.program->launch.grid.count();
  machine_.next_block = unit.first;
  machine_.pause_at = unit.first + unit.count;
  machine_.step_limit = most_steps;
  machine_.next_look = machine_.options.limits.leave_at == Limits::Clock::time_point::max() ? ~u64{0} : 0;
  machine_.options.observers.clear();
  for (const auto& o : unit.observers) machine_.options.observers.push_back(o.get());
  if (machine_.translation == nullptr) machine_.translation = make_translation(machine_);
  machine_.advance(~u64{0});
  // All but the plain end of each block has ended the machine.
  unit.whole = !machine_.ended && machine_.resident.empty() && machine_.next_block == machine_.pause_at &&
               machine_.ended_blocks == unit.count;
  unit.progress = static_cast<Progress&>(machine_);
  unit.log = view_.take_log();
  unit.pages = view_.take();
  std::ranges::move(machine_.resident, std::back_inserter(machine_.spare));
  machine_.resident.clear();
}

void Strand::discard() {
  view_.take_log();
  view_.take();
  machine_.resident.clear();
  machine_.options.observers.clear();
  machine_.options.tags = nullptr;
}

}  // namespace lanescope::emulator
