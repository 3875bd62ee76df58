// A launch header written as text reads back to the same values.

#include "kernels/source/header/header_text.h"

#include <random>

#include <fmt/format.h>

#include "tests/kernels/source/source_files.h"

namespace lanescope::source {
namespace {

class RandomHeader {
 public:
  explicit RandomHeader(unsigned seed) : random_(seed) {}

  Header header() {
    Header h;
    if (any(2) == 0) h.title = word({"Moves rows.", "a \"quoted\" word", "ends */ early", "Zeilen und Größen"});
    if (any(2) == 0) h.compile.arch = word({"sm_80", "sm_90a"});
    for (int i = any(3); i > 0; --i)
      h.compile.options.push_back(word({"-DX=1", "-Ia folder", "a folder", "-DS=\\\"a\\\"", "-D*/"}));
    for (int i = 1 + any(4); i > 0; --i) h.buffers.push_back(buffer(fmt::format("b{}", i)));
    parameters_ = static_cast<int>(h.buffers.size());
    scalars_ = any(3);
    for (int i = 1 + any(3); i > 0; --i) h.launches.push_back(launch(h));
    return h;
  }

  /// A kernel that takes what every launch of the header passes.
  std::string kernel() const {
    std::string parameters;
    for (int i = 0; i < parameters_; ++i) parameters += fmt::format("{}float* b{}", i > 0 ? ", " : "", i + 1);
    for (int i = 0; i < scalars_; ++i) parameters += fmt::format(", int n{}", i);
    return fmt::format("__global__ void f({}) {{}}\n", parameters);
  }

