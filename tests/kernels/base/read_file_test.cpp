#include "kernels/base/read_file.h"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <thread>
#include <utility>

namespace lanescope {
namespace {

namespace fs = std::filesystem;

class ReadFile : public ::testing::Test {
 protected:
  ReadFile() { fs::create_directories(folder_); }
  ~ReadFile() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }

 private:
  fs::path folder_ = fs::temp_directory_path() / ("lanescope_read_" + std::to_string(::getpid()));
};

TEST_F(ReadFile, GivesEveryByte) {
  std::mt19937 random(2);
  for (std::size_t bytes : {0, 1, 4096, 100'000}) {
    std::string text(bytes, '\0');
    for (char& c : text) c = static_cast<char>(random());
    write("f", text);
    const auto read = read_file(path("f"));
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(*read, text);
  }
}

std::string message_of(const Expected<std::string>& read) {
  return read ? "read" : read.error().at(0).file.empty() ? "no name" : read.error().at(0).message;
}

// Neither their end nor their other end is waited for, also after a link.
TEST_F(ReadFile, RefusesWhatIsNoRegularFile) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  ASSERT_LT(path("socket").size(), sizeof address.sun_path);
  path("socket").copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::close(socket);
  fs::create_symlink("/dev/zero", path("zero"));
  fs::create_symlink("pipe", path("link"));
  fs::create_symlink("/dev/stdin", path("standard input"));
  for (const auto& [name, kind] :
       {std::pair{"pipe", "a pipe"}, {"link", "a pipe"}, {"socket", "a socket"}, {"zero", "a device"}})
    EXPECT_EQ(message_of(read_file(path(name))), fmt::format("this is {}; only regular files are read", kind)) << name;
  for (const std::string& name : {path("pipe"), path("zero")})
    EXPECT_EQ(message_of(read_typed_file(name)), message_of(read_file(name)));
  for (const char* device : {"/dev/null", "/dev/zero", "/dev/tty"})
    EXPECT_EQ(message_of(read_file(device)), "this is a device; only regular files are read");
}

TEST_F(ReadFile, LooksAtTheSizeFirst) {
  write("f", "12345678");
  EXPECT_EQ(message_of(read_file(path("f"), 8)), "read");
  EXPECT_EQ(message_of(read_file(path("f"), 7)), "the file has 8 bytes, and at most 7 bytes are read");
  ASSERT_EQ(::truncate(path("f").c_str(), std::int64_t{1} << 40), 0);
  EXPECT_EQ(message_of(read_file(path("f"))), "the file has 1024 GiB, and at most 64 MiB are read");
  // Of files without a size what they give is counted.
  EXPECT_EQ(message_of(read_file("/proc/self/status", 10)), "the file has more, and at most 10 bytes are read");
}

TEST_F(ReadFile, ReadsATypedStreamToItsEnd) {
  for (const char* folder : {"/dev/fd/", "/proc/self/fd/"}) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    std::thread writer([&] {
      const std::string text(200'000, 'x');
      EXPECT_EQ(::write(ends[1], text.data(), text.size()), 200'000);
      ::close(ends[1]);
    });
    const std::string name = folder + std::to_string(ends[0]);
    const auto read = read_typed_file(name);
    writer.join();
    EXPECT_EQ(read.value_or("").size(), 200'000u);
    EXPECT_EQ(message_of(read_file(name)), "this is a pipe; only regular files are read");
    ::close(ends[0]);
  }
}

TEST_F(ReadFile, AStreamWithoutAnEndIsLeft) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::string name = "/dev/fd/" + std::to_string(ends[0]);
  EXPECT_EQ(message_of(read_typed_file(name, 0.01)), "timeout: reading was stopped after 0.01 s");
  EXPECT_EQ(::write(ends[1], "12345678", 8), 8);
  EXPECT_EQ(message_of(read_typed_file(name, 10, 4)), "the file has more, and at most 4 bytes are read");
  ::close(ends[0]), ::close(ends[1]);
}

TEST_F(ReadFile, SaysWhyItCannot) {
  EXPECT_EQ(message_of(read_file(path("none"))), "there is no such file");
  EXPECT_EQ(message_of(read_file(path("."))), "this is a folder");
  // The memory of this process: it opens, and its first page can never be read.
  EXPECT_EQ(message_of(read_file("/proc/self/mem")), "the file cannot be read: Input/output error");
}

}  // namespace
}  // namespace lanescope
