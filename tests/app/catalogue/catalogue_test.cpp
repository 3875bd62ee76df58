// The list of the catalogue: what is read from its files, and searches in it.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "app/catalogue/catalogue.h"

namespace lanescope::catalogue {
namespace {

namespace fs = std::filesystem;

const std::vector<Kernel>& all() {
  static const Expected<std::vector<Kernel>> kernels = read(fs::path(LANESCOPE_SOURCE_DIR) / "assets/kernels");
  EXPECT_TRUE(kernels) << to_string(kernels.error().front());
  return *kernels;
}

std::vector<std::string> names(std::string_view query) {
  std::vector<std::string> out;
  for (const Kernel* k : search(all(), query)) out.push_back(k->name);
  return out;
}

bool finds(std::string_view query, std::string_view name) {
  const std::vector<std::string> found = names(query);
  return std::ranges::find(found, name) != found.end();
}

/// A folder of its own, gone with the test.
class CatalogueFolder : public ::testing::Test {
 protected:
  CatalogueFolder() {
    std::string pattern = (fs::temp_directory_path() / "lanescope-list-XXXXXX").string();
    folder = mkdtemp(pattern.data());
  }
  ~CatalogueFolder() override {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  void write(const std::string& name, std::string_view text) { std::ofstream(folder / name) << text; }
  fs::path folder;
};

TEST(Catalogue, HasEachKernelOfTheFolderOnce) {
  std::set<std::string> files, listed;
  for (const auto& entry : fs::directory_iterator(fs::path(LANESCOPE_SOURCE_DIR) / "assets/kernels"))
    if (entry.path().extension() == ".cu") files.insert(entry.path().stem().string());
  for (const Kernel& k : all()) {
    EXPECT_TRUE(listed.insert(k.name).second) << k.name;
    EXPECT_NE(k.topic, "Other kernels") << k.name << " is not in topics.toml";
    EXPECT_EQ(k.explanation.find('\n'), std::string::npos) << k.name;
    EXPECT_TRUE(k.explanation.starts_with(k.summary)) << k.name;
    EXPECT_EQ(k.explanation.empty(), k.name == "no_comments") << k.name;
    EXPECT_TRUE(fs::exists(k.path)) << k.path;
  }
  EXPECT_EQ(files, listed);
}

TEST(Catalogue, FindsByNameTopicTextAndFinding) {
  EXPECT_EQ(names("").size(), all().size());
  EXPECT_EQ(names("copy_float4").front(), "copy_float4");
  EXPECT_EQ(names("copy_float4.cu").front(), "copy_float4");
  EXPECT_EQ(names("COPY_FLOAT").front(), "copy_float") << "the whole name comes before a longer one";
  EXPECT_TRUE(finds("bank-conflict", "shared_transpose_naive")) << "a finding";
  EXPECT_FALSE(finds("bank-conflict", "shared_transpose_padded"));
  EXPECT_TRUE(finds("races atomics", "histogram_shared")) << "a topic, its words in any order";
  EXPECT_TRUE(finds("atomics races", "histogram_shared"));
  EXPECT_TRUE(finds("misaligned", "read_aligned")) << "an explanation names its contrast";
  EXPECT_EQ(names("misaligned").front(), "read_misaligned") << "but the name comes first";
  EXPECT_FALSE(finds("histogram bank-conflict", "histogram_atomic")) << "every word must fit";
  EXPECT_TRUE(names("xyzzy").empty());
}

// A word of a text fits from its beginning on: "race" is not in "trace".
TEST(Catalogue, WordsFitFromTheirBeginningOn) {
  const Kernel k{
      .name = "k", .path = {}, .topic = "Other", .explanation = "A trace of lanes", .summary = {}, .expects = {}};
  EXPECT_FALSE(score(k, "race").has_value());
  EXPECT_TRUE(score(k, "tra").has_value());
  EXPECT_TRUE(score(k, "  lanes   tra ").has_value());
}

TEST_F(CatalogueFolder, ReadsWhatTheFilesSay) {
  write("b.cu",
        "/*\nOne sentence\nin two lines. And 1.5 more.\n\n[lanescope]\nblock = 32\n*/\n// lanescope: expect spills, "
        "divergence\n");
  write("a.cu", "__global__ void a() {}\n// lanescope: expect spills\nint x;  // lanescope: expect spills\n");
  write("c.cu", "/* Nothing but this */\n");
  write("topics.toml", "[[topic]]\nname = \"Second\"\nkernels = [\"c\"]\n");
  const auto kernels = read(folder);
  ASSERT_TRUE(kernels) << to_string(kernels.error().front());
  ASSERT_EQ(kernels->size(), 3u);
  const Kernel &c = (*kernels)[0], &a = (*kernels)[1], &b = (*kernels)[2];
  EXPECT_EQ(c.name + c.topic + c.explanation, "cSecondNothing but this");
  EXPECT_EQ(a.name + a.topic + a.explanation, "aOther kernels");
  EXPECT_EQ(a.expects, std::vector<std::string>{"spills"}) << "once";
  EXPECT_EQ(b.explanation, "One sentence in two lines. And 1.5 more.");
  EXPECT_EQ(b.summary, "One sentence in two lines");
  EXPECT_EQ(b.expects, (std::vector<std::string>{"spills", "divergence"}));
}

TEST_F(CatalogueFolder, RefusesTopicsThatDoNotFit) {
  write("a.cu", "");
  const auto problem = [&](std::string_view text) {
    write("topics.toml", text);
    const auto kernels = read(folder);
    if (kernels) return std::string("read");
    const Diagnostic& d = kernels.error().front();
    EXPECT_FALSE(d.remedy.empty());
    EXPECT_TRUE(d.file.ends_with("topics.toml")) << d.file;
    return std::to_string(d.line) + " " + d.message;
  };
  EXPECT_EQ(problem("[[topic]]\nname = \"T\"\nkernels = [\n\"a\",\n\"b\",\n]\n"),
            "5 there is no kernel `b` that no other topic has");
  EXPECT_EQ(problem("[[topic]]\nname = \"T\"\nkernels = [\"a\"]\n[[topic]]\nname = \"U\"\nkernels = [\"a\"]\n"),
            "6 there is no kernel `a` that no other topic has");
  EXPECT_EQ(problem("\n[[topic]]\nkernels = [\"a\"]\n"), "2 `name` is missing in [[topic]]");
  EXPECT_EQ(problem("topic = [1]\n"), "1 a topic must be a table");
  EXPECT_NE(problem("[[topic]\n").find("1 "), std::string::npos);
  EXPECT_EQ(problem(""), "read");
}

TEST_F(CatalogueFolder, IsEmptyWithoutFiles) {
  EXPECT_TRUE(read(folder)->empty());
  EXPECT_TRUE(read(folder / "nowhere")->empty());
}

}  // namespace
}  // namespace lanescope::catalogue
