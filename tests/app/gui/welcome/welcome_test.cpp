// The welcome page, notes on the picture, and instructions explained in place.

#include "app/gui/welcome/welcome_page.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "app/catalogue/catalogue.h"
#include "app/gui/state/glossary.h"
#include "kernels/base/read_file.h"
#include "tests/app/gui/fixture.h"
#include "viz/views/costs/heat.h"

namespace lanescope::gui {
namespace {

TEST(Thumbnail, EveryKernelOfTheCatalogueHasAPictureWithinItsFrame) {
  ASSERT_GT(catalogue::installed().size(), 40u);
  for (const catalogue::Kernel& k : catalogue::installed()) {
    const auto text = read_file(k.path);
    ASSERT_TRUE(text) << k.path;
    const scene::Scene picture = thumbnail(k.path, *text, views::dark_theme());
    EXPECT_FALSE(picture.boxes.empty()) << k.name;
    for (const scene::Box& b : picture.boxes) {
      EXPECT_GE(b.rect.x, 0) << k.name;
      EXPECT_LE(b.rect.x + b.rect.w, thumbnail_width + 0.5f) << k.name;
      EXPECT_GE(b.rect.y, 0) << k.name;
      EXPECT_LE(b.rect.y + b.rect.h, thumbnail_height + 0.5f) << k.name;
    }
  }
  EXPECT_TRUE(thumbnail("x.cu", "/*\n[lanescope]\ngrid = \"no\"\n*/", views::dark_theme()).boxes.empty());
}

/// Law: places that hold different elements have different colours, as long as the ramp has enough of them.
TEST(Thumbnail, ColoursTellElementsApart) {
  const scene::Scene picture = thumbnail("k.cu", R"(/*
[lanescope]
block = [32]
[buffers]
p = "f32 i:2 j:32"
*/
__global__ void k(float* p) {
    float x0 = p[threadIdx.x];
    float x1 = p[threadIdx.x + 32];
    // x has register assignment:
    //   register:  r0              <->  i0
    //   thread:    t4 t3 t2 t1 t0  <->  j4 j3 j2 j1 j0
    p[threadIdx.x] = x0 + x1;
}
)",
                                         views::dark_theme());
  std::set<std::uint32_t> colours;
  for (const scene::Box& b : picture.boxes) colours.insert(b.fill.rgba);
  EXPECT_EQ(picture.boxes.size(), 64u);
  EXPECT_EQ(colours.size(), 64u);
}

/// Notes on shapes, or one about a panel of text: never both, never neither.
TEST(PictureNotes, EveryPanelHasSome) {
  std::set<PanelId> shapes, text;
  for (const PictureNote& n : picture_notes()) shapes.insert(n.panel);
  for (const PanelNote& n : panel_notes()) EXPECT_TRUE(text.insert(n.panel).second) << panel_name(n.panel);
  for (const PanelId id : all_panels) EXPECT_NE(shapes.contains(id), text.contains(id)) << panel_name(id);
  // That of a panel of text lies within it, or there is no room.
  const auto height = [](std::string_view words, float width, const void*) {
    return 16.0f * std::ceil(static_cast<float>(words.size()) * 7 / width) + 10;
  };
  std::mt19937 random(5);
  int placed = 0;
  for (int round = 0; round < 200; ++round) {
    const scene::Rect body{static_cast<float>(random() % 300), static_cast<float>(random() % 300),
                           static_cast<float>(random() % 500), static_cast<float>(random() % 400)};
    const scene::Rect box =
        place_panel_note(panel_notes()[random() % panel_notes().size()].words, body, 220, height, nullptr);
    if (box.w <= 0) continue;
    ++placed;
    EXPECT_GE(box.x, body.x);
    EXPECT_GE(box.y, body.y);
    EXPECT_LE(box.x + box.w, body.x + body.w);
    EXPECT_LE(box.y + box.h, body.y + body.h);
  }
  EXPECT_GT(placed, 80);
}

/// Law: a note points into a shape of its kind, stays in the room and covers no other note.
TEST(PictureNotes, PointAtTheirShapesAndDoNotCoverEachOther) {
  std::mt19937 random(11);
  const auto height = [](std::string_view words, float width, const void*) {
    return 16.0f * std::ceil(static_cast<float>(words.size()) * 7 / width) + 10;
  };
  int placed = 0;
  for (int round = 0; round < 400; ++round) {
    scene::Scene s;
    s.width = 600, s.height = 400;
    for (int n = 0; n < 60; ++n) {
      const PictureNote& note = picture_notes()[random() % picture_notes().size()];
      s.boxes.push_back({.id = {.kind = note.kind},
                         .rect = {static_cast<float>(random() % 560), static_cast<float>(random() % 380), 30, 14},
                         .fill = {},
                         .stroke = {}});
    }
    const scene::Rect room{100, 50, 200 + static_cast<float>(random() % 600), 80 + static_cast<float>(random() % 500)};
    const PanelId panel = all_panels[random() % all_panels.size()];
    const auto notes = place_notes(panel, s, {100, 50}, 1.2f, room, 220, height, nullptr);
    for (std::size_t a = 0; a < notes.size(); ++a) {
      const PlacedNote& n = notes[a];
      ++placed;
      EXPECT_TRUE(n.shape.contains(n.to));
      EXPECT_TRUE(room.contains(n.to));
      EXPECT_GE(n.box.x, room.x);
      EXPECT_LE(n.box.x + n.box.w, room.x + room.w);
      EXPECT_GE(n.box.y, room.h < 150 ? room.y - n.box.h - 2 : room.y);
      EXPECT_LE(n.box.y + n.box.h, room.y + room.h);
      for (std::size_t b = a + 1; b < notes.size(); ++b) {
        const scene::Rect &p = n.box, &q = notes[b].box;
        EXPECT_TRUE(p.y + p.h <= q.y || q.y + q.h <= p.y || p.x + p.w <= q.x || q.x + q.w <= p.x) << panel_name(panel);
      }
    }
  }
  EXPECT_GT(placed, 250);
}

class Welcome : public ExplorerTest {};

TEST_F(Welcome, LessonTitlesComeFromTheirFolders) {
  const std::string here = folder();
  for (const auto& [name, text] :
       {std::pair{"02-banks", "# Bank conflicts\n\nAfterwards one can\ncount *wavefronts*.\n\n## Page\n"},
        {"01-sectors", "\n# Sectors\n## Page\n"},
        {"03-none", "no title\n"}}) {
    std::filesystem::create_directories(here + "/" + name);
    std::ofstream(here + "/" + name + "/lesson.md") << text;
  }
  std::filesystem::create_directories(here + "/04-empty");
  const auto all = lesson_titles(here);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].title, "Sectors");
  EXPECT_EQ(all[0].summary, "");
  EXPECT_EQ(all[1].name, "02-banks");
  EXPECT_EQ(all[1].summary, "Afterwards one can count wavefronts.");
  EXPECT_TRUE(lesson_titles(here + "/missing").empty());
}

