#include "kernels/source/data/npy.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "kernels/base/read_file.h"
#include "kernels/source/model/buffer.h"

namespace lanescope::source {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::uint64_t most_header_bytes = 1 << 20;

tl::unexpected<Diagnostics> bad(const std::string& path, std::string message, std::string remedy) {
  return failure(Diagnostic{.file = path, .message = std::move(message), .remedy = std::move(remedy)});
}

/// What follows 'key': in the header's dictionary.
std::string_view value_of(std::string_view header, std::string_view key) {
  for (const char quote : {'\'', '"'}) {
    const std::string wanted = fmt::format("{}{}{}", quote, key, quote);
    std::size_t at = header.find(wanted);
    if (at == std::string_view::npos) continue;
    at = header.find(':', at);
    if (at == std::string_view::npos) continue;
    return header.substr(std::min(header.find_first_not_of(' ', at + 1), header.size()));
  }
  return {};
}

bool read_shape(std::string_view text, std::vector<std::uint64_t>& shape, std::uint64_t& elements) {
  if (!text.starts_with('(')) return false;
  text = text.substr(1, text.find(')') - 1);
  elements = 1;
  while (!text.empty()) {
    if (text.front() == ' ' || text.front() == ',' || text.front() == 'L') {
      text.remove_prefix(1);
      continue;
    }
    std::uint64_t v = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), v);
    if (problem != std::errc() || (v != 0 && elements > (std::uint64_t{1} << 40) / v)) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    shape.push_back(v);
    elements *= v;
  }
  return true;
}

}  // namespace

std::string npy_descr(std::string_view t) {
  const int bits = element_bits(t);
  if (bits < 8) return "|u1";
  const char kind = t == "bf16" ? 'u' : t.front() == 's' ? 'i' : t.front();
  return fmt::format("{}{}{}", bits == 8 ? '|' : '<', kind, bits / 8);
}

Expected<Npy> parse_npy(std::string_view bytes, const std::string& path) {
  if (!bytes.starts_with(magic) || bytes.size() < 12)
    return bad(path, "this is not a .npy file", "write it with numpy.save");
  const int version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3)
    return bad(path, fmt::format(".npy version {} is not known", version), "write it with numpy.save");
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])); };
  const std::size_t start = version == 1 ? 10 : 12;
  const std::size_t length =
      version == 1 ? byte(8) | byte(9) << 8 : byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24;
  if (length > bytes.size() - start) return bad(path, "the header of this .npy file is cut off", "write it again");
  const std::string_view header = bytes.substr(start, length);
  Npy out;
  const std::string_view descr = value_of(header, "descr");
  if (descr.size() > 2 && (descr.front() == '\'' || descr.front() == '"'))
    out.descr = descr.substr(1, descr.find(descr.front(), 1) - 1);
  if (out.descr.size() < 3 || (out.descr[0] != '<' && out.descr[0] != '|')) {
    return bad(path, fmt::format("elements of kind `{}` are not supported", out.descr),
               "save a little-endian array of numbers");
  }
  if (!value_of(header, "fortran_order").starts_with("False"))
    return bad(path, "this array is in Fortran order", "save numpy.ascontiguousarray(a)");
  std::uint64_t elements = 0;
  if (!read_shape(value_of(header, "shape"), out.shape, elements))
    return bad(path, "the shape in this .npy file cannot be read", "write it with numpy.save");
  const std::uint64_t wide = static_cast<std::uint64_t>(std::max(std::atoi(out.descr.c_str() + 2), 0));
  const std::string_view data = bytes.substr(start + length);
  if (data.size() != elements * wide)
    return bad(path, fmt::format("{} bytes of data where the shape needs {}", data.size(), elements * wide),
               "write it again");
  out.data.resize(data.size());
  if (!data.empty()) std::memcpy(out.data.data(), data.data(), data.size());
  return out;
}

Expected<Npy> read_npy(const std::string& path, std::uint64_t data_bytes) {
  // Of a small array in a file that is a little too large the sizes are worth to be said.
  const Expected<std::string> bytes = read_file(path, std::max(most_text_bytes, data_bytes + most_header_bytes));
  if (!bytes)
    return bad(path, bytes.error().front().message, "paths of .npy files start at the folder of the .cu file");
  return parse_npy(*bytes, path);
}

}  // namespace lanescope::source
