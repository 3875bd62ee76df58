#include "app/gui/shell/frames.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <cmath>
#include <filesystem>
#include <utility>
#include <vector>

#include "app/engine/remote/client.h"
#include "app/engine/remote/service.h"
#include "app/gui/commands/command.h"
#include "app/gui/panels/panel.h"
#include "app/gui/state/session_file.h"
#include "app/gui/widgets/items.h"
#include "kernels/base/standard_streams.h"
#include "viz/views/base/theme.h"

namespace lanescope::gui {
namespace {

// ImGui needs a frame to see input and one more to settle sizes and hover.
constexpr int frames_after_input = 3;
constexpr double tooltip_delay_seconds = 0.42;

/// A quick hand lets Ctrl go before the frame in which the other key went down: ImGui would then see the key alone.
/// Takes what follows out of the queue, for the frame after.
std::vector<ImGuiInputEvent> hold_back_released_modifiers() {
  ImVector<ImGuiInputEvent>& queue = ImGui::GetCurrentContext()->InputEventsQueue;
  bool key_went_down = false;
  for (int i = 0; i < queue.Size; ++i) {
    const ImGuiInputEvent& e = queue[i];
    if (e.Type != ImGuiInputEventType_Key) continue;
    const bool modifier = (e.Key.Key & ImGuiMod_Mask_) != 0;
    if (modifier && !e.Key.Down && key_went_down) {
      std::vector<ImGuiInputEvent> later(queue.begin() + i, queue.end());
      queue.resize(i);
      return later;
    }
    key_went_down |= !modifier && e.Key.Down;
  }
  return {};
}

bool menu_open() { return ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel); }

/// Whether a key was pressed that no menu has a use for: it closes the menu and does what it does without one.
bool key_leaves_menu() {
  for (int key = ImGuiKey_Tab; key < ImGuiKey_GamepadStart; ++key) {
    if (!ImGui::IsKeyPressed(static_cast<ImGuiKey>(key), false)) continue;
    if (key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper) continue;
    const bool sideways = key == ImGuiKey_LeftArrow || key == ImGuiKey_RightArrow;
    const bool of_menu = key == ImGuiKey_UpArrow || key == ImGuiKey_DownArrow || key == ImGuiKey_Enter ||
                         key == ImGuiKey_KeypadEnter || key == ImGuiKey_Space || key == ImGuiKey_Escape ||
                         key == ImGuiKey_Tab;
    // The main menu has menus at its side; a list has none.
    if (of_menu || (sideways && ImGui::IsPopupOpen("main menu", ImGuiPopupFlags_None))) continue;
    if (!of_menu) return true;
  }
  return false;
}

}  // namespace

struct Frames::Context {
  Context() {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigInputTextCursorBlink = false;  // a blinking caret would redraw for ever
    io.ConfigWindowsMoveFromTitleBarOnly = true;
  }
  ~Context() { ImGui::DestroyContext(); }
};

