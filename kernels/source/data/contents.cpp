#include "kernels/source/data/contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "kernels/base/read_file.h"
#include "kernels/base/text.h"
#include "kernels/source/data/number_format.h"

namespace lanescope::source {
namespace {

/// More bytes than this are refused before anything is allocated.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 36;

std::uint64_t bytes_of(const BufferSpec& b) {
  return (b.elements * static_cast<std::uint64_t>(b.element_bits) + 7) / 8;
}

class Filler {
 public:
  explicit Filler(const BufferSpec& b) : buffer_(b), bytes_(bytes_of(b)) {}

  std::vector<std::byte> fill(auto value) {
    for (std::uint64_t n = 0; n < buffer_.elements; ++n) put(n, value(n));
    return std::move(bytes_);
  }

 private:
  void put(std::uint64_t n, std::uint64_t bits) {
    if (buffer_.element_bits < 8) {
      const std::uint64_t at = n * static_cast<std::uint64_t>(buffer_.element_bits);
      bytes_[at / 8] |= static_cast<std::byte>(bits << (at % 8));
      return;
    }
    const auto wide = static_cast<std::uint64_t>(buffer_.element_bits / 8);
    for (std::uint64_t i = 0; i < wide; ++i) bytes_[n * wide + i] = static_cast<std::byte>(bits >> (8 * i));
  }

  const BufferSpec& buffer_;
  std::vector<std::byte> bytes_;
};

/// splitmix64: one step for each element, so that element n never depends on how many there are.
std::uint64_t scramble(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

std::uint64_t random_bits(const BufferSpec& b, std::uint64_t seed, std::uint64_t n) {
  std::uint64_t name = 0;
  for (const char c : b.name) name = scramble(name ^ static_cast<unsigned char>(c));
  const std::uint64_t r = scramble(scramble(seed) ^ name ^ scramble(n));
  if (!is_float_type(b.element_type)) return b.element_bits == 64 ? r : r & ((std::uint64_t{1} << b.element_bits) - 1);
  // 2^24 steps between -1 and 1: exact in f32, rounded in narrower types.
  return encode(b.element_type, static_cast<double>(static_cast<std::int64_t>(r >> 39) - (1 << 24)) / (1 << 24));
}

Expected<std::vector<std::byte>> from_npy(const BufferSpec& b, const std::string& name, std::string_view directory) {
  const std::filesystem::path path =
      std::filesystem::path(name).is_absolute() ? std::filesystem::path(name) : std::filesystem::path(directory) / name;
  Npy file = LS_TRY(read_npy(path.string(), bytes_of(b)));
  const bool same_kind = file.descr == npy_descr(b.element_type) || (file.descr == "|b1" && b.element_bits == 8) ||
                         (file.descr == "|i1" && b.element_bits < 8);
  if (!same_kind)
    return failure(Diagnostic{.file = path.string(),
                              .message = fmt::format("this file contains {}, but buffer {} has {} ({})", file.descr,
                                                     b.name, b.element_type, npy_descr(b.element_type)),
                              .remedy = "convert it with astype"});
  if (file.data.size() != bytes_of(b))
    return failure(Diagnostic{.file = path.string(),
                              .message = fmt::format("this file contains {} bytes, but buffer {} has {}",
                                                     file.data.size(), b.name, bytes_of(b)),
                              .remedy = "its shape must equal that of the buffer, including gaps"});
  return std::move(file.data);
}

}  // namespace

Expected<std::vector<std::byte>> contents(const BufferSpec& b, const Contents& what, std::string_view directory) {
  return contents(b, what, directory, {});
}

Expected<std::vector<std::byte>> contents(const BufferSpec& b, const Contents& what, std::string_view directory,
                                          const std::vector<BufferSpec>& others) {
  if (bytes_of(b) > most_bytes)
    return failure(fmt::format("buffer {} has {} bytes", b.name, bytes_of(b)), "make an axis shorter");
  switch (what.kind) {
    case Contents::Kind::zeros:
      return std::vector<std::byte>(bytes_of(b));
    case Contents::Kind::iota:
      return iota_bytes(b.element_type, b.elements);
    case Contents::Kind::random:
      return Filler(b).fill([&](std::uint64_t n) { return random_bits(b, what.seed, n); });
    case Contents::Kind::constant:
      return Filler(b).fill([&](std::uint64_t) { return encode(b.element_type, what.value); });
    case Contents::Kind::values:
      if (what.values.size() != b.elements)
        return failure(Diagnostic{.file = {},
                                  .line = b.line,
                                  .message = fmt::format("buffer {} has {} elements, but the list has {}", b.name,
                                                         b.elements, what.values.size()),
                                  .remedy = "give one number for each"});
      return Filler(b).fill([&](std::uint64_t n) { return encode(b.element_type, what.values[n]); });
    case Contents::Kind::npy:
      return from_npy(b, what.text, directory);
    case Contents::Kind::copy_of: {
      const auto other =
          std::find_if(others.begin(), others.end(), [&](const BufferSpec& o) { return o.name == what.text; });
      if (other == others.end())
        return failure(fmt::format("the expectation of buffer {} names `{}`, which does not exist", b.name, what.text),
                       "name another buffer of the header");
      if (bytes_of(*other) != bytes_of(b))
        return failure(fmt::format("buffers {} and {} differ in size", b.name, other->name),
                       "give them the same axes and type");
      return contents(*other, other->initial, directory, {});
    }
    case Contents::Kind::bytes: {
      if (what.listed != 0 && what.listed != b.elements)
        return failure(Diagnostic{
            .file = {},
            .line = b.line,
            .message = fmt::format("buffer {} has {} elements, but the list has {}", b.name, b.elements, what.listed),
            .remedy = "give one number for each"});
      std::vector<std::byte> out = what.bytes ? *what.bytes : std::vector<std::byte>();
      out.resize(bytes_of(b));
      return out;
    }
    case Contents::Kind::sha256:
      return failure("a digest does not give the contents of a buffer", "compare it with the digest of the output");
  }
  return failure("unknown contents");
}

namespace {

bool read_number(std::string_view text, auto& value) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size();
}

/// Whether the double is the whole number that was written; a number with a fraction or an exponent is rounded.
bool is_exact(std::string_view text, double value) {
  if (text.find_first_of(".eEn") != std::string_view::npos) return true;
  if (value < 0) text.remove_prefix(1);
  std::uint64_t magnitude = 0;
  return read_number(text, magnitude) && std::abs(value) < 0x1p64 &&
         static_cast<std::uint64_t>(std::abs(value)) == magnitude;
}

Expected<Contents> too_many_digits(std::string_view text) {
  return failure(fmt::format("`{}` has too many digits", text),
                 "all whole numbers up to 9007199254740992 (2^53) can be written; write larger ones with an exponent");
}

/// "[1, 2, 3]"; a comma may follow the last number.
Expected<Contents> list_from_text(std::string_view text) {
  Contents c{.kind = Contents::Kind::values};
  std::string_view rest = trimmed(text.substr(1, text.size() - 2));
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view word = trimmed(rest.substr(0, comma));
    double value = 0;
    if (!read_number(word, value))
      return failure(fmt::format("`{}` is not a number", word), "write numbers separated by commas: [1, 2, 3]");
    if (!is_exact(word, value)) return too_many_digits(word);
    c.values.push_back(value);
    rest = trimmed(rest.substr(std::min(comma + 1, rest.size())));
  }
  if (c.values.empty()) return failure("the list is empty", "write one number for each element: [1, 2, 3]");
  return c;
}

}  // namespace

