#pragma once
// PTX loaded on a device together with its buffers, ready to launch, for timed runs and counter measurements.

#include <memory>
#include <string>
#include <vector>

#include "kernels/gpu/driver.h"
#include "kernels/gpu/gpu.h"

namespace lanescope::gpu {

struct LoadOptions {
  bool cooperative = false;
  std::uint64_t heap_bytes = 0;  ///< of the device heap for one run of the launches; 0: they do not allocate
  /// Number of runs in this context. Memory that a run does not free is missing from the heap of the next one, so the
  /// heap is made large enough for all of them (at most a quarter of the free memory).
  std::uint64_t runs = 1;
};

/// Holds the device's context, module and memory, and gives them back when it ends.
class Program {
 public:
  /// Opens `device` and makes its context current on this thread.
  static Expected<std::unique_ptr<Program>> open(int device);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Loads the PTX, copies the buffers in, finds every launch's kernel and packs its arguments. Once per Program.
  /// Errors: PTX the driver refuses, memory that does not fit, a kernel that is not there, a stream beyond the last.
  Expected<void> load(const std::string& ptx, const std::vector<trace::Launch>& launches,
                      const std::vector<trace::Buffer>& buffers, const LoadOptions& options = {});

  /// Other launches of the loaded kernels over the loaded buffers, in place of those before. Error: no such kernel.
  Expected<void> set_launches(const std::vector<trace::Launch>& launches, bool cooperative);

  /// The code stays loaded when this ends. For callers that count with CUPTI's range profiler and continue with another
  /// program: on an H200 (driver 580, CUPTI 13.0) one in seven programs that were loaded after another had been
  /// unloaded ended in a segmentation fault inside CUPTI when it was launched.
  void keep_code() { keeps_code_ = true; }

  /// Number of runs that fit into the heap even if none of them frees memory.
  std::uint64_t most_runs() const { return most_runs_; }

  std::size_t launch_count() const { return prepared_.size(); }
  /// Where each buffer begins, in the order of load().
  const std::vector<DevicePointer>& addresses() const { return memory_; }
  /// Does what the host does before it, which waits for all that is queued, and queues one launch in its own stream;
  /// whether it went well is known after synchronize(), and until then nothing that is queued in another stream may
  /// count on it.
  Status launch(std::size_t index) const;
  /// Queues all launches, each in its stream. They begin after the earlier work of stream 0, and later work of stream 0
  /// waits for all of them.
  Status launch_all() const;
  /// The same in parts, so that host actions between them are not timed: launches [first, end_of_stretch(first)) have
  /// host steps before the first of them only.
  std::size_t end_of_stretch(std::size_t first) const;
  Status perform_before(std::size_t index) const;
  Status launch_stretch(std::size_t first, std::size_t last) const;
  Status synchronize() const { return d_.cuCtxSynchronize(); }

  /// Contents of the buffers, from and to the host. Sizes are those given to load().
  Status upload(const std::vector<trace::Buffer>& buffers) const;
  Status download(std::vector<trace::Buffer>& buffers) const;

  /// Of the first launch's kernel.
  Resources resources() const;
  Context context() const { return context_; }
  const Driver& driver() const { return d_; }

 private:
  struct Prepared;
  struct Bytes {
    DevicePointer begin = 0;
    std::uint64_t count = 0;
  };
  explicit Program(const Driver& driver);
  Expected<void> size_heap(const LoadOptions& options);
  Expected<void> load_module(const std::string& ptx);
  Status allocate(const std::vector<trace::Buffer>& buffers);
  Status launch_kernel(std::size_t index) const;
  Bytes bytes_at(const trace::BufferArgument& at, std::uint64_t bytes) const;
  Status perform(const std::vector<trace::HostStep>& steps) const;
  Status open_streams(const std::vector<trace::Launch>& launches);
  Expected<std::unique_ptr<Prepared>> prepare(const trace::Launch& launch, bool cooperative) const;

  const Driver& d_;
  DeviceHandle handle_ = 0;
  Context context_ = nullptr;
  Module module_ = nullptr;
  bool keeps_code_ = false;
  std::uint64_t most_runs_ = ~std::uint64_t{0};
  std::vector<DevicePointer> memory_;
  std::vector<std::uint64_t> bytes_;  ///< by buffer
  std::vector<bool> of_module_;       ///< by buffer: it is a variable of the module
  Streams streams_;
  std::vector<std::unique_ptr<Prepared>> prepared_;
};

/// Whole lists of launches between two events each, after `warm_up` of them; appended to `timing`.
Status time_launches(const Program& program, int warm_up, int repetitions, Timing& timing);

}  // namespace lanescope::gpu
