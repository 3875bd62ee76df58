// The glossary: its file is well formed, and every word that the window puts before a user is in it.

#include <algorithm>
#include <random>
#include <set>

#include "app/engine/hardware/measure.h"
#include "app/gui/commands/command.h"
#include "app/gui/model/options.h"
#include "app/gui/state/glossary.h"
#include "kernels/claims/claims.h"
#include "kernels/resources/resources.h"
#include "profiling/counters/explain.h"
#include "profiling/counters/metrics.h"
#include "profiling/review/findings/finding.h"
#include "tests/app/gui/fixture.h"
#include "viz/views/costs/heat.h"
#include "viz/views/tooltips.h"

namespace lanescope::gui {
namespace {

const Glossary& read() {
  static const Glossary none;
  EXPECT_TRUE(glossary()) << to_string(glossary().error().front());
  return glossary() ? *glossary() : none;
}
bool explained(std::string_view name) { return read().find(name) != nullptr; }

std::vector<std::string> sentences_of(const std::string& text) {
  std::vector<std::string> sentences(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    sentences.back() += text[i];
    if (text[i] == '.' && i + 2 < text.size() && text[i + 1] == ' ' && std::isupper(text[i + 2]))
      sentences.emplace_back();
  }
  return sentences;
}

TEST(Glossary, FileIsReadAndComplete) {
  EXPECT_GT(read().terms().size(), 150u);
  std::set<std::string> headings;
  for (const GlossaryTerm& t : read().terms()) {
    headings.insert(t.heading);
    EXPECT_FALSE(t.heading.empty()) << t.term;
    EXPECT_LE(sentences_of(t.text).size(), 3u) << t.term;
    for (const std::string& sentence : sentences_of(t.text)) {
      const auto words = 1 + std::count(sentence.begin(), sentence.end(), ' ');
      EXPECT_LE(words, 30) << t.term << ": " << sentence;
    }
  }
  EXPECT_EQ(headings.size(), 8u);
}

TEST(Glossary, TermsStandInOrderUnderTheirHeadings) {
  const auto terms = read().terms();
  const auto lower = [](const std::string& text) {
    std::string s;
    for (const char c : text) s += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return s;
  };
  for (std::size_t i = 1; i < terms.size(); ++i) {
    if (terms[i].heading == terms[i - 1].heading) {
      EXPECT_LT(lower(terms[i - 1].term), lower(terms[i].term)) << terms[i].line;
    }
  }
}

TEST(Glossary, EveryWordOfTheWindowHasATerm) {
  for (const PanelId id : all_panels)
    EXPECT_TRUE(explained(std::string(panel_title(id)) + " panel")) << panel_title(id);
  for (const review::Rule& rule : review::rules()) EXPECT_TRUE(explained(std::string(rule.id) + " rule")) << rule.id;
  for (const auto verdict : {claims::Verdict::holds, claims::Verdict::differs, claims::Verdict::unchecked})
    EXPECT_TRUE(explained(claims::to_string(verdict))) << claims::to_string(verdict);
  for (int c = 0; c <= static_cast<int>(counters::Cause::unexplained); ++c) {
    const auto words = counters::to_string(static_cast<counters::Cause>(c));
    EXPECT_TRUE(explained(words)) << words;
  }
  const auto group = [](std::string_view metric) {
    EXPECT_TRUE(explained(engine::metric_group(metric))) << engine::metric_group(metric) << " of " << metric;
  };
  for (const counters::Metric& m : counters::metrics()) group(m.name);
  for (const counters::Ratio& r : counters::ratios()) group(r.name);
  for (const char* m : {"dram__bytes_read.sum", "lts__t_sectors.sum", "smsp__pcsamp_warps_issue_stalled_wait",
                        "sm__warps_active.avg.pct_of_peak_sustained_active", "gpu__time_duration.sum"})
    group(m);
  for (const views::HeatCounter& c : views::heat_counters()) {
    const std::string title(c.title);
    EXPECT_TRUE(explained(title) || explained(title.substr(0, title.find(" per ")))) << title;
  }
}

TEST(Glossary, NamesAreFoundInAnyCaseAndByAlias) {
  ASSERT_TRUE(explained("LANE"));
  EXPECT_EQ(read().find("lanes"), read().find("Lane"));
  EXPECT_FALSE(explained(""));
  EXPECT_FALSE(explained("no such term"));
  EXPECT_NE(explanation_of("sector").find("\nCUDA: "), std::string::npos);
  EXPECT_EQ(explanation_of("no such term"), "");
}

TEST(Glossary, SearchPutsTheNameFirst) {
  EXPECT_EQ(read().matching("").size(), read().terms().size());
  for (const GlossaryTerm& t : read().terms()) {
    const auto found = read().matching(" " + t.term + " ");
    ASSERT_FALSE(found.empty()) << t.term;
    EXPECT_EQ(found.front(), &t);
    for (const std::string& field : t.json) {
      const auto by_field = read().matching(field);
      EXPECT_NE(std::find(by_field.begin(), by_field.end(), &t), by_field.end()) << field;
    }
  }
  EXPECT_TRUE(read().matching("qqqq").empty());
}

TEST(Glossary, DamagedFilesAreRefusedByLine) {
  const auto first_error = [](std::string_view text) {
    const auto parsed = Glossary::parse(text, "g.md");
    return parsed ? std::string("read") : to_string(parsed.error().front());
  };
  EXPECT_EQ(first_error("# G\n\n## A\n\n- **a** (also: b; CUDA: c; JSON: d) - One.\n- **e** - Two. See: a.\n"), "read");
  EXPECT_NE(first_error("- **a** One.\n").find("g.md:1"), std::string::npos);
  EXPECT_NE(first_error("\n- a - One.\n").find("g.md:2"), std::string::npos);
  EXPECT_NE(first_error("- **a** - One\n").find("no sentence"), std::string::npos);
  EXPECT_NE(first_error("- **a** (like: b) - One.\n").find("list of names"), std::string::npos);
  EXPECT_NE(first_error("- **a** - One.\n- **b** (also: A) - Two.\n").find("g.md:2"), std::string::npos);
  EXPECT_NE(first_error("- **a** - One. See: b.\n").find("no term 'b'"), std::string::npos);
  EXPECT_NE(first_error("- **** - One.\n").find("no term"), std::string::npos);
}

/// For any part cut out of the file, reading it ends, and what it returns has no empty name.
TEST(Glossary, FragmentsAreReadOrRefused) {
  const std::string whole = *document::read_text(resources::document("glossary.md").string());
  std::mt19937 random(7);
  for (int n = 0; n < 300; ++n) {
    std::string text = whole.substr(random() % whole.size(), random() % 400);
    for (int k = 0; k < 5 && !text.empty(); ++k) text[random() % text.size()] = "-*(); \n:."[random() % 9];
    const auto parsed = Glossary::parse(text, "g.md");
    if (!parsed) {
      EXPECT_FALSE(parsed.error().empty());
      continue;
    }
    for (const GlossaryTerm& t : parsed->terms()) EXPECT_FALSE(t.term.empty() || t.text.empty());
  }
}

class GlossaryTest : public ExplorerTest {};

TEST_F(GlossaryTest, EveryRowOfTheInspectorIsExplained) {
  for (const char* name : {"shared_transpose_naive.cu", "warp_sum.cu"}) {
    open_kernel(name);
    std::set<std::string> rows;
    for (int step = 0; step < 8; ++step) {
      script("key Right\nwait");
      views::Selection s = app().navigation.shown();
      if (!app().results.moment.grids.empty() && !app().results.moment.moves.empty())
        s.place = app().results.moment.moves.front().to;
      s.element = std::pair<int, std::uint64_t>{0, 0};
      for (const views::InspectorSection& section : views::inspector(app().results.summary, app().results.moment, s)) {
        if (section.title == "Claims") continue;  // named by their variables
        for (const views::InspectorRow& row : section.rows) rows.insert(row.name);
      }
    }
    EXPECT_GT(rows.size(), 12u);
    for (const std::string& row : rows) EXPECT_TRUE(explained(row)) << row << " in " << name;
    frames.reset();
  }
}

TEST_F(GlossaryTest, F1OpensItAndReferencesAreFollowed) {
  open_kernel("copy_float.cu");
  script("key F1\nexpect overlay glossary\nexpect text \"Threads and instructions\"\nexpect text \"Source panel\"");
  script("type wavefr\nexpect text \"One pass of an access\"\nexpect text not \"Source panel\"");
  script(
      "click item \"See bank conflict\"\nframes 2\nexpect text \"additional wavefronts\"\nkey Escape\nexpect overlay "
      "none");
  script("key Shift+F1\nexpect overlay help\nkey Escape\nclick item Glossary\nexpect overlay glossary");
}

TEST_F(GlossaryTest, TitlesHaveTooltips) {
  open_kernel("copy_float.cu");
  const auto says = [&](const std::string& item, const std::string& term) {
    ASSERT_NE(read().find(term), nullptr);
    std::string words = read().find(term)->text;
    words.resize(words.find_first_of(".,:"));  // what fits a line
    script("expect text not \"" + words + "\"\nhover item \"" + item + "\"\nframes 40\nexpect text \"" + words + "\"");
  };
  says("Tab registers", "Registers panel");
  script("key F4\nwait");
  says("Tab source", "Source panel");
  says("Tab ptx", "PTX panel");
}

}  // namespace
}  // namespace lanescope::gui
