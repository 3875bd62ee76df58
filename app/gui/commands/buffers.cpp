// Commands on what buffers hold.

#include "app/gui/commands/groups.h"
#include "app/gui/state/buffer_pages.h"

namespace lanescope::gui {
namespace {

std::string needs_page(const App& app, int by) {
  if (std::string no = needs_results(app); !no.empty()) return no;
  return refusal_of_page(app, by);
}

std::string needs_buffers(const App& app) {
  if (std::string no = needs_results(app); !no.empty()) return no;
  return app.results.summary.buffers.size() > 1 ? "" : "This kernel has no other buffer.";
}

}  // namespace

void add_buffer_commands(std::vector<Command>& all) {
  CommandGroup group(all, "Memory");
  const auto add = [&](const char* id, const char* title, const char* description,
                       std::initializer_list<const char*> keys, const std::function<void(App&)>& run,
                       std::function<std::string(const App&)> refusal) {
    const auto shown = [run](App& a) {
      a.shell.show_panel(PanelId::buffers);
      run(a);
    };
    group.add(id, title, description, keys, shown, std::move(refusal));
  };
  add(
      "buffers.next_page", "Next elements", "Shows the next elements of the buffer.", {"Alt+PageDown"},
      [](App& a) { turn_page(a, 1); }, [](const App& a) { return needs_page(a, 1); });
  add(
      "buffers.previous_page", "Previous elements", "Shows the previous elements of the buffer.", {"Alt+PageUp"},
      [](App& a) { turn_page(a, -1); }, [](const App& a) { return needs_page(a, -1); });
  add(
      "buffers.next", "Next buffer", "Shows the kernel's next buffer before and after the run.", {},
      [](App& a) { turn_buffer(a, 1); }, needs_buffers);
  add(
      "buffers.first_difference", "First mismatching element",
      "Moves to the first element whose value differs between GPU and emulator, in this buffer or in the first one "
      "that differs.",
      {},
      [](App& a) {
        const ElementPlace place = first_difference(a);
        go_to_element(a, place.buffer, place.element);
      },
      [](const App& a) {
        if (std::string no = needs_results(a); !no.empty()) return no;
        return refusal_of_difference(a);
      });
  add(
      "buffers.compare", "Compare with the GPU",
      "Launches on the GPU, and compares all buffers and all accesses of one block with those of the emulator.", {},
      [](App& a) {
        engine::MeasureRequest request;
        request.counters = false, request.trace = true;
        a.requests.measure(request, "buffers and accesses");
      },
      [](const App& a) { return refusal_of(a, *find_command("measure.counters")); });
}

}  // namespace lanescope::gui
