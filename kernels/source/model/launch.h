#pragma once
// What the launch header says: buffers, launches, options of the compiler.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kernels/source/model/buffer.h"

namespace lanescope::source {

struct ArgumentSpec {
  std::string parameter;                    ///< of the kernel
  std::string type;                         ///< C++ type as written in the signature
  std::variant<std::string, double> value;  ///< buffer name ("p" or "p+64", elements), or number
  bool is_buffer = false;
  std::vector<double> fields;  ///< for vector and struct parameters, in order
  TextPlace place{};           ///< of its value in the header; of its name where it is given by name
};

/// Where the header has a launch's values. A place without a line: the launch does not state it.
struct LaunchPlaces {
  TextPlace kernel, grid, block, cluster, shared, arguments;
};

struct LaunchSpec {
  std::string kernel;  ///< name in the source, or template instance "copy<float4>"
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{32, 1, 1};
  std::optional<std::array<std::uint32_t, 3>> cluster;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<ArgumentSpec> arguments;
  std::uint32_t stream = 0;  ///< launches of one stream run in order; streams do not wait for each other
  int line = 0;              ///< of its table
  LaunchPlaces places{};

  /// `place` where the header states it, else the launch's line.
  TextPlace place_or_line(const TextPlace& place) const { return place.line > 0 ? place : TextPlace{line, 0}; }
};

/// The block that a kernel asks for itself, where the launch does not state one.
struct KernelBlock {
  std::string kernel;
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::string because;  ///< ".reqntid"
};

struct CompileSpec {
  std::string arch;                        ///< "" : the user's choice, default sm_90
  std::vector<std::string> options;        ///< -I -D -std -O -G maxrregcount dlcm ..., as NVRTC takes them
  std::vector<TextPlace> option_places{};  ///< of the first ones, in order; what is added later has none
};

struct Header {
  bool present = false;
  std::string title;
  std::vector<BufferSpec> buffers;
  std::vector<LaunchSpec> launches;
  CompileSpec compile;
  std::vector<std::string> inferred;  ///< sentences: what was left out and what was assumed
};

}  // namespace lanescope::source
