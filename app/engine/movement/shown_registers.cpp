#include "app/engine/movement/movement_rows.h"

#include <algorithm>
#include <string>

namespace lanescope::engine {

using Leaf = SpanFlow::Leaf;

namespace {

/// One of the two words of a register of 64 bits.
bool is_word_of(const std::string& text) {
  return text.starts_with("cvt.u32.u64") || (text.starts_with("shr.u64") && text.ends_with(", 32;"));
}

}  // namespace

ShownRegisters::ShownRegisters(const RunState& state, const Instructions& program, const SpanFlow& flow,
                               const MovementSpan& span)
    : s_(state), t_(state.recorded()->trace), program_(program), flow_(flow), span_(span) {
  if (flow_.refused().empty()) find_shown();
}

std::int64_t ShownRegisters::computed_before() const {
  if (!flow_.refused().empty()) return -1;
  std::set<RegisterKey> unknown;
  const auto ask = [&](const SpanFlow::Value& value) {
    for (const Leaf& leaf : flow_.leaves(value.set))
      if (leaf.kind == Leaf::Kind::live_in && !shown_in_.contains(leaf.reg)) unknown.insert(leaf.reg);
  };
  for (const SpanFlow::Shown& shown : flow_.shown())
    if (span_.writes_at(t_.probes.step(shown.record)))
      for (const SpanFlow::Value& value : shown.values) ask(value);
  for (const SpanFlow::Stored& stored : flow_.stored())
    if (span_.writes_at(t_.accesses.step(stored.record)))
      for (const SpanFlow::Value& value : stored.values) ask(value);
  const std::int64_t end = std::max<std::int64_t>(span_.from - most_steps_back, -1);
  for (std::int64_t i = span_.from; i > end && !unknown.empty(); --i) {
    const trace::StepRecord& step = t_.steps[static_cast<std::size_t>(i)];
    if (step.warp != span_.warp || step.pc >= program_.facts.size()) continue;
    const InstructionFacts& f = program_.facts[step.pc];
    for (const RegisterKey reg : f.results) {
      if (unknown.erase(reg) == 0) continue;
      const bool made = std::ranges::any_of(f.sources, [](const auto& source) { return source.is_register; });
      if (made || f.kind == InstructionFacts::Kind::load || f.kind == InstructionFacts::Kind::opaque) return i;
    }
  }
  return -1;
}

void ShownRegisters::find_shown() {
  std::set<RegisterKey> wanted;
  for (std::uint32_t set = 1; set < flow_.set_count(); ++set)
    for (const Leaf& leaf : flow_.leaves(set))
      if (leaf.kind == Leaf::Kind::live_in) wanted.insert(leaf.reg);
  // A value unpacked or copied before the span shows the register that it came from, too.
  std::map<RegisterKey, RegisterKey> copy_of;
  for (std::size_t pc = 0; pc < program_.facts.size(); ++pc) {
    const InstructionFacts& f = program_.facts[pc];
    const bool whole = f.kind == InstructionFacts::Kind::copy && f.op != "prmt" && f.sources.size() == 1;
    if (f.sources.empty() || !f.sources[0].is_register ||
        !(whole || (pc < t_.code.size() && is_word_of(t_.code[pc].text))))
      continue;
    for (const RegisterKey result : f.results) copy_of[result] = f.sources[0].reg;
  }
  for (int number = 0; number < static_cast<int>(s_.families.size()); ++number)
    for (int n = 0; n < static_cast<int>(family(number).words.size()); ++n) {
      const auto states =
          t_.registers_at(span_.from, s_.request.record_block, family(number).words[static_cast<std::size_t>(n)]);
      if (span_.warp >= states.size() || states[span_.warp].defined == 0) continue;
      const trace::WordState& state = states[span_.warp];
      const std::uint64_t at = state.written_at;
      if (at >= t_.steps.size()) continue;
      const std::uint32_t pc = t_.steps[at].pc;
      if (pc >= program_.probed.size() || !program_.probed[pc].is_register) continue;
      RegisterKey reg = program_.probed[pc].reg;
      shown_in_[reg].push_back({at, {number, n}});
      for (int hops = 0; hops < 3; ++hops) {
        const auto copied = copy_of.find(reg);
        if (copied == copy_of.end()) break;
        reg = copied->second;
        if (written_since(reg, static_cast<std::int64_t>(at), span_.from)) break;
        if (wanted.contains(reg)) shown_in_[reg].push_back({at, {number, n}});
      }
    }
  // A register that a copy wrote since is what it was copied from: the variable of a loop.
  for (const RegisterKey reg : wanted)
    if (!shown_in_.contains(reg)) follow_copy(reg);
}

bool ShownRegisters::written_since(RegisterKey reg, std::int64_t after, std::int64_t until) const {
  if (until - after > most_steps_back) return true;
  for (std::int64_t i = until; i > after; --i) {
    const trace::StepRecord& step = t_.steps[static_cast<std::size_t>(i)];
    if (step.warp == span_.warp && step.pc < program_.facts.size() &&
        std::ranges::find(program_.facts[step.pc].results, reg) != program_.facts[step.pc].results.end())
      return true;
  }
  return false;
}

void ShownRegisters::follow_copy(RegisterKey reg) {
  RegisterKey now = reg;
  std::int64_t before = span_.from;
  for (int hops = 0; hops < 3; ++hops) {
    std::int64_t i = before;
    const std::int64_t end = std::max<std::int64_t>(before - most_steps_back, -1);
    const InstructionFacts* f = nullptr;
    for (; i > end && f == nullptr; --i) {
      const trace::StepRecord& step = t_.steps[static_cast<std::size_t>(i)];
      if (step.warp == span_.warp && step.pc < program_.facts.size() &&
          std::ranges::find(program_.facts[step.pc].results, now) != program_.facts[step.pc].results.end())
        f = &program_.facts[step.pc];
    }
    if (f == nullptr || f->kind != InstructionFacts::Kind::copy || f->op == "prmt" || f->sources.size() != 1 ||
        f->results.size() != 1 || !f->sources[0].is_register)
      return;
    now = f->sources[0].reg, before = i;
    const auto found = shown_in_.find(now);
    if (found == shown_in_.end()) continue;
    if (!written_since(now, i, span_.from)) shown_in_[reg] = found->second;
    return;
  }
}

}  // namespace lanescope::engine
