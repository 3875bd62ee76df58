// A byte-order mark is no part of the first line: everything is where it is without it, and it is there when the text is
// written back.

#include "kernels/base/byte_order_mark.h"

#include "tests/kernels/source/source_files.h"
#include "tests/kernels/source/strip_claims.h"

namespace lanescope::source {
namespace {

const std::string mark = "\xEF\xBB\xBF";

TEST(ByteOrderMark, IsTakenOffOnce) {
  EXPECT_EQ(without_byte_order_mark(mark + "x"), "x");
  EXPECT_EQ(without_byte_order_mark("x" + mark), "x" + mark);
  EXPECT_EQ(without_byte_order_mark(mark.substr(0, 2)), mark.substr(0, 2));
  EXPECT_EQ(without_byte_order_mark(mark + mark), mark);
}

TEST(ByteOrderMark, MovesNothing) {
  for (const char* name : {"half2_notes.cu", "host_and_device.cu", "local_transpose.cu", "statement_shapes.cu"}) {
    const std::string text = file_text(data_path(name));
    const Source plain = read_well(text), marked = read_well(mark + text);
    EXPECT_EQ(marked.device_text, plain.device_text) << name;
    EXPECT_EQ(marked.probed_text, plain.probed_text) << name;
    EXPECT_EQ(marked.text, mark + text) << name;
    EXPECT_EQ(strip_claims(marked), mark + strip_claims(plain)) << name;
    ASSERT_EQ(marked.probes.size(), plain.probes.size()) << name;
    for (std::size_t i = 0; i < plain.probes.size(); ++i) {
      EXPECT_EQ(marked.probes[i].line, plain.probes[i].line) << name;
      EXPECT_EQ(marked.probes[i].column, plain.probes[i].column) << name;
    }
  }
}

TEST(ByteOrderMark, ColumnsOfTheFirstLineCountFromBehindIt) {
  const Lexed plain = lex("int a; // b"), marked = lex(mark + "int a; // b");
  ASSERT_EQ(marked.count(), plain.count());
  for (int i = 0; i < plain.count(); ++i) EXPECT_EQ(marked.token(i).column, plain.token(i).column);
  EXPECT_EQ(marked.comments[0].column, plain.comments[0].column);
  const auto wrong = read("k.cu", mark + "int x; /* never closed");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().front().column, 8);
}

}  // namespace
}  // namespace lanescope::source
