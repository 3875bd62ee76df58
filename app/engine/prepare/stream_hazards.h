#pragma once
// Launches of different streams that need an order which the streams do not give.
//
// Streams do not wait for each other, so two launches of different streams may run in either order or side by side. That
// is well where they touch different bytes. Where one writes a byte that the other reads or writes, what the program
// computes depends on chance, and the emulator, which runs launches in the order written, cannot show it: hence this
// warning. Bytes, not buffers, are compared: two streams that each work on their half of an array do nothing wrong.
// Atomics are a kind of their own: among themselves they lose nothing in any order, beside a plain access they do.

#include <cstdint>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/source/source.h"
#include "kernels/trace/observer.h"

namespace lanescope::engine {

/// One bit for each byte of a buffer; empty: no byte.
using ByteSet = std::vector<std::uint64_t>;

/// What one launch did to one buffer.
struct BufferUse {
  ByteSet read, written;  ///< by plain accesses
  ByteSet updated;        ///< by atomics
};
using BufferUses = std::vector<BufferUse>;  ///< of one launch, by buffer

/// Watches one launch.
class UseObserver final : public trace::Observer {
 public:
  explicit UseObserver(const std::vector<trace::Buffer>& buffers);
  void on_access(const trace::AccessEvent& event) override;
  BufferUses take() { return std::move(uses_); }

 private:
  struct Place {
    std::uint64_t address = 0, bytes = 0;
  };
  std::vector<Place> places_;
  BufferUses uses_;
};

/// Whether there is anything to watch for.
bool in_several_streams(const std::vector<trace::Launch>& launches);

/// A warning for each launch and buffer that meets an earlier launch of another stream, at the launch's line of the
/// header. `uses` is of the launches that ran, in order; it may be shorter than the launches.
Diagnostics stream_hazards(const source::Source& source, const std::vector<BufferUses>& uses);

}  // namespace lanescope::engine
