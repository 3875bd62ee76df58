#pragma once
// What the memory panels show: the moment's access, an earlier one of the same warp, or the evidence of a finding; and
// the wavefronts of a shared access, one after the other.

#include <optional>
#include <string>

#include "app/gui/model/navigation.h"
#include "app/gui/model/results.h"
#include "app/gui/model/shell.h"
#include "app/gui/model/steps.h"

namespace lanescope::gui {

class MemoryFocus {
 public:
  MemoryFocus(Results& results, Navigation& navigation, Shell& shell)
      : results_(results), navigation_(navigation), shell_(shell) {}

  // --- evidence
  /// Goes to the finding's line, warp and step, and shows its evidence in the panel of that memory until the selection
  /// changes. Returns what has to be recorded first, where it is another one; its run then shows the finding.
  std::optional<Recording> show(const results::FindingInfo& finding);
  /// "evidence for bank-conflict", or empty: `moment.access` is then the moment's own.
  std::string evidence_words() const;
  void dismiss_evidence();
  /// Evidence belongs to one place: it goes when the selection does.
  void follow_selection();
  /// `moment` is another one.
  void take_moment();
  void run_finished();
  void run_failed() { finding_due_.reset(); }
  /// Another kernel: nothing of the one before stays.
  void reset();

  // --- global memory
  /// The access to global memory on show: the moment's, or the last one of this warp before it; `note` says which.
  const results::AccessInfo* global_access(std::string& note) const;
  /// The line of code over which global traffic is added up, as MomentRequest has it.
  int totals_line() const;
  /// The step whose access is to be requested, because this one makes none. `run`: the ticket of the run.
  std::optional<std::int64_t> next_earlier_step(std::uint64_t run);
  void take_earlier(std::optional<results::AccessInfo> access);
  void forget_earlier() { earlier_ = {}; }

  // --- problems
  /// Of an access on show: "■ Race: line 27 writes byte 4 of shared memory, line 28 reads byte 4 of shared memory"; empty
  /// where it is part of no error.
  std::string trouble_of(const results::AccessInfo& access) const;
  /// The step on show is part of an error: nothing beside it is in a healthy colour.
  bool in_trouble() const;

  // --- wavefronts of shared memory
  int wavefront = -1;  ///< from 0; -1: all of them
  bool wavefronts_playing = false;
  int wavefront_count() const;  ///< that can be played; 0: the moment's access is no shared one
  void show_wavefront(int number);
  void play_wavefronts(bool play);
  /// Plays. True: another wavefront is on show.
  bool advance(double now);
  double due() const { return wavefront_due_; }
  void set_what_if(const views::WhatIf& what_if);

 private:
  void apply_evidence();
  void access_changed();

  struct Evidence {
    std::string rule;
    results::AccessInfo access;
    views::Selection at;
  };
  struct EarlierAccess {
    std::int64_t before = -2;  ///< the step that makes none
    int warp = 0, tries = 0;
    std::uint64_t run = 0;
    std::int64_t step = -1;  ///< requested
    std::optional<results::AccessInfo> access{};
  };

  Results& results_;
  Navigation& navigation_;
  Shell& shell_;
  std::optional<Evidence> evidence_;
  std::optional<results::FindingInfo> finding_due_;  ///< to be shown when its block has been recorded
  std::optional<results::AccessInfo> own_access_, played_access_;
  EarlierAccess earlier_;
  double wavefront_due_ = 0;
};

}  // namespace lanescope::gui