Expected<std::unique_ptr<Frames>> Frames::open(const ExplorerOptions& options,
                                               std::unique_ptr<engine::Channel> channel) {
  std::unique_ptr<Frames> f(new Frames);
  f->context_ = std::make_unique<Context>();
  f->platform_ =
      LS_TRY(make_platform({.width = options.width, .height = options.height, .offscreen = options.offscreen}));
  const auto make_channel = [in_process = options.in_process, via = options.via]() -> std::unique_ptr<engine::Channel> {
    if (in_process) return std::make_unique<engine::Service>();
    return std::make_unique<engine::Client>(engine::via_options(via));
  };
  if (channel == nullptr) channel = make_channel();
  channel->on_event = [p = f->platform_.get()] { p->wake(); };
  f->app_ = std::make_unique<App>(std::move(channel), &views::dark_theme());
  f->app_->designer.on_event = [p = f->platform_.get()] { p->wake(); };
  f->app_->designer.make_channel = make_channel;
  f->app_->improvement.on_event = f->app_->designer.on_event;
  f->app_->handout.on_event = f->app_->designer.on_event;
  f->app_->handout.make_engine = [make_channel] { return std::make_unique<engine::Engine>(make_channel()); };
  f->app_->improvement.make_channel = make_channel;
  f->window_ = std::make_unique<Window>();
  f->platform_->on_input = [raw = f.get()] { raw->frames_wanted_ = frames_after_input; };
  f->platform_->on_drop = [raw = f.get()](std::vector<std::string> paths) { raw->dropped_ = std::move(paths); };
  App& app = *f->app_;
  app.lecture.program = options.answers_from;
  app.settings.arch = options.arch;
  app.settings.on_gpu = options.on_gpu;
  app.settings.device = options.device;
  app.settings.seed = options.seed;
  app.settings.history_bytes = options.history_bytes;
  app.settings.forbid_nvrtc = options.no_nvrtc;
  const double usual_seconds = options.offscreen ? 0 : window_run_seconds;
  app.settings.run_seconds = options.run_seconds < 0 ? usual_seconds : options.run_seconds;
  if (!options.file.empty()) {
    std::error_code problem;
    app.settings.given_for = options.file;
    app.settings.given = {.words = options.compiler_options,
                          .folder = std::filesystem::current_path(problem).string(),
                          .nvcc_command = options.nvcc_command};
  }
  if (!options.launch_file.empty()) {
    if (std::filesystem::path(options.file).extension() != ".ptx")
      return failure("--launch needs a .ptx file", "a .cu file has its launch header in its first comment");
    auto launch = LS_TRY(read_text(options.launch_file));
    app.settings.launch_of = options.file;
    app.settings.launch_file = options.launch_file;
    app.settings.launch_text = std::move(launch);
  }
  if (!options.no_session) f->session_path_ = options.session.empty() ? default_session_path() : options.session;
  app.lecture.on_event = [p = f->platform_.get()] { p->wake(); };
  if (!f->session_path_.empty())
    app.lecture.keep_progress(options.session.empty()
                                  ? lessons::default_progress_path()
                                  : std::filesystem::path(options.session).parent_path() / "lessons.json");
  app.shell.has_desktop = !options.offscreen;
  app.shell.set_scale(f->platform_->readable_scale());  // a saved session overrides this
  f->open_first_file(options);
  if (!options.lesson.empty())
    if (const auto opened = f->open_lesson(options); !opened) return tl::unexpected(opened.error());
  if (options.scale > 0) app.shell.set_scale(options.scale);
  if (!options.theme.empty()) app.shell.set_theme(options.theme);
  if (const auto a = arrangement_named(options.arrangement)) app.shell.set_arrangement(*a);
  f->adopt_look();
  if (f->stage_.fonts.scale == 0)
    return failure("the fonts cannot be read", "install fonts-inter and fonts-jetbrains-mono");
  return f;
}

Frames::~Frames() {
  app_.reset();  // the engine may still wake the platform
}

void Frames::open_first_file(const ExplorerOptions& options) {
  bool restored = false;
  if (!session_path_.empty() && std::filesystem::exists(session_path_)) {
    const auto session = read_session(session_path_);
    if (session) {
      restored = apply_session(*app_, *session, options.file.empty() || design::is_design_file(options.file));
    } else {
      app_->shell.notify({.id = "session",
                          .kind = Notice::Kind::warning,
                          .text = "The last session was not restored: " + to_string(session.error().front()) + "."});
    }
  }
  const bool is_layout = design::is_design_file(options.file);
  if (!options.file.empty() && !is_layout) {
    app_->editor.open_now(options.file);
  } else if (!restored && options.lesson.empty()) {
    for (const std::string& path : catalogue_kernels())
      if (std::filesystem::path(path).stem() == "half2_transposes") app_->editor.open_now(path);
    // On the first start a kernel runs behind the page, one key away.
    const bool first_time = session_path_.empty() || !std::filesystem::exists(session_path_);
    if (first_time && !options.no_session) app_->shell.overlay = Overlay::welcome;
  }
  // A kernel stays after the layout, to design from it and to insert into it.
  if (is_layout) app_->editor.open(options.file);
}

/// The kernel of the first moment that there is, where no other is on show.
Expected<void> Frames::open_lesson(const ExplorerOptions& options) {
  const auto folder = LS_TRY(lessons::find_lesson(options.lesson, lessons::lessons_directory()));
  const auto lesson = LS_TRY(lessons::read_lesson(folder, options.lesson_gpu));
  const int pages = static_cast<int>(lesson.pages.size());
  if (options.lesson_page > pages)
    return failure(fmt::format("the lesson has {} pages, so there is no page {}", pages, options.lesson_page));
  app_->open_lesson(folder);
  if (!options.lesson_gpu.empty()) app_->choose_lesson_gpu(options.lesson_gpu);
  if (options.lesson_page > 0) app_->lecture.go_to_page(options.lesson_page - 1);
  const auto moments = lesson.moments();
  if (!app_->lecture.wanted && app_->document.file().empty() && !moments.empty())
    app_->editor.open_now(moments.front()->kernel);
  return {};
}

double Frames::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

/// Theme, scale and fonts as the options want them.
void Frames::adopt_look() {
  const float scale = app_->shell.view.effective_scale() * platform_->content_scale();
  const bool rescaled = std::abs(scale - stage_.fonts.scale) > 0.001f;
  if (rescaled) {
    if (auto fonts = load_fonts(scale)) {
      stage_.fonts = *fonts;
      refresh_font_texture();
    } else {
      app_->shell.notify({.id = "fonts", .kind = Notice::Kind::error, .text = to_string(fonts.error().front())});
      return;
    }
  }
  if (rescaled || drawn_theme_ != app_->shell.view.theme || stage_.presentation != app_->shell.view.presentation) {
    drawn_theme_ = app_->shell.view.theme;
    stage_.theme = &app_->shell.theme();
    stage_.scale = scale;
    stage_.presentation = app_->shell.view.presentation;
    apply_style(*stage_.theme, scale);
  }
}

