// `render --view buffers`: pictures, the rows of the range as CSV, and names or elements that there are not.

#include "tests/app/cli/program.h"

namespace lanescope::cli {
namespace {

class BuffersView : public ProgramTest {
 protected:
  /// Of the catalogue: its PTX is stored, so that no compiler is needed.
  Result render(const std::string& more, const std::string& out) {
    return run("render assets/kernels/shared_transpose_naive.cu --view buffers " + more + " -o " + path(out));
  }
};

TEST_F(BuffersView, DrawsARangeAndWritesItsRows) {
  const Result picture = render("", "b.svg");
  ASSERT_EQ(picture.status, 0) << picture.err;
  EXPECT_NE(slurp(path("b.svg")).find("changed by the launches"), std::string::npos);
  ASSERT_EQ(render("--from 100 --count 40", "b.csv").status, 0);
  std::istringstream rows(slurp(path("b.csv")));
  std::string row;
  std::getline(rows, row);
  EXPECT_EQ(row, "buffer,element,indices,before,emulated,gpu,different");
  std::uint64_t next = 100;
  while (std::getline(rows, row)) {
    const std::size_t comma = row.find(',');
    EXPECT_EQ(row.substr(comma + 1, row.find(',', comma + 1) - comma - 1), std::to_string(next++));
    EXPECT_TRUE(row.ends_with(",,")) << "no GPU, no difference: " << row;
  }
  EXPECT_EQ(next, 140u);
  ASSERT_EQ(render("--count 40", "b.json").status, 0);
  EXPECT_NE(slurp(path("b.json")).find("buffer_element/"), std::string::npos);
}

TEST_F(BuffersView, SaysWhatThereIsNot) {
  const Result name = render("--buffer nothing", "b.svg");
  EXPECT_EQ(name.status, 2);
  EXPECT_NE(name.err.find("there is no buffer 'nothing'; the buffers are "), std::string::npos) << name.err;
  const Result element = render("--from 1000000000", "b.svg");
  EXPECT_EQ(element.status, 2);
  EXPECT_NE(element.err.find("has no element 1000000000"), std::string::npos) << element.err;
}

}  // namespace
}  // namespace lanescope::cli
