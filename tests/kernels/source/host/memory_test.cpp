// The memory of host programs against bytes that are written down one by one.

#include "kernels/source/host/memory.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include <fmt/format.h>

namespace lanescope::source::test {
namespace {

using namespace host;

struct Byte {
  std::byte value{};
  bool known = false;
};

/// Stores, copies and fills of random ranges of a few objects.
void compares_with_bytes(std::uint32_t seed, std::uint64_t most_bytes, int operations) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  Memory memory(most_bytes);
  const Reason unset = memory.reason("nothing sets it"), other = memory.reason("it is read from a file");
  std::vector<Address> objects;
  std::vector<std::vector<Byte>> bytes;
  for (int i = 0; i < 4; ++i) {
    const std::uint64_t size = i < 2 ? 48 : 1 + below(64);
    const bool zeros = below(3) == 0;
    objects.push_back(memory.make(size, Space::host, 1, zeros ? Reason{0} : unset));
    bytes.emplace_back(size, Byte{.known = zeros});
  }
  for (int n = 0; n < operations; ++n) {
    const std::size_t to = below(4), from = below(4);
    std::vector<Byte>& target = bytes[to];
    const bool whole = below(4) == 0, in_order = below(3) == 0;
    std::uint64_t at = whole ? 0 : below(target.size()), count = whole ? target.size() : below(target.size() - at + 1);
    if (in_order)
      for (at = 0; at + 4 < target.size() && target[at].known;) ++at, count = 4;
    count = std::min<std::uint64_t>(count, target.size() - at);
    const Address address = objects[to] + at;
    switch (below(5)) {
      case 0:
      case 1: {
        const Reason why = below(5) == 0 ? other : Reason{0};
        std::array<std::byte, 64> values{};
        for (std::byte& v : values) v = static_cast<std::byte>(random());
        memory.write(address, count, values.data(), why);
        for (std::uint64_t i = 0; i < count; ++i) target[at + i] = {values[i], why == 0};
        break;
      }
      case 2: {
        const Reason why = below(4) == 0 ? other : Reason{0};
        const auto value = static_cast<std::byte>(below(2));
        memory.fill(address, value, count, why);
        for (std::uint64_t i = 0; i < count; ++i) target[at + i] = {value, why == 0};
        break;
      }
      case 3: {
        const std::vector<Byte> source = bytes[from];
        const std::uint64_t first = whole ? 0 : below(source.size());
        count = std::min<std::uint64_t>(count, source.size() - first);
        memory.copy(address, objects[from] + first, count);
        std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(first), count,
                    target.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      }
      default:
        if (below(20) != 0) break;
        memory.poison_all(address, other);
        for (Byte& b : target) b.known = false;
    }
    for (std::size_t o = 0; o < objects.size(); ++o)
      for (std::uint64_t i = 0; i < bytes[o].size(); ++i) {
        std::byte value{};
        Reason unknown = 0;
        ASSERT_TRUE(memory.read(objects[o] + i, 1, &value, unknown));
        const std::string words = fmt::format("seed {}, operation {}, object {}, byte {}", seed, n, o, i);
        const bool has_room = most_bytes > 10'000;
        if (has_room || !bytes[o][i].known) {
          ASSERT_EQ(unknown == 0, bytes[o][i].known) << words;
        }
        if (unknown == 0) {
          ASSERT_EQ(value, bytes[o][i].value) << words;
        }
        ASSERT_EQ(memory.first_unknown(objects[o] + i, 1), unknown) << words;
      }
  }
}

TEST(HostMemory, HoldsWhatIsStored) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) compares_with_bytes(seed, 1 << 20, 120);
}

TEST(HostMemory, BytesWithoutRoomAreUnknown) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) compares_with_bytes(seed, 100 + seed, 120);
}

}  // namespace
}  // namespace lanescope::source::test