void Frames::build_frame() {
  begin_items();
  const std::vector<ImGuiInputEvent> later = hold_back_released_modifiers();
  const bool menu_before = menu_open();
  // In a menu the arrows choose, Enter picks and Escape closes; nowhere else is Dear ImGui to move a focus of its own.
  if (menu_before)
    ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  else
    ImGui::GetIO().ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
  ImGui::NewFrame();
  for (const ImGuiInputEvent& e : later) ImGui::GetCurrentContext()->InputEventsQueue.push_back(e);
  // Windows with a text field of ImGui's own, menus and overlays keep the keys; the source's editor is queried itself.
  const bool overlay = app_->shell.overlay != Overlay::none;
  bool menu = menu_before || menu_open();
  if (menu && ImGui::IsKeyPressed(ImGuiKey_F10, false)) {  // the key that opened it
    ImGui::ClosePopupToLevel(0, false);
  } else if (menu && key_leaves_menu()) {
    ImGui::ClosePopupToLevel(0, false);
    menu = false;
  }
  if (!overlay && !menu)
    run_pressed_keys(*app_, window_->typing(*app_) || ImGui::GetIO().WantTextInput);
  else if (overlay && ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_P))
    run_command(*app_, "app.palette");
  window_->draw(*app_, stage_);
  ImGui::Render();
}

bool Frames::update() {
  if (!dropped_.empty()) app_->open_dropped(std::exchange(dropped_, {}));
  return app_->update(seconds());
}

void Frames::frame() {
  update();
  draw();
}

void Frames::draw() {
  adopt_look();
  platform_->begin_frame();
  build_frame();
  platform_->present();
  export_if_requested();
  const bool layout = app_->designs();
  const std::string title = layout ? app_->designer.title() : app_->document.title();
  const bool edited = layout ? app_->designer.edited() : app_->document.edited();
  platform_->set_title(title + (edited ? " (edited)" : "") + " – lanescope");
  if (app_->shell.full_screen_request) {
    app_->shell.full_screen_request = false;
    platform_->toggle_full_screen();
  }
}

/// After the frame: the scenes are those on screen.
void Frames::export_if_requested() {
  if (!app_->shell.export_request) return;
  const ExportRequest asked = *std::exchange(app_->shell.export_request, std::nullopt);
  frames_wanted_ = std::max(frames_wanted_, 2);  // to say how it went
  if (const auto saved = export_panel(*app_, stage_, window_->panel(asked.panel), asked.path); !saved) {
    app_->shell.notify({.id = "export",
                        .kind = Notice::Kind::error,
                        .text = "Could not save the panel: " + to_string(saved.error().front()) + "."});
    return;
  }
  app_->shell.dismiss("export");
  app_->shell.show_status("Saved " + asked.path + ".");
}

void Frames::settle(int least) {
  for (int i = 0; i < least; ++i) frame();
  while (ImGui::GetCurrentContext()->InputEventsQueue.Size > 0) frame();
}

void Frames::wait() {
  const double now = seconds();
  double most = app_->due_in(now);
  if (hover_look_ >= 0) most = std::min(most, std::max(hover_look_ - now, 0.0));
  platform_->wait(most);
}

void Frames::loop() {
  bool waited = false;
  while (!app_->shell.closed) {
    if (platform_->wants_to_close()) {
      platform_->refuse_close();
      app_->editor.close();
      if (app_->shell.closed) break;
      frames_wanted_ = frames_after_input;
    }
    if (update()) frames_wanted_ = frames_after_input;
    if (hover_look_ >= 0 && seconds() >= hover_look_) {
      hover_look_ = -1;
      frames_wanted_ = std::max(frames_wanted_, 2);
    }
    const bool queued = ImGui::GetCurrentContext()->InputEventsQueue.Size > 0;
    if (frames_wanted_ > 0 || queued) {
      draw();
      if (--frames_wanted_ == 0 && waited) hover_look_ = seconds() + tooltip_delay_seconds, waited = false;
      platform_->wait(0);
    } else {
      wait();
      waited = frames_wanted_ > 0;
    }
  }
  save_session();
}

Expected<void> Frames::screenshot(const std::string& path) { return write_picture(platform_->read_back(), path); }

void Frames::save_session() {
  if (session_path_.empty()) return;
  if (const auto written = write_session(session_path_, *app_); !written)
    put_error(to_string(written.error().front()) + "\n");
}

}  // namespace lanescope::gui