/// Shown over a running kernel when there is neither a file nor a session; never else.
TEST_F(Welcome, IsShownToWhoStartsForTheFirstTime) {
  ExplorerOptions first = options_for("");
  first.no_session = false;
  first.session = folder() + "/session.json";
  open(first);
  EXPECT_EQ(app().shell.overlay, Overlay::welcome);
  EXPECT_EQ(fact("file"), "half2_transposes.cu");
  EXPECT_EQ(fact("results.have"), "yes");
  script("expect text Welcome to lanescope\nexpect text Open your own file…");
  script("screenshot " + folder() +
         "/welcome.png\nclick item \"Card bit_transpose\"\nwait\nexpect file bit_transpose.cu");
  EXPECT_EQ(app().shell.overlay, Overlay::none);
  // The notes of the picture, on the kernel just opened; a key ends them.
  const auto notes = [&] {
    record_items(true);
    frames->settle(3);
    const auto shown = texts();
    const auto count = std::ranges::count_if(
        picture_notes(), [&](const PictureNote& n) { return std::ranges::find(shown, n.words) != shown.end(); });
    record_items(false);
    return count;
  };
  script("command app.picture_notes\nframes 2");
  EXPECT_GE(notes(), 6);
  EXPECT_EQ(app().shell.overlay, Overlay::picture_notes);
  script("key Escape");
  EXPECT_EQ(notes(), 0);
  EXPECT_EQ(app().shell.overlay, Overlay::none);
  script("command app.welcome\nframes 2\nexpect text Welcome to lanescope\nkey Escape");
  EXPECT_EQ(app().shell.overlay, Overlay::none);
  open(options_for(""));  // without sessions: tests and pictures
  EXPECT_EQ(app().shell.overlay, Overlay::none);
}

