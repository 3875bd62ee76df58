// Bad input: nothing that can be typed or opened may crash; diagnostics lie inside the file. Seeds are fixed.

#include <random>

#include "kernels/base/byte_order_mark.h"

#include "tests/kernels/source/source_files.h"
#include "tests/kernels/source/strip_claims.h"

namespace lanescope::source {
namespace {

void read_anything(const std::string& text) {
  const Expected<Source> s = read("k.cu", text);
  if (s) {
    ASSERT_EQ(without_any_probe(s->probed_text), s->device_text);
    ASSERT_EQ(s->device_text.size(), s->text.size() - byte_order_mark(s->text).size());
    (void)strip_claims(*s);
    return;
  }
  const auto lines = static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1;
  ASSERT_FALSE(s.error().empty());
  for (const Diagnostic& d : s.error()) {
    EXPECT_GE(d.line, 0);
    EXPECT_LE(d.line, lines + 1) << d.message;
    EXPECT_FALSE(d.message.empty());
  }
}

TEST(BadInput, Table) {
  read_anything("");
  read_anything("\n");
  read_anything("\xEF\xBB\xBF__global__ void f(int* p) { int x = p[0]; p[1] = x; }");
  read_anything(std::string(1 << 20, 'x'));
  read_anything(std::string(1 << 20, '{'));
  read_anything(std::string(1 << 18, '(') + std::string(1 << 18, ')'));
  read_anything("__global__ void f(int* p) {" + std::string(100000, '{') + std::string(100000, '}') + "}");
  std::string chain = "__global__ void f(int* p) { int x = 0; ";
  for (int i = 0; i < 20000; ++i) chain += "if (p[0]) ";
  read_anything(chain + "x = 1; }");
  read_anything("// " + std::string(1 << 20, 'a') + "\n");
  read_anything("__global__ void f(int* p) { int x = 1;" + std::string(1 << 20, ' ') + " p[0] = x; }");
  read_anything("#");
  read_anything("#define");
  read_anything("#if 1\n#else\n#endif\n#endif\n#else");
  read_anything("template <");
  read_anything("R\"(");
  read_anything("__global__ void f(");
  read_anything("\"unterminated\nint x;");
}

TEST(BadInput, IsRefusedInWords) {
  const Expected<Source> comment = read("k.cu", "int a;\n  /* never closed\n");
  ASSERT_FALSE(comment);
  EXPECT_EQ(to_string(comment.error().front()), "k.cu:2:3: this comment is never closed; end it with */");
  const Expected<Source> binary = read("k.cu", std::string_view("a\nb\0c", 5));
  ASSERT_FALSE(binary);
  EXPECT_EQ(binary.error().front().line, 2);
}

TEST(BadInput, WhatIsNestedTooDeeplyIsRefusedAtItsPlace) {
  const std::string head = "__global__ void f(int* p) {\n  int x = 0;\n  ";
  const std::pair<const char*, const char*> deep[] = {
      {"{", "}"}, {"(", ")"}, {"[", "]"}, {"if (x) ", ";"}, {"for (;;) ", ";"}};
  for (const auto& [open, close] : deep) {
    std::string opened, closed;
    for (int i = 0; i < 5000; ++i) opened += open, closed += close;
    const Expected<Source> s = read("k.cu", head + opened + closed + "\n}\n");
    ASSERT_FALSE(s) << open;
    EXPECT_EQ(s.error().front().line, 3) << open;
    EXPECT_GT(s.error().front().column, 300) << open;
  }
  std::string chain = head;
  for (int i = 0; i < 5000; ++i) chain += "if (p[0]) x = 1; else ";
  EXPECT_TRUE(read("k.cu", chain + "x = 2;\n}\n")) << "else if is no nesting";
}

// The host part is executed to know the launches: structures that hold themselves have no end.
TEST(BadInput, StructuresThatHoldThemselves) {
  const std::string kernel = "__global__ void k(int* p) { p[0] = 1; }\n";
  for (const char* text :
       {"struct s { s a{}; }; int main() { s x; k<<<1, 1>>>(x); }", "struct s { s a[2]{}; s b; }; s x; int main() {}",
        "struct s { s a; };\nvoid run(s x) { k<<<x.a.a.b, 1>>>(x.a); }",
        "struct s { std::vector<s> v{{}, {}}; };\nint main() { s x; k<<<1, 1>>>(nullptr); }",
        "struct r { r *next, *all = new r{}; }; int main() { r x{}; k<<<1, 1>>>((int*)x.all); }"})
    read_anything(kernel + text);
}

TEST(BadInput, TruncatedFiles) {
  for (const char* name : {"half2_notes.cu", "statement_shapes.cu", "host_and_device.cu"}) {
    const std::string text = file_text(data_path(name));
    for (std::size_t n = 0; n < text.size(); n += 7) read_anything(text.substr(0, n));
  }
}

TEST(BadInput, MutatedFiles) {
  std::mt19937 random(20240601);
  const std::string header = "/* t\n[lanescope]\nblock = [32, 16]\n[buffers]\np = \"f16 i:16 j:16 = zeros\"\n*/\n";
  constexpr std::string_view bits = "{}()[];,<>=&*#\"'/\\\n:+-x0r1";
  for (const char* name : {"half2_notes.cu", "statement_shapes.cu", "host_and_device.cu", "local_transpose.cu"}) {
    const std::string text = header + file_text(data_path(name));
    for (int round = 0; round < 60; ++round) {
      std::string t = text;
      for (unsigned edits = 1 + random() % 6; edits > 0; --edits) {
        const std::size_t at = random() % t.size();
        switch (random() % 4) {
          case 0:
            t.erase(at, random() % 20);
            break;
          case 1:
            t.insert(at, 1, bits[random() % bits.size()]);
            break;
          case 2:
            t[at] = bits[random() % bits.size()];
            break;
          default:
            t.insert(at, t.substr(random() % t.size(), random() % 40));
            break;
        }
        if (t.empty()) t = "x";
      }
      read_anything(t);
    }
  }
}

}  // namespace
}  // namespace lanescope::source
