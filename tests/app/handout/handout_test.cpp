// A handout in a browser: what is on the page is what the document says, in every step; keys, links and questions work.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <fmt/format.h>

#include "app/document/file_io.h"
#include "app/handout/write.h"
#include "kernels/compile/compile.h"
#include "kernels/resources/resources.h"
#include "tests/app/handout/browser.h"
#include "tests/sample.h"
#include "viz/page/html/html.h"
#include "viz/page/slides.h"
#include "viz/paint/paint.h"

namespace lanescope::handout {
namespace {

using nlohmann::json;
using page::Question;

constexpr const char* odd_text = R"(a < b && "c" > 'd' </p></script> <!-- é → 字 𝄞 \ end)";

struct Ran {
  std::string text;
  engine::RunResult result;
  std::unique_ptr<engine::Engine> engine = engine::engine_here();
};

Ran run_of(const std::string& kernel) {
  Ran run;
  const std::string file = (resources::assets_directory() / "kernels" / kernel).string();
  run.text = document::read_text(file).value();
  engine::RunRequest request;
  request.file = file, request.text = run.text, request.forbid_nvrtc = request.review = true;
  run.result = run.engine->run(request);
  EXPECT_TRUE(run.result.summary.ok);
  return run;
}

/// One run, its page with questions and odd texts, and a browser, for all tests.
struct Prepared {
  page::Document document;
  std::string html, why;
  std::filesystem::path file;
  std::unique_ptr<Browser> browser;