 private:
  int any(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  std::string word(std::vector<std::string> choices) { return choices[random_() % choices.size()]; }
  std::array<std::uint32_t, 3> extents(std::uint32_t most) {
    std::array<std::uint32_t, 3> out{1, 1, 1};
    for (int i = 1 + any(3); i > 0; --i) out[static_cast<std::size_t>(i - 1)] = 1 + random_() % most;
    return out;
  }

  double number(const std::string& type) { return type == "f32" && any(2) == 0 ? 0.25 * any(100) : any(100); }

  Contents contents(const std::string& type, bool expected) {
    Contents c;
    switch (any(expected ? 7 : 6)) {
      case 0:
        c.kind = Contents::Kind::zeros;
        break;
      case 1:
        c.kind = Contents::Kind::iota;
        break;
      case 2:
        c.kind = Contents::Kind::random, c.seed = random_();
        break;
      case 3:
        c.kind = Contents::Kind::constant, c.value = number(type);
        break;
      case 4:
        c.kind = Contents::Kind::npy, c.text = "in put.npy";
        break;
      case 5:
        c.kind = Contents::Kind::values;
        for (int i = 1 + any(4); i > 0; --i) c.values.push_back(number(type));
        break;
      default:
        c.kind = Contents::Kind::copy_of, c.text = "b1";
    }
    return c;
  }

  BufferSpec buffer(std::string name) {
    BufferSpec b;
    b.name = std::move(name);
    b.element_type = word({"f32", "s32", "u8"});
    b.element_bits = element_bits(b.element_type);
    for (int i = 1 + any(3); i > 0; --i)
      b.axes.push_back({.name = fmt::format("a{}", i), .extent = 1U + random_() % 9, .stride_elements = 0});
    if (any(2) == 0) b.axes.back().stride_elements = 1U + random_() % 3;
    if (any(2) == 0) b.axes.front().stride_elements = 1000 + random_() % 3;
    EXPECT_EQ(lay_out(b), "");
    b.initial = contents(b.element_type, false);
    if (any(3) == 0) b.expected = contents(b.element_type, true);
    if (any(3) == 0 && b.element_type == "f32") b.tolerance = 1e-3;
    b.traced = any(4) > 0;
    return b;
  }

  LaunchSpec launch(const Header& h) {
    LaunchSpec l;
    l.kernel = "f";
    l.grid = extents(100);
    l.block = extents(10);
    if (any(4) == 0) l.cluster = extents(2);
    l.dynamic_shared_bytes = any(2) == 0 ? 0 : random_() % 4096;
    l.stream = static_cast<std::uint32_t>(any(3));
    for (int i = 0; i < parameters_; ++i) {
      ArgumentSpec a;
      a.parameter = fmt::format("b{}", i + 1);
      a.is_buffer = true;
      const BufferSpec& b = h.buffers[random_() % h.buffers.size()];
      a.value = any(2) == 0 ? b.name : fmt::format("{}+{}", b.name, random_() % (b.elements + 1));
      l.arguments.push_back(a);
    }
    for (int i = 0; i < scalars_; ++i) {
      ArgumentSpec a;
      a.parameter = fmt::format("n{}", i);
      a.value = static_cast<double>(any(1000));
      if (any(4) == 0) {
        a.fields = {1, 2.5, -3};
        a.value = 1.0;
      }
      l.arguments.push_back(a);
    }
    return l;
  }

  std::mt19937 random_;
  int parameters_ = 0, scalars_ = 0;
};

bool same(const Contents& a, const Contents& b) {
  return a.kind == b.kind && a.value == b.value && (a.kind != Contents::Kind::random || a.seed == b.seed) &&
         a.text == b.text && a.values == b.values;
}

void expect_same(const BufferSpec& a, const BufferSpec& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.element_type, b.element_type);
  ASSERT_EQ(a.axes.size(), b.axes.size());
  for (std::size_t i = 0; i < a.axes.size(); ++i) {
    EXPECT_EQ(a.axes[i].name, b.axes[i].name);
    EXPECT_EQ(a.axes[i].extent, b.axes[i].extent);
    EXPECT_EQ(a.axes[i].stride_elements, b.axes[i].stride_elements);
  }
  EXPECT_TRUE(same(a.initial, b.initial));
  ASSERT_EQ(a.expected.has_value(), b.expected.has_value());
  if (a.expected) {
    EXPECT_TRUE(same(*a.expected, *b.expected));
  }
  EXPECT_EQ(a.tolerance, b.tolerance);
  EXPECT_EQ(a.traced, b.traced);
}

void expect_same(const LaunchSpec& a, const LaunchSpec& b) {
  EXPECT_EQ(a.kernel, b.kernel);
  EXPECT_EQ(a.grid, b.grid);
  EXPECT_EQ(a.block, b.block);
  EXPECT_EQ(a.cluster, b.cluster);
  EXPECT_EQ(a.dynamic_shared_bytes, b.dynamic_shared_bytes);
  EXPECT_EQ(a.stream, b.stream);
  ASSERT_EQ(a.arguments.size(), b.arguments.size());
  for (std::size_t i = 0; i < a.arguments.size(); ++i) {
    EXPECT_EQ(a.arguments[i].value, b.arguments[i].value);
    EXPECT_EQ(a.arguments[i].fields, b.arguments[i].fields);
  }
}

TEST(HeaderText, ReadsBackToTheSameHeader) {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    RandomHeader random(seed);
    const Header written = random.header();
    const std::string text = header_text(written, {"Grid: one block."}) + random.kernel();
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, text));
    const Source read = read_well(text);
    const Header& h = read.header;
    EXPECT_TRUE(h.present);
    EXPECT_EQ(h.title, written.title);
    EXPECT_EQ(h.compile.arch, written.compile.arch);
    EXPECT_EQ(h.compile.options, written.compile.options);
    ASSERT_EQ(h.buffers.size(), written.buffers.size());
    for (std::size_t i = 0; i < h.buffers.size(); ++i) expect_same(h.buffers[i], written.buffers[i]);
    ASSERT_EQ(h.launches.size(), written.launches.size());
    for (std::size_t i = 0; i < h.launches.size(); ++i) expect_same(h.launches[i], written.launches[i]);
    EXPECT_TRUE(h.inferred.empty());
    if (HasFailure()) break;
  }
}

TEST(TypedMembers, AreTextAndBackAgain) {
  for (const char* text :
       {"u8 7", "s16 -3", "u64 9007199254740992", "f16 0.5", "bf16 -2", "f32 0.25", "f64 1e+300", "s32 0"}) {
    const auto member = typed_member(text);
    ASSERT_TRUE(member) << text;
    EXPECT_TRUE(is_exact(*member)) << text;
    const auto again = typed_member(typed_member_text(*member));
    ASSERT_TRUE(again) << typed_member_text(*member);
    EXPECT_EQ(again->value, member->value);
    EXPECT_EQ(again->type, member->type);
    EXPECT_EQ(again->bytes, member->bytes);
  }
  for (const char* text : {"p", "p + 3", "u9 1", "f64", "f64 ", "f64 1x", "f64  1", " f64 1"})
    EXPECT_FALSE(typed_member(text)) << text;
  EXPECT_FALSE(is_exact(*typed_member("s64 9007199254740994")));
  EXPECT_EQ(typed_member_text({.value = "p"}), "");
  EXPECT_EQ(typed_member_text({.value = 3.0}), "");
}

}  // namespace
}  // namespace lanescope::source
