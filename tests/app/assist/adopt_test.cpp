// A strange file becomes a kernel file: the header says what was inferred, and nothing else changes.

#include "app/assist/adopt.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "kernels/base/read_file.h"

namespace lanescope::assist {
namespace {

constexpr const char* stranger =
    "#include <cstdio>\n__global__ void scale(float* x, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) x[i] *= 2;\n}\nint main() {\n  const int n = 1000;\n  float* d;\n  cudaMalloc(&d, n * "
    "sizeof(float));\n"
    "  scale<<<(n + 127) / 128, 128>>>(d, n);\n}\n";

void expect_same(const source::Header& a, const source::Header& b) {
  ASSERT_EQ(a.launches.size(), b.launches.size());
  for (std::size_t i = 0; i < a.launches.size(); ++i) {
    EXPECT_EQ(a.launches[i].kernel, b.launches[i].kernel);
    EXPECT_EQ(a.launches[i].grid, b.launches[i].grid);
    EXPECT_EQ(a.launches[i].block, b.launches[i].block);
    EXPECT_EQ(a.launches[i].dynamic_shared_bytes, b.launches[i].dynamic_shared_bytes);
    ASSERT_EQ(a.launches[i].arguments.size(), b.launches[i].arguments.size());
    for (std::size_t n = 0; n < a.launches[i].arguments.size(); ++n)
      EXPECT_EQ(a.launches[i].arguments[n].value, b.launches[i].arguments[n].value);
  }
  for (const source::BufferSpec& buffer : a.buffers) {
    const auto same = std::ranges::find(b.buffers, buffer.name, &source::BufferSpec::name);
    ASSERT_NE(same, b.buffers.end()) << buffer.name;
    EXPECT_EQ(same->elements, buffer.elements) << buffer.name;
    EXPECT_EQ(same->element_type, buffer.element_type) << buffer.name;
  }
}

TEST(Adopt, TheHeaderSaysWhatWasInferred) {
  const Expected<Adoption> adopted = adopt("k.cu", stranger);
  ASSERT_TRUE(adopted.has_value()) << to_string(adopted.error().front());
  EXPECT_TRUE(adopted->text.ends_with(stranger));
  EXPECT_EQ(adopted->text, adopted->header + stranger);
  EXPECT_NE(adopted->header.find("block = 128"), std::string::npos) << adopted->header;
  EXPECT_NE(adopted->header.find("grid = 8"), std::string::npos) << adopted->header;
  const auto before = source::read("k.cu", stranger), after = source::read("k.cu", adopted->text);
  ASSERT_TRUE(before && after) << (after ? "" : to_string(after.error().front()));
  EXPECT_TRUE(after->header.present);
  expect_same(before->header, after->header);
}

TEST(Adopt, AssumedSizesStayOpen) {
  const std::string text =
      "__global__ void far(float* x, const float* y) { x[threadIdx.x * 100] = y[4000 + threadIdx.x]; }\n";
  const Expected<Adoption> adopted = adopt("k.cu", text);
  ASSERT_TRUE(adopted.has_value());
  EXPECT_NE(adopted->header.find("\n# x = \"f32 n:"), std::string::npos) << adopted->header;
  EXPECT_NE(adopted->header.find("fitted to what the kernel reaches"), std::string::npos) << adopted->header;
  const auto before = source::read("k.cu", text), after = source::read("k.cu", adopted->text);
  ASSERT_TRUE(before && after);
  expect_same(before->header, after->header);
  for (const source::BufferSpec& b : after->header.buffers)
    EXPECT_TRUE(b.inferred && b.size_assumed) << b.name << ": a stated size would be held against the kernel";
  const Expected<Adoption> known = adopt("k.cu", stranger);
  EXPECT_NE(known->header.find("\nx = \"f32 n:1000"), std::string::npos) << known->header;
}

/// Kernels of the catalogue without their headers.
TEST(Adopt, AdoptedFilesLaunchAsTheyDidBefore) {
  int adopted_files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(LANESCOPE_SOURCE_DIR) + "/assets/kernels")) {
    if (entry.path().extension() != ".cu") continue;
    std::string text = read_file(entry.path().string()).value_or("");
    const std::size_t end = text.find("*/");
    if (!text.starts_with("/*") || end == std::string::npos) continue;
    text.erase(0, end + 3);
    SCOPED_TRACE(entry.path().filename().string());
    const auto before = source::read("k.cu", text);
    if (!before) continue;
    const Expected<Adoption> adopted = adopt("k.cu", text);
    ASSERT_TRUE(adopted.has_value());
    const auto after = source::read("k.cu", adopted->text);
    ASSERT_TRUE(after.has_value()) << to_string(after.error().front()) << adopted->header;
    expect_same(before->header, after->header);
    EXPECT_EQ(adopted->questions.empty(), before->header.assumed.empty());
    ++adopted_files;
  }
  EXPECT_GT(adopted_files, 20);
}

TEST(Adopt, KeepsMarksAndLineEnds) {
  std::string dos = "\xEF\xBB\xBF";
  for (const char* c = stranger; *c != '\0'; ++c) dos += *c == '\n' ? std::string("\r\n") : std::string(1, *c);
  const Expected<Adoption> adopted = adopt("k.cu", dos);
  ASSERT_TRUE(adopted.has_value());
  EXPECT_TRUE(adopted->text.starts_with("\xEF\xBB\xBF/*"));
  EXPECT_TRUE(adopted->text.ends_with(dos.substr(3)));
  for (std::size_t at = adopted->text.find('\n'); at != std::string::npos; at = adopted->text.find('\n', at + 1))
    EXPECT_EQ(adopted->text[at - 1], '\r');
}

TEST(Adopt, WhatIsAKernelFileAlreadyIsRefused) {
  const Expected<Adoption> adopted = adopt("k.cu", adopt("k.cu", stranger)->text);
  ASSERT_FALSE(adopted.has_value());
  EXPECT_EQ(adopted.error().front().message, "this file has a launch header");
  EXPECT_FALSE(adopt("k.cu", "int main() {}\n").has_value());
}

}  // namespace
}  // namespace lanescope::assist
