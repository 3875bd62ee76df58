#pragma once
// What GPUs measured of the kernel on screen: the last answer of each part, a baseline, variants to compare, and the live
// samples. Values only; the app asks and stores.

#include <optional>
#include <string>
#include <vector>

#include "results/measured.h"
#include "viz/views/measured/compare.h"
#include "viz/views/measured/live.h"

namespace lanescope::gui {

/// Counters that follow a hand: the kernel is launched and counted again whenever its text or a number changes.
struct LiveMode {
  bool on = false;
  bool under_way = false;                    ///< a request has not been answered
  std::vector<views::LiveSample> samples{};  ///< oldest first
  std::string refused{};                     ///< why the newest request brought nothing; empty: it did
  void take(views::LiveSample sample);
};

struct Measurements {
  results::Measured last{};  ///< parts of several requests of the same text
  bool have = false;         ///< a measurement was answered
  std::string text{};        ///< of the kernel that `last` is about
  std::string name{};        ///< of that file
  bool under_way = false;
  std::string what{};  ///< of the one under way: "counters"
  std::string asked_text{};
  std::optional<results::Measured> baseline{};
  std::vector<views::Variant> variants{};
  LiveMode live{};
  bool line_only = false, only_differences = false, threads = false;  ///< how panels show it
  std::string filter{};
  std::uint64_t version = 0;  ///< grows whenever any of this changes

  /// Takes an answer about `asked_text`: its parts take the place of the same parts of `last`, the others stay as long as
  /// the text is the same.
  void take(results::Measured answer);
  /// Why the last question was not answered at all.
  void refuse(std::string reason);
  void keep_as_baseline();
  void add_variant();
  /// Empty where what is shown is about `text`.
  std::string stale_words(const std::string& text_now) const;
};

/// `next` on top of `before`: parts that `next` has replace those, and its refusals all of them.
results::Measured merged(results::Measured before, results::Measured next);

}  // namespace lanescope::gui
