// Buffers: coordinates against a brute-force walk, contents, .npy round trips, known digests.

#include <cmath>
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include <fmt/ranges.h>

#include "kernels/base/write_file.h"
#include "kernels/source/data/contents.h"
#include "kernels/source/data/number_format.h"
#include "kernels/source/data/sha256.h"
#include "kernels/source/header/header_text.h"
#include "tests/kernels/source/source_files.h"

namespace lanescope::source {
namespace {

Expected<std::string> write_npy(const std::string& path, std::string_view element_type,
                                const std::vector<std::uint64_t>& shape, std::span<const std::byte> data) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}",
                                   npy_descr(element_type), fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  // The data starts at a multiple of 64 bytes.
  header += std::string(63 - (10 + header.size()) % 64, ' ') + '\n';
  std::string file("\x93NUMPY");
  file += '\x01';
  file += '\0';
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  file += header;
  file.append(reinterpret_cast<const char*>(data.data()), data.size());
  if (auto written = write_file(path, file); !written) return tl::unexpected(std::move(written.error()));
  return path;
}

BufferSpec buffer(const std::string& text) { return *read_buffer_text("p", text, "k.cu", 1, 1); }

TEST(Contents, CoordinatesAgreeWithAWalkOverAllElements) {
  for (const char* text :
       {"f32 i:4 j:3 k:2", "f32 i:4 j:3/2", "f32 i:5/7 j:6", "f32 j:4/1 i:3/4", "f32 i:1 j:8/3", "u8 n:17"}) {
    const BufferSpec b = buffer(text);
    std::map<std::uint64_t, std::vector<std::uint64_t>> walked;
    std::vector<std::uint64_t> at(b.axes.size(), 0);
    for (bool more = true; more;) {
      std::uint64_t element = 0;
      for (std::size_t i = 0; i < at.size(); ++i) element += at[i] * b.axes[i].stride_elements;
      walked[element] = at;
      more = false;
      for (std::size_t i = at.size(); i > 0 && !more; --i) {
        more = ++at[i - 1] < b.axes[i - 1].extent;
        if (!more) at[i - 1] = 0;
      }
    }
    for (std::uint64_t e = 0; e < b.elements + 3; ++e) {
      const auto got = coordinates(b, e);
      ASSERT_EQ(got.has_value(), walked.contains(e)) << text << " element " << e;
      if (got) {
        EXPECT_EQ(*got, walked[e]) << text;
      }
    }
  }
}

TEST(Contents, IotaTellsNeighboursApartAsFarAsTheTypeCan) {
  struct Case {
    const char* type;
    std::uint64_t elements;
  };
  for (const Case& c :
       {Case{"f16", 2048}, Case{"f16", 4096}, Case{"f16", 60000}, Case{"bf16", 256}, Case{"bf16", 512},
        Case{"bf16", 65000}, Case{"f32", 1 << 20}, Case{"u16", 65536}, Case{"u8", 256}, Case{"u4", 16}}) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t n = 0; n < c.elements; ++n) {
      const std::uint64_t bits = iota_bits(c.type, n, c.elements);
      ASSERT_TRUE(std::isfinite(decode(c.type, bits)));
      EXPECT_TRUE(seen.insert(bits).second) << c.type << " " << n;
    }
  }
  for (const char* type : {"b1", "u4", "s4", "u8", "s8", "u16", "s16", "f16", "bf16", "u32", "f32", "s64", "f64"})
    for (const std::uint64_t elements : {1ULL, 7ULL, 257ULL, 300ULL, 600ULL, 4098ULL, 5000ULL}) {
      const std::vector<std::byte> all = iota_bytes(type, elements);
      const auto bits = static_cast<std::uint64_t>(element_bits(type));
      ASSERT_EQ(all.size(), (elements * bits + 7) / 8);
      for (std::uint64_t n = 0; n < elements; ++n) {
        std::uint64_t got = 0;
        for (std::uint64_t i = 0; i < bits; ++i)
          got |= (std::to_integer<std::uint64_t>(all[(n * bits + i) / 8]) >> ((n * bits + i) % 8) & 1) << i;
        ASSERT_EQ(got, iota_bits(type, n, elements)) << type << " " << n << " of " << elements;
      }
    }
  EXPECT_EQ(decode("f16", iota_bits("f16", 77, 2048)), 77);
  EXPECT_EQ(decode("f16", iota_bits("f16", 0, 4096)), -2048);
}

