// Parsing ends for any text: real modules damaged at random, and texts made to be slow or to take much memory.

#include <random>

#include <gtest/gtest.h>

#include "kernels/ptx/program.h"
#include "tests/kernels/ptx/stored.h"
#include "tests/kernels/source/watchdog.h"

namespace lanescope::ptx {
namespace {

void look_at(const std::string& name, const std::string& text) {
  const source::Watchdog watchdog(name, text);
  const auto module = parse(text, "damaged.ptx");
  if (module) (void)to_string(*module);
}

TEST(Endless, DamagedModules) {
  std::mt19937 random(20251122);
  std::vector<std::string> texts;
  for (const auto& path : stored_modules()) texts.push_back(read_text(path));
  ASSERT_FALSE(texts.empty());
  const auto piece = [&](std::size_t most) {
    const std::string& text = texts[random() % texts.size()];
    return text.substr(random() % text.size(), 1 + random() % most);
  };
  for (int round = 0; round < 10000; ++round) {
    std::string text = texts[random() % texts.size()].substr(0, 500 + random() % 4000);
    for (unsigned n = 1 + random() % 4; n > 0; --n) {
      const std::size_t at = random() % (text.size() + 1);
      switch (random() % 4) {
        case 0:
          text.insert(at, piece(200));
          break;
        case 1:
          text.erase(at, random() % 100);
          break;
        case 2: {
          std::string more;
          const std::string word = piece(20);
          for (unsigned k = random() % 200; k > 0; --k) more += word;
          text.insert(at, more);
          break;
        }
        default:
          text.insert(at, std::string(random() % 400, "{(["[random() % 3]));
          break;
      }
    }
    look_at("damaged " + std::to_string(round), text);
  }
}

std::string many(const std::string& text, std::size_t bytes = 300'000) {
  std::string out;
  while (out.size() < bytes) out += text;
  return out;
}

std::string counted(const std::string& text, std::size_t bytes = 300'000) {
  std::string out;
  for (int n = 0; out.size() < bytes; ++n)
    for (const char c : text) out += c == '@' ? std::to_string(n) : std::string(1, c);
  return out;
}

TEST(Endless, TextsMadeToBeSlow) {
  const std::string module = ".version 8.0\n.target sm_90\n.address_size 64\n", entry = module + ".entry k() {\n";
  const struct {
    const char* name;
    std::string text;
  } cases[] = {
      {"registers of many functions", module + counted(".func f@() {\n.reg .b32 %r<1000000>;\n}\n")},
      {"ranges of registers", entry + counted(".reg .b32 %r@_<1>;\n") + many("mov.u32 %q0, %q1;\n") + "}\n"},
      {"registers one by one", entry + counted(".reg .b32 %r@;\n") + "}\n"},
      {"labels", entry + counted("L@: bra L@;\n") + "}\n"},
      {"scopes", entry + many("{") + many("}")},
      {"conditions", module + ".global .u32 x = " + many("1 ? ") + ";\n"},
      {"signs", module + ".global .u32 x = " + many("- ") + "1;\n"},
      {"parentheses", module + ".global .u32 x = " + many("(") + "1;\n"},
      {"initial values", module + ".global .u32 x[] = {" + many("1, ") + "1};\n"},
      {"comments that do not close", module + many("/*")},
      {"lines of probes", entry + many("// lanescope.probe 1 var=1 off=0 %r1\n") + "}\n"},
      {"places", entry + many(".loc 1 1 1\n") + "}\n"},
      {"sections", module + many(".section .debug {\n}\n")},
      {"operands", entry + ".reg .b32 %r<2>;\nadd.u32 " + many("%r1, ") + "%r1;\n}\n"},
  };
  for (const auto& c : cases) look_at(c.name, c.text);
}

TEST(ByteOrderMark, IsNoPartOfAModule) {
  const std::string text = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n ret;\n}\n";
  const auto plain = parse(text), marked = parse("\xEF\xBB\xBF" + text);
  ASSERT_TRUE(plain);
  ASSERT_TRUE(marked);
  EXPECT_EQ(to_string(*marked), to_string(*plain));
}

}  // namespace
}  // namespace lanescope::ptx
