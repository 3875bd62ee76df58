// Commands on costs: the access calculator, occupancy.

#include <algorithm>

#include "app/gui/commands/groups.h"
#include "app/gui/state/app.h"

namespace lanescope::gui {
namespace {

std::string needs_shared(const App& app) {
  return app.calculator.shared() ? std::string() : "Wavefronts are of shared memory; choose it first.";
}

std::string needs_access(const App& app) {
  if (std::string no = needs_results(app); !no.empty()) return no;
  return app.results.moment.access ? std::string() : "No memory is touched here; go to a load or a store.";
}

void take_from_step(App& app) {
  app.calculator.take(*app.results.moment.access, app.results.moment.step);
  app.shell.show_panel(PanelId::calculator);
}

void next_pattern(App& app) {
  const auto all = access::shapes();
  const auto next = (static_cast<std::size_t>(app.calculator.spec().shape) + 1) % all.size();
  app.calculator.pick(all[next]);
}

void next_width(App& app) {
  const int width = app.calculator.pattern().width_bytes;
  app.calculator.set_width(width == 16 ? 1 : width * 2);
}

std::string needs_what_if(const App& app) {
  return app.occupancy.is_what_if() ? std::string() : "These are the kernel's own numbers.";
}

void reset_occupancy(App& app) { app.occupancy.choice = {.gpu = app.occupancy.choice.gpu}; }

void next_gpu(App& app) {
  const std::vector<std::string> names = engine::gpu_names();
  if (names.empty()) return;
  const auto at = std::find(names.begin(), names.end(), app.occupancy.choice.gpu);
  app.occupancy.choice.gpu = at == names.end() || at + 1 == names.end() ? names.front() : *(at + 1);
}

void next_what_if(App& app) {
  views::WhatIf& w = app.calculator.what_if;
  w.kind = static_cast<views::WhatIf::Kind>((static_cast<int>(w.kind) + 1) % 3);
  app.calculator.wavefront = -1;
}

}  // namespace

void add_cost_commands(std::vector<Command>& all) {
  const std::string g = "Costs";
  const auto add = [&](const char* id, const char* title, const char* description, std::function<void(App&)> run,
                       std::function<std::string(const App&)> refusal = {}) {
    all.push_back({id, g, title, description, {}, false, std::move(run), std::move(refusal)});
  };
  add("calculator.from_step", "Calculate with this step's access",
      "Puts the addresses of the moment's load or store into the access calculator.", take_from_step, needs_access);
  add("calculator.pattern", "Next pattern", "The next shape of the access calculator.", next_pattern);
  add("calculator.space", "Global or shared memory", "Where the access calculator's lanes go.", [](App& a) {
    a.calculator.set_space(a.calculator.shared() ? trace::MemorySpace::global : trace::MemorySpace::shared);
  });
  add("calculator.width", "Next width", "1, 2, 4, 8 or 16 bytes of each lane.", next_width);
  add("calculator.what_if", "Next layout beside it",
      "The calculator's shared memory as it would be with padding or a swizzle.", next_what_if, needs_shared);
  add(
      "calculator.next_wavefront", "Next wavefront of the calculator", "What is served together, one after the other.",
      [](App& a) { a.calculator.turn_wavefront(1); }, needs_shared);
  add(
      "calculator.previous_wavefront", "Previous wavefront of the calculator", "The wavefront before.",
      [](App& a) { a.calculator.turn_wavefront(-1); }, needs_shared);
  add(
      "calculator.play", "Play the calculator's wavefronts", "Shows them one after the other; again stops it.",
      [](App& a) { a.calculator.play(!a.calculator.playing, a.shell.now); }, needs_shared);
  add("occupancy.reset", "The kernel's own numbers", "Takes back what was changed in the occupancy panel.",
      reset_occupancy, needs_what_if);
  add(
      "occupancy.caps", "Recompile with caps of registers",
      "What fewer and fewer registers of each thread spill, and how many warps they let in.",
      [](App& a) {
        a.shell.show_panel(PanelId::occupancy);
        a.requests.register_limits();
      },
      [](const App& a) {
        if (std::string no = needs_results(a); !no.empty()) return no;
        return a.occupancy.limits.under_way ? std::string("The compiler is at it already.") : std::string();
      });
  add("occupancy.gpu", "Next GPU", "Occupancy of the next GPU of the table.", next_gpu);
}

}  // namespace lanescope::gui
