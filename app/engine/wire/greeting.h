#pragma once
// Where frames begin in what a command prints. A shell on the way may greet, warn or print a message of the day first;
// the worker marks the start of its frames with bytes that no text holds.

#include <span>
#include <string>

#include "app/engine/wire/messages.h"

namespace lanescope::engine::wire {

/// Printed before the first frame. As in PNG files, the line ends show whether something on the way rewrites them.
std::span<const std::uint8_t> start_mark();

/// Other output before the mark that is accepted.
inline constexpr std::size_t most_noise_bytes = std::size_t{64} << 10;

class GreetingFinder {
 public:
  /// Takes bytes until the mark is found; returns those after it (all of `bytes` once it has been found).
  Bytes feed(std::span<const std::uint8_t> bytes);
  bool found() const { return found_; }
  /// Why frames will never come; empty while they may.
  const std::string& broken() const { return broken_; }
  /// The end of what came instead of a worker, printable and on one line; empty when nothing did.
  std::string noise() const;

 private:
  Bytes seen_;
  bool found_ = false;
  std::string broken_;
};

}  // namespace lanescope::engine::wire
