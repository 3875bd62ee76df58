#pragma once
// One chip as the library describes it: its metrics, their passes, the meaning of raw data.

#include <cstdint>
#include <string>
#include <vector>

#include "profiling/cupti/library.h"

namespace lanescope::cupti {

/// The schedule of a set of metrics.
struct Config {
  std::vector<std::uint8_t> image;
  std::size_t passes = 0;
};

class Host {
 public:
  /// `availability`: the available counters of the device; empty: all of the chip.
  static Expected<Host> open(const std::string& chip, const std::vector<std::uint8_t>& availability = {});
  Host(Host&& other) noexcept : library_(other.library_), handle_(other.handle_) { other.handle_ = nullptr; }
  Host& operator=(Host&&) = delete;
  ~Host();

  /// False: one of them does not exist on this chip; then none is to be relied on and the host is spent.
  bool add(const std::vector<std::string>& names);
  Expected<Config> config() const;
  /// Values of one range of a decoded data image; not a number where the library gives none.
  std::vector<double> values(const std::vector<std::uint8_t>& data, std::size_t range,
                             const std::vector<std::string>& names) const;

  HostObject handle() const { return handle_; }
  const Library& library() const { return *library_; }

 private:
  Host(const Library& library, HostObject handle) : library_(&library), handle_(handle) {}
  const Library* library_;
  HostObject handle_;
};

/// Pointers to the characters of `names`, as the library takes them.
std::vector<const char*> pointers(const std::vector<std::string>& names);

/// Names that the chip has, found by requests: all at once, and if that fails one by one.
struct Sorted {
  std::vector<std::string> known, unknown;
};
Expected<Sorted> sort_names(const std::string& chip, const std::vector<std::uint8_t>& availability,
                            const std::vector<std::string>& names);

}  // namespace lanescope::cupti
