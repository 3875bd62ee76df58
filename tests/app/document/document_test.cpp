#include "app/document/document.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "app/document/file_io.h"

namespace lanescope::document {
namespace {

namespace fs = std::filesystem;

class OnDisk : public testing::Test {
 protected:
  void SetUp() override {
    folder = fs::temp_directory_path() / fmt::format("lanescope_document_{}_{}", ::getpid(), std::random_device{}());
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }
  std::string path(const std::string& name) const { return (folder / name).string(); }
  std::size_t files() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {})); }
  fs::path folder;
};

// Law: n undos after n steps give back the first state, n redos the last, with anything in between.
TEST(History, UndoAndRedoAreInverse) {
  std::mt19937 random(1);
  History history(Document("a.cu", "", true));
  std::vector<std::string> texts{""};
  for (int i = 0; i < 100; ++i) {
    texts.push_back(texts.back() + static_cast<char>('a' + random() % 26));
    history.push(history.now().with_text(texts.back()), "typing");
  }
  for (std::size_t i = texts.size() - 1; i-- > 0;) EXPECT_EQ(history.undo().text(), texts[i]);
  EXPECT_FALSE(history.can_undo());
  EXPECT_EQ(history.undo().text(), "");
  for (std::size_t i = 1; i < texts.size(); ++i) EXPECT_EQ(history.redo().text(), texts[i]);
  EXPECT_FALSE(history.can_redo());
}

TEST(History, StepsAreNamedMergedAndForgotten) {
  History history(Document("a.cu", "x", true));
  history.push(history.now().with_text("xy"), "typing", "line 1");
  history.push(history.now().with_text("xyz"), "typing", "line 1");
  EXPECT_EQ(history.steps(), 1u);
  history.push(history.now().with_text("claims"), "annotate");
  EXPECT_EQ(history.undo_name(), "annotate");
  EXPECT_EQ(history.undo().text(), "xyz");
  EXPECT_EQ(history.redo_name(), "annotate");
  history.push(history.now().with_text("other"), "paste");
  EXPECT_FALSE(history.can_redo());
  EXPECT_EQ(history.undo().text(), "xyz");
  EXPECT_EQ(history.undo().text(), "x");
}

TEST(History, SavingMakesOneStateCleanAndTheOthersDirty) {
  History history(Document("", "", false));
  history.push(history.now().with_text("one"), "typing");
  EXPECT_TRUE(history.now().dirty());
  EXPECT_EQ(history.now().title(), "untitled.cu");
  history.mark_saved("/tmp/k.cu");
  EXPECT_FALSE(history.now().dirty());
  EXPECT_EQ(history.now().title(), "k.cu");
  EXPECT_TRUE(history.undo().dirty());
  EXPECT_FALSE(history.redo().dirty());
}

TEST_F(OnDisk, FilesAreWrittenWholeAndReadBack) {
  const auto saved = save(Document("", "kernel\n", false), path("k.cu"));
  ASSERT_TRUE(saved);
  EXPECT_FALSE(saved->dirty());
  const auto opened = open(path("k.cu"));
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->text(), "kernel\n");
  EXPECT_EQ(files(), 1u) << "no temporary file stays";
  fs::permissions(path("k.cu"), fs::perms::owner_read | fs::perms::owner_write | fs::perms::owner_exec);
  ASSERT_TRUE(save(*opened, path("k.cu")));
  EXPECT_EQ(fs::status(path("k.cu")).permissions(), fs::perms::owner_all);
  EXPECT_FALSE(save(*opened, path("no/such/folder/k.cu")));
  EXPECT_FALSE(save(*opened, folder.string())) << "a folder is no file";
  EXPECT_EQ(files(), 1u);
}

TEST_F(OnDisk, SavingThroughALinkKeepsTheLink) {
  ASSERT_TRUE(write_file(path("real.cu"), "old\n"));
  fs::create_symlink("real.cu", path("k.cu"));
  FileWatch watch(path("k.cu"));
  const auto opened = open(path("k.cu"));
  ASSERT_TRUE(opened);
  ASSERT_TRUE(save(opened->with_text("newer\n"), path("k.cu")));
  EXPECT_TRUE(fs::is_symlink(path("k.cu")));
  EXPECT_EQ(read_text(path("real.cu")).value_or(""), "newer\n");
  EXPECT_EQ(watch.poll(), FileWatch::Change::changed);
  EXPECT_EQ(files(), 2u);
}

TEST_F(OnDisk, WhatIsNoTextFileIsNamed) {
  std::ofstream(path("binary")) << std::string("ab\ncd\0", 6);
  { const std::ofstream empty(path("empty")); }
  EXPECT_EQ(read_text(path("binary")).error()[0].line, 2);
  EXPECT_NE(read_text(path("empty")).error()[0].message.find("empty"), std::string::npos);
  EXPECT_NE(read_text(path("none")).error()[0].message.find("no such file"), std::string::npos);
  EXPECT_NE(read_text(folder.string()).error()[0].message.find("folder"), std::string::npos);
}

TEST_F(OnDisk, AWatchTellsEachChangeOnce) {
  ASSERT_TRUE(write_file(path("k.cu"), "one"));
  FileWatch watch(path("k.cu"));
  EXPECT_EQ(watch.poll(), FileWatch::Change::none);
  ASSERT_TRUE(write_file(path("k.cu"), "two, longer"));
  EXPECT_EQ(watch.poll(), FileWatch::Change::changed);
  EXPECT_EQ(watch.poll(), FileWatch::Change::none);
  ASSERT_TRUE(write_file(path("k.cu"), "two, longer"));  // touched, not changed
  EXPECT_EQ(watch.poll(), FileWatch::Change::none);
  fs::remove(path("k.cu"));
  EXPECT_EQ(watch.poll(), FileWatch::Change::gone);
  EXPECT_EQ(watch.poll(), FileWatch::Change::none);
  ASSERT_TRUE(write_file(path("k.cu"), "back"));
  EXPECT_EQ(watch.poll(), FileWatch::Change::changed);
}

}  // namespace
}  // namespace lanescope::document
