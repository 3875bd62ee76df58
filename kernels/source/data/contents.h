#pragma once
// Contents of a buffer: "zeros", "random 7", "copy of p" in words, and its bytes.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/source/model/buffer.h"

namespace lanescope::source {

/// Initial or expected bytes of a buffer; elements narrower than a byte are packed, low bits first. `directory` is where
/// relative .npy paths start; `others` resolves copy_of (the other buffer's initial bytes). A sha256 has no bytes: error.
Expected<std::vector<std::byte>> contents(const BufferSpec& buffer, const Contents& what, std::string_view directory);
Expected<std::vector<std::byte>> contents(const BufferSpec& buffer, const Contents& what, std::string_view directory,
                                          const std::vector<BufferSpec>& others);

/// The error carries a message and a remedy, no place.
Expected<Contents> contents_from_text(std::string_view text);

// .npy files (NumPy's format, versions 1.0 and 2.0; numpy.lib.format documents it): little endian, C order. Element types
// that NumPy does not have are kept in unsigned bytes: b1, u4, s4 packed, low bits first; bf16 as uint16.

struct Npy {
  std::string descr;  ///< "<f2", "|u1"
  std::vector<std::uint64_t> shape;
  std::vector<std::byte> data;
};

/// Diagnostics name the path. `data_bytes`: what is needed of it; a file that is much larger is refused before it is read.
Expected<Npy> read_npy(const std::string& path, std::uint64_t data_bytes);
/// The bytes of a .npy file in memory; what `read_npy` does after opening.
Expected<Npy> parse_npy(std::string_view bytes, const std::string& path);
/// "<f2" for f16.
std::string npy_descr(std::string_view t);

}  // namespace lanescope::source
