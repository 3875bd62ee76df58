#pragma once
// A long run as a worker would send it, without compiling or running anything: a loop of 37 instructions whose mix of
// kinds changes from phase to phase, in 16 warps side by side.

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "app/engine/remote/channel.h"
#include "app/engine/wire/messages.h"

namespace lanescope::gui {

inline results::Summary long_run(std::size_t steps, int warps = 16) {
  using trace::StepKind;
  constexpr int body = 37;
  results::Summary s;
  s.ok = true;
  s.kernel = "long_run", s.engine = "emulator", s.arch = "sm_90";
  s.warps = static_cast<std::uint32_t>(warps), s.shared_bytes = 4096, s.steps = steps;
  s.block = {static_cast<std::uint32_t>(32 * warps), 1, 1};
  const auto code = [&](StepKind kind, int line, std::string text) {
    s.code.push_back({.line = line, .column = 1, .inner_line = 0, .kind = kind, .text = std::move(text)});
  };
  code(StepKind::load, 3, "ld.param.u64 %rd1, [long_run_param_0];");
  for (int pc = 1; pc <= body; ++pc) {
    const int line = 4 + pc / 10;
    if (pc == 5)
      code(StepKind::load, line, "ld.global.f32 %f1, [%rd1];");
    else if (pc == 6)
      code(StepKind::probe, line, "lanescope.probe");
    else if (pc == 9)
      code(StepKind::store, line, "st.shared.f32 [%r1], %f1;");
    else if (pc == 12)
      code(StepKind::barrier, line, "bar.sync 0;");
    else if (pc == body)
      code(StepKind::branch, 4, "@%p1 bra $L1;");
    else
      code(StepKind::arithmetic, line, "fma.rn.f32 %f2, %f1, %f1, %f2;");
  }
  s.loops = {{.first_pc = 1, .last_pc = body, .line = 4}};
  s.families = {{.name = "x", .function = "long_run", .registers = {"x0", "x1", "x2", "x3"}, .first_line = 4}};
  s.buffers = {{.name = "p", .element_type = "f32", .bytes = 4096, .elements = 1024, .axes = {}}};
  s.timeline.reserve(steps), s.active_masks.reserve(steps);
  for (std::size_t n = 0; n < steps; ++n) {
    const std::size_t round = n / static_cast<std::size_t>(warps), phase = round / 4096 % 3;
    const int pc = round == 0 ? 0 : static_cast<int>((round - 1) % body) + 1;
    const auto step = static_cast<std::uint32_t>(n);
    StepKind kind = s.code[pc].kind;
    if (phase == 1 && pc % 4 == 0) kind = StepKind::shuffle;
    if (phase == 2 && pc % 3 == 0) kind = StepKind::store;
    s.timeline.push_back({.step = step,
                          .warp = static_cast<std::uint16_t>(n % static_cast<std::size_t>(warps)),
                          .kind = kind,
                          .line = s.code[pc].line,
                          .pc = pc});
    s.active_masks.push_back(~0u);
    if (pc == 5) s.accesses.push_back({.step = step, .cost = 4, .least = 4});
    if (pc == 6)
      s.writes.push_back(
          {.step = step, .lanes = ~0u, .family = 0, .reg = static_cast<std::uint16_t>(round / body % 4)});
    if (pc == 9)
      s.accesses.push_back({.step = step,
                            .cost = static_cast<std::uint16_t>(round / body % 8 == 0 ? 32 : 1),
                            .least = 1,
                            .space = trace::MemorySpace::shared,
                            .kind = trace::AccessKind::store});
  }
  return s;
}

/// Answers a run with the bytes that a worker would send; they are read where a window reads them, in poll().
class LongRunChannel final : public engine::Channel {
 public:
  explicit LongRunChannel(std::size_t steps) : bytes_(engine::wire::encode(engine::RunSummary{long_run(steps)})) {}

  bool held = false;  ///< runs do not end
  int cancelled = 0;
  std::deque<engine::Event> events;

  void deliver(engine::Ticket ticket, engine::AnyQuestion question) override {
    if (std::holds_alternative<engine::Asked<engine::ask::Run>>(question)) run_ = ticket, due_ = true;
    if (const auto* asked = std::get_if<engine::Asked<engine::ask::Moment>>(&question)) {
      results::Moment moment;
      moment.step = asked->request.step;
      events.push_back({ticket, engine::Answered<engine::ask::Moment>{std::move(moment)}});
    }
  }
  void cancel(engine::Ticket) override { ++cancelled, due_ = false; }
  std::optional<engine::Event> poll() override {
    if (due_ && !held) {
      due_ = false;
      if (auto run = engine::wire::decode<engine::RunSummary>(bytes_))
        events.push_back({run_, engine::Answered<engine::ask::Run>{std::move(*run)}});
    }
    if (events.empty()) return std::nullopt;
    engine::Event event = std::move(events.front());
    events.pop_front();
    return event;
  }
  std::optional<engine::Event> wait(std::chrono::milliseconds) override { return poll(); }
  bool busy() const override { return due_ || !events.empty(); }
  engine::Ticket run_ticket() const { return run_; }

 private:
  engine::wire::Bytes bytes_;
  engine::Ticket run_ = 0;
  bool due_ = false;
};

}  // namespace lanescope::gui
