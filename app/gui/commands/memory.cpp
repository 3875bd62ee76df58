// Commands on the panels of global and shared memory.

#include <algorithm>

#include "app/gui/commands/groups.h"
#include "app/gui/commands/memory_route.h"
#include "app/gui/state/buffer_pages.h"

namespace lanescope::gui {
namespace {

using Kind = views::WhatIf::Kind;

std::string needs_wavefronts(const App& app) {
  if (std::string no = needs_results(app); !no.empty()) return no;
  return app.memory.wavefront_count() > 0
             ? ""
             : "This step does not access shared memory. Go to a load or store of shared memory.";
}

std::string needs_layout_what_if(const App& app) {
  return app.shell.view.what_if.kind != Kind::none ? "" : "No what-if is selected. Select padding or a swizzle first.";
}

void step_wavefront(App& app, int by) {
  app.memory.play_wavefronts(false);
  const int next = app.memory.wavefront + by;
  if (next >= app.memory.wavefront_count()) return app.shell.show_status("This is the last wavefront.");
  if (next < -1) return app.shell.show_status("All wavefronts are shown together.");
  app.memory.show_wavefront(next);
}

void change_what_if(App& app, void (*change)(views::WhatIf&)) {
  views::WhatIf next = app.shell.view.what_if;
  change(next);
  app.memory.set_what_if(next);
}

void add_global_commands(CommandGroup& group) {
  group.add("global.mode", "Next view of global memory",
            "Switches between bytes, transactions, and sums over the source line or the block.", {"G"}, [](App& a) {
              const int next = (static_cast<int>(a.shell.view.global_mode) + 1) % global_mode_count;
              a.shell.view.global_mode = static_cast<GlobalMode>(next);
            });
  const char* titles[] = {"Bytes of the access", "Transactions of the access", "Traffic of this line",
                          "Traffic of the whole block"};
  const char* meanings[] = {"Shows the bytes of each sector that the lanes request.",
                            "Shows cache lines of 128 bytes beside sectors of 32 bytes.",
                            "Shows the number of transfers of each sector, over all instances of the source line.",
                            "Shows the number of transfers of each sector by the recorded block."};
  const char* ids[] = {"global.bytes", "global.transactions", "global.line_total", "global.block_total"};
  for (int i = 0; i < global_mode_count; ++i)
    group.add(ids[i], titles[i], meanings[i], {}, [i](App& a) {
      a.shell.view.global_mode = static_cast<GlobalMode>(i);
      a.shell.show_panel(PanelId::global);
    });
}

/// The next of a list, after its last none.
template <class T>
std::optional<T> next_of(const std::vector<T>& all, const std::optional<T>& now) {
  const auto at = now ? std::ranges::find(all, *now) : all.end();
  if (at == all.end()) return all.empty() ? std::nullopt : std::optional(all.front());
  return at + 1 == all.end() ? std::nullopt : std::optional(*(at + 1));
}

void add_route_commands(CommandGroup& group) {
  group.add("memory.generation", "Next generation of memory",
            "Shows accesses on the next architecture of the table of GPUs; after the last, on that of the GPU.", {},
            [](App& a) {
              const std::string& now = a.shell.view.memory_arch;
              const auto next = next_of(engine::arch_names(), now.empty() ? std::nullopt : std::optional(now));
              choose_generation(a, next.value_or(""));
            });
  group.add("memory.path", "Next path of loads",
            "Shows loads of global memory on the next path that the generation has: caching, non-caching, read-only.",
            {}, [](App& a) { choose_path(a, next_of(paths_shown(a, true), path_shown(a, true))); });
}

void add_wavefront_commands(CommandGroup& group) {
  group.add("wavefront.play", "Play the wavefronts",
            "Shows the access to shared memory wavefront by wavefront. The same command stops it.", {"V"},
            needs_wavefronts, [](App& a) { a.memory.play_wavefronts(!a.memory.wavefronts_playing); });
  group.add_repeating("wavefront.next", "Next wavefront", "Shows the next wavefront of the access.", {"]"},
                      needs_wavefronts, [](App& a) { step_wavefront(a, 1); });
  group.add_repeating("wavefront.previous", "Previous wavefront", "Shows the previous wavefront of the access.", {"["},
                      needs_wavefronts, [](App& a) { step_wavefront(a, -1); });
  group.add("wavefront.all", "All wavefronts", "Shows all wavefronts of the access together.", {"Shift+V"},
            needs_wavefronts, [](App& a) {
              a.memory.play_wavefronts(false);
              a.memory.show_wavefront(-1);
            });
}

/// Lengths of rows that arrays often have.
void next_row(views::WhatIf& w, bool longer) {
  constexpr int lengths[] = {8, 16, 17, 32, 33, 34, 36, 40, 64, 128, 256};
  if (longer) {
    const auto* next = std::upper_bound(std::begin(lengths), std::end(lengths), w.row_words);
    if (next != std::end(lengths)) w.row_words = *next;
  } else {
    const auto* next = std::lower_bound(std::begin(lengths), std::end(lengths), w.row_words);
    if (next != std::begin(lengths)) w.row_words = next[-1];
  }
}

void add_what_if_commands(CommandGroup& group) {
  group.add("whatif.next", "Next what-if",
            "Switches between the kernel's layout of shared memory, padded rows and a swizzle.", {"X"}, [](App& a) {
              change_what_if(a,
                             [](views::WhatIf& w) { w.kind = static_cast<Kind>((static_cast<int>(w.kind) + 1) % 3); });
              a.shell.show_panel(PanelId::shared);
            });
  group.add_repeating("whatif.more", "What-if: increase", "Adds one word of padding, or doubles the swizzled unit.",
                      {"Shift+]"}, needs_layout_what_if, [](App& a) {
                        change_what_if(a, [](views::WhatIf& w) {
                          (w.kind == Kind::padding ? w.padding_words : w.unit_words) =
                              w.kind == Kind::padding ? w.padding_words + 1 : w.unit_words * 2;
                        });
                      });
  group.add_repeating("whatif.less", "What-if: decrease", "Removes one word of padding, or halves the swizzled unit.",
                      {"Shift+["}, needs_layout_what_if, [](App& a) {
                        change_what_if(a, [](views::WhatIf& w) {
                          (w.kind == Kind::padding ? w.padding_words : w.unit_words) =
                              w.kind == Kind::padding ? w.padding_words - 1 : w.unit_words / 2;
                        });
                      });
  group.add_repeating("whatif.row_longer", "What-if: longer rows", "Selects the next common row length.", {"Ctrl+]"},
                      needs_layout_what_if,
                      [](App& a) { change_what_if(a, [](views::WhatIf& w) { next_row(w, true); }); });
  group.add_repeating("whatif.row_shorter", "What-if: shorter rows", "Selects the previous common row length.",
                      {"Ctrl+["}, needs_layout_what_if,
                      [](App& a) { change_what_if(a, [](views::WhatIf& w) { next_row(w, false); }); });
  group.add_repeating(
      "whatif.step", "What-if: rows per permutation",
      "One, two, four or eight consecutive rows use the same permutation of the swizzle.", {"Alt+]"},
      [](const App& a) {
        return a.shell.view.what_if.kind == Kind::swizzle ? "" : std::string("This number exists only for a swizzle.");
      },
      [](App& a) {
        change_what_if(a, [](views::WhatIf& w) { w.rows_per_step = w.rows_per_step >= 8 ? 1 : 2 * w.rows_per_step; });
      });
}

// Commands on what buffers hold.

std::string needs_page(const App& app, int by) {
  if (std::string no = needs_results(app); !no.empty()) return no;
  return refusal_of_page(app, by);
}

std::string needs_buffers(const App& app) {
  if (std::string no = needs_results(app); !no.empty()) return no;
  return app.results.summary.buffers.size() > 1 ? "" : "This kernel has no other buffer.";
}

}  // namespace

void add_memory_commands(std::vector<Command>& all) {
  CommandGroup group(all, "Memory");
  add_global_commands(group);
  add_route_commands(group);
  add_wavefront_commands(group);
  add_what_if_commands(group);
}

void add_buffer_commands(std::vector<Command>& all) {
  CommandGroup group(all, "Memory");
  const auto add = [&](const char* id, const char* title, const char* description,
                       std::initializer_list<const char*> keys, std::function<std::string(const App&)> refusal,
                       const std::function<void(App&)>& run) {
    group.add(id, title, description, keys, std::move(refusal), [run](App& a) {
      a.shell.show_panel(PanelId::buffers);
      run(a);
    });
  };
  add(
      "buffers.next_page", "Next elements", "Shows the next elements of the buffer.", {"Alt+PageDown"},
      [](const App& a) { return needs_page(a, 1); }, [](App& a) { turn_page(a, 1); });
  add(
      "buffers.previous_page", "Previous elements", "Shows the previous elements of the buffer.", {"Alt+PageUp"},
      [](const App& a) { return needs_page(a, -1); }, [](App& a) { turn_page(a, -1); });
  add("buffers.next", "Next buffer", "Shows the kernel's next buffer before and after the run.", {}, needs_buffers,
      [](App& a) { turn_buffer(a, 1); });
  add(
      "buffers.first_difference", "First mismatching element",
      "Moves to the first element whose value differs between GPU and emulator, in this buffer or in the first one "
      "that differs.",
      {},
      [](const App& a) {
        if (std::string no = needs_results(a); !no.empty()) return no;
        return refusal_of_difference(a);
      },
      [](App& a) {
        const ElementPlace place = first_difference(a);
        go_to_element(a, place.buffer, place.element);
      });
  add(
      "buffers.compare", "Compare with the GPU",
      "Launches on the GPU, and compares all buffers and all accesses of one block with those of the emulator.", {},
      [](const App& a) { return refusal_of(a, *find_command("measure.counters")); },
      [](App& a) { a.requests.measure({.counters = false, .trace = true}, "buffers and accesses"); });
}

}  // namespace lanescope::gui
