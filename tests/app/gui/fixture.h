#pragma once
// An explorer without a display, the engine on a thread of the test, and scripts as the way to act.

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "app/gui/script/script.h"
#include "app/gui/shell/frames.h"
#include "app/gui/widgets/items.h"

namespace lanescope::gui {

class ExplorerTest : public ::testing::Test {
 protected:
  static std::string kernel(const std::string& name) {
    return std::string(LANESCOPE_SOURCE_DIR) + "/assets/kernels/" + name;
  }

  ExplorerOptions options_for(const std::string& file) const {
    ExplorerOptions o;
    o.file = file;
    o.offscreen = true;
    o.no_session = true;
    o.in_process = true;
    return o;
  }

  void open(const ExplorerOptions& options, std::unique_ptr<engine::Channel> channel = nullptr) {
    frames.reset();  // one window at a time: Dear ImGui's context is global
    auto opened = Frames::open(options, std::move(channel));
    ASSERT_TRUE(opened) << to_string(opened.error().front());
    frames = std::move(*opened);
    ASSERT_TRUE(wait_until_settled(*frames));
  }
  void open_kernel(const std::string& name) { open(options_for(kernel(name))); }

  /// Runs script lines; a failing line is a test failure.
  void script(const std::string& text) {
    const ScriptResult result = run_script(*frames, text);
    ASSERT_TRUE(result.ok) << result.message;
  }
  std::string fact(const std::string& name) const { return script_fact(*frames, name).value_or("(no such fact)"); }
  App& app() { return frames->app(); }
  /// Id of a register cell of the last family shown.
  std::string cell(int reg, int warp, int lane, int part) {
    std::string id = "none";
    for (const scene::Box& b : frames->stage().scenes.at("registers").scene.boxes) {
      if (b.id.kind == scene::Id::Kind::register_cell && b.id.a == reg && b.id.b == warp && b.id.c == lane &&
          b.id.d == part)
        id = scene::to_string(b.id);
    }
    return id;
  }

  /// A folder of this test's own, empty.
  std::string folder() {
    if (folder_.empty()) {
      const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
      folder_ = (std::filesystem::temp_directory_path() /
                 ("lanescope_gui_" + std::string(info->name()) + std::to_string(::getpid())))
                    .string();
      std::filesystem::remove_all(folder_);
      std::filesystem::create_directories(folder_);
    }
    return folder_;
  }
  void TearDown() override {
    frames.reset();
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  std::unique_ptr<Frames> frames;

 private:
  std::string folder_;
};

}  // namespace lanescope::gui
