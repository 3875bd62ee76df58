#pragma once
// What the access calculator holds: a pattern of 32 offsets, picked by its shape, drawn by hand or taken from a step, and
// how it is looked at. It needs no kernel.

#include <string>

#include "profiling/access/patterns.h"
#include "viz/views/memory/calculator.h"
#include "viz/views/memory/what_if.h"

namespace lanescope::gui {

class Calculator {
 public:
  Calculator();

  /// The last valid one; its mask and width are those chosen.
  const access::Access& pattern() const { return pattern_; }
  const access::PatternSpec& spec() const { return spec_; }
  /// Why the pattern is not what was typed last; empty: it is.
  const std::string& problem() const { return problem_; }
  /// "stride", "edited", "step 41".
  std::string words() const;
  trace::MemorySpace space() const { return pattern_.space; }
  results::AccessInfo access() const;
  bool shared() const { return pattern_.space == trace::MemorySpace::shared; }
  bool constant() const { return pattern_.space == trace::MemorySpace::constant; }

  /// Makes the pattern anew from its shape; edits by hand go.
  void pick(access::Shape shape);
  /// As pick(), with other numbers of the same shape.
  void change(const access::PatternSpec& spec);
  /// "lane * 4 + 128"; see profiling/access/formula.h.
  void set_formula(const std::string& text);
  /// Byte offsets of the bits of lane and warp, lowest first: "4 8 16 32 64".
  void set_columns(const std::string& text);
  /// What is typed, also where it makes no pattern.
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
