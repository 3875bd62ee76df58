// Commands on costs: the access calculator, occupancy.

#include <algorithm>

#include "app/gui/commands/groups.h"

namespace lanescope::gui {
namespace {

std::string needs_shared(const App& app) {
  return app.calculator.shared() ? std::string() : "Only shared memory has wavefronts. Select shared memory first.";
}

std::string needs_access(const App& app) {
  if (std::string no = needs_results(app); !no.empty()) return no;
  return app.results.moment.access ? std::string() : "This step accesses no memory. Go to a load or a store.";
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
  return app.occupancy.is_what_if() ? std::string() : "All values are those of the kernel.";
}

void reset_occupancy(App& app) { app.occupancy.choice = {.gpu = app.occupancy.choice.gpu}; }

void next_gpu(App& app) {
  const std::vector<std::string> names = engine::gpu_names();
  if (names.empty()) return;
  const auto at = std::find(names.begin(), names.end(), app.occupancy.choice.gpu);
  app.occupancy.choice.gpu = at == names.end() || at + 1 == names.end() ? names.front() : *(at + 1);
}

void next_space(App& app) {
  using trace::MemorySpace;
  Calculator& c = app.calculator;
  c.set_space(c.space() == MemorySpace::global   ? MemorySpace::shared
              : c.space() == MemorySpace::shared ? MemorySpace::constant
                                                 : MemorySpace::global);
}

void next_what_if(App& app) {
  views::WhatIf& w = app.calculator.what_if;
  w.kind = static_cast<views::WhatIf::Kind>((static_cast<int>(w.kind) + 1) % 3);
  app.calculator.wavefront = -1;
}

}  // namespace

void add_cost_commands(std::vector<Command>& all) {
  CommandGroup group(all, "Costs");
  group.add("calculator.from_step", "Copy this step's access to the calculator",
            "Copies the addresses of the current load or store to the access calculator.", {}, needs_access,
            take_from_step);
  group.add("calculator.pattern", "Next pattern", "Selects the next address pattern of the access calculator.", {},
            next_pattern);
  group.add("calculator.space", "Global, shared or constant memory", "Selects the memory of the access calculator.", {},
            next_space);
  group.add("calculator.width", "Next width", "Selects the access width: 1, 2, 4, 8 or 16 bytes per lane.", {},
            next_width);
  group.add("calculator.what_if", "Next what-if of the calculator",
            "Shows the access in the calculator with padding or a swizzle beside it.", {}, needs_shared, next_what_if);
  group.add("calculator.next_wavefront", "Next wavefront of the calculator",
            "Shows the next wavefront of the access in the calculator.", {}, needs_shared,
            [](App& a) { a.calculator.turn_wavefront(1); });
  group.add("calculator.previous_wavefront", "Previous wavefront of the calculator",
            "Shows the previous wavefront of the access in the calculator.", {}, needs_shared,
            [](App& a) { a.calculator.turn_wavefront(-1); });
  group.add("calculator.play", "Play the calculator's wavefronts",
            "Shows the wavefronts one after another. The same command stops it.", {}, needs_shared,
            [](App& a) { a.calculator.play(!a.calculator.playing, a.shell.now); });
  group.add("occupancy.reset", "Reset to the kernel's values", "Discards the changes in the occupancy panel.", {},
            needs_what_if, reset_occupancy);
  group.add(
      "occupancy.caps", "Recompile with register limits",
      "Compiles with lower and lower register limits, and shows spilled bytes and resident warps of each.", {},
      [](const App& a) {
        if (std::string no = needs_results(a); !no.empty()) return no;
        return a.occupancy.limits.under_way ? std::string("The compilation is already running.") : std::string();
      },
      [](App& a) {
        a.shell.show_panel(PanelId::occupancy);
        a.requests.register_limits();
      });
  group.add("occupancy.gpu", "Next GPU", "Shows the occupancy on the next GPU of the table.", {}, next_gpu);
}

}  // namespace lanescope::gui
