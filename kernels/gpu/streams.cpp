#include "kernels/gpu/driver.h"

#include <set>

#include "kernels/base/check.h"

namespace lanescope::gpu {
namespace {

// CUstream_flags and CUevent_flags, CUDA driver API reference.
constexpr unsigned stream_non_blocking = 1, event_disable_timing = 2, wait_default = 0;

}  // namespace

Status Streams::open(const std::vector<trace::Launch>& launches) {
  std::set<std::uint32_t> numbers;
  for (const trace::Launch& launch : launches)
    if (launch.stream > 0) numbers.insert(launch.stream);
  used_.clear();
  for (const std::uint32_t number : numbers) {
    LS_CHECK_LT(number, most_streams);
    Stream& stream = handles_[number];
    if (!stream)
      if (const Status s = d_.cuStreamCreate(&stream, stream_non_blocking)) return s;
    used_.push_back(stream);
  }
  if (!used_.empty() && !forked_)
    if (const Status s = d_.cuEventCreate(&forked_, event_disable_timing)) return s;
  while (joined_.size() < used_.size()) {
    Event event = nullptr;
    if (const Status s = d_.cuEventCreate(&event, event_disable_timing)) return s;
    joined_.push_back(event);
  }
  return 0;
}

void Streams::close() {
  for (const Event event : joined_) d_.cuEventDestroy(event);
  if (forked_) d_.cuEventDestroy(forked_);
  for (const Stream stream : handles_)
    if (stream) d_.cuStreamDestroy(stream);
  joined_.clear(), used_.clear();
  forked_ = nullptr, handles_ = {};
}

Status Streams::fork() const {
  if (used_.empty()) return 0;
  if (const Status s = d_.cuEventRecord(forked_, nullptr)) return s;
  for (const Stream stream : used_)
    if (const Status s = d_.cuStreamWaitEvent(stream, forked_, wait_default)) return s;
  return 0;
}

Status Streams::join() const {
  for (std::size_t i = 0; i < used_.size(); ++i) {
    if (const Status s = d_.cuEventRecord(joined_[i], used_[i])) return s;
    if (const Status s = d_.cuStreamWaitEvent(nullptr, joined_[i], wait_default)) return s;
  }
  return 0;
}

}  // namespace lanescope::gpu
