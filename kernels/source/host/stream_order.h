#pragma once
// Which operations of a host program have ended before another one begins: streams, events and waits as clocks.
//
// A clock has one number for each stream: so many of its operations have ended. Each stream has the clock of the
// operations before its next one, the host that of those it has waited for, and an event that of its record. A worked
// case, streams 2 and 3:
//
//   kernel A in 2            A: number 1 of stream 2
//   record e in 2            e: {2: 1}
//   kernel B in 3            after {}: B may run before, beside or after A
//   stream 3 waits for e     3: {2: 1, 3: 1}
//   kernel C in 3            after {2: 1, 3: 1}: C runs after A and B
//
// Stream 0 is the legacy default stream: it begins after all that blocking streams were given before, and they after
// it. Stream 1 is the default stream of the thread, which is a blocking one. A stream made with cudaStreamNonBlocking
// has no order with stream 0 (CUDA C++ Programming Guide, "Default Stream"; CUDA Runtime API, "Stream synchronization
// behavior").

#include <cstdint>
#include <map>
#include <vector>

namespace lanescope::source::host {

class StreamOrder {
 public:
  using Clock = std::vector<std::uint32_t>;
  using Stream = std::uint32_t;
  static constexpr Stream legacy = 0, of_thread = 1;

  Stream make(bool blocking);

  struct Issued {
    std::uint32_t number = 0;  ///< in its stream, from 1
    Clock after;
  };
  Issued issue(Stream stream);

  void record(std::uint64_t event, Stream stream);
  /// An event that was never recorded causes no wait, as in CUDA.
  void wait(Stream stream, std::uint64_t event);
  void host_waits(Stream stream);
  void host_waits_for_event(std::uint64_t event);
  void host_waits_for_all();

 private:
  struct State {
    bool blocking = true;
    Clock before;  ///< its next operation
  };
  static void join(Clock& into, const Clock& from);
  Clock beginning(Stream stream) const;

  std::vector<State> streams_{2};
  std::vector<std::uint32_t> issued_{0, 0};
  std::map<std::uint64_t, Clock> events_;
  Clock host_;
};

}  // namespace lanescope::source::host