  Prepared() {
    const Ran run = run_of("half2_transposes.cu");
    document = document_of_run(*run.engine, run.result, run.text, {}).value();
    document.sources.front().files.front().lines[1] = odd_text;
    document.sources.front().files.front().lines[2] = std::string(5000, 'x');
    page::Section questions{.heading = odd_text};
    questions.blocks = {
        page::Text{std::string("- ") + "one\n- **two**\n\n`" + odd_text + "`"},
        Question{.ask = odd_text, .answer = "64", .unit = "sectors", .hint = "4 each", .why = "16 warps of 4 sectors."},
        Question{.kind = Question::Kind::choice, .ask = "Which?", .answer = "8", .choices = {"1", "8", "16"}},
        Question{.kind = Question::Kind::row, .ask = "Row?", .answer = "j1 j0 k3 k2 k1"},
        Question{.kind = Question::Kind::code,
                 .ask = "Fix it.",
                 .why = "So.",
                 .command = "lanescope check broken.cu",
                 .given = "broken " + std::string(odd_text),
                 .solution = "fixed " + std::string(odd_text),
                 .file = "broken.cu",
                 .solution_file = "mended.cu"}};
    document.sections.push_back(std::move(questions));
    html = page::to_html(document).value();
    file = std::filesystem::temp_directory_path() / fmt::format("lanescope_handout_{}.html", getpid());
    std::ofstream(file, std::ios::binary) << html;
    browser = Browser::start(why);
  }
  ~Prepared() {
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
  }
  const page::Player& player() const { return std::get<page::Player>(document.sections.front().blocks.front()); }
};

class Handout : public ::testing::Test {
 protected:
  static Prepared& all() {
    static Prepared prepared;
    return prepared;
  }
  void SetUp() override {
    if (!all().browser) GTEST_SKIP() << all().why;
    all().browser->resize(1280, 800);
    all().browser->open(all().file.string());
  }
  void TearDown() override {
    if (all().browser) {
      EXPECT_EQ(all().browser->complaints(), std::vector<std::string>{});
    }
  }
  static json value(const std::string& expression) { return all().browser->value(expression); }
  static void show(std::size_t step) {
    value(
        fmt::format("(() => {{ const s = document.querySelector('input[type=range]'); s.value = {}; "
                    "s.dispatchEvent(new Event('input')); }})()",
                    step));
  }
  static std::string shown() { return value("document.querySelector('.where').textContent"); }
};

/// Element names after each <, counted. Scripts and styles are no markup.
std::map<std::string, int> written_elements(std::string_view html) {
  std::map<std::string, int> count;
  for (std::size_t at = html.find('<'); at != std::string_view::npos; at = html.find('<', at + 1)) {
    std::size_t end = at + 1;
    while (end < html.size() && std::isalnum(static_cast<unsigned char>(html[end])) != 0) ++end;
    if (end == at + 1) continue;
    const std::string name(html.substr(at + 1, end - at - 1));
    ++count[name];
    if (name == "script" || name == "style") at = html.find("</" + name, end);
  }
  return count;
}

TEST_F(Handout, IsReadAsItWasWritten) {
  const json read = value(fmt::format(
      "(() => {{ const d = new DOMParser().parseFromString({}, 'text/html'); const n = {{}}; for (const e of "
      "d.querySelectorAll('*')) n[e.localName] = (n[e.localName] || 0) + 1; return n; }})()",
      json(all().html).dump()));
  EXPECT_EQ(read, json(written_elements(all().html)));
  EXPECT_LT(all().html.size(), 700'000u);  // 25 steps
  const json lines = value("[...document.querySelectorAll('.line code')].map((e) => e.textContent)");
  EXPECT_EQ(lines, json(all().document.sources.front().files.front().lines));
  EXPECT_EQ(value("[...document.querySelectorAll('h2')].pop().textContent"), odd_text);
  EXPECT_EQ(value("[...document.querySelectorAll('section')].pop().querySelector('p code').textContent"), odd_text);
  EXPECT_EQ(value("document.querySelector('.question p').textContent"), odd_text);
}

/// Ids and words of a picture.
std::pair<std::multiset<std::string>, std::multiset<std::string>> contents_of(const page::Step& step) {
  std::multiset<std::string> ids, words;
  for (const page::Picture& p : step.pictures) {
    const scene::Scene& s = p.scene(page::Look::light);
    for (const scene::Box& b : s.boxes)
      if (b.id.kind != scene::Id::Kind::none) ids.insert(scene::to_string(b.id));
    for (const scene::Arrow& a : s.arrows) {
      if (a.id.kind != scene::Id::Kind::none) ids.insert(scene::to_string(a.id));
      if (!a.count.empty()) words.insert(a.count);
    }
    for (const scene::Label& l : s.labels)
      if (const std::string text = paint::fitted(l.face, l.size, l.text, l.max_width); !text.empty())
        words.insert(text);
  }
  return {ids, words};
}

TEST_F(Handout, EveryStepShowsItsSceneAndItsLine) {
  const auto& steps = all().player().steps;
  ASSERT_GT(steps.size(), 20u);
  // The first one is there without the script, too, and the script draws the same.
  const json alone = value(fmt::format(
      "[...new DOMParser().parseFromString({}, 'text/html').querySelectorAll('.picture svg')].map((e) => e.innerHTML)",
      json(all().html).dump()));
  EXPECT_EQ(alone, value("[...document.querySelectorAll('.picture svg')].map((e) => e.innerHTML)"));
  // Forth, and back again.
  for (std::size_t n = 0; n < 2 * steps.size(); n += n < steps.size() ? 1 : 5) {
    const std::size_t at = n < steps.size() ? n : 2 * steps.size() - 1 - n;
    show(at);
    const json seen = value(
        "(() => { const shown = [...document.querySelectorAll('.picture:not([hidden])')], of = (q, f) => "
        "shown.flatMap((p) "
        "=> [...p.querySelectorAll(q)].map(f)); return { ids: of('svg [data-id]', (e) => e.dataset.id), words: of('svg "
        "text', (e) => e.lastChild.textContent), current: [...document.querySelectorAll('.line.current')].map((e) => "
        "Number(e.dataset.line)), code: document.querySelector('.caption code').textContent, seen: "
        "(() => { const s = document.querySelector('.source').getBoundingClientRect(), l = "
        "document.querySelector('.line.current').getBoundingClientRect(); return l.top >= s.top && l.bottom <= "
        "s.bottom; "
        "})() }; })()");
    const auto [ids, words] = contents_of(steps[at]);
    EXPECT_EQ(seen["ids"].get<std::multiset<std::string>>(), ids) << at;
    EXPECT_EQ(seen["words"].get<std::multiset<std::string>>(), words) << at;
    EXPECT_EQ(seen["current"], json::array({steps[at].line}));
    EXPECT_EQ(seen["code"], steps[at].code);
    EXPECT_EQ(seen["seen"], true) << at;
    EXPECT_EQ(shown(), fmt::format("Step {} of {} · {}", at + 1, steps.size(), steps[at].title));
  }
}

TEST_F(Handout, KeysGoThroughTheSteps) {
  const std::size_t last = all().player().steps.size();
  const auto after = [&](const char* key) {
    all().browser->key(key);
    const std::string words = shown();
    return std::stoul(words.substr(5));
  };
  EXPECT_EQ(after("ArrowRight"), 2u);
  EXPECT_EQ(after("ArrowRight"), 3u);
  EXPECT_EQ(after("ArrowLeft"), 2u);
  EXPECT_EQ(after("PageDown"), 3u);
  EXPECT_EQ(after("PageUp"), 2u);
  EXPECT_EQ(after("End"), last);
  EXPECT_EQ(after("ArrowRight"), last);
  EXPECT_EQ(after("Home"), 1u);
  EXPECT_EQ(after("ArrowLeft"), 1u);
  // In a field they are its own.
  value("document.querySelector('.question input').focus()");
  EXPECT_EQ(after("ArrowRight"), 1u);
}

TEST_F(Handout, PointingAtAnElementLightsItEverywhereAndItsLine) {
  const auto& steps = all().player().steps;
  // A step that loads: registers and global memory hold the same elements.
  const auto loads = std::ranges::find_if(steps, [](const page::Step& s) { return s.code.starts_with("__half2 x1"); });
  ASSERT_NE(loads, steps.end());
  show(static_cast<std::size_t>(loads - steps.begin()));
  const page::Mark* cell = nullptr;
  for (const page::Mark& m : loads->pictures.front().marks)
    if (m.id.kind == scene::Id::Kind::register_cell && m.line == loads->line && m.id.c == 5) cell = &m;
  ASSERT_NE(cell, nullptr);
  std::set<std::string> same;
  std::set<std::string> pictures;
  for (const page::Picture& p : loads->pictures)
    for (const page::Mark& m : p.marks)
      if ((" " + m.elements + " ").find(" " + cell->elements + " ") != std::string::npos)
        same.insert(scene::to_string(m.id)), pictures.insert(p.name);
  ASSERT_EQ(pictures.size(), 2u) << cell->elements;
  const json at =
      value(fmt::format("(() => {{ const e = document.querySelector('[data-id=\"{}\"]'); e.scrollIntoView({{ block: "
                        "'center' }}); const r = "
                        "e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()",
                        scene::to_string(cell->id)));
  const char* lit = "[...document.querySelectorAll('svg .lit')].map((e) => e.dataset.id)";
  const char* lit_lines = "[...document.querySelectorAll('.line.lit')].map((e) => Number(e.dataset.line))";
  all().browser->move_mouse(at[0], at[1]);
  EXPECT_EQ(value(lit).get<std::set<std::string>>(), same);
  EXPECT_EQ(value(lit_lines), json::array({cell->line}));
  EXPECT_EQ(value("document.querySelector('.fact').textContent"),
            fmt::format("{}: {}; line {}", cell->place, cell->words, cell->line));
  all().browser->move_mouse(1, 1);
  EXPECT_EQ(value(lit), json::array());
  EXPECT_EQ(value(lit_lines), json::array());
  // A click keeps it: it is followed from step to step.
  value(fmt::format(
      "document.querySelector('[data-id=\"{}\"]').dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))",
      scene::to_string(cell->id)));
  for (std::size_t n = 0; n < steps.size(); n += 3) {
    show(n);
    std::set<std::string> holders;
    for (const page::Picture& p : steps[n].pictures)
      for (const page::Mark& m : p.marks)
        if ((" " + m.elements + " ").find(" " + cell->elements + " ") != std::string::npos)
          holders.insert(scene::to_string(m.id));
    EXPECT_EQ(value(lit).get<std::set<std::string>>(), holders) << n;
    const std::string reported = value("document.querySelector('.fact').textContent");
    EXPECT_EQ(reported.find("in no picture") != std::string::npos, holders.empty()) << reported;
  }
}

TEST_F(Handout, AnswersAreToldApart) {
  const auto answer = [&](int question, const std::string& what) {
    value(fmt::format(
        "(() => {{ const f = document.querySelector('[data-question=\"{}\"]'); const t = "
        "f.querySelector('input[type=text]'); if (t) t.value = {}; else f.querySelectorAll('input')[{}].checked "
        "= true; f.querySelector('button[type=submit]').click(); }})()",
        question, json(what).dump(), std::isdigit(static_cast<unsigned char>(what[0])) ? what : "0"));
    return value(fmt::format("document.querySelector('[data-question=\"{}\"] .graded').className", question))
        .get<std::string>();
  };
  for (const char* wrong : {"63", "sixty", "640", "-64"}) EXPECT_EQ(answer(0, wrong), "graded wrong") << wrong;
  for (const char* right : {"64", " 64 ", "64.0", "6.4e1"}) EXPECT_EQ(answer(0, right), "graded right") << right;
  EXPECT_EQ(value("document.querySelector('[data-question=\"0\"] .more').textContent.trim()"),
            "16 warps of 4 sectors.");
  EXPECT_EQ(answer(0, " "), "graded ");
  EXPECT_EQ(answer(1, "0"), "graded wrong");
  EXPECT_EQ(answer(1, "1"), "graded right");
  for (const char* right : {"j1 j0 k3 k2 k1", "j1j0 k3  k2k1"}) EXPECT_EQ(answer(2, right), "graded right") << right;
  EXPECT_EQ(answer(2, "j0 j1 k3 k2 k1"), "graded wrong");
  // Hint, and the solution after its button.
  value("document.querySelector('[data-question=\"0\"] .hint').click()");
  EXPECT_EQ(value("document.querySelector('[data-question=\"0\"] .more').textContent.trim()"), "4 each");
  EXPECT_EQ(value("document.querySelector('[data-question=\"3\"] .more').textContent"), "");
  value("document.querySelector('[data-question=\"3\"] .reveal').click()");
  EXPECT_EQ(value("document.querySelector('[data-question=\"3\"] .more pre').textContent"),
            "fixed " + std::string(odd_text));
}

TEST_F(Handout, FitsAPhone) {
  all().browser->resize(400, 800);
  EXPECT_LE(value("document.documentElement.scrollWidth").get<int>(), 400);
  EXPECT_GE(value("document.querySelector('.forward').getBoundingClientRect().height").get<int>(), 40);
}

TEST_F(Handout, EveryFieldAndButtonHasAName) {
  EXPECT_EQ(value("[...document.querySelectorAll('button, input, svg[role], .source, .scroll')].filter((e) => "
                  "!(e.getAttribute('aria-label') || e.textContent.trim() || (e.labels && e.labels.length))).length"),
            0);
}

TEST(HandoutRun, BothLooksHaveTheSameShapes) {
  const Ran run = run_of("shared_transpose_padded.cu");
  const page::Document document = document_of_run(*run.engine, run.result, run.text, {}).value();
  for (const page::Step& step : std::get<page::Player>(document.sections.front().blocks.front()).steps)
    for (const page::Picture& p : step.pictures) {
      const auto& [light, dark] = p.scenes;
      EXPECT_EQ(light.boxes.size(), dark.boxes.size());
      EXPECT_EQ(light.labels.size(), dark.labels.size());
      EXPECT_EQ(light.lines.size(), dark.lines.size());
      EXPECT_EQ(light.arrows.size(), dark.arrows.size());
      EXPECT_EQ(light.outlines.size(), dark.outlines.size());
      for (std::size_t n = 0; n < std::min(light.labels.size(), dark.labels.size()); ++n)
        EXPECT_EQ(light.labels[n].text, dark.labels[n].text);
    }
  // One moment of it, and what there is not.
  const auto one = document_of_run(*run.engine, run.result, run.text, {.at = "29"});
  ASSERT_TRUE(one.has_value());
  EXPECT_EQ(std::get<page::Player>(one->sections.front().blocks.front()).steps.size(), 1u);
  for (const char* wrong : {"1", "step:99999", "x", "step:"})
    EXPECT_FALSE(document_of_run(*run.engine, run.result, run.text, {.at = wrong}).has_value()) << wrong;
  EXPECT_FALSE(document_of_run(*run.engine, run.result, run.text, {.warp = 32}).has_value());
}

std::string words(const Diagnostics& all) {
  std::string text;
  for (const Diagnostic& d : all) text += to_string(d) + "\n";
  return text;
}

class HandoutLesson : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
    computer.program = LANESCOPE_PROGRAM;
  }
  lessons::Lesson lesson = lessons::read_lesson(std::string(LANESCOPE_TEST_DATA_DIR) + "/lessons/01-first").value();
  lessons::Computer computer;
};

TEST_F(HandoutLesson, HasItsPagesMomentsAndComputedAnswers) {
  const auto document = document_of_lesson(lesson, computer);
  ASSERT_TRUE(document) << words(document.error());
  EXPECT_EQ(document->title, lesson.title);
  ASSERT_EQ(document->sections.size(), lesson.pages.size());
  std::size_t steps = 0, questions = 0;
  for (const page::Section& section : document->sections)
    for (const page::Block& block : section.blocks) {
      if (const auto* player = std::get_if<page::Player>(&block)) {
        steps += player->steps.size();
        for (const page::Step& step : player->steps) EXPECT_FALSE(step.pictures.empty()) << step.title;
      }
      const auto* question = std::get_if<Question>(&block);
      if (question == nullptr) continue;
      const lessons::Question& asked = *lesson.questions()[questions++];
      EXPECT_EQ(question->ask, asked.ask);
      EXPECT_EQ(question->why.find("{answer}"), std::string::npos);
      if (asked.kind == lessons::Question::Kind::code) {
        EXPECT_FALSE(question->solution.empty() || question->given.empty());
        continue;
      }
      // The right answer there is the right answer here.
      const auto answer = lessons::compute_answer(lesson, asked, computer);
      ASSERT_TRUE(answer) << words(answer.error());
      EXPECT_EQ(question->answer, answer->text);
      EXPECT_TRUE(lessons::is_right(asked, *answer, question->answer).value_or(false));
    }
  EXPECT_EQ(questions, lesson.questions().size());
  EXPECT_EQ(steps, lesson.moments().size());
}

/// A moment that follows elements shows their ways, linked with the other pictures and with the lines; one that follows
/// none does not.
TEST(HandoutMoments, FollowedElementsHaveTheirJourney) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  lessons::SavedMoment m;
  m.kernel = (resources::assets_directory() / "kernels/half2_transposes.cu").string();
  m.name = "one", m.line = 53, m.picture = "registers", m.pins = {"p[64]", "p[3]"};
  m.panels = {"movement"};  // beside another picture, too
  lessons::SavedMoment none = m;
  none.name = "none", none.pins.clear();
  const auto document = document_of_moments({m, none}, "own.moments.toml", Movements::as_saved);
  ASSERT_TRUE(document) << words(document.error());
  const auto& steps = std::get<page::Player>(document->sections.front().blocks.front()).steps;
  ASSERT_EQ(steps.size(), 2u);
  const auto journey = std::ranges::find(steps[0].pictures, "journey", &page::Picture::name);
  ASSERT_NE(journey, steps[0].pictures.end());
  EXPECT_EQ(std::ranges::count(steps[1].pictures, "journey", &page::Picture::name), 0);
  EXPECT_EQ(std::ranges::count(steps[0].pictures, "movement", &page::Picture::name), 1);
  EXPECT_EQ(steps[0].caption, "");
  const page::Picture& registers = steps[0].pictures.front();
  for (const char* element : {"p[64]", "p[3]"}) {
    int stations = 0, lines = 0;
    for (const page::Mark& mark : journey->marks) {
      if (mark.elements != element || mark.id.kind != scene::Id::Kind::journey_station) continue;
      ++stations;
      lines += mark.line > 0 ? 1 : 0;
      EXPECT_FALSE(mark.place.empty());
    }
    EXPECT_GE(stations, 4) << element;  // buffer, registers, buffer
    EXPECT_GE(lines, 3) << element;
    EXPECT_TRUE(std::ranges::any_of(registers.marks, [&](const page::Mark& mark) {
      return (" " + mark.elements + " ").find(" " + std::string(element) + " ") != std::string::npos;
    })) << element;
  }
  EXPECT_EQ(journey->scenes[0].boxes.size(), journey->scenes[1].boxes.size());
  // On slides, too.
  const auto slides = page::slides(*document, page::Look::light);
  EXPECT_TRUE(std::ranges::any_of(slides, [](const scene::Scene& s) {
    return std::ranges::any_of(s.labels, [](const scene::Label& l) { return l.text.starts_with("Journey of 2"); });
  }));
}