/// Each instruction of the panel is explained where one points at it, for the GPU that is spoken of.
TEST_F(Welcome, InstructionsAreExplainedInPlace) {
  ExplorerOptions o = options_for(kernel("half2_transposes.cu"));
  o.width = 1600, o.height = 1000;
  open(o);
  script("command panel.ptx\nframes 2");
  const auto& code = views::ptx_code(app().results.summary);
  int row = -1;
  for (const scene::Box& b : frames->stage().scenes.at("ptx").scene.boxes)
    if (b.id.kind == scene::Id::Kind::ptx_row &&
        code[static_cast<std::size_t>(b.id.a)].text.find("shfl") != std::string::npos)
      row = b.id.a;
  if (row < 0) {  // not among the rows in sight: the line of a shuffle
    for (const trace::CodeSite& site : code)
      if (site.text.find("shfl") != std::string::npos) {
        script("line " + std::to_string(site.line) + "\nframes 2");
        break;
      }
    for (const scene::Box& b : frames->stage().scenes.at("ptx").scene.boxes)
      if (b.id.kind == scene::Id::Kind::ptx_row &&
          code[static_cast<std::size_t>(b.id.a)].text.find("shfl") != std::string::npos)
        row = b.id.a;
  }
  ASSERT_GE(row, 0);
  script("hover scene ptx ptx_row/" + std::to_string(row) + "/0/0/0\nframes 40");
  const std::string wanted = explain::explain(code[static_cast<std::size_t>(row)].text).does;
  ASSERT_NE(wanted.find("Exchanges registers within the warp"), std::string::npos);
  const auto reported = [&] {
    return std::ranges::any_of(texts(), [&](const std::string& t) { return t.find(wanted) != std::string::npos; });
  };
  record_items(true);
  frames->settle(3);
  EXPECT_TRUE(reported());
  for (const trace::CodeSite& site : code)
    if (site.kind != trace::StepKind::probe) {
      EXPECT_TRUE(explain::explain(site.text).complete()) << site.text;
    }
  // The generation is that of the chosen GPU.
  EXPECT_EQ(shown_generation(app()).arch, app().results.summary.arch);
  app().occupancy.choice.gpu = "Tesla K40";
  EXPECT_EQ(shown_generation(app()).arch, "sm_35");
  record_items(false);
}

TEST_F(Welcome, OffsetsOfThePointerOnTheSelectedLineAreDrawn) {
  const std::string file = folder() + "/tiles.cu";
  std::ofstream(file) << R"(/*
[lanescope]
grid = [4, 2]
block = [32, 4]
[buffers]
a = "f32 i:4 j:4 k:64"
*/
__global__ void __launch_bounds__(128) tiles(float* a) {
    // per-block offset
    //   before: shape (4, 4, 64), contiguous
    //   after: shape (4, 32), strides (256, 1)
    a += blockIdx.x * 64 + blockIdx.y * 32;
    a[threadIdx.y * 256 + threadIdx.x] = 1;
}
)";
  open(options_for(file));
  const auto words = [&] {
    std::string all;
    for (const scene::Label& l : frames->stage().scenes.at("assignment").scene.labels) all += l.text + "\n";
    return all;
  };
  app().shell.show_panel(PanelId::assignment);
  for (const int line : {12, 10}) {  // the statement, and its comment
    script("line " + std::to_string(line) + "\nframes 3\nexpect text Pointer offset");
    EXPECT_NE(words().find("The 8 blocks tile the array"), std::string::npos) << words();
  }
  script("line 13\nframes 3\nexpect text not Pointer offset");
}

