#include "kernels/base/write_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <random>
#include <sstream>

namespace lanescope {
namespace {

namespace fs = std::filesystem;

class WriteFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / fmt::format("lanescope_write_{}_{}", ::getpid(), std::random_device{}());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string slurp(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream all;
    all << file.rdbuf();
    return std::move(all).str();
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  /// A character device of the test's own; false where only root may make one and we are not root.
  bool make_device(const std::string& name, unsigned major, unsigned minor) const {
    return ::mknod(path(name).c_str(), S_IFCHR | 0666, makedev(major, minor)) == 0;
  }
  bool is_device(const std::string& name) const {
    struct stat s {};
    return ::lstat(path(name).c_str(), &s) == 0 && S_ISCHR(s.st_mode);
  }

  fs::path folder_;
};

// Law: what is written is read back, and nothing else is left in the folder.
TEST_F(WriteFile, WhatIsWrittenIsReadBack) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 100; ++trial) {
    std::string text(random() % 3 == 0 ? random() % 200'000 : random() % 50, '\0');
    for (char& c : text) c = static_cast<char>(random());
    ASSERT_TRUE(write_file(path("k"), text));
    ASSERT_EQ(slurp(path("k")), text);
    ASSERT_EQ(entries(), 1u);
  }
}

TEST_F(WriteFile, PermissionsOfTheReplacedFileStay) {
  const mode_t before = ::umask(027);
  ASSERT_TRUE(write_file(path("new"), "a"));
  ::umask(before);
  EXPECT_EQ(fs::status(path("new")).permissions(), static_cast<fs::perms>(0640)) << "a new file follows the umask";
  for (const unsigned mode : {0600u, 0644u, 0755u, 04755u, 0666u}) {
    ASSERT_EQ(::chmod(path("new").c_str(), mode), 0);
    ASSERT_TRUE(write_file(path("new"), "b"));
    EXPECT_EQ(static_cast<unsigned>(fs::status(path("new")).permissions()), mode);
  }
  if (::geteuid() != 0) return;
  ASSERT_EQ(::chown(path("new").c_str(), 1234, 4321), 0);
  ASSERT_TRUE(write_file(path("new"), "c"));
  struct stat after {};
  ASSERT_EQ(::stat(path("new").c_str(), &after), 0);
  EXPECT_EQ(after.st_uid, 1234u);
  EXPECT_EQ(after.st_gid, 4321u);
}

// Chains of links of random length, relative and absolute, through folders: each link stays, and its end is written,
// whether it was there or not.
TEST_F(WriteFile, LinksStayAndWhatTheyLeadToIsWritten) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 60; ++trial) {
    const fs::path here = folder_ / fmt::format("t{}", trial);
    fs::create_directories(here / "a" / "b");
    const fs::path folders[] = {here, here / "a", here / "a" / "b"};
    const fs::path end = folders[random() % 3] / "end";
    const bool there = random() % 2 == 0;
    if (there) std::ofstream(end) << "old";
    fs::path to = end;
    std::vector<fs::path> links;
    for (int i = 0, length = 1 + static_cast<int>(random() % 6); i < length; ++i) {
      const fs::path link = folders[random() % 3] / fmt::format("link{}", i);
      fs::create_symlink(random() % 2 == 0 ? to : fs::relative(to, link.parent_path()), link);
      links.push_back(to = link);
    }
    ASSERT_TRUE(write_file(to.string(), "new")) << to;
    for (const fs::path& link : links) ASSERT_TRUE(fs::is_symlink(link)) << link;
    ASSERT_TRUE(fs::is_regular_file(fs::symlink_status(end)));
    ASSERT_EQ(slurp(end.string()), "new") << (there ? "replaced" : "made");
  }
  fs::create_symlink("two", path("one"));
  fs::create_symlink("one", path("two"));
  const auto endless = write_file(path("one"), "x");
  ASSERT_FALSE(endless);
  EXPECT_EQ(endless.error().front().file, path("one"));
  EXPECT_TRUE(fs::is_symlink(path("one")));
}

