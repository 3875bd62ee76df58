#pragma once
// Measurements of the kernel on screen: the last answer of each part, a baseline, variants to compare, and the live
// samples. Values only; the app requests and stores.

#include <optional>
#include <string>
#include <vector>

#include "app/engine/summary/occupancy_info.h"
#include "profiling/access/patterns.h"
#include "results/measured.h"
#include "viz/views/measured/compare.h"
#include "viz/views/measured/live.h"
#include "viz/views/memory/calculator.h"
#include "viz/views/memory/what_if.h"

namespace lanescope::gui {

/// Live counters: the kernel is launched and counted again whenever its text or a number changes.
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
  std::string what{};  ///< of the current one: "counters"
  std::string asked_text{};
  std::optional<results::Measured> baseline{};
  std::vector<views::Variant> variants{};
  LiveMode live{};
  bool line_only = false, only_differences = false, threads = false;  ///< how panels show it
  std::string filter{};
  std::uint64_t version = 0;  ///< grows whenever any of this changes

  /// Takes an answer about `asked_text`: its parts take the place of the same parts of `last`, the others stay as long
  /// as the text is the same.
  void take(results::Measured answer);
  /// Why the last question was not answered at all.
  void refuse(std::string reason);
  void keep_as_baseline();
  void add_variant();
  /// Empty if the measurement is of `text_now`.
  std::string stale_words(const std::string& text_now) const;
};

/// `next` on top of `before`: parts that `next` has replace those, and its refusals all of them.
results::Measured merged(results::Measured before, results::Measured next);

// Settings of the occupancy panel: another GPU, other numbers than the kernel's, and the kernel compiled with fewer
// registers.

/// The kernel compiled again under lower and lower register limits.
struct RegisterLimits {
  std::vector<results::RegisterLimit> rows{};
  std::string refused{};  ///< why there are none
  bool under_way = false;
};

struct OccupancyStudy {
  engine::OccupancyChoice choice;  ///< GPU, and numbers that differ from the kernel's
  RegisterLimits limits;
  bool is_what_if() const {
    return choice.registers || choice.threads || choice.dynamic_shared_bytes || choice.carveout_percent ||
           choice.latency_cycles || choice.arithmetic_cycles || choice.bandwidth_gb_per_s ||
           choice.bytes_per_thread != engine::OccupancyChoice{}.bytes_per_thread;
  }
};

// State of the access calculator: a pattern of 32 offsets, chosen by its shape, drawn by hand or taken from a step, and
// its display. It needs no kernel.

class Calculator {
 public:
  Calculator();

  /// The last valid one; its mask and width are those chosen.
  const access::Access& pattern() const { return pattern_; }
  const access::PatternSpec& spec() const { return spec_; }
  /// Error of the last typed pattern; empty: none.
  const std::string& problem() const { return problem_; }
  /// "stride", "edited", "step 41".
  std::string words() const;
  trace::MemorySpace space() const { return pattern_.space; }
  results::AccessInfo access() const;
  bool shared() const { return pattern_.space == trace::MemorySpace::shared; }
  bool constant() const { return pattern_.space == trace::MemorySpace::constant; }

  /// Rebuilds the pattern from its shape and discards edits by hand.
  void pick(access::Shape shape);
  /// As pick(), with other numbers of the same shape.
  void change(const access::PatternSpec& spec);
  /// "lane * 4 + 128"; see profiling/access/formula.h.
  void set_formula(const std::string& text);
  /// Byte offsets of the bits of lane and warp, lowest first: "4 8 16 32 64".
  void set_columns(const std::string& text);
  /// The typed texts, even if they are no pattern.
  std::string formula_text, columns_text, mask_text;
  /// "0xffff": active lanes.
  void set_mask(const std::string& text);
  // These leave the offsets as they are.
  void set_width(int width_bytes);
  void set_space(trace::MemorySpace space);
  void set_kind(trace::AccessKind kind);
  void set_offset(int lane, std::uint64_t offset);
  void set_active(int lane, bool active);
  void take(const results::AccessInfo& taken, std::int64_t step);

  // --- how it is looked at
  int lane = -1;  ///< selected
  views::WhatIf what_if;
  int wavefront = -1;  ///< from 0; -1: all of it
  bool playing = false;
  int wavefront_count() const;  ///< of shared memory, as it is or as it might be: the larger; 0 in global memory
  void turn_wavefront(int by);
  void play(bool on, double now);
  /// True: another wavefront is on show.
  bool advance(double now);
  double due() const { return due_; }

 private:
  void make();
  void edited(std::string origin);

  access::PatternSpec spec_;
  access::Access pattern_;
  std::string origin_;  ///< of offsets that no shape made; empty: the shape's
  std::string problem_;
  double due_ = 0;
};

}  // namespace lanescope::gui