/// Moves to the last step of every player and answers every question, rightly and wrongly. Returns the
/// failures, in words.
constexpr const char* play_all = R"((() => {
  const wrong = [];
  for (const slider of document.querySelectorAll('input[type=range]')) {
    const player = slider.closest('[data-player]'), reported = () => player.querySelector('.where').textContent;
    const before = reported();
    slider.value = slider.max;
    slider.dispatchEvent(new Event('input'));
    if (reported() === before) wrong.push('slider at ' + before);
    if (!player.querySelector('svg *')) wrong.push('no picture at ' + reported());
  }
  const answers = ANSWERS;
  answers.forEach(([kind, answer, choices], n) => {
    const form = document.querySelector('[data-question="' + n + '"]');
    if (kind === 'code') return;
    const reported = (value) => {
      const field = form.querySelector('input[type=text]');
      if (field) field.value = value;
      else form.querySelectorAll('input')[choices.indexOf(value)].checked = true;
      form.querySelector('button[type=submit]').click();
      return form.querySelector('.graded').className;
    };
    const other = kind === 'choice' ? choices.find((c) => c !== answer) : kind === 'row' ? answer + ' z9' : '-' + answer + '1';
    if (reported(other) !== 'graded wrong') wrong.push(n + ' takes ' + other);
    if (reported(answer) !== 'graded right') wrong.push(n + ' refuses ' + answer);
  });
  return wrong;
})())";

