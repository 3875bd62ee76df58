// Commands on the panels of global and shared memory.

#include <algorithm>

#include "app/gui/commands/groups.h"
#include "app/gui/state/app.h"

namespace lanescope::gui {
namespace {

using Kind = views::WhatIf::Kind;

std::string needs_wavefronts(const App& app) {
  if (std::string no = needs_results(app); !no.empty()) return no;
  return app.memory.wavefront_count() > 0 ? ""
                                          : "This step does not touch shared memory; step to a load or store of it.";
}

std::string needs_what_if(const App& app) {
  return app.shell.view.what_if.kind != Kind::none
             ? ""
             : "Shared memory is shown as it is; choose padding or a swizzle first.";
}

void step_wavefront(App& app, int by) {
  app.memory.play_wavefronts(false);
  const int next = app.memory.wavefront + by;
  if (next >= app.memory.wavefront_count()) return app.shell.remark("This is the last wavefront.");
  if (next < -1) return app.shell.remark("All wavefronts are shown together.");
  app.memory.show_wavefront(next);
}

void change_what_if(App& app, void (*change)(views::WhatIf&)) {
  views::WhatIf next = app.shell.view.what_if;
  change(next);
  app.memory.set_what_if(next);
}

void add_global_commands(std::vector<Command>& all, const std::string& g) {
  all.push_back({"global.mode",
                 g,
                 "Next picture of global memory",
                 "The bytes of the access, its transactions, or sums over the line or the block.",
                 chords({"G"}),
                 false,
                 [](App& a) {
                   const int next = (static_cast<int>(a.shell.view.global_mode) + 1) % global_mode_count;
                   a.shell.view.global_mode = static_cast<GlobalMode>(next);
                 },
                 {}});
  const char* titles[] = {"Bytes of the access", "Transactions of the access", "Traffic of this line",
                          "Traffic of the whole block"};
  const char* meanings[] = {"Which bytes of which sectors the lanes ask for.",
                            "Cached lines of 128 bytes beside sectors of 32 bytes.",
                            "How often the line moved each sector, over all its instances.",
                            "How often the recorded block moved each sector."};
  const char* ids[] = {"global.bytes", "global.transactions", "global.line_total", "global.block_total"};
  for (int i = 0; i < global_mode_count; ++i) {
    all.push_back({ids[i],
                   g,
                   titles[i],
                   meanings[i],
                   {},
                   false,
                   [i](App& a) {
                     a.shell.view.global_mode = static_cast<GlobalMode>(i);
                     a.shell.show_panel(PanelId::global);
                   },
                   {}});
  }
}

void add_wavefront_commands(std::vector<Command>& all, const std::string& g) {
  all.push_back({"wavefront.play", g, "Play the wavefronts",
                 "Serves the access to shared memory wavefront by wavefront; again stops.", chords({"V"}), false,
                 [](App& a) { a.memory.play_wavefronts(!a.memory.wavefronts_playing); }, needs_wavefronts});
  all.push_back({"wavefront.next", g, "Next wavefront", "The banks' next turn.", chords({"]"}), true,
                 [](App& a) { step_wavefront(a, 1); }, needs_wavefronts});
  all.push_back({"wavefront.previous", g, "Previous wavefront", "The banks' turn before.", chords({"["}), true,
                 [](App& a) { step_wavefront(a, -1); }, needs_wavefronts});
  all.push_back({"wavefront.all", g, "All wavefronts", "Back to the access as a whole.", chords({"Shift+V"}), false,
                 [](App& a) {
                   a.memory.play_wavefronts(false);
                   a.memory.show_wavefront(-1);
                 },
                 needs_wavefronts});
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

void add_what_if_commands(std::vector<Command>& all, const std::string& g) {
  all.push_back({"whatif.next",
                 g,
                 "Next what-if",
                 "Shared memory as it is, with padded rows, or with its pieces swizzled.",
                 chords({"X"}),
                 false,
                 [](App& a) {
                   change_what_if(
                       a, [](views::WhatIf& w) { w.kind = static_cast<Kind>((static_cast<int>(w.kind) + 1) % 3); });
                   a.shell.show_panel(PanelId::shared);
                 },
                 {}});
  all.push_back({"whatif.more", g, "What if: more", "One more word of padding, or pieces twice as wide.",
                 chords({"Shift+]"}), true,
                 [](App& a) {
                   change_what_if(a, [](views::WhatIf& w) {
                     (w.kind == Kind::padding ? w.padding_words : w.unit_words) =
                         w.kind == Kind::padding ? w.padding_words + 1 : w.unit_words * 2;
                   });
                 },
                 needs_what_if});
  all.push_back({"whatif.less", g, "What if: less", "One word of padding less, or pieces half as wide.",
                 chords({"Shift+["}), true,
                 [](App& a) {
                   change_what_if(a, [](views::WhatIf& w) {
                     (w.kind == Kind::padding ? w.padding_words : w.unit_words) =
                         w.kind == Kind::padding ? w.padding_words - 1 : w.unit_words / 2;
                   });
                 },
                 needs_what_if});
  all.push_back({"whatif.row_longer", g, "What if: longer rows", "The next usual length of the array's rows.",
                 chords({"Ctrl+]"}), true,
                 [](App& a) { change_what_if(a, [](views::WhatIf& w) { next_row(w, true); }); }, needs_what_if});
  all.push_back({"whatif.row_shorter", g, "What if: shorter rows", "The usual length of rows before.",
                 chords({"Ctrl+["}), true,
                 [](App& a) { change_what_if(a, [](views::WhatIf& w) { next_row(w, false); }); }, needs_what_if});
  all.push_back(
      {"whatif.step", g, "What if: rows that share a permutation",
       "One, two, four or eight rows of a swizzle are permuted alike.", chords({"Alt+]"}), true,
       [](App& a) {
         change_what_if(a, [](views::WhatIf& w) { w.rows_per_step = w.rows_per_step >= 8 ? 1 : 2 * w.rows_per_step; });
       },
       [](const App& a) {
         return a.shell.view.what_if.kind == Kind::swizzle ? "" : std::string("Only a swizzle has this number.");
       }});
}

}  // namespace

void add_memory_commands(std::vector<Command>& all) {
  const std::string g = "Memory";
  add_global_commands(all, g);
  add_wavefront_commands(all, g);
  add_what_if_commands(all, g);
}

}  // namespace lanescope::gui
