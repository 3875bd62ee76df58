// docs/scripts.md lists the actions, settings and facts of scripts, all of them and no others; what a setting does not have
// is refused.

#include <set>

#include "app/document/file_io.h"
#include "kernels/base/text.h"
#include "tests/app/gui/fixture.h"

namespace lanescope::gui {
namespace {

class ScriptPage : public ExplorerTest {
 protected:
  /// Names in backquotes at the beginning of the rows of a section.
  static std::set<std::string> rows_of(const std::string& title) {
    const std::string page = *document::read_text(std::string(LANESCOPE_SOURCE_DIR) + "/docs/scripts.md");
    std::set<std::string> names;
    bool here = false;
    for (const std::string_view line : split_lines(page)) {
      if (line.starts_with("## ")) here = line == "## " + title;
      if (!here || !line.starts_with("| `") || line.starts_with("| `set` | values")) continue;
      names.emplace(line.substr(3, line.find('`', 3) - 3));
    }
    return names;
  }
  static std::set<std::string> set_of(const std::vector<std::string>& names) { return {names.begin(), names.end()}; }
  std::string refusal(const std::string& line) { return run_script(*frames, line).message; }
};

TEST_F(ScriptPage, HasEveryActionAndFact) {
  EXPECT_EQ(rows_of("Actions"), set_of(script_actions()));
  EXPECT_EQ(rows_of("Facts"), set_of(script_fact_names()));
}

TEST_F(ScriptPage, EveryFactHasAValueAndEverySettingIsTaken) {
  open_kernel("shared_transpose_naive.cu");
  for (std::string name : script_fact_names()) {
    if (const std::size_t at = name.find("PANEL"); at != std::string::npos) name.replace(at, 5, "registers");
    EXPECT_TRUE(script_fact(*frames, name)) << name;
  }
  EXPECT_FALSE(script_fact(*frames, "calculator.nothing"));
  EXPECT_FALSE(script_fact(*frames, "occupancy.nothing"));
  const std::map<std::string, std::pair<std::vector<std::string>, std::vector<std::string>>> values{
      {"scale", {{"1.25"}, {"large"}}},
      {"theme", {{"dark", "light", "high-contrast", "High contrast"}, {"pink", ""}}},
      {"arrangement", {{"Debug", "Profile", "Learn"}, {"learned"}}},
      {"label", {{"value", "tag", "element"}, {"banana"}}},
      {"colour", {{"lane", "warp", "register", "j", "j1 i0", "automatic"}, {"banana", "k", "i9"}}},
      {"heat", {{"global_sectors", "measured x", "none"}, {"luck"}}},
      {"global", {{"transactions", "line total", "block total", "bytes"}, {"kilobytes"}}},
      {"share", {{"0", "0.5", "1"}, {"1.5", "-0.1", "half"}}},
      {"wavefront", {{"31", "0", "-1"}, {"32", "-2", "1.5", "first"}}},
      {"what_if", {{"padding 32 1", "swizzle 32 4 1", "none"}, {"mirror"}}}};
  script("line 28\nwait");
  ASSERT_EQ(fact("wavefront.count"), "32");
  std::set<std::string> tried;
  for (const auto& [name, lists] : values) {
    tried.insert(name);
    for (const std::string& good : lists.first) script("set " + name + " " + good);
    for (const std::string& bad : lists.second) EXPECT_NE(refusal("set " + name + " " + bad), "") << name << " " << bad;
  }
  EXPECT_EQ(rows_of("Settings"), tried);
  script("set colour j\nexpect colour j\nset colour automatic\nexpect colour automatic");
}

}  // namespace
}  // namespace lanescope::gui
