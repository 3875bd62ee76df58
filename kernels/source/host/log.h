#pragma once
// The log of a run: its launches, the contents of their buffers, and the host's changes to these between launches.
//
// The contents of a buffer are logged once, when a launch first takes it. After that the buffer is live: the results of
// the kernel are unknown here, so changes by the host are logged in order. Stores, copies from the host and memsets are
// recognised from the bytes themselves: a known byte of a live object has just been written, since each launch makes
// all of them unknown. They are logged together before the next launch. A copy of a kernel's results is logged when it
// happens, after earlier writes to both sides.

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/source/host/memory.h"

namespace lanescope::source::host {

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
  /// An access of the host itself, which is over at once. `stream` stands for the host alone.
  Issued issue_by_host(Stream stream);
  /// The host has waited for an operation of the stream.
  bool has_ended(Stream stream, std::uint32_t number) const { return stream < host_.size() && host_[stream] >= number; }

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

struct IssuedIn {
  std::string_view call;                      ///< empty: a launch
  std::optional<StreamOrder::Stream> stream;  ///< nullopt: unknown
  std::string_view text{};                    ///< of the stream, as written
  bool asynchronous = true;
};
/// Bytes that a copy or a memset reads or writes.
struct Touched {
  Address at = 0;
  std::uint64_t bytes = 0;
  bool writes = false;
};

class Log {
 public:
  Log(HostRun& out, TypedMemory& memory, Budget& budget, Notes& notes, const HostLimits& limits,
      StreamOrder::Stream default_stream)
      : default_stream(default_stream), out_(out), m(memory), budget_(budget), notes_(notes), limits_(limits) {}

  /// Whether the current code surely runs; `sure`: the depth where only the root itself may not run.
  struct Certainty {
    int depth = 0, sure = 0;
    Reason why = 0;
  } certainty;

  /// Of code that may not run it is a note.
  void error(HostError e);

  // log.cpp: buffers and their contents
  void lose(HostChange change, std::string because);
  /// -1: there are too many; some are left for arguments of launches.
  int buffer_of(Object& o, bool is_argument = false);
  HostPointer pointer(Address a);
  HostArgument argument(const Value& v, const std::string& text, std::string_view type, int line);
  /// The numbers and pointers of a structure. `layout_only`: without their values.
  void fields(Address at, const Type* t, const std::string& name, std::uint32_t offset, std::vector<HostField>& out,
              bool layout_only);
  /// The objects that the words of this one lead to, and those of a chain of them; without itself.
  std::vector<Address> reached_from(Address a);
  void poison_reached(Address a, Reason why);  ///< and itself

  // log_changes.cpp
  /// `taken` and `written`: objects that the kernel has an address of, and may write.
  void launch(HostLaunch l, std::set<Address> taken, std::set<Address> written, const IssuedIn& in);
  /// A copy that contains a kernel's results: into another buffer it is a change, into memory of the host it is
  /// remembered.
  void copy(Address to, Address from, std::uint64_t bytes, int line);
  void symbol(HostSymbol s);
  /// A variable of device and host: stores of the host are logged, and after a launch its contents are unknown.
  void manage(Address variable);  ///< from here on the host may write to it, too
  /// Marks the buffers in which the host has stored while launches that have their address may still run. `ended`: the
  /// host has just waited for these.
  void check_host_stores(bool ended);

  // log_streams.cpp
  std::optional<StreamOrder::Stream> stream_of(const Value& v) const;  ///< nullopt: unknown
  // Operations that are captured into a graph, and issued when it is launched
  using Operation = std::function<void(const IssuedIn& in)>;
  /// Now, or in each launch of the graph that the stream is captured into.
  void perform(const IssuedIn& in, Operation operation);
  void begin_capture(StreamOrder::Stream stream);
  /// The number of the graph; nullopt: nothing was captured there.
  std::optional<int> end_capture(StreamOrder::Stream stream);
  void record(Address event, StreamOrder::Stream stream);
  void wait(StreamOrder::Stream stream, Address event);
  void launch_graph(int graph, StreamOrder::Stream stream);
  std::map<Address, int> graph_handles;  ///< of graphs and of what is made from them: the graph

  /// The host accesses memory that kernels access, too: an operation of its own, if others may still run there.
  void host_accesses(Address a, std::uint64_t bytes, bool writes, int line);
  /// Anything may have waited for the operations so far.
  void forget_pending() { pending_.clear(); }

  /// A copy or a memset by the runtime.
  void transfer(const IssuedIn& in, std::span<const Touched> touched, int line);
  StreamOrder streams;
  const StreamOrder::Stream default_stream;
  std::map<Address, StreamOrder::Stream> stream_handles;
  std::set<Address> pinned;  ///< allocations of the host that it has pinned

  std::int64_t most_resident = 0;  ///< blocks on the GPU at once, the most that a call returned; 0: there was no call

  bool one_resident = false;  ///< calls report one block per multiprocessor, or two if it is one anyhow

  HostRun& run() { return out_; }
  bool has_launches() const { return out_.launch_count > 0; }

 private:
  using Stream = StreamOrder::Stream;
  using StreamsOfLaunch = std::function<Stream(Stream captured)>;
  struct Graph {
    Stream origin = StreamOrder::legacy;
    std::vector<std::function<void(const StreamsOfLaunch&)>> operations{};
  };
  Graph* graph_of(std::optional<Stream> stream);
  void take_contents(Address a);
  void take_reached(Address a, int line);
  HostOperation issue(const IssuedIn& in, int line);
  void note_use(Address a, const HostOperation& operation);
  void keep(HostOperation operation);
  void add_stores(Object& o, int line);
  void add_run(Object& o, std::uint64_t from, std::uint64_t bytes, int line);
  void add_copy(Address to, Address from, std::uint64_t bytes, int line);
  void add_addresses(Object& o, std::uint64_t from, std::uint64_t bytes, int line);
  void add(HostChange change, const Object& to);
  Address origin_of(Address from, std::uint64_t bytes, int line);
  void written_by_kernel(std::set<Address> objects, Reason why);

  HostRun& out_;
  TypedMemory& m;
  Budget& budget_;
  Notes& notes_;
  const HostLimits& limits_;
  std::vector<Address> managed_;    ///< variables that the host and every kernel can write
  std::vector<Address> live_;       ///< objects whose contents are logged
  std::set<Address> running_;       ///< objects of launches that the host has not waited for
  std::uint64_t change_bytes_ = 0;  ///< of all contents in changes
  std::set<std::string> lost_;      ///< buffers and variables with changes that are left out
  /// Operations that use memory which the host can access, and that it has not waited for, by object.
  std::map<Address, std::map<Stream, std::uint32_t>> pending_;  ///< the last one of each stream
  std::set<Address> of_kernels_;                                ///< objects that a launch had the address of
  std::optional<Stream> host_stream_;
  std::size_t host_operations_ = 0;
  void check_copies(const HostOperation& access, const std::string& name);
  std::vector<Graph> graphs_;
  std::map<Stream, int> capturing_;         ///< streams that are captured now: the graph
  std::map<Address, int> captured_events_;  ///< recorded in these
};

}  // namespace lanescope::source::host
