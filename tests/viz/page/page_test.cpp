// Documents without a browser: Markdown, differences between steps, slides and their PDF.

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include <nlohmann/json.hpp>

#include "tests/shell_word.h"
#include "viz/page/html/html.h"
#include "viz/page/html/shapes.h"
#include "viz/page/markdown.h"
#include "viz/page/slides.h"
#include "viz/paint/paint.h"

namespace lanescope::page {
namespace {

constexpr const char* odd_text = R"(a < b && "c" > 'd' </script> <!-- é → 字 𝄞 \ end)";

std::string words_of(const std::vector<Run>& runs) {
  std::string out;
  for (const Run& r : runs)
    out += (r.slanted ? "/" : "") + std::string(r.bold ? "*" : "") + std::string(r.code ? "`" : "") + r.text + "|";
  return out;
}

TEST(Markdown, ParagraphsListsAndMarks) {
  const auto all = paragraphs_of(
      "A **bold `x`** b\nc\n\n- one\n  more\n  - inner\n- two\n1. first\n\n```cuda\nint **p;\n\n```\n## H\nend **open");
  std::string text;
  for (const Paragraph& p : all)
    text += std::to_string(static_cast<int>(p.kind)) + std::to_string(p.depth) + " " + words_of(p.runs) + "\n";
  EXPECT_EQ(
      text,
      "00 A |*bold |*`x| b c|\n20 one more|\n21 inner|\n20 two|\n30 first|\n40 `int **p;\n|\n10 H|\n00 end **open|\n");
}

TEST(Markdown, SlantedWordsAndProducts) {
  EXPECT_EQ(words_of(paragraphs_of("a *sector* of 2 * 3 * 4, a*b*c and *open").front().runs),
            "a |/sector| of 2 * 3 * 4, a*b*c and *open|");
}

TEST(Markdown, NothingIsLost) {
  std::mt19937 random(7);
  const std::string letters = "ab *`-#1. \n";
  for (int n = 0; n < 2000; ++n) {
    std::string text;
    for (int k = static_cast<int>(random() % 40); k-- > 0;) text += letters[random() % letters.size()];
    std::string kept, read;
    for (const char c : text)
      if (c == 'a' || c == 'b') kept += c;
    for (const Paragraph& p : paragraphs_of(text))
      for (const page::Run& r : p.runs)
        for (const char c : r.text)
          if (c == 'a' || c == 'b') read += c;
    // The words after ``` name the language of the code.
    if (text.find("```") == std::string::npos) {
      EXPECT_EQ(read, kept) << text;
    }
  }
}

TEST(Escape, JsonIsReadBackAndEndsNoScript) {
  const std::string text = json_text(odd_text);
  EXPECT_EQ(text.find('<'), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(text).get<std::string>(), odd_text);
  // Bytes that are no text become a replacement character, and JSON stays JSON.
  std::mt19937 random(3);
  for (int n = 0; n < 500; ++n) {
    std::string bytes;
    for (int k = 0; k < 12; ++k) bytes += static_cast<char>(random() % 256);
    EXPECT_TRUE(nlohmann::json::accept(json_text(bytes))) << bytes;
    EXPECT_EQ(escaped(bytes).find('<'), std::string::npos);
  }
}

Shapes::List applied(const Shapes::List& from, const std::string& changes) {
  Shapes::List out;
  std::size_t at = 0;
  for (const auto& change : nlohmann::json::parse(changes)) {
    if (change.is_array()) {
      for (std::size_t n = 0; n < change.size(); n += 2)
        for (std::uint32_t k = 0; k < change[n + 1].get<std::uint32_t>(); ++k)
          out.push_back(change[n].get<std::uint32_t>() + k);
    } else if (change.get<int>() < 0) {
      at += static_cast<std::size_t>(-change.get<int>());
    } else {
      for (int k = 0; k < change.get<int>(); ++k) out.push_back(from.at(at++));
    }
  }
  EXPECT_LE(at, from.size());
  return out;
}

TEST(Differences, LeadFromOneStepToTheNext) {
  std::mt19937 random(11);
  for (int n = 0; n < 400; ++n) {
    Shapes::List from, to;
    for (std::uint32_t k = random() % 150; k-- > 0;) from.push_back(random() % 200);
    to = from;
    for (std::uint32_t k = random() % 6; k-- > 0 && !to.empty();) {
      const auto at = to.begin() + static_cast<std::ptrdiff_t>(random() % to.size());
      if (random() % 3 == 0)
        to.erase(at);
      else if (random() % 2 == 0)
        to.insert(at, 1000 + random() % 5);
      else
        *at = 2000 + random() % 50;
    }
    if (n % 10 == 0) std::shuffle(to.begin(), to.end(), random);
    EXPECT_EQ(applied(from, difference(from, to)), to);
  }
}

TEST(Differences, AreSmallWhereLittleChanges) {
  Shapes::List from(3000), to;
  for (std::uint32_t n = 0; n < from.size(); ++n) from[n] = n;
  to = from;
  to[1500] = 5000;
  to.insert(to.begin() + 20, 5001);
  EXPECT_LT(difference(from, to).size(), 60u);
}

Picture picture_of_words(const std::vector<std::string>& words) {
  Picture p{.name = "words", .title = "Words"};
  for (const Look look : {Look::light, Look::dark}) {
    scene::Scene& s = p.scenes[static_cast<std::size_t>(look)];
    s.width = 300, s.height = 40;
    const scene::Color ink{look == Look::light ? 0x000000ffu : 0xffffffffu};
    s.boxes.push_back(
        {.id = {.kind = scene::Id::Kind::title}, .rect = {0, 0, 300, 40}, .stroke = ink, .hatched = true});
    for (const std::string& w : words) s.labels.push_back({.at = {4, 20}, .text = w, .color = ink});
  }
  return p;
}

Document sample_document() {
  Document d{.title = "Title of it", .summary = "A **summary**.", .made_by = "a test"};
  for (Colors& c : d.colors) c.text = c.text_dim = c.good = {0x000000ff};
  d.sources.push_back({.files = {{.name = "k.cu", .lines = {"first line", odd_text, "third line"}}}});
  Player player{.name = "Warp", .source = 0};
  for (int n = 1; n <= 3; ++n)
    player.steps.push_back({.title = "line " + std::to_string(n),
                            .line = n,
                            .code = "code",
                            .caption = "caption",
                            .pictures = {picture_of_words({"word" + std::to_string(n), odd_text})}});
  std::string lines;
  for (int n = 0; n < 120; ++n) lines += "- item number " + std::to_string(n) + " of many\n";
  d.sections.push_back({.heading = "Steps", .blocks = {std::move(player)}});
  d.sections.push_back({.heading = "Words", .blocks = {Text{lines}}});
  d.sections.push_back(
      {.heading = "Test",
       .blocks = {Question{.ask = "How many?", .answer = "42", .unit = "sectors", .why = "Because."}}});
  return d;
}

TEST(Slides, HoldAllWordsWithinTheirEdges) {
  const auto all = slides(sample_document(), Look::light);
  std::string words;
  for (const scene::Scene& s : all) {
    for (const scene::Label& l : s.labels) {
      words += l.text + "\n";
      EXPECT_GT(l.at.y, 0);
      EXPECT_LT(l.at.y, s.height);
      const float width = paint::text_width(l.face, l.size, paint::fitted(l.face, l.size, l.text, l.max_width));
      if (l.align == scene::Align::left) {
        EXPECT_LE(l.at.x + width, s.width) << l.text;
      }
    }
  }
  for (int n = 0; n < 120; ++n)
    EXPECT_NE(words.find("item number " + std::to_string(n) + " of many"), std::string::npos) << n;
  for (const char* each : {"Title of it", "word1", "word2", "word3", "How many?", "42 sectors", "Because."})
    EXPECT_NE(words.find(each), std::string::npos) << each;
  // title, three steps, four of text (30 lines of 40 units each), question and answer
  EXPECT_GE(all.size(), 10u);
}

TEST(Slides, AnAnswerIsNotOnTheSlideOfItsQuestion) {
  for (const scene::Scene& s : slides(sample_document(), Look::dark)) {
    bool question = false, answer = false;
    for (const scene::Label& l : s.labels)
      question |= l.text == "Question", answer |= l.text.find("42") != std::string::npos;
    EXPECT_FALSE(question && answer);
  }
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

TEST(Pdf, IsAFileOfPagesWithTextToSelect) {
  const Document document = sample_document();
  const auto all = slides(document, Look::light);
  const auto pdf = paint::to_pdf(all, slide_paper(document, Look::light), odd_text);
  ASSERT_TRUE(pdf.has_value());
  EXPECT_EQ(count(*pdf, "/Type /Page "), all.size());
  // Each offset of the table is that of an object.
  const std::size_t table = std::stoul(pdf->substr(pdf->rfind("startxref") + 10));
  ASSERT_EQ(pdf->substr(table, 4), "xref");
  std::istringstream rows(pdf->substr(table));
  std::string word;
  int objects = 0;
  rows >> word >> word >> objects;
  std::getline(rows, word), std::getline(rows, word);
  for (int n = 1; n < objects; ++n) {
    ASSERT_TRUE(std::getline(rows, word));
    EXPECT_EQ(pdf->compare(std::stoul(word.substr(0, 10)), std::to_string(n).size() + 6, std::to_string(n) + " 0 obj"),
              0)
        << n;
  }
  if (std::system("command -v pdftotext > /dev/null") != 0)
    GTEST_SKIP() << "pdftotext (poppler-utils) is not installed";
  const auto file = std::filesystem::temp_directory_path() / ("lanescope_slides_" + std::to_string(getpid()) + ".pdf");
  std::ofstream(file, std::ios::binary) << *pdf;
  FILE* pipe = popen(("pdftotext " + shell_word(file.string()) + " - 2>&1").c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string text;
  std::array<char, 4096> part{};
  for (std::size_t n = 0; (n = fread(part.data(), 1, part.size(), pipe)) > 0;) text.append(part.data(), n);
  pclose(pipe);
  std::filesystem::remove(file);
  EXPECT_EQ(count(text, "\f"), all.size());  // one at the end of each page
  EXPECT_EQ(text.find("Error"), std::string::npos) << text;
  for (const char* each : {"Title of it", "word3", "item number 119 of many", "42 sectors", "a < b && \"c\"", "→ 字"})
    EXPECT_NE(text.find(each), std::string::npos) << each << "\n" << text.substr(0, 2000);
}

TEST(Pdf, WithoutAPageIsRefused) { EXPECT_FALSE(paint::to_pdf({}, {}, "x").has_value()); }

TEST(Html, RefersToNothingOutside) {
  const auto html = to_html(sample_document());
  ASSERT_TRUE(html.has_value());
  EXPECT_EQ(html->find("http"), std::string::npos);
  EXPECT_EQ(html->find("@import"), std::string::npos);
  EXPECT_EQ(count(*html, "</script>"), 2u);
}

}  // namespace
}  // namespace lanescope::page
