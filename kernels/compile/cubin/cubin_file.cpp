#include "kernels/compile/cubin/cubin_file.h"

#include <algorithm>

namespace lanescope::compile {
namespace {

constexpr std::size_t section_bytes = 64, symbol_bytes = 24;
constexpr std::uint32_t no_bits = 8;  // SHT_NOBITS

std::string_view text_at(std::string_view bytes, std::size_t at) {
  return at < bytes.size() ? bytes.substr(at, bytes.find('\0', at) - at) : std::string_view{};
}

}  // namespace

CubinFile::CubinFile(std::string_view bytes) {
  if (!bytes.starts_with("\x7f"
                         "ELF"))
    return;
  const auto table = field_at<std::uint64_t>(bytes, 40);
  const auto count = field_at<std::uint16_t>(bytes, 60), names = field_at<std::uint16_t>(bytes, 62);
  if (table > bytes.size()) return;
  const auto field = [&](std::size_t section, std::size_t at) {
    return field_at<std::uint64_t>(bytes, table + section * section_bytes + at);
  };
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t at = table + n * section_bytes;
    if (at >= bytes.size()) break;
    CubinSection s{.name = text_at(bytes, field(names, 24) + field_at<std::uint32_t>(bytes, at)),
                   .size = field(n, 32),
                   .bytes = {},
                   .link = field_at<std::uint32_t>(bytes, at + 40)};
    const std::uint64_t first = field(n, 24);
    if (field_at<std::uint32_t>(bytes, at + 4) != no_bits && first <= bytes.size() && s.size <= bytes.size() - first)
      s.bytes = bytes.substr(first, s.size);
    sections_.push_back(s);
  }
}

const CubinSection* CubinFile::find(std::string_view name) const {
  for (const CubinSection& s : sections_)
    if (s.name == name) return &s;
  return nullptr;
}

std::string_view CubinFile::symbol(std::uint32_t number) const {
  const CubinSection* symbols = find(".symtab");
  if (symbols == nullptr || symbols->link >= sections_.size() || number >= symbols->bytes.size() / symbol_bytes)
    return {};
  return text_at(sections_[symbols->link].bytes, field_at<std::uint32_t>(symbols->bytes, number * symbol_bytes));
}

std::vector<std::string_view> ptx_lines_of(std::string_view cubin) {
  const CubinFile file(cubin);
  const CubinSection* text = file.find(".nv_debug_ptx_txt");
  std::vector<std::string_view> lines;
  if (text == nullptr) return lines;
  for (std::string_view rest = text->bytes; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    lines.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines;
}

}  // namespace lanescope::compile
