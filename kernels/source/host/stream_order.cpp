#include "kernels/source/host/stream_order.h"

#include <algorithm>

namespace lanescope::source::host {

void StreamOrder::join(Clock& into, const Clock& from) {
  if (into.size() < from.size()) into.resize(from.size());
  for (std::size_t s = 0; s < from.size(); ++s) into[s] = std::max(into[s], from[s]);
}

StreamOrder::Stream StreamOrder::make(bool blocking) {
  streams_.push_back({.blocking = blocking, .before = {}});
  issued_.push_back(0);
  return static_cast<Stream>(streams_.size() - 1);
}

StreamOrder::Clock StreamOrder::beginning(Stream stream) const {
  Clock clock = host_;
  join(clock, streams_[stream].before);
  if (stream == legacy) {
    for (const State& s : streams_)
      if (s.blocking) join(clock, s.before);
  } else if (streams_[stream].blocking) {
    join(clock, streams_[legacy].before);
  }
  return clock;
}

StreamOrder::Issued StreamOrder::issue(Stream stream) {
  Issued out{.number = ++issued_[stream], .after = beginning(stream)};
  Clock& before = streams_[stream].before;
  before = out.after;
  if (before.size() <= stream) before.resize(stream + 1);
  before[stream] = out.number;
  return out;
}

void StreamOrder::record(std::uint64_t event, Stream stream) {
  streams_[stream].before = beginning(stream);
  events_[event] = streams_[stream].before;
}

void StreamOrder::wait(Stream stream, std::uint64_t event) {
  streams_[stream].before = beginning(stream);
  if (const auto known = events_.find(event); known != events_.end()) join(streams_[stream].before, known->second);
}

void StreamOrder::host_waits(Stream stream) { host_ = beginning(stream); }

void StreamOrder::host_waits_for_event(std::uint64_t event) {
  if (const auto known = events_.find(event); known != events_.end()) join(host_, known->second);
}

void StreamOrder::host_waits_for_all() {
  for (const State& s : streams_) join(host_, s.before);
}

}  // namespace lanescope::source::host
