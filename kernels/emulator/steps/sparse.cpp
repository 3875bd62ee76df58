#include "kernels/emulator/steps/sparse.h"

#include <fmt/format.h>

namespace lanescope::emulator {

namespace {

/// Where the metadata of a chunk are.
struct MetadataPlace {
  u32 lane, shift;
};

MetadataPlace place_of_metadata(const SparseOp& s, u32 bits, u32 chunks, u32 row, u32 chunk) {
  if (bits >= 16) {
    const u32 thread = chunks == 4 ? s.selector : 2 * s.selector + chunk / 4;
    return {4 * (row % 8) + thread, 16 * (row / 8) + 4 * (chunk % 4)};
  }
  const u32 thread = chunks == 8 ? 2 * s.selector + row / 8 : 2 * (chunk / 8) + row / 8;
  return {4 * (row % 8) + thread, 4 * (chunk % 8)};
}

u32 columns_of_chunk(u32 bits) { return bits == 32 ? 2 : bits == 4 ? 8 : 4; }

}  // namespace

bool read_sparse_places(Context& c, const SparseOp& s, u32 bits, u32 depth, SparsePlaces& out) {
  const u32 columns = columns_of_chunk(bits), chunks = depth / columns;
  const u32* const words = row<u32>(c.registers(), s.metadata);
  for (u32 y = 0; y < 16; ++y)
    for (u32 chunk = 0; chunk < chunks; ++chunk) {
      const MetadataPlace place = place_of_metadata(s, bits, chunks, y, chunk);
      const u32 both = words[place.lane] >> place.shift & 15;
      const u32 first = both & 3, second = both >> 2;
      const bool known = bits == 32 ? both == 0b0100 || both == 0b1110 : s.ordered ? first < second : first != second;
      if (!known) {
        c.machine.fault_at(
            c, Fault::Kind::unsupported, static_cast<int>(place.lane), 0,
            fmt::format("the metadata 0b{:04b} of columns {} to {} of row {} of the sparse matrix have no "
                        "meaning in the PTX ISA",
                        both, columns * chunk, columns * chunk + columns - 1, y));
        return false;
      }
      u8* const into = out.depth[y].data() + chunk * columns / 2;
      const u32 at = columns * chunk;
      if (bits == 32) {
        into[0] = static_cast<u8>(at + (both == 0b1110 ? 1 : 0));
      } else if (bits == 4) {
        for (u32 e = 0; e < 4; ++e) into[e] = static_cast<u8>(at + 2 * (e < 2 ? first : second) + e % 2);
      } else {
        into[0] = static_cast<u8>(at + first), into[1] = static_cast<u8>(at + second);
      }
    }
  return true;
}

std::array<trace::WordTag, 16> sparse_tags(TagContext& t, const SparseOp& s, u32 bits, u32 depth) {
  std::array<trace::WordTag, 16> out{};
  if (!t.carries(s.metadata, 32)) return out;
  const u32 chunks = depth / columns_of_chunk(bits);
  for (u32 y = 0; y < 16; ++y)
    for (u32 chunk = 0; chunk < chunks; chunk += 4) {  // four chunks are in one word
      const trace::WordTag tag = t.words(s.metadata)[place_of_metadata(s, bits, chunks, y, chunk).lane];
      if (tag != trace::no_data) out[y] = t.computed(out[y], tag);
    }
  return out;
}

}  // namespace lanescope::emulator