Expected<Contents> contents_from_text(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('[') && text.ends_with(']')) return list_from_text(text);
  Contents c;
  const std::size_t space = text.find(' ');
  const std::string_view word = text.substr(0, space);
  const std::string_view rest = space == std::string_view::npos ? std::string_view() : trimmed(text.substr(space));
  if (word == "zeros" && rest.empty()) {
    c.kind = Contents::Kind::zeros;
  } else if (word == "uninitialised" && rest.empty()) {
    c.kind = Contents::Kind::zeros;
    c.uninitialised = true;
  } else if (word == "iota" && rest.empty()) {
    c.kind = Contents::Kind::iota;
  } else if (word == "random" && (rest.empty() || read_number(rest, c.seed))) {
    c.kind = Contents::Kind::random;
  } else if (word == "constant" && read_number(rest, c.value)) {
    c.kind = Contents::Kind::constant;
  } else if (read_number(text, c.value)) {
    c.kind = Contents::Kind::constant;
    if (!is_exact(text, c.value)) return too_many_digits(text);
  } else if (text.starts_with("copy of ")) {
    c.kind = Contents::Kind::copy_of;
    c.text = trimmed(text.substr(8));
  } else if (word == "sha256") {
    c.kind = Contents::Kind::sha256;
    c.text = rest;
    if (rest.size() != 64 || rest.find_first_not_of("0123456789abcdef") != std::string_view::npos)
      return failure("`sha256` without 64 lower-case hexadecimal digits",
                     "copy the digest that `lanescope run --json` prints");
  } else if (text.ends_with(".npy")) {
    c.kind = Contents::Kind::npy;
    c.text = text;
  } else {
    return failure(fmt::format("`{}` are not valid contents of a buffer", text),
                   "use iota, zeros, uninitialised, \"random 7\", a number, a list of numbers or a .npy file; for "
                   "expect also \"copy "
                   "of p\" or \"sha256 HEX\"");
  }
  return c;
}

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::uint64_t most_npy_header_bytes = 1 << 20;

tl::unexpected<Diagnostics> bad(const std::string& path, std::string message, std::string remedy) {
  return failure(Diagnostic{.file = path, .message = std::move(message), .remedy = std::move(remedy)});
}

/// The value after 'key': in the header's dictionary.
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
  if (out.descr.size() < 3 || (out.descr[0] != '<' && out.descr[0] != '|'))
    return bad(path, fmt::format("elements of kind `{}` are not supported", out.descr),
               "save a little-endian array of numbers");
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
  const Expected<std::string> bytes = read_file(path, std::max(most_text_bytes, data_bytes + most_npy_header_bytes));
  if (!bytes)
    return bad(path, bytes.error().front().message, "paths of .npy files start at the folder of the .cu file");
  return parse_npy(*bytes, path);
}

}  // namespace lanescope::source
