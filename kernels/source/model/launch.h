#pragma once
// The contents of the launch header: buffers, launches, options of the compiler.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kernels/source/model/assumption.h"
#include "kernels/source/model/buffer.h"
#include "kernels/source/model/host_error.h"

namespace lanescope::source {

/// A number or a buffer within a structure that is passed by value.
struct FieldSpec {
  std::variant<std::string, double> value;  ///< buffer name ("p" or "p+64", elements), or number
  std::string type{};                       ///< as C++ writes it; empty: not known
  std::int64_t offset_bytes = -1;           ///< in the structure; -1: after the field before
  std::uint32_t bytes = 0;                  ///< 0: not known
};

struct ArgumentSpec {
  std::string parameter;                    ///< of the kernel
  std::string type;                         ///< C++ type as written in the signature
  std::variant<std::string, double> value;  ///< buffer name ("p" or "p+64", elements), or number
  bool is_buffer = false;
  std::vector<double> fields;        ///< for vector and struct parameters, in order
  std::vector<std::byte> bits{};     ///< not empty: given as such, in place of a number
  std::vector<FieldSpec> members{};  ///< in place of `fields`, where pointers are among them or the structure is known
  TextPlace place{};                 ///< of its value in the header; of its name where it is given by name
};

/// Where the header has a launch's values. A place without a line: the launch does not state it.
struct LaunchPlaces {
  TextPlace kernel, grid, block, cluster, shared, arguments;
};

/// A change of the host code to a buffer before a launch. Buffers by their names.
struct HostStep {
  enum class Kind : std::uint8_t {
    copy,     ///< `bytes` of `from` become those of `to`
    set,      ///< `bytes` of `to` become `value`
    write,    ///< `contents` are put there
    address,  ///< the address of `from` is put there
  };
  Kind kind = Kind::write;
  std::string to, from;
  bool to_variable = false;  ///< `to` is a __device__, __constant__ or __managed__ variable as the host code names it
  std::int64_t to_offset_bytes = 0, from_offset_bytes = 0;
  std::uint64_t bytes = 0;
  std::uint8_t value = 0;
  std::shared_ptr<const std::vector<std::byte>> contents{};
  std::string words{};  ///< "line 40 copies 4096 bytes of `a` to `b`"
};

struct LaunchSpec {
  std::string kernel;  ///< name in the source, or template instance "copy<float4>"
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{32, 1, 1};
  std::optional<std::array<std::uint32_t, 3>> cluster;
  std::uint32_t dynamic_shared_bytes = 0;
  bool shared_assumed = false;  ///< the size of dynamic shared memory is not stated
  bool grid_of_occupancy =
      false;                ///< the host code launches as many blocks as are resident at once, as CUDA reports it
  bool cooperative = true;  ///< false: the host code launches it as an ordinary kernel, without grid.sync()
  std::vector<ArgumentSpec> arguments;
  std::uint32_t stream = 0;        ///< launches of one stream run in order; streams do not wait for each other
  std::vector<HostStep> before{};  ///< host steps before it, after the previous launch
  int line = 0;                    ///< of its table
  LaunchPlaces places{};

  /// `place` where the header states it, else the launch's line.
  TextPlace place_or_line(const TextPlace& place) const { return place.line > 0 ? place : TextPlace{line, 0}; }
};

/// The block that a kernel requests itself, where the launch does not state one.
struct KernelBlock {
  std::string kernel;
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::string because;  ///< ".reqntid"
};

/// A kernel, or an instance of one, as the host code launches it; without launches: a kernel that nothing launches.
struct KernelInstance {
  std::string kernel;          ///< "copy" or "reduce<int,256,true>"
  std::uint64_t launches = 0;  ///< of the host code
  int line = 0;                ///< of the first one; of the kernel where nothing launches it
  std::array<std::uint32_t, 3> grid{0, 0, 0}, block{0, 0, 0};  ///< of the first one; 0: not known
  std::uint32_t dynamic_shared_bytes = 0;
  bool certain = true;  ///< false: launched under a condition that is unknown, or from a function that nothing calls
  bool chosen = false;  ///< among the launches that run
  std::string
      function{};  ///< not empty: a generated kernel that calls this device function by itself (model/contract.h)
};

/// A launch, a copy or memset of the runtime, or an access of the host, where streams leave some order open.
struct StreamOperation {
  int launch = -1;       ///< of Header::launches, from 0; -1: a copy or memset
  int launches = 1;      ///< the kernel's own launches, which follow it, are a part of it
  int line = 0;          ///< of the host code, or of its table in the header
  std::string file{};    ///< where that is; empty: this file
  bool by_host = false;  ///< a load or store of the host, with one use
  std::string call{},
      stream{};  ///< "cudaMemcpyAsync"; the stream as host code or header name it, empty: the default one
  std::vector<std::uint32_t>
      beside{};  ///< earlier ones of the list that need not have ended before it begins, ascending
  struct Use {
    std::string buffer;
    std::uint64_t offset_bytes = 0, bytes = 0;
    bool writes = false;
  };
  std::vector<Use> uses{};  ///< of a copy or memset
};

/// Bytes that the host code copies from a buffer to the host after the last launch, and that launches alone have changed since.
struct CopyBack {
  std::string buffer;
  std::uint64_t offset_bytes = 0, bytes = 0;
  int line = 0;
  std::string file{};  ///< where that is; empty: this file
};

struct CompileSpec {
  std::string arch;                        ///< "" : the user's choice, default sm_90
  std::vector<std::string> options;        ///< -I -D -std -O -G maxrregcount dlcm ..., as NVRTC takes them
  std::vector<TextPlace> option_places{};  ///< of the first ones, in order; later additions have none
};

/// Data that the host code copies into a __constant__ or __device__ variable.
struct SymbolSpec {
  std::string name;
  std::uint64_t offset_bytes = 0;
  std::vector<std::byte> bytes;
};

struct Header {
  bool present = false;
  std::string title;
  std::vector<BufferSpec> buffers;
  std::vector<LaunchSpec> launches;
  CompileSpec compile;
  std::vector<SymbolSpec> symbols{};
  std::vector<StreamOperation> streams{};  ///< in the order written; empty where all of them are in order
  std::vector<CopyBack> copied_back{};     ///< none where a launch of the host code may be missing here
  std::vector<std::string> inferred;       ///< sentences about values from other parts of the file
  std::vector<Assumption> assumed{};       ///< values that nothing states
  std::vector<HostError> host_errors{};    ///< mistakes of the host code, in the order in which they happen
};

}  // namespace lanescope::source
