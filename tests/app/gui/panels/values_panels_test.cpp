// Value tree and lanes: what they show of a run, what a click means, and two threads of a race as a table.

#include <fstream>
#include <set>

#include "results/problems.h"
#include "tests/app/gui/fixture.h"

namespace lanescope::gui {
namespace {

using scene::Id;

class ValuesPanelsTest : public ExplorerTest {
 protected:
  const scene::Scene& scene_of(const char* panel) { return frames->stage().scenes.at(panel).scene; }
  std::set<int> nodes() {
    std::set<int> all;
    for (const scene::Box& b : scene_of("tree").boxes)
      if (b.id.kind == Id::Kind::tree_node) all.insert(b.id.a);
    return all;
  }
  std::string file(const std::string& name, const std::string& text) {
    const std::string path = folder() + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
};

TEST_F(ValuesPanelsTest, TheResultsTreeStaysWhileOneSteps) {
  open_kernel("warp_sum.cu");
  script("command tree.result\nwait\nexpect front.tree yes");
  ASSERT_TRUE(app().results.moment.tree);
  const results::ValueTree before = *app().results.moment.tree;
  ASSERT_EQ(before.refused, "");
  EXPECT_EQ(before.most_level, 5);
  ASSERT_EQ(nodes().size(), before.nodes.size());
  // A click moves to the step of the node; the tree is of the same value then.
  for (const int n : {0, static_cast<int>(before.nodes.size()) - 1}) {
    script("click scene tree tree_node/" + std::to_string(n) + "/0\nwait\nexpect moment.step " +
           std::to_string(before.nodes[static_cast<std::size_t>(n)].step));
    ASSERT_TRUE(app().results.moment.tree);
    EXPECT_EQ(app().results.moment.tree->subject, before.subject);
    EXPECT_EQ(app().results.moment.tree->nodes.size(), before.nodes.size());
  }
}

TEST_F(ValuesPanelsTest, ASelectedRegisterIsTakenApart) {
  open_kernel("warp_sum.cu");
  script("key End\nwait");
  const std::string id = cell(0, 0, 7, 0);
  ASSERT_NE(id, "none");
  script("click scene registers " + id + "\nwait");
  ASSERT_TRUE(app().navigation.selection.place);
  script("command tree.register\nwait");
  ASSERT_TRUE(app().results.moment.tree);
  EXPECT_NE(app().results.moment.tree->subject.find("in lane 7 of warp 0"), std::string::npos)
      << app().results.moment.tree->subject;
  script("command tree.warp\nwait");
  EXPECT_EQ(app().results.moment.tree->roots.size(), 32u);
  EXPECT_NE(app().results.moment.tree->subject.find("all lanes of warp 0"), std::string::npos);
}

TEST_F(ValuesPanelsTest, WhatIsFoldedUnfolds) {
  open_kernel("reduce_interleaved.cu");
  script("command tree.result\nwait");
  const auto folded = [&] {
    for (const scene::Box& b : scene_of("tree").boxes)
      if (b.id.kind == Id::Kind::tree_node && b.id.b == 1) return b.id;
    return Id{};
  };
  const Id first = folded();
  ASSERT_EQ(first.kind, Id::Kind::tree_node) << "a reduction of many threads does not fit";
  script("click scene tree " + scene::to_string(first) + "\nwait");
  EXPECT_EQ(app().tree.root(), first.a);
  EXPECT_TRUE(nodes().contains(first.a));
  script("command tree.back\nwait");
  EXPECT_EQ(app().tree.root(), -1);
}

TEST_F(ValuesPanelsTest, LanesShowTheMaskOfEveryInstruction) {
  open_kernel("branch_divergent.cu");
  script("command panel.lanes\nwait\nexpect front.lanes yes\nkey 0\nwait");
  const results::Summary& s = app().results.summary;
  std::set<int> shown;
  for (const scene::Box& b : scene_of("lanes").boxes)
    if (b.id.kind == Id::Kind::timeline_step) shown.insert(b.id.a);
  EXPECT_GT(shown.size(), 8u);
  ASSERT_FALSE(s.group_changes.empty());
  script("click scene lanes timeline_step/" + std::to_string(*shown.rbegin()) + "\nwait\nexpect moment.step " +
         std::to_string(*shown.rbegin()));
}

TEST_F(ValuesPanelsTest, ARaceIsATableOfTwoThreads) {
  open_kernel("increment_race.cu");
  const results::Summary& s = app().results.summary;
  bool table = false;
  for (const auto& problem : app().results.problems) {
    if (problem.finding < 0) continue;
    const auto rows = results::interleaving_of(s.findings[static_cast<std::size_t>(problem.finding)]);
    table = table || rows.rows.size() >= 2;
  }
  ASSERT_TRUE(table);
  script("command panel.problems\nwait\nclick item \"problem 1 " + app().results.problems[0].rule +
         "\"\nwait\nexpect text update is lost");
}

TEST_F(ValuesPanelsTest, WhatALinePrintsStandsBehindIt) {
  open(options_for(file("prints.cu",
                        "/*\n[lanescope]\nblock = 4\n*/\n#include <cstdio>\n__global__ void k() {\n"
                        "  printf(\"hello %d\\n\", threadIdx.x);\n}\n")));
  ASSERT_TRUE(app().results.have);
  script("expect text prints hello 0  and 3 more lines");
}

}  // namespace
}  // namespace lanescope::gui
