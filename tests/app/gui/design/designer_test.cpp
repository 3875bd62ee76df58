// The designer as a document and as panels: opened, saved, undone, chips, steps, presets, code.

#include <imgui.h>

#include <nlohmann/json.hpp>

#include "app/design/design.h"
#include "app/design/study.h"
#include "app/gui/commands/command.h"
#include "app/gui/state/session_file.h"
#include "tests/app/gui/fixture.h"
#include "tests/sample.h"
#include "tests/work.h"
#include "viz/views/layouts/layouts.h"

namespace lanescope::gui {
namespace {

constexpr const char* notes_layout =
    "# of the notes\nname = \"transpose\"\ntype = \"f16\"\nfrom = \"simd: k0; register: j3 j2; thread: j1 j0 k3 k2 "
    "k1\"\n"
    "to = \"simd: j3; register: k0 k3; thread: j1 j0 j2 k2 k1\"\n";

class DesignerTest : public ExplorerTest {
 protected:
  std::string layout_file(const std::string& text = notes_layout, const std::string& name = "notes.layout") {
    const std::string path = folder() + "/" + name;
    EXPECT_TRUE(write_text(path, text));
    return path;
  }
  void open_layout(const std::string& text = notes_layout) { open(options_for(layout_file(text))); }
};

TEST_F(DesignerTest, AFileOfTheCommandLineIsOpenedWithAKernelBehind) {
  open_layout();
  script(
      "expect design.open yes\nexpect design.title notes.layout\nexpect design.edited no\nexpect arrangement Design\n"
      "expect design.steps s0 <-> r1, r0 <-> t2\nexpect design.check right\nexpect results.have yes\n"
      "expect scene designer contains layout_chip/0/0/0\nexpect scene designer contains layout_chip/1/2/4\n"
      "expect scene plans contains plan_row/0\nexpect scene plans contains step_row/2\n"
      "expect scene elements contains register_cell/3/0/31/1\nexpect text __shfl_xor_sync");
}

/// Without a layout each panel says what it is for, and only one how to begin.
TEST_F(DesignerTest, WithoutALayoutEachPanelSaysItsOwn) {
  open_kernel("copy_float.cu");
  script("key F6\nwait\nexpect design.open no");
  for (const char* words :
       {"No layout is under design.", "No plan yet.", "No elements yet.", "No code yet.", "New layout"})
    EXPECT_EQ(std::ranges::count(texts(), words), 1) << words;
}

/// Both ends the same: no instruction, no state between, nothing to play.
TEST_F(DesignerTest, APlanThatMovesNothingIsCalledSo) {
  open_kernel("copy_float.cu");
  script("key Ctrl+Shift+N\nwait\nexpect design.check right");
  const auto kinds = [&] {
    std::vector<std::string> out;
    for (const convert::Plan& p : app().designer.study()->planned->plans) out.push_back(views::plan_kind(p));
    return out;
  };
  EXPECT_EQ(kinds(), std::vector<std::string>{"renaming"});
  EXPECT_EQ(app().designer.path().size(), 1U);
  // With warps, too; then a local transpose, and one that needs shuffles.
  script(
      "click item \"From notation\"\nkey Ctrl+A\ntype \"simd: i0; register: i2 i1; thread: i7 i6 i5 i4 i3; warp: i8\"\n"
      "click item \"To notation\"\nkey Ctrl+A\ntype \"simd: i0; register: i1 i2; thread: i7 i6 i5 i4 i3; warp: i8\"\n"
      "wait\nexpect design.check right");
  EXPECT_EQ(kinds(), std::vector<std::string>{"renaming"});
  script(
      "key Ctrl+A\ntype \"simd: i1; register: i0 i2; thread: i7 i6 i5 i4 i3; warp: i8\"\nwait\nexpect design.check "
      "right");
  EXPECT_EQ(kinds(), std::vector<std::string>{"in each lane"});
  const std::vector<design::State> states = design::states_of(*app().designer.study(), 0);
  ASSERT_EQ(states.size(), 2U);
  EXPECT_EQ(states.back().what, "inside each lane");
  script(
      "key Ctrl+A\ntype \"simd: i0; register: i3 i1; thread: i7 i6 i5 i4 i2; warp: i8\"\nwait\nexpect design.check "
      "right");
  EXPECT_EQ(kinds().front(), "shuffles");
}

TEST_F(DesignerTest, IsSavedUndoneAndReopenedWithoutTouchingTheKernel) {
  open_layout();
  const std::string kernel_text = app().document.text(), path = app().designer.file();
  script(
      "drag scene designer layout_chip/1/1/0 onto scene designer layout_chip/1/2/0\nwait\n"
      "expect design.edited yes\nexpect design.undo exchange of k3 <-> k1\nexpect design.step 3\n"
      "key Ctrl+Z\nwait\nexpect design.edited no\nexpect design.steps s0 <-> r1, r0 <-> t2\n"
      "key Ctrl+Y\nwait\nexpect design.edited yes\nkey Ctrl+S\nexpect design.edited no");
  EXPECT_EQ(app().document.text(), kernel_text);
  EXPECT_FALSE(app().document.can_undo());
  const std::string written = read_text(path).value_or("");
  EXPECT_TRUE(written.starts_with("# of the notes\n")) << "other comments stay";
  EXPECT_NE(written.find("to = \"simd: j3; register: k0 k1; thread: j1 j0 j2 k2 k3\""), std::string::npos) << written;
  const std::string steps = fact("design.steps");
  open(options_for(path));
  EXPECT_EQ(fact("design.steps"), steps);
}

TEST_F(DesignerTest, UnsavedLayoutsAreAskedAbout) {
  open_layout();
  const std::string other = layout_file(notes_layout, "other.layout"), first = app().designer.file();
  script("drag scene designer layout_chip/1/1/0 onto scene designer layout_chip/1/1/1\nwait\nexpect design.edited yes");
  script("open " + other +
         "\nexpect overlay discard\nexpect text \"notes.layout has unsaved edits.\"\nkey Escape\n"
         "expect design.title notes.layout\nexpect design.edited yes");
  script("key Ctrl+Shift+N\nexpect overlay discard\nkey Escape\nkey Ctrl+Q\nexpect overlay discard\nkey Escape");
  EXPECT_FALSE(app().shell.closed);
  script("open " + other + "\nclick item \"Save and continue\"\nwait\nexpect design.title other.layout");
  EXPECT_NE(read_text(first).value_or("").find("register: k3 k0"), std::string::npos) << read_text(first).value_or("");
  script(
      "drag scene designer layout_chip/1/1/0 onto scene designer layout_chip/1/1/1\nwait\nkey Ctrl+Q\n"
      "click item \"Discard the edits\"");
  EXPECT_TRUE(app().shell.closed);
  EXPECT_EQ(read_text(other).value_or(""), notes_layout);
}

TEST_F(DesignerTest, ASessionKeepsUnsavedLayouts) {
  ExplorerOptions o = options_for(kernel("copy_float.cu"));
  o.no_session = false;
  o.session = folder() + "/session.json";
  open(o);
  script("key Ctrl+Shift+N\nwait\ndrag scene designer layout_chip/1/1/0 onto scene designer layout_chip/1/2/4\nwait");
  const std::string to = fact("design.to");
  frames->save_session();
  open(o);
  EXPECT_EQ(fact("design.open"), "yes");
  EXPECT_EQ(fact("design.to"), to);
  // Unsaved changes still differ from the file.
  script("expect design.edited yes");
  // A session from before there were layouts, with three arrangements.
  nlohmann::json j = nlohmann::json::parse(read_text(o.session).value_or(""));
  j.erase("layout");
  j["view"]["shares"].erase(3);
  j["view"]["front"].erase(3);
  j["view"]["arrangement"] = "Debug";
  ASSERT_TRUE(write_text(o.session, j.dump()));
  const auto old = read_session(o.session);
  ASSERT_TRUE(old) << to_string(old.error().front());
  EXPECT_FALSE(old->layout);
}

TEST_F(DesignerTest, AFileThatIsNoDesignIsRefusedAndTheOpenOneStays) {
  open_layout();
  const std::string bad = layout_file("name = 3\nfrom = \"\"", "bad.layout");
  script("open " + bad + "\nexpect design.title notes.layout\nexpect text \"bad.layout:1:8\"");
}

TEST_F(DesignerTest, AChangeOnDiskIsReadOrAskedAbout) {
  open_layout();
  const std::string path = app().designer.file();
  std::string text = notes_layout;
  text.replace(text.find("\"transpose\""), 11, "\"another\"");
  ASSERT_TRUE(write_text(path, text));
  app().editor.watch_file();
  script("wait\nexpect design.name another\nexpect design.edited no");
  script("drag scene designer layout_chip/1/1/0 onto scene designer layout_chip/1/1/1\nwait");
  const std::string mine = fact("design.to");
  ASSERT_TRUE(write_text(path, notes_layout));
  app().editor.watch_file();
  script("frames 2\nexpect text \"changed on disk, and the layout\"");
  EXPECT_EQ(fact("design.to"), mine);
  script("command design.reload\nwait\nexpect design.name transpose\nexpect design.edited no");
}

// --- chips and notation
// ------------------------------------------------------------------------------------------------

TEST_F(DesignerTest, ChipsFollowTheNotationAndMistakesAreMarked) {
  open_layout();
  script(
      "click item \"To notation\"\nkey Ctrl+A\ntype \"simd: j3; register: k0 j2; thread: j1 j0 k3 k2 k1\"\nwait\n"
      "expect design.steps s0 <-> r1\nexpect design.check right\n"
      "key Ctrl+A\ntype \"simd: j3; register: k0 j2+; thread: j1 j0 k3 k2 k1\"\nwait\n"
      "expect design.wrong not none\nexpect text \"Column\"\nexpect scene designer not contains layout_chip/1/1/0\n"
      "expect scene designer contains layout_chip/0/1/0\nexpect design.check none");
  EXPECT_NE(fact("design.wrong").find("to column"), std::string::npos);
  // A mistake is part of the document: saved, opened again, fixed.
  script("key Ctrl+S\nexpect design.edited no");
  open(options_for(folder() + "/notes.layout"));
  script(
      "expect design.wrong not none\nclick item \"To notation\"\nkey Ctrl+A\ntype \"simd: k0; register: j3 "
      "j2\"\nwait\nexpect "
      "design.wrong none\n"
      "expect design.steps none");
}

TEST_F(DesignerTest, RowsOfAPaperArePastedAsTheyStand) {
  open_layout();
  const std::string rows =
      "// y has register assignment:\n//   simd:      s0              <->  j3\n//   register:  r1 r0           <->  k0 "
      "j2\n"
      "//   thread:    t4 t3 t2 t1 t0  <->  j1 j0 k3 k2 k1\n";
  ImGui::SetClipboardText(rows.c_str());
  script(
      "click item \"To notation\"\nkey Ctrl+A\nkey Ctrl+V\nwait\nexpect design.wrong none\n"
      "expect design.steps s0 <-> r1");
  EXPECT_EQ(std::string(ImGui::GetClipboardText()), rows) << "the clipboard is as before";
}

TEST_F(DesignerTest, UndoWhileTypingShowsWhatWasUndone) {
  open_layout();
  const std::string before = fact("design.to");
  script(
      "click item \"To notation\"\nkey End\ntype \"; warp: w\"\nexpect design.undo edit of the destination\nkey "
      "Ctrl+Z\nframes 3");
  EXPECT_EQ(fact("design.to"), before);
  script("click item \"To notation\"\nkey End\ntype \";\"\nframes 2");
  EXPECT_EQ(fact("design.to"), before + ";") << "not what was undone";
}

TEST_F(DesignerTest, ChipsAreExchangedByClicksAndByKeys) {
  open_layout();
  script(
      "click scene designer layout_chip/1/1/0\nexpect design.held layout_chip/1/1/0\nexpect text \"r0 is held.\"\n"
      "click scene designer layout_chip/1/2/0\nwait\nexpect design.held none\nexpect design.steps s0 <-> r1, r0 <-> "
      "t2, r0 <-> t0\n"
      "key Shift+F6\nexpect design.focus layout_chip/1/2/4\nexpect typing yes\n"
      "key Right 4\nexpect design.focus layout_chip/1/2/0\nkey Enter\nexpect design.held layout_chip/1/2/0\nkey Up\n"
      "expect design.focus not layout_chip/1/2/0\nkey Escape\nexpect design.held none\nexpect design.focus not none\n"
      "key Up 4\nexpect design.focus not none\nkey Escape\nexpect design.focus none\nexpect typing "
      "no");
}

TEST_F(DesignerTest, AChipGoesToItsOwnSideOnly) {
  open_layout();
  const std::string to = fact("design.to"), from = fact("design.from");
  script(
      "drag scene designer layout_chip/0/1/0 onto scene designer layout_chip/1/2/0\nwait\n"
      "expect text \"Drop a chip onto another of the same side.\"");
  EXPECT_EQ(fact("design.to"), to);
  EXPECT_EQ(fact("design.from"), from);
  script("drag scene designer layout_chip/0/1/0 40 400\nwait");
  EXPECT_EQ(fact("design.from"), from);
}

TEST_F(DesignerTest, StepsAreMovedAndDeleted) {
  open_layout();
  script(
      "expect design.step 0\nkey F12\nexpect design.step 1\nexpect design.step.cost 4 byte permutes\n"
      "click item \"Step later\"\nwait\nexpect design.steps r0 <-> t2, s0 <-> r1\nexpect design.step 2\n"
      "click item \"Delete step\"\nwait\nexpect design.steps r0 <-> t2\n"
      "key Ctrl+Z 2\nwait\nexpect design.steps s0 <-> r1, r0 <-> t2\nclick scene plans step_row/2\nexpect design.step "
      "2\n"
      "click item \"Step later\"\nexpect text \"This is the last step\"");
}

TEST_F(DesignerTest, PlansAreChosenAndTheElementsMove) {
  open_layout();
  script(
      "expect design.plan 1\nclick scene plans plan_row/1\nexpect design.plan 2\nwait\nexpect design.check right\nkey "
      "F9\n"
      "expect design.plan 1");
  const auto place_of_chosen = [&] {
    const auto* box =
        scene::find(frames->stage().scenes.at("elements").scene, *scene::parse_id("register_cell/0/0/4/0"));
    return box == nullptr ? -1.0f : box->rect.x;
  };
  const float after = place_of_chosen();
  const int states = std::stoi(fact("design.states"));
  EXPECT_GE(states, 2);
  script("key Alt+Shift+F12\nexpect design.along not " + fact("design.along"));
  EXPECT_EQ(place_of_chosen(), after) << "a state: cells stand in their places";
  script("click scene plans step_row/2\nhover item \"Scrub\"\ndrag item Scrub 30 0");
  script(
      "command design.play\nframes 3\ncommand design.play\ncommand design.matrix\nexpect scene elements contains "
      "matrix_cell/0/0\n"
      "command design.matrix");
}

TEST_F(DesignerTest, CostsFollowTheMemoryOrderAndTheSharedForm) {
  open_layout(
      "name = \"c\"\ntype = \"f32\"\nfrom = \"simd: -; register: -; thread: i4 i3 i2 i1 i0; warp: j1 j0\"\n"
      "to = \"simd: -; register: -; thread: i4 i3 i2 i1 i0; warp: j1 j0\"\n");
  script(
      "expect text \"1 load of 4 bytes: 16 sectors, 25 % used\"\nclick item \"Memory order\"\nkey Ctrl+A\ntype \"j "
      "i\"\nwait\n"
      "expect design.memory j i\nexpect text \"1 load of 4 bytes: 4 sectors, 100 % used\"");
  script(
      "click item \"Shared form\"\nclick item swizzle\nwait\nexpect design.edited yes\nclick item \"Unit words "
      "more\"\nwait\nkey Ctrl+S");
  EXPECT_NE(read_text(app().designer.file())->find("# shared: swizzle 32 2"), std::string::npos);
}

// --- presets
// -------------------------------------------------------------------------------------------------------------

TEST_F(DesignerTest, PresetsFillAnEnd) {
  open_layout();
  script(
      "click item \"From preset\"\nexpect overlay presets\ntype \"A of mma.m16n8k16\"\nkey Enter\nwait\n"
      "expect design.from simd: k0; register: k3 i3; thread: i2 i1 i0 k2 k1\n"
      "click item \"To preset\"\ntype \"(32,8):(8,1)\"\nkey Enter\nwait\n"
      "expect design.to simd: i0; register: i2 i1; thread: i7 i6 i5 i4 i3\nexpect design.plan.problem not none");
  script("click item \"From preset\"\ntype \"sizePerThread=[1,3]\"\nkey Enter\nexpect overlay presets\nkey Escape");
}

TEST_F(DesignerTest, PresetsAreTakenByKeysAndByTheMouse) {
  open_layout();
  std::size_t number = 0;
  for (const design::Preset& p : design::fragments()) {
    if (!lanescope::test::in_sample(number++, 5)) continue;
    script("key Ctrl+Shift+F\ntype \"" + std::string(p.name) + "\"\nkey Enter\nframes 1");
    EXPECT_EQ(fact("design.from"), layout::print_line(*layout::parse(p.text))) << p.name;
    EXPECT_EQ(fact("design.type"), p.type) << p.name;
    script("click item \"To preset\"\ntype \"" + std::string(p.name) + "\"\nclick item \"" + std::string(p.name) +
           "\"\nframes 1");
    EXPECT_EQ(fact("design.to"), layout::print_line(*layout::parse(p.text))) << p.name;
  }
  script("wait\nexpect design.plan.problem none");
}

TEST_F(DesignerTest, ChainsFillBothEnds) {
  open_layout();
  script(
      "click item \"From preset\"\ntype \"32 x 32 bit matrix\"\nkey Enter\nwait\nexpect design.type 1\nexpect "
      "design.plan.cost not none\n"
      "expect design.check right");
}

TEST_F(DesignerTest, AVariableOfTheKernelBecomesADesign) {
  open_kernel("half2_transposes.cu");
  script(
      "line 32\nwait\nkey N\nwait\ncommand design.from_variable\nwait\nexpect design.open yes\nexpect arrangement "
      "Design\n"
      "expect design.type f16\nexpect design.plan.cost not none");
  EXPECT_NE(fact("design.from").find("k0"), std::string::npos) << fact("design.from");
}

// --- code
// ----------------------------------------------------------------------------------------------------------------

TEST_F(DesignerTest, CodeIsComparedWithTheLastExport) {
  open_layout();
  const std::string path = folder() + "/out.cuh";
  script("key Ctrl+Shift+E\nkey Ctrl+A\ntype " + path + "\nkey Enter\nexpect text \"Wrote\"");
  EXPECT_EQ(read_text(path).value_or(""), app().designer.header());
  script(
      "expect text \"as exported\"\ndrag scene designer layout_chip/1/1/0 onto scene designer layout_chip/1/1/1\nwait\n"
      "click scene plans step_row/0\nwait\nexpect text not \"as exported\"");
}

TEST_F(DesignerTest, AWrongNameIsNotExported) {
  open_layout();
  script("click item Name\nkey Ctrl+A\ntype 2x\nwait");
  EXPECT_NE(refusal_of(app(), *find_command("design.export")).find("name of the function"), std::string::npos);
  EXPECT_TRUE(app().designer.export_code(CodeForm::header, folder() + "/x.cuh").error().front().message.find("name") !=
              std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder() + "/x.cuh"));
}

TEST_F(DesignerTest, TheKernelOpensWithGreenClaims) {
  open_layout();
  script("key Ctrl+Shift+X\nwait\nexpect arrangement Learn\nexpect results.have yes\nexpect results.failed no");
  EXPECT_TRUE(fact("problems").starts_with("0 errors")) << fact("problems");
  EXPECT_TRUE(fact("results.claims").ends_with("0 differ, 0 unchecked")) << fact("results.claims");
}

// --- chains
// ------------------------------------------------------------------------------------------------------------

TEST_F(DesignerTest, AChainIsMadeByTheMouseAndStoredInTheTextThatPlanReads) {
  open_layout();
  script(
      "expect design.leg 1 of 1\nclick item \"Add a destination\"\nwait\nexpect design.leg 2 of 2\n"
      "drag scene designer layout_chip/1/1/0 onto scene designer layout_chip/1/2/0\nwait\n"
      "expect design.check right\nexpect text \"leg 2 of 2\"\nexpect design.chain.total not none\n"
      "click item \"Leg 1\"\nwait\nexpect design.leg 1 of 2\nexpect design.steps s0 <-> r1, r0 <-> t2\n"
      "click item \"Next leg\"\nwait\nexpect design.leg 2 of 2\nexpect design.steps r0 <-> t0\nkey Ctrl+S");
  const std::string written = read_text(app().designer.file()).value_or("");
  EXPECT_NE(written.find("states = ["), std::string::npos) << written;
  EXPECT_TRUE(written.starts_with("# of the notes\n")) << written;
  const std::string path = app().designer.file();
  open(options_for(path));
  script(
      "expect design.leg 1 of 2\nexpect design.chain.total not none\nclick item \"Leg 2\"\nwait\n"
      "click item \"Remove it\"\nwait\nexpect design.leg 1 of 1\nexpect design.chain.total none\nkey Ctrl+Z\nwait\n"
      "expect design.leg 1 of 2");
}

TEST_F(DesignerTest, AChainIsMadeByKeysAndItsHeaderHasAllLegs) {
  open_layout();
  script(
      "key Ctrl+Alt+D\nwait\nexpect design.leg 2 of 2\nkey Shift+F6\nkey Enter\nkey Up\nkey Enter\nwait\n"
      "expect design.steps not none\nkey Escape\nkey Ctrl+Alt+Left\nwait\nexpect design.leg 1 of 2\n"
      "expect design.check right\nkey Ctrl+Shift+E\nkey Ctrl+A\ntype " +
      folder() + "/chain.cuh\nkey Enter\nexpect text \"All 2 legs\"");
  const std::string header = read_text(folder() + "/chain.cuh").value_or("");
  EXPECT_NE(header.find("void transpose_1("), std::string::npos) << header;
  EXPECT_NE(header.find("void transpose_2("), std::string::npos);
}

// --- through shared memory
// ---------------------------------------------------------------------------------------------

TEST_F(DesignerTest, APlanThroughSharedMemoryIsPlayedInTheBanks) {
  open_layout(
      "name = \"tile\"\ntype = \"f32\"\nfrom = \"simd: -; register: i4 i3 i2; thread: j4 j3 j2 j1 j0; warp: i1 i0\"\n"
      "to = \"simd: -; register: j4 j3 j2; thread: i4 i3 i2 i1 i0; warp: j1 j0\"\n");
  script(
      "click item \"Elements view\"\nclick item \"shared memory\"\nwait\nexpect text \"no bank conflict\"\n"
      "expect design.wavefront not 1 of 0\nexpect text \"store 1 of\"\nkey Alt+F12\nexpect design.wavefront not 1 of "
      "16\n"
      "key Alt+Shift+F12\nclick item \"Play moves\"\nwait\nexpect text \"load\"\nkey Ctrl+Alt+B\n"
      "expect scene elements contains register_cell/0/0/0/0");
  EXPECT_FALSE(app().designer.accesses().empty());
  for (const design::SharedAccess& a : app().designer.accesses()) EXPECT_EQ(a.cost.bank_conflicts, 0U);
  open_layout();
  EXPECT_NE(refusal_of(app(), *find_command("design.shared")), "") << "its plans need no shared memory";
}

TEST_F(DesignerTest, WhatIsNotSpecifiedIsRefusedByName) {
  open_layout();
  const std::string before = fact("design.from");
  script(
      "key Ctrl+Shift+F\ntype wmma\nexpect text \"wmma fragments, 16x16x16\"\nkey Enter\nexpect text \"leaves open\"");
  EXPECT_EQ(fact("design.from"), before);
}

/// Planning and checking happen elsewhere: what the UI thread pays for a frame with an edit in it stays small.
TEST_F(DesignerTest, NoFrameWaitsForAPlan) {
  open_layout(
      "name = \"big\"\ntype = \"f32\"\nfrom = \"simd: -; register: i5 i4 i3 i2; thread: j4 j3 j2 j1 j0; warp: i1 i0\"\n"
      "to = \"simd: -; register: i5 i4 i3 i2; thread: j4 j3 j2 j1 j0; warp: i1 i0\"\n");
  double longest = 0;
  for (int n = 0; n < 3; ++n) {
    app().designer.apply(design::exchange_bits(app().designer.sheet(), design::End::to,
                                               {{layout::Place::reg, n}, {layout::Place::warp, n % 2}}));
    const Work work;
    app().update(frames->seconds());
    longest = std::max(longest, work.loops());
    ASSERT_TRUE(wait_until_settled(*frames));
  }
  EXPECT_LT(longest, 10) << "loops of one update";
}

}  // namespace
}  // namespace lanescope::gui
