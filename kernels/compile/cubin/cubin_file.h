#pragma once
// Sections and symbols of a cubin, which is an ELF file of 64 bits (little endian). For any bytes, all reads lie
// inside them: a damaged file has fewer sections.

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace lanescope::compile {

/// 0 where the bytes end before.
template <class T>
T field_at(std::string_view bytes, std::size_t at) {
  T out{};
  if (at < bytes.size() && sizeof out <= bytes.size() - at) std::memcpy(&out, bytes.data() + at, sizeof out);
  return out;
}

struct CubinSection {
  std::string_view name;
  std::uint64_t size = 0;  ///< in memory; of .nv.shared.* the file has no bytes
  std::string_view bytes;  ///< in the file
  std::uint32_t link = 0;  ///< the section that this one refers to: of symbols, their names
};

class CubinFile {
 public:
  /// Without sections where `bytes` is no such file. Keeps views into them.
  explicit CubinFile(std::string_view bytes);
  const std::vector<CubinSection>& sections() const { return sections_; }
  /// nullptr: there is none.
  const CubinSection* find(std::string_view name) const;
  /// Name of a symbol by its number in .symtab; empty where there is none.
  std::string_view symbol(std::uint32_t number) const;

 private:
  std::vector<CubinSection> sections_;
};

/// The PTX from which a cubin with line information was assembled, line 1 first, as .nv_debug_ptx_txt keeps it: without
/// comments and .loc, each line at its place in the text that the assembler was given. Empty where there is none.
std::vector<std::string_view> ptx_lines_of(std::string_view cubin);

}  // namespace lanescope::compile
