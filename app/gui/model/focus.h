#pragma once
// Focus of single panels beside the selection: an access, a statement's movement, a value, a problem.
//
// The access of the memory panels: the moment's, an earlier one of the same warp, or the evidence of a finding; and
// the wavefronts of a shared access, one after the other.

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "app/engine/requests/requests.h"
#include "app/gui/model/navigation.h"
#include "app/gui/model/results.h"
#include "app/gui/model/shell.h"
#include "app/gui/model/steps.h"
#include "viz/views/base/selection.h"

namespace lanescope::gui {

class MemoryFocus {
 public:
  MemoryFocus(Results& results, Navigation& navigation, Shell& shell)
      : results_(results), navigation_(navigation), shell_(shell) {}

  // --- evidence
  /// Moves to the finding's line, warp and step, and shows its evidence in the panel of that memory until the selection
  /// changes. Returns a recording that is needed first, if any; its run then shows the finding.
  std::optional<Recording> show(const results::FindingInfo& finding);
  /// "evidence for bank-conflict", or empty: `moment.access` is then the moment's own.
  std::string evidence_words() const;
  void dismiss_evidence();
  /// Evidence belongs to one place: it is removed when the selection changes.
  void follow_selection();
  /// `moment` is another one.
  void take_moment();
  void run_finished();
  void run_failed() { finding_due_.reset(); }
  /// Another kernel: nothing of the one before stays.
  void reset();

  // --- global memory
  /// The access to global memory on show: the moment's, or the last one of this warp before it; `note` names it.
  const results::AccessInfo* global_access(std::string& note) const;
  /// The line of code over which global traffic is added up, as MomentRequest has it.
  int totals_line() const;
  /// The step whose access is needed, because this one has none. `run`: the ticket of the run.
  std::optional<std::int64_t> next_earlier_step(std::uint64_t run);
  void take_earlier(std::optional<results::AccessInfo> access);
  void forget_earlier() { earlier_ = {}; }

  // --- problems
  /// Of an access on show: "■ Race: line 27 writes byte 4 of shared memory, line 28 reads byte 4 of shared memory";
  /// empty where it is part of no error.
  std::string error_of(const results::AccessInfo& access) const;
  /// The step on show is part of an error: nothing beside it is in a healthy colour.
  bool has_error() const;

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

// The position between before and after a statement (Selection::share), and playing it.

class MovementFocus {
 public:
  explicit MovementFocus(Navigation& navigation) : navigation_(navigation) {}

  bool values = false;         ///< cells show values, not elements
  bool one_statement = false;  ///< also where several statements together make an exchange
  std::uint64_t version() const { return version_; }

  bool playing() const { return playing_; }
  /// From where it is, at the end from the beginning; or stops.
  void play(bool on, double now);
  /// Times the usual speed.
  float speed() const { return speeds[static_cast<std::size_t>(speed_)]; }
  void next_speed() { speed_ = (speed_ + 1) % static_cast<int>(speeds.size()); }
  void set_speed(int number) { speed_ = number; }
  static constexpr std::array<float, 4> speeds{1, 2, 0.25f, 0.5f};

  /// Moves there by hand and stops playing.
  void go_to(float share);
  /// `shown`: the statement that is selected is also the one on show. True: it moved.
  bool advance(double now, bool shown);
  double due(double now) const { return playing_ ? now + frame_seconds : never; }

  static constexpr double seconds = 2.4;  ///< for the whole movement at the default speed
  static constexpr float notch = 0.05f;   ///< of the wheel or a key

 private:
  static constexpr double frame_seconds = 1.0 / 60, never = 1e300;
  Navigation& navigation_;
  bool playing_ = false;
  int speed_ = 0;
  double last_ = 0;
  std::uint64_t version_ = 0;
};

// Which value the tree panel takes apart. It stays the same while one steps through the run.

class TreeFocus {
 public:
  /// The request to the engine for the results on screen: after another run a step has another meaning, and a register
  /// array is found by its name.
  engine::TreeRequest request(const Results& results) const;

  void show_best() { set({}, {}); }
  /// The register that is selected, at the step of the selection; `all_lanes`: in the whole warp.
  void show_register(const Results& results, const views::Selection& at, bool all_lanes);
  /// A selected word of shared memory, or element of a buffer.
  void show_memory(const Results& results, const views::Selection& at);

  /// A node of the tree on screen that is drawn as the root; -1: the value itself.
  int root() const { return root_; }
  void unfold(int node) { root_ = node, ++version_; }
  std::uint64_t version() const { return version_; }

 private:
  void set(const engine::TreeRequest& request, std::string family);
  engine::TreeRequest request_;
  std::string family_;            ///< name of the register array
  std::uint64_t of_version_ = 0;  ///< Results::version
  std::uint64_t version_ = 0;
  int root_ = -1;
};

// The shown problem of the run, and its place: block, warp, iteration and step.

class ProblemFocus {
 public:
  ProblemFocus(Results& results, Navigation& navigation, MemoryFocus& memory, Shell& shell)
      : results_(results), navigation_(navigation), memory_(memory), shell_(shell) {}

  /// Index in Results::problems; -1: none.
  int current() const { return current_; }
  const results::Problem* chosen() const;
  /// The first problem of this severity; -1: there is none.
  int first_of(Severity severity) const;
  /// The first error that rests on assumptions; -1: there is none.
  int first_assumed() const;
  /// The one after (by 1) or before (by -1) the current one, from end to end; -1: there are no problems.
  int neighbour(int by) const;

  /// Moves to a problem: its line, and its warp and step where it has a moment. Returns what has to be recorded
  /// first, where it is another one than the recorded one: the run of that block then moves there.
  std::optional<Recording> show(int index);
  /// Moves to one side of a problem; returns as `show`.
  std::optional<Recording> show_party(int index, int party);
  /// The shown side of the current problem; -1: the problem itself.
  int party() const { return party_; }

  /// Another kernel: the window opens on its worst problem, unless a session gives a place.
  void start_over(bool opens_on_worst);
  /// There are new results, good or bad; fills Results::problems. Returns as `show`.
  std::optional<Recording> run_finished();

 private:
  std::optional<Recording> go_to(Recording where, bool placed, int warp, std::int64_t step, int line);
  std::optional<Recording> open();

  Results& results_;
  Navigation& navigation_;
  MemoryFocus& memory_;
  Shell& shell_;
  int current_ = -1, party_ = -1;
  bool opening_ = false;
  bool brought_front_ = false;  ///< the list was brought to the front because a kernel opened with an error
  struct Due {
    results::Problem problem;
    int party = -1;
  };
  std::optional<Due> due_;  ///< shown when its block is recorded
};

}  // namespace lanescope::gui