/// Words of a panel that are terms of the glossary as a whole show what they mean under the mouse.
TEST_F(Welcome, HeadingsThatAreTermsAreExplained) {
  ExplorerOptions o = options_for(kernel("half2_transposes.cu"));
  o.width = 1600, o.height = 1000;
  open(o);
  int terms = 0;
  for (const char* arrangement : {"Learn", "Profile"}) {
    script(std::string("set arrangement ") + arrangement + "\nframes 3");
    std::set<std::string> seen;
    const auto scenes = frames->stage().scenes;
    for (const auto& [name, drawn] : scenes)
      for (const scene::Label& l : drawn.scene.labels) {
        // Headings: words that stand for no shape.
        if (l.id.kind != scene::Id::Kind::none || explanation_of(l.text).empty() || !seen.insert(name + l.text).second)
          continue;
        const float shift = l.align == scene::Align::left ? 4.0f : l.align == scene::Align::right ? -4.0f : 0.0f;
        const ImVec2 at = drawn.to_screen({l.at.x + shift, l.at.y});
        if (!drawn.area.contains(at)) continue;
        ++terms;
        script("hover at " + std::to_string(at.x) + " " + std::to_string(at.y) + "\nframes 40");
        record_items(true);
        frames->settle(3);
        const bool reported =
            std::ranges::any_of(texts(), [&](const std::string& t) { return t == explanation_of(l.text); });
        EXPECT_TRUE(reported) << name << ": " << l.text;
        record_items(false);
      }
  }
  EXPECT_GE(terms, 3);
  EXPECT_EQ(meaning_of("32 lanes"), explanation_of("lane"));
  EXPECT_EQ(meaning_of("sectors per request"), explanation_of("sector"));
  EXPECT_EQ(meaning_of("nothing known"), "");
}

/// The same in every panel of every work space, as far as the words that rest under the mouse: what they mean receives them (above).
/// Of a panel with many the first two.
TEST_F(Welcome, EveryPanelExplainsItsHeadings) {
  ExplorerOptions o = options_for(kernel("shared_transpose_padded.cu"));
  o.width = 1600, o.height = 1000;
  open(o);
  std::set<std::string> seen;
  std::map<std::string, int> of_panel;
  std::set<PanelId> shown;
  const auto look = [&] {
    frames->settle(3);
    for (const auto& [name, body] : frames->stage().bodies) shown.insert(*panel_named(name));
    const auto scenes = frames->stage().scenes;
    for (const auto& [name, drawn] : scenes)
      for (const scene::Label& l : drawn.scene.labels) {
        if (l.id.kind != scene::Id::Kind::none || explanation_of(l.text).empty() || seen.contains(name + l.text) ||
            of_panel[name] == 2)
          continue;
        const float shift = l.align == scene::Align::left ? 4.0f : l.align == scene::Align::right ? -4.0f : 0.0f;
        const ImVec2 at = drawn.to_screen({l.at.x + shift, l.at.y});
        if (!drawn.area.contains(at)) continue;
        seen.insert(name + l.text), ++of_panel[name];
        script("hover at " + std::to_string(at.x) + " " + std::to_string(at.y) + "\nframes 40");
        EXPECT_EQ(pointed_at(), l.text) << name;
      }
  };
  for (int n = 0; n < arrangement_count; ++n) {
    script("set arrangement " + std::string(arrangement_name(static_cast<Arrangement>(n))));
    look();
  }
  script("set arrangement Learn");
  for (const PanelId id : all_panels) {
    if (shown.contains(id) || is_design_panel(id)) continue;
    app().shell.show_panel(id);
    look();
    EXPECT_TRUE(shown.contains(id)) << panel_name(id);
  }
  EXPECT_GE(seen.size(), 4u);
}

}  // namespace
}  // namespace lanescope::gui