TEST_F(WriteFile, DevicesAreWrittenToAndNeverReplaced) {
  if (!make_device("null", 1, 3) || !make_device("full", 1, 7)) GTEST_SKIP() << "devices can be made by root only";
  fs::create_symlink("null", path("link"));
  EXPECT_TRUE(write_file(path("null"), "gone"));
  EXPECT_TRUE(write_file(path("link"), "gone"));
  const auto full = write_file(path("full"), "too much");
  ASSERT_FALSE(full);
  EXPECT_NE(full.error().front().message.find("No space left"), std::string::npos) << to_string(full.error().front());
  EXPECT_EQ(full.error().front().file, path("full"));
  EXPECT_TRUE(is_device("null") && is_device("full"));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(entries(), 3u);
}

TEST_F(WriteFile, APipeGetsTheBytesAndStaysAPipe) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  auto reader = std::async(std::launch::async, [&] { return slurp(path("pipe")); });
  const std::string text(300'000, 'x');
  EXPECT_TRUE(write_file(path("pipe"), text));
  EXPECT_EQ(reader.get(), text);
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
}

// /dev/fd/N is the open file under any former name: writing continues where the stream stands.
TEST_F(WriteFile, AnOpenStreamIsWrittenWhereItStands) {
  const int fd = ::open(path("log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  ASSERT_GE(fd, 0);
  ASSERT_EQ(::write(fd, "one ", 4), 4);
  for (const char* name : {"/dev/fd/{}", "/proc/self/fd/{}"})
    ASSERT_TRUE(write_file(fmt::format(fmt::runtime(name), fd), "more "));
  ASSERT_EQ(::write(fd, "end", 3), 3);
  ::close(fd);
  EXPECT_EQ(slurp(path("log")), "one more more end");
}

TEST_F(WriteFile, WhatCannotBeWrittenIsSaidAndNothingIsLost) {
  std::ofstream(path("file")) << "old";
  fs::create_directory(path("folder"));
  fs::create_symlink("folder", path("link"));
  const struct {
    std::string path, words;
  } cases[] = {
      {"", "no file"},
      {path("folder"), "this is a folder"},
      {path("link"), "this is a folder"},
      {path("none/k.cu"), "No such file"},
      {path("file/k.cu"), "Not a directory"},
      {path("file/"), "Not a directory"},
      {path("none/"), "No such file"},
      {path(std::string(300, 'x')), "too long"},
      {"/proc/lanescope", "cannot be written"},
      {"/proc/self/fd/999", "cannot be written"},
  };
  for (const auto& c : cases) {
    const auto written = write_file(c.path, "new");
    ASSERT_FALSE(written) << c.path;
    EXPECT_EQ(written.error().front().file, c.path);
    EXPECT_NE(written.error().front().message.find(c.words), std::string::npos) << to_string(written.error().front());
    EXPECT_FALSE(written.error().front().remedy.empty());
  }
  EXPECT_EQ(slurp(path("file")), "old");
  EXPECT_EQ(entries(), 3u) << "no temporary file stays";
  // A name as long as names may be leaves room for the temporary one.
  EXPECT_TRUE(write_file(path(std::string(255, 'y')), "new"));
}

TEST_F(WriteFile, AWriteProtectedFileIsKept) {
  std::ofstream(path("file")) << "old";
  fs::permissions(path("file"), fs::perms::owner_read);
  const bool root = ::geteuid() == 0;  // root may write everything, and so acts as another user
  if (root) {
    constexpr uid_t absent = 65534;
    for (const std::string& name : {folder_.string(), path("file")}) ASSERT_EQ(::chown(name.c_str(), absent, 0), 0);
    ASSERT_EQ(::seteuid(absent), 0);
  }
  const auto written = write_file(path("file"), "new");
  if (root) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().front().message.find("Permission denied"), std::string::npos);
  EXPECT_EQ(slurp(path("file")), "old");
}

}  // namespace
}  // namespace lanescope
