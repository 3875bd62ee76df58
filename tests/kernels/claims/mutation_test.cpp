// A true claim in every form in which it can be written, and every exchange of two of its bits, every inversion, and
// every other choice of numbers: what says something else is found to differ, what is true is not.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "tests/catalogue/swaps.h"
#include "tests/kernels/claims/probed.h"
#include "tests/sample.h"

namespace lanescope::claims {
namespace {

using layout::Assignment;
using layout::Place;

const char* const axes = "[buffers]\np = \"f32 i:32 j:32\"\nq = \"f32 i:32 j:32 = zeros\"\n";

/// Where bit n of the element number 32 i + j comes from, as C++: "(r >> 1 & 1)". Every bit of r, lane and warp once.
struct TruthText {
  Assignment stated;
  std::string element;  ///< C++, of r
};

std::string bit_in_code(layout::PhysicalBit b) {
  const char* of = b.place == Place::reg ? "r" : b.place == Place::thread ? "lane" : "warp";
  return fmt::format("({} >> {} & 1)", of, b.index);
}

std::string name_of(int element_bit) {
  return element_bit < 5 ? fmt::format("j{}", element_bit) : fmt::format("i{}", element_bit - 5);
}

TruthText random_truth(std::mt19937& random) {
  TruthText out;
  std::vector<layout::PhysicalBit> places;
  for (const auto& [place, bits] : {std::pair(Place::reg, 2), std::pair(Place::thread, 5), std::pair(Place::warp, 3)}) {
    out.stated.row(place) = std::vector<layout::Term>(static_cast<std::size_t>(bits));
    for (int b = 0; b < bits; ++b) places.push_back({place, b});
  }
  std::ranges::shuffle(places, random);
  for (int n = 0; n < 10; ++n) {
    const layout::PhysicalBit b = places[static_cast<std::size_t>(n)];
    catalogue::term_of(out.stated, b) = layout::sum_of({name_of(n)});
    out.element += fmt::format("{}{} << {}", n == 0 ? "" : " | ", bit_in_code(b), n);
  }
  return out;
}

struct Mutant {
  Assignment stated;
  bool same = false;
};

std::vector<Mutant> mutants_of(const Assignment& truth) {
  std::vector<Mutant> out{{truth, true}};
  for (catalogue::Swap& s : catalogue::swaps(truth)) out.push_back({std::move(s.stated), false});
  for (const layout::PhysicalBit b : catalogue::physical_bits(truth)) {
    Mutant m{truth, false};
    catalogue::term_of(m.stated, b).constant = true;
    out.push_back(std::move(m));
  }
  return out;
}

/// Bits of a row, most significant first, with the physical bits as `letter` has them.
std::vector<std::string> left_of(const Assignment& a, Place p, const std::string& letter) {
  std::vector<std::string> out;
  for (int b = a.bits(p); b-- > 0;) out.push_back(fmt::format("{}{}", letter, b));
  return out;
}
std::vector<std::string> right_of(const Assignment& a, Place p) {
  std::vector<std::string> out;
  for (int b = a.bits(p); b-- > 0;) out.push_back(layout::print((*a.row(p))[static_cast<std::size_t>(b)]));
  return out;
}
std::string row(const Assignment& a, Place p, const std::string& letter) {
  return fmt::format("{} <-> {}", fmt::join(left_of(a, p, letter), " "), fmt::join(right_of(a, p), " "));
}

const std::string sentence = "x has register assignment:\n";

struct Writer {
  const char* name;
  std::string before;  ///< comment lines of the file
  std::function<std::string(const Assignment&)> write;
  bool inversions = true;
};

std::string formula(const Assignment& a, const char* axis) {
  std::string out;
  std::int64_t constant = 0;
  for (const layout::PhysicalBit b : catalogue::physical_bits(a)) {
    const layout::Term& t = (*a.row(b.place))[static_cast<std::size_t>(b.index)];
    const layout::LogicalBit l = layout::split_name(t.names.front());
    if (l.axis != axis) continue;
    const char* of = b.place == Place::reg ? "e" : b.place == Place::thread ? "lane" : "warp";
    out += fmt::format("{}{}*({}/{}%2)", out.empty() ? "" : " + ", 1 << l.bit, of, 1 << b.index);
    if (t.constant) constant |= std::int64_t{1} << l.bit;
  }
  return constant == 0 ? out : fmt::format("({}) ^ {}", out, constant);
}

const std::vector<Writer>& writers() {
  static const std::vector<Writer> all = {
      {"rows", "", [](const Assignment& a) { return sentence + layout::print(a, false); }},
      {"rows with their bits", "", [](const Assignment& a) { return sentence + layout::print(a, true); }},
      {"one line", "",
       [](const Assignment& a) {
         return sentence + row(a, Place::reg, "r") + "     " + row(a, Place::thread, "t") + ";  " +
                row(a, Place::warp, "w");
       }},
      {"logical side first", "",
       [](const Assignment& a) {
         std::string out = sentence;
         for (const auto& [p, letter] :
              {std::pair(Place::reg, "r"), std::pair(Place::thread, "t"), std::pair(Place::warp, "w")})
           out += fmt::format("{} <-> {}\n", fmt::join(right_of(a, p), " "), fmt::join(left_of(a, p, letter), " "));
         return out;
       },
       false},
      {"names in parentheses", "",
       [](const Assignment& a) {
         std::string out = sentence;
         for (const auto& [p, letter] :
              {std::pair(Place::reg, "r"), std::pair(Place::thread, "t"), std::pair(Place::warp, "w")})
           out += fmt::format("{} ({}): {}\n", layout::row_name(p), fmt::join(left_of(a, p, letter), " "),
                              fmt::join(right_of(a, p), " "));
         return out;
       }},
      {"bit by bit, lowest first", "",
       [](const Assignment& a) {
         std::string out = sentence;
         for (const auto& [p, letter] :
              {std::pair(Place::thread, "t"), std::pair(Place::reg, "r"), std::pair(Place::warp, "w")})
           for (int b = 0; b < a.bits(p); ++b)
             out += fmt::format("{}{} <-> {}\n", letter, b, layout::print((*a.row(p))[static_cast<std::size_t>(b)]));
         return out;
       }},
      {"lanes called l", "",
       [](const Assignment& a) {
         return sentence + row(a, Place::reg, "r") + "\n" + row(a, Place::thread, "l") + "\n" +
                row(a, Place::warp, "w");
       }},
      {"letters of the file", "u = lane, v = register, z = warp\n",
       [](const Assignment& a) {
         return sentence + row(a, Place::reg, "v") + "\n" + row(a, Place::thread, "u") + "\n" +
                row(a, Place::warp, "z");
       }},
      {"bits of the variable", "",
       [](const Assignment& a) {
         return sentence +
                fmt::format("x01 <-> {}     x02 <-> {}\n", layout::print((*a.row(Place::reg))[0]),
                            layout::print((*a.row(Place::reg))[1])) +
                row(a, Place::thread, "t") + "\n" + row(a, Place::warp, "w");
       }},
      {"axes under other names", "call i4..i0 m4..m0\n",
       [](const Assignment& a) {
         Assignment named = a;
         for (const layout::PhysicalBit b : catalogue::physical_bits(a)) {
           layout::Term& t = catalogue::term_of(named, b);
           if (t.names.front().starts_with("i")) t.names.front()[0] = 'm';
         }
         return sentence + layout::print(named, true);
       }},
      {"index arithmetic", "",
       [](const Assignment& a) { return fmt::format("x[e]: i = {}, j = {}", formula(a, "i"), formula(a, "j")); }},
      {"TV layout", "",
       [](const Assignment& a) {
         std::vector<std::string> shape[2], stride[2];
         for (const layout::PhysicalBit b : catalogue::physical_bits(a)) {
           const layout::LogicalBit l =
               layout::split_name((*a.row(b.place))[static_cast<std::size_t>(b.index)].names.front());
           const std::size_t mode = b.place == Place::reg ? 1 : 0;
           shape[mode].push_back("2");
           stride[mode].push_back(std::to_string(1 << (l.axis == "i" ? l.bit : 5 + l.bit)));
         }
         return fmt::format("x: TV layout (({}),({})):(({}),({})), (T256,V4) -> (M32,N32)", fmt::join(shape[0], ","),
                            fmt::join(shape[1], ","), fmt::join(stride[0], ","), fmt::join(stride[1], ","));
       },
       false},
  };
  return all;
}

std::string commented(const std::string& text) {
  std::string out = "  // ";
  for (const char c : text.ends_with('\n') ? text.substr(0, text.size() - 1) : text) {
    out += c;
    if (c == '\n') out += "  // ";
  }
  return out + "\n";
}

std::string kernel(const std::string& before, const std::string& element, const std::vector<std::string>& comments) {
  std::string out = fmt::format("/*\n[lanescope]\nblock = [32, 8]\n{}*/\n", axes);
  if (!before.empty()) out += commented(before);
  out +=
      "__global__ void k(const float *p, float *q) {\n  unsigned lane = threadIdx.x, warp = threadIdx.y;\n  float "
      "x[4];\n";
  out += fmt::format("#pragma unroll\n  for (unsigned r = 0; r < 4; ++r) x[r] = p[{}];\n  unsigned nothing = 0;\n",
                     element);
  for (const std::string& c : comments) out += commented(c) + "  nothing += 1;\n";
  out += "  for (unsigned r = 0; r < 4; ++r) q[(lane + 32 * warp) * 4 + r] = x[r] + (nothing == 0);\n}\n";
  return out;
}

TEST(Mutations, OfEveryFormAreFound) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  std::mt19937 random(20);
  int right = 0, wrong = 0;
  for (const Writer& w : writers()) {
    const TruthText truth = random_truth(random);
    std::vector<Mutant> mutants = mutants_of(truth.stated);
    if (!w.inversions) mutants.resize(1 + catalogue::swaps(truth.stated).size());
    std::size_t number = 0;
    std::erase_if(mutants, [&](const Mutant& m) { return !lanescope::test::in_sample(number++, 3) && !m.same; });
    std::vector<std::string> comments;
    for (const Mutant& m : mutants) comments.push_back(w.write(m.stated));
    const auto run = probe(kernel(w.before, truth.element, comments));
    ASSERT_TRUE(run) << w.name;
    const auto results = run->collector->judge();
    ASSERT_EQ(results.size(), mutants.size()) << w.name << "\n" << comments.front();
    for (std::size_t n = 0; n < mutants.size(); ++n) {
      const ClaimResult& r = results[n];
      EXPECT_EQ(r.verdict, mutants[n].same ? Verdict::holds : Verdict::differs)
          << w.name << ": " << comments[n] << "\n"
          << r.reason.words() << run->source.claims[n].unchecked_reason.words();
      (mutants[n].same ? right : wrong) += 1;
    }
  }
  std::cout << fmt::format("{} forms, {} true claims hold, {} others differ\n", writers().size(), right, wrong);
  EXPECT_GT(wrong, 150);
}

// Every choice of Triton's numbers against one that is true.
TEST(Mutations, OfTritonsNumbersAreFound) {
  if (!compile::toolchain().nvrtc) GTEST_SKIP() << "no NVRTC here: " << compile::toolchain().problem;
  const auto text = [](int size, int threads, int warps, bool rows_first) {
    return fmt::format(
        "x: #blocked = {{sizePerThread = [{}, {}], threadsPerWarp = [{}, {}], warpsPerCTA = [{}, {}], order = [{}]}}",
        1 << size, 4 >> size, 1 << threads, 32 >> threads, 1 << warps, 8 >> warps, rows_first ? "0, 1" : "1, 0");
  };
  // sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]
  const char* const element = "(lane / 8 + 4 * warp) * 32 + lane % 8 * 4 + r";
  std::vector<std::string> comments;
  for (int size = 0; size < 3; ++size)
    for (int threads = 0; threads < 6; ++threads)
      for (int warps = 0; warps < 4; ++warps)
        for (const bool rows_first : {false, true}) comments.push_back(text(size, threads, warps, rows_first));
  const auto run = probe(kernel("", element, comments));
  ASSERT_TRUE(run);
  const auto results = run->collector->judge();
  ASSERT_EQ(results.size(), comments.size());
  const Assignment truth = layout::parse("register: j1 j0; thread: i1 i0 j4 j3 j2; warp: i4 i3 i2").value();
  int hold = 0;
  for (std::size_t n = 0; n < comments.size(); ++n) {
    const bool same = run->source.claims[n].stated == truth;
    EXPECT_EQ(results[n].verdict, same ? Verdict::holds : Verdict::differs) << comments[n] << results[n].reason.words();
    hold += same ? 1 : 0;
  }
  EXPECT_EQ(hold, 1);
  std::cout << fmt::format("{} layouts, {} of them true\n", comments.size(), hold);
}

}  // namespace
}  // namespace lanescope::claims
