// The first day of a person who has read nothing: events of mouse and keyboard only, on what the window shows. Every event
// is counted, and a trial that needs more than it did fails.

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <sstream>

#include "kernels/compile/compile.h"
#include "tests/app/gui/fixture.h"

namespace lanescope::gui {
namespace {

class NewUser : public ExplorerTest {
 protected:
  void SetUp() override {
    if (!compile::toolchain().nvrtc) GTEST_SKIP() << "NVRTC is not installed";
  }
  /// Runs script lines and counts those that are events of a hand.
  void act(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string action, what;
      words >> action >> what;
      const bool looks = action == "expect" || action == "wait" || action == "frames";
      const bool hand =
          action == "click" || action == "double" || action == "right" || action == "key" || action == "type";
      ASSERT_TRUE(looks || hand) << action << " is no event of a hand";
      if (action == "click" || action == "right") ++clicks;
      if (action == "double") clicks += 2;
      int times = 1;
      if (action == "key") keys += words >> times ? times : 1;
      if (action == "type") {
        const std::string typed = line.substr(5);
        keys += static_cast<int>(typed.size());
        for (std::size_t at = 0; (at = typed.find("\\n", at)) != std::string::npos; at += 2) --keys;  // one key
      }
    }
    script(text);
  }
  /// A click after the end of the line that holds these words.
  std::string after(const std::string& words) {
    const std::string text = app().document.text();
    const std::size_t at = text.find(words);
    EXPECT_NE(at, std::string::npos) << words << " in\n" << text;
    const auto line =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(at, text.size())), '\n');
    script("frames 1");
    const std::optional<Item> area = find_item("Source text");
    EXPECT_TRUE(area);
    const auto row = static_cast<float>(line + 1 - app().writing.sight.first_line);
    return "at " + std::to_string(static_cast<int>(area->x + area->w - 40)) + " " +
           std::to_string(static_cast<int>(area->y + (row + 0.5f) * 20));
  }
  void report(const std::string& trial) const {
    std::cout << trial << ": " << clicks << " clicks, " << keys << " keys\n";
    RecordProperty("clicks", clicks);
    RecordProperty("keys", keys);
  }
  void open_text(const std::string& name, const std::string& text) {
    const std::string path = folder() + "/" + name;
    ASSERT_TRUE(write_text(path, text));
    open(options_for(path));
  }

  int clicks = 0, keys = 0;
};

std::string altered(std::string text, const std::string& old, const std::string& by) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return at == std::string::npos ? text : text.replace(at, old.size(), by);
}

TEST_F(NewUser, FromTheMenuToAGreenClaim) {
  open_kernel("half2_transposes.cu");
  act("click item Menu\nclick item File\nclick item \"New kernel\"\nwait\nexpect text \"● 1 of 1 claims hold\"\n"
      "expect problems 0 errors, 0 warnings, 0 notes");
  report("New to a green claim");
  EXPECT_LE(clicks, 3);
  EXPECT_EQ(keys, 0);
}

// A kernel of one's own: neighbours exchange their elements, and the program writes down where they are.
TEST_F(NewUser, FromTheMenuToAKernelOfOnesOwnWithAGreenClaim) {
  open_kernel("half2_transposes.cu");
  act("click item Menu\nclick item File\nclick item \"New kernel\"\nwait");
  act("click " + after("float x = p[i];") + "\nkey Enter\ntype float y = __shfl_xor_sync(~0u, x, 1);\nwait");
  act("click " + after("q[i] = x;") + "\nkey Left\nkey Backspace\ntype y\nwait");
  // The template's expectation was that of a copy: the window says so, and where.
  act("expect text \"1 error\"\nclick item Errors\nwait\nexpect problems 1 errors, 0 warnings, 0 notes");
  const int line = app().results.problems.front().line;
  act("right item \"problem at line " + std::to_string(line) +
      "\"\nframes 3\nclick item \"Remove the expectation\"\nwait\n"
      "expect problems 0 errors, 0 warnings, 0 notes\nexpect text \"● 1 of 1 claims hold\"");
  act("right " + after("float y = ") +
      "\nframes 3\nclick item \"Annotate this variable\"\nwait\n"
      "expect text \"● 2 of 2 claims hold\"\nexpect problems 0 errors, 0 warnings, 0 notes");
  EXPECT_NE(app().document.text().find("// y has the following register assignment:"), std::string::npos)
      << app().document.text() << "\n"
      << app().shell.status_text;
  report("a kernel of one's own with a green claim");
  EXPECT_LE(clicks, 10);
  EXPECT_LE(keys, 60);
}

// A claim from the list of snippets is true at once.
TEST_F(NewUser, AClaimFromTheListOfSnippetsIsGreen) {
  open_kernel("half2_transposes.cu");
  act("click item Menu\nclick item File\nclick item \"New kernel\"\nwait");
  act("right " + after("float x = p[i];") +
      "\nframes 3\nclick item \"Insert a snippet…\"\ntype claim\nkey Enter\nwait\n"
      "expect text \"● 2 of 2 claims hold\"\nexpect problems 0 errors, 0 warnings, 0 notes");
  report("a claim from the list of snippets");
  EXPECT_LE(clicks, 5);
  EXPECT_LE(keys, 6);
}

TEST_F(NewUser, EachProblemIsOneClickAway) {
  const std::string beyond = altered(std::string(new_kernel_text()), "p = \"f32 i:512\"", "p = \"f32 i:300\"");
  const std::string race = altered(*read_text(kernel("shared_transpose_padded.cu")), "    __syncthreads();\n", "");
  const std::string claim = altered(std::string(new_kernel_text()), "i4 i3 i2 i1 i0", "i3 i4 i2 i1 i0");
  const std::string compile = altered(std::string(new_kernel_text()), "q[i] = x;", "q[i] = nonsense;");
  struct Wrong {
    const char* name;
    std::string text, title;
  };
  for (const Wrong& w : {Wrong{"out_of_bounds.cu", beyond, "Out of bounds"}, Wrong{"race.cu", race, "Race"},
                         Wrong{"claim.cu", claim, "x differs"}, Wrong{"compile.cu", compile, "Does not run"}}) {
    SCOPED_TRACE(w.name);
    open_text(w.name, w.text);
    // Somewhere else, with another panel in front.
    script("frames 2\ncommand panel.inspector\nwait\nexpect front.problems no");
    clicks = keys = 0;
    act("click item Errors\nwait\nexpect front.problems yes\nexpect text \"" + w.title + "\"");
    report(w.name);
    EXPECT_EQ(clicks, 1);
    EXPECT_EQ(keys, 0);
  }
}

}  // namespace
}  // namespace lanescope::gui
