#pragma once
// Bytes of the buffers that a launch uses, and conflicts with unordered operations of other streams.
//
// Streams do not wait for each other, so two operations of different streams may run in either order or side by side.
// That is well where they touch different bytes. Where one writes a byte that the other reads or writes, the result
// depends on chance, and the emulator, which runs launches in the order written, cannot show it. Bytes, not buffers,
// are compared: two streams that each work on their half of an array do nothing wrong. Atomics are a kind of their own:
// among themselves they lose nothing in any order, beside a plain access they do.
//
// Launches run in their order, so an access is compared with the launches before it, and with all copies and memsets,
// whose bytes are known beforehand.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/source/source.h"
#include "kernels/trace/observer.h"
#include "kernels/trace/trace.h"
#include "profiling/access/access.h"

namespace lanescope::review {

/// One bit for each byte of a buffer; empty: no byte.
using ByteSet = std::vector<std::uint64_t>;

/// Which bytes of one buffer an operation uses.
struct BufferUse {
  ByteSet read, written;  ///< by plain accesses
  ByteSet updated;        ///< by atomics
};

/// The first access of a launch to a byte of one buffer that another operation uses, too, with no order between the
/// two.
struct StreamMeeting {
  std::size_t operation = 0;  ///< the other one: of Header::streams
  std::size_t buffer = 0;
  std::uint64_t byte = 0;  ///< from the beginning of the buffer
  trace::Where where;
  int lane = 0, width_bytes = 0;
  std::uint32_t lanes = 0;                    ///< that access the buffer
  std::array<std::uint64_t, 32> addresses{};  ///< of `lanes`, from the beginning of the buffer
  trace::AccessKind kind = trace::AccessKind::load;
  int line = 0;             ///< 0: not known
  std::string instruction;  ///< PTX
};

/// Uses of the buffers by one launch.
struct LaunchUses {
  std::vector<BufferUse> buffers;
  /// By buffer one against the first of the operations before the launch, and one against each copy after it.
  std::vector<StreamMeeting> meetings;
  /// One instruction, with the bytes of a buffer from the first that it accesses to the last.
  struct Site {
    std::size_t buffer = 0;
    trace::AccessKind kind = trace::AccessKind::load;
    std::uint64_t first = 0, end = 0;
    int line = 0;  ///< 0: not known
  };
  std::vector<Site> sites;
};

/// Accesses of `one` whose order against `other` matters; empty: none.
std::vector<access::Verb> ordered_verbs(const BufferUse& one, const BufferUse& other);
/// Of an operation: of a launch together with those that it made; `launches`: those that ran.
BufferUse use_of(const source::Header& header, std::size_t operation, std::size_t buffer,
                 std::span<const LaunchUses> launches);

/// Watches one launch of the host, or one that a kernel made.
class UseObserver final : public trace::Observer {
 public:
  /// `launch`: its number; `addresses`: of the buffers; `before`: uses of the launches before it. Header and `before`
  /// have to outlive the observer.
  UseObserver(const source::Header& header, std::size_t launch, const std::vector<trace::Buffer>& buffers,
              const std::vector<std::uint64_t>& addresses, const std::vector<LaunchUses>& before);
  void on_access(const trace::AccessEvent& event) override;
  /// `code`: of the launch, by pc.
  LaunchUses take(const std::vector<trace::CodeSite>& code);

 private:
  struct Place {
    std::uint64_t address = 0, bytes = 0;
  };
  /// An operation with which nothing orders the launch.
  struct Other {
    std::size_t operation = 0;
    bool later = false;
    std::vector<bool> met;  ///< by buffer
  };
  void note_site(const trace::AccessEvent& event, std::size_t buffer, std::uint64_t first, std::uint64_t end);
  void compare(const trace::AccessEvent& event, int lane, std::size_t buffer, std::uint64_t first, std::uint64_t end);

  const source::Header& header_;
  const std::vector<LaunchUses>& before_;
  std::vector<Place> places_;
  std::vector<Other> others_;                         ///< ascending
  std::vector<BufferUse> all_others_;                 ///< by buffer: of all of them together
  std::vector<std::vector<LaunchUses::Site>> sites_;  ///< by pc
  LaunchUses uses_;
};

}  // namespace lanescope::review