TEST_F(Handout, EveryLessonPlays) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  lessons::Computer computer;
  computer.program = LANESCOPE_PROGRAM;
  std::size_t players = 0, questions = 0, number = 0;
  for (const std::filesystem::path& folder : lessons::lesson_folders(lessons::lessons_directory())) {
    if (!test::in_sample(number++, 3)) continue;
    const auto lesson = lessons::read_lesson(folder);
    ASSERT_TRUE(lesson) << words(lesson.error());
    const auto document = document_of_lesson(*lesson, computer);
    ASSERT_TRUE(document) << words(document.error());
    const std::string html = page::to_html(*document).value();
    EXPECT_LT(html.size(), 3'000'000u) << lesson->name;
    const std::filesystem::path file = all().file.string() + ".lesson.html";
    std::ofstream(file, std::ios::binary) << html;
    json answers = json::array();
    for (const page::Section& section : document->sections)
      for (const page::Block& block : section.blocks) {
        if (const auto* q = std::get_if<Question>(&block))
          answers.push_back({q->kind == Question::Kind::code     ? "code"
                             : q->kind == Question::Kind::row    ? "row"
                             : q->kind == Question::Kind::choice ? "choice"
                                                                 : "number",
                             q->answer, q->choices});
        players += std::holds_alternative<page::Player>(block) ? 1 : 0;
      }
    questions += answers.size();
    EXPECT_EQ(answers.size(), lesson->questions().size());
    all().browser->open(file.string());
    std::string script = play_all;
    script.replace(script.find("ANSWERS"), 7, answers.dump());
    EXPECT_EQ(value(script), json::array()) << lesson->name;
    EXPECT_EQ(all().browser->complaints(), std::vector<std::string>{}) << lesson->name;
    std::filesystem::remove(file);
  }
  EXPECT_GT(players, test::exhaustive() ? 30u : 8u);
  EXPECT_GT(questions, test::exhaustive() ? 100u : 25u);
}

TEST_F(HandoutLesson, WhatIsNotThereIsAnErrorWithItsPlace) {
  for (lessons::Page& page : lesson.pages)
    for (lessons::Block& block : page.blocks) {
      if (block.moment) block.moment->text = "no such line", block.moment->nth = -1;
      if (block.question) block.question->at = {"no such key"};
    }
  const auto document = document_of_lesson(lesson, computer);
  ASSERT_FALSE(document);
  const std::string all = words(document.error());
  EXPECT_NE(all.find("lesson.md"), std::string::npos) << all;
  EXPECT_GE(document.error().size(), lesson.moments().size() + 3) << all;
}

}  // namespace
}  // namespace lanescope::handout