TEST(Contents, NumbersSurviveEncoding) {
  for (const char* type : {"f16", "bf16"}) {
    for (std::uint64_t bits = 0; bits < 65536; ++bits) {
      const double v = decode(type, bits);
      if (std::isnan(v)) continue;
      ASSERT_EQ(encode(type, v), bits) << type;
    }
  }
  // Halves go to even: 2049 lies between 2048 and 2050.
  EXPECT_EQ(decode("f16", encode("f16", 2049)), 2048);
  EXPECT_EQ(decode("f16", encode("f16", 2051)), 2052);
  EXPECT_TRUE(std::isinf(decode("f16", encode("f16", 65520))));
  EXPECT_EQ(decode("s8", encode("s8", -3)), -3);
  EXPECT_EQ(encode("u4", 17), 1U);
}

TEST(Contents, RandomIsTheSameForTheSameSeed) {
  const BufferSpec b = buffer("f16 n:100");
  const Contents seven{.kind = Contents::Kind::random, .value = 0, .seed = 7, .text = {}, .values = {}};
  Contents eight = seven;
  eight.seed = 8;
  EXPECT_EQ(*contents(b, seven, ""), *contents(b, seven, ""));
  EXPECT_NE(*contents(b, seven, ""), *contents(b, eight, ""));
}

TEST(Contents, NarrowElementsArePackedLowBitsFirst) {
  const BufferSpec b = buffer("u4 n:3");
  Contents c{.kind = Contents::Kind::values, .value = 0, .seed = 1, .text = {}, .values = {1, 2, 15}};
  const auto bytes = contents(b, c, "");
  ASSERT_TRUE(bytes);
  EXPECT_EQ(*bytes, (std::vector<std::byte>{std::byte{0x21}, std::byte{0x0f}}));
  c.values.pop_back();
  EXPECT_FALSE(contents(b, c, "").has_value());
}

TEST(Contents, CopyOfTakesTheOtherBuffersInitialBytes) {
  const BufferSpec p = buffer("f32 n:8");
  Contents c{.kind = Contents::Kind::copy_of, .value = 0, .seed = 1, .text = "p", .values = {}};
  EXPECT_EQ(*contents(p, c, "", {p}), *contents(p, p.initial, ""));
  EXPECT_FALSE(contents(p, c, "").has_value());
}

TEST(Npy, RoundTripAndBadFiles) {
  const std::string folder = ::testing::TempDir();
  for (const char* text : {"f16 i:3 j:5", "u8 n:7", "s64 n:1", "f64 i:2 j:2 k:2", "bf16 n:4", "u4 n:5"}) {
    const BufferSpec b = buffer(text);
    const auto bytes = contents(b, b.initial, "");
    std::vector<std::uint64_t> shape;
    for (const Axis& a : b.axes) shape.push_back(a.extent);
    if (b.element_bits < 8) shape = {bytes->size()};
    ASSERT_TRUE(write_npy(folder + "/a.npy", b.element_type, shape, *bytes));
    Contents file{.kind = Contents::Kind::npy, .value = 0, .seed = 1, .text = "a.npy", .values = {}};
    const auto back = contents(b, file, folder);
    ASSERT_TRUE(back) << words(back.error());
    EXPECT_EQ(*back, *bytes);
    EXPECT_EQ(std::filesystem::file_size(folder + "/a.npy") % 64, bytes->size() % 64);
  }
  const BufferSpec other = buffer("f32 n:100");
  EXPECT_FALSE(
      contents(other, {.kind = Contents::Kind::npy, .value = 0, .seed = 1, .text = "a.npy", .values = {}}, folder)
          .has_value());
  EXPECT_FALSE(
      contents(other, {.kind = Contents::Kind::npy, .value = 0, .seed = 1, .text = "none.npy", .values = {}}, folder)
          .has_value());
  const std::string good = file_text(folder + "/a.npy");
  std::mt19937 random(3);
  for (int i = 0; i < 3000; ++i) {
    std::string bad = good.substr(0, random() % (good.size() + 1));
    if (!bad.empty()) bad[random() % bad.size()] = static_cast<char>(random());
    (void)parse_npy(bad, "bad.npy");
  }
}

TEST(Sha256, KnownDigests) {
  EXPECT_EQ(sha256(std::string_view("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256(std::string_view("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

}  // namespace
}  // namespace lanescope::source
