#include "kernels/base/read_file.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

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

TEST_F(ReadFile, ReadsAPipeToItsEnd) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::thread writer([&] { write("pipe", std::string(200'000, 'x')); });
  const auto read = read_file(path("pipe"));
  writer.join();
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->size(), 200'000u);
}

TEST_F(ReadFile, SaysWhyItCannot) {
  const auto message = [](const Expected<std::string>& read) {
    return read ? "read" : read.error().at(0).file.empty() ? "no name" : read.error().at(0).message;
  };
  EXPECT_EQ(message(read_file(path("none"))), "there is no such file");
  EXPECT_EQ(message(read_file(path("."))), "this is a folder");
  // The memory of this process: it opens, and its first page cannot be read, whoever asks.
  EXPECT_EQ(message(read_file("/proc/self/mem")), "the file cannot be read: Input/output error");
}

}  // namespace
}  // namespace lanescope
