// Statements of docs/kernel-files.md on the launch header, tried: its keys, types, contents and inferences.

#include <fmt/format.h>

#include <regex>
#include <set>

#include "tests/kernels/source/source_files.h"

namespace lanescope::source {
namespace {

std::string page() { return file_text(std::string(LANESCOPE_SOURCE_DIR) + "/docs/kernel-files.md"); }

/// The text between `from` and `to`, both left out.
std::string part(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from), end = text.find(to, begin + from.size());
  EXPECT_TRUE(begin != std::string::npos && end != std::string::npos) << from;
  return begin == std::string::npos ? "" : text.substr(begin + from.size(), end - begin - from.size());
}

/// Words in backticks.
std::vector<std::string> quoted(const std::string& text) {
  std::vector<std::string> out;
  const std::regex word("`([^`]+)`");
  for (std::sregex_iterator i(text.begin(), text.end(), word), end; i != end; ++i) out.push_back((*i)[1]);
  return out;
}

std::string text_with_header(const std::string& toml, const std::string& parameters = "const float* p, float* q") {
  return "/*\n[lanescope]\n" + toml + "*/\n__global__ void k(" + parameters + ") {}\n";
}

TEST(KernelFilesPage, HasEachKeyOfTheHeader) {
  const std::string table = part(page(), "| key in `[lanescope]` | meaning | when left out |\n|---|---|---|\n", "\n\n");
  std::set<std::string> listed;
  for (const std::string_view row : split_lines(table)) {
    const std::string_view cell = row.substr(0, row.find('|', 1));
    for (const std::string& key : quoted(std::string(cell))) listed.insert(key);
  }
  const Expected<Source> s = read("k.cu", text_with_header("unknown = 1\n"));
  ASSERT_FALSE(s.has_value());
  std::set<std::string> known;
  std::string remedy = s.error().front().remedy.substr(std::string("known are ").size());
  for (std::size_t at = 0; at < remedy.size();) {
    const std::size_t end = std::min(remedy.find(", ", at), remedy.size());
    known.insert(remedy.substr(at, end - at));
    at = end + 2;
  }
  EXPECT_EQ(listed, known);
}

TEST(KernelFilesPage, NamesTheParametersThatCountElements) {
  const std::string names = part(page(), "first buffer where its name is ", ", else 0");
  const std::vector<std::string> all = quoted(names);
  EXPECT_EQ(all.size(), 12U);
  for (const std::string& name : all) {
    const Source s =
        read_well(text_with_header("[buffers]\np = \"f32 i:77\"\n", "float* p, int " + name + ", int other"));
    EXPECT_EQ(std::get<double>(s.header.launches[0].arguments[1].value), 77) << name;
    EXPECT_EQ(std::get<double>(s.header.launches[0].arguments[2].value), 0) << name;
  }
}

TEST(KernelFilesPage, NamesEachElementType) {
  const std::string types = part(page(), "Types are `", "`");
  int count = 0;
  for (std::size_t at = 0; at < types.size(); ++count) {
    const std::size_t end = std::min(types.find(' ', at), types.size());
    EXPECT_GT(element_bits(types.substr(at, end - at)), 0) << types.substr(at, end - at);
    at = end + 1;
  }
  EXPECT_EQ(count, 15);
}

TEST(KernelFilesPage, EachKindOfContentsIsRead) {
  const std::string table = part(page(), "| contents | meaning |\n|---|---|\n", "\n\n");
  int read_kinds = 0;
  for (const std::string_view row : split_lines(table))
    for (std::string text : quoted(std::string(row.substr(0, row.find('|', 1))))) {
      if (text.starts_with("\"sha256")) text = "\"sha256 " + std::string(64, '0') + "\"";
      const Expected<Source> s = read(
          "k.cu", text_with_header(fmt::format(
                      "[buffers]\np = \"f32 n:3\"\nq = {{ type = \"f32\", axes = \"n:3\", expect = {} }}\n", text)));
      EXPECT_TRUE(s.has_value()) << text << (s ? "" : words(s.error()));
      ++read_kinds;
    }
  EXPECT_EQ(read_kinds, 9);
}

TEST(KernelFilesPage, BlocksAndGridsComeFromTheFirstPlaceThatHasThem) {
  const std::string claim =
      "  float x = p[0];\n  // x has the following register assignment:\n  //   thread: t4 t3 t2 t1 t0 <-> i4 i3 i2 i1 "
      "i0\n"
      "  //   warp: w1 w0 <-> i6 i5\n  //   block: b0 <-> i7\n  q[0] = x;\n";
  const std::string host = "void f(float* p, float* q) { k<<<3, 96>>>(p, q); }\n";
  const auto launch = [&](const std::string& above, const std::string& bounds, const std::string& body,
                          const std::string& below) {
    return read_well(above + "__global__ void " + bounds + "k(const float* p, float* q) {\n" + body + "}\n" + below)
        .header.launches[0];
  };
  const std::string comment = "// blockDim = {32,5}\n// gridDim = {7,2}\n", bounds = "__launch_bounds__(256) ";
  using Extents = std::array<std::uint32_t, 3>;
  const LaunchSpec all = launch(comment, bounds, claim, host), no_host = launch(comment, bounds, claim, ""),
                   no_comment = launch("", bounds, claim, ""), no_claim = launch("", bounds, "", ""),
                   nothing = launch("", "", "", ""), three_warps = launch("", "__launch_bounds__(96) ", claim, "");
  EXPECT_EQ(all.block, (Extents{96, 1, 1}));
  EXPECT_EQ(all.grid, (Extents{3, 1, 1}));
  EXPECT_EQ(no_host.block, (Extents{32, 5, 1}));
  EXPECT_EQ(no_host.grid, (Extents{7, 2, 1}));
  EXPECT_EQ(no_comment.block, (Extents{128, 1, 1}));
  EXPECT_EQ(no_comment.grid, (Extents{2, 1, 1}));
  EXPECT_EQ(no_claim.block, (Extents{256, 1, 1}));
  EXPECT_EQ(no_claim.grid, (Extents{1, 1, 1}));
  EXPECT_EQ(nothing.block, (Extents{32, 1, 1}));
  EXPECT_EQ(three_warps.block, (Extents{96, 1, 1})) << "two bits of warps, and no more than the bounds";
}

}  // namespace
}  // namespace lanescope::source
