#pragma once
// "Plan this better": the code between two claims of the kernel against the planner's. Planning, and compiling and
// running the changed text, happen on threads and in an engine, so that no frame waits. No drawing.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/assist/better_plan.h"
#include "app/engine/remote/channel.h"
#include "kernels/base/background.h"
#include "kernels/base/diagnostic.h"
#include "kernels/compile/cubin/cubin_file.h"

namespace lanescope::gui {

// Machine instructions ("SASS") of a kernel, counted by kind in the machine code that NVRTC makes. Takes a compilation:
// callers run it on a thread of its own.

/// Of the first kernel of a text that its header launches. Errors: no NVRTC, with the remedy; compiler errors.
Expected<compile::MachineCounts> machine_counts(const std::string& file, std::string_view text, const std::string& arch,
                                                const std::vector<std::string>& options);

// Results of a check of code in the emulator.

struct CodeCheck {
  enum class State : std::uint8_t { none, running, right, wrong, impossible };
  State state = State::none;
  std::string words;  ///< a sentence
};

enum class RewriteWay : std::uint8_t { replace, insert };

class Improvement {
 public:
  std::function<std::unique_ptr<engine::Channel>()> make_channel;  ///< of the engine that runs the changed text
  std::function<void()> on_event;  ///< called from any thread when advance() has something to do

  /// `request` is that of `summary`.
  void begin(const engine::RunRequest& request, const results::Summary& summary, const assist::ClaimPair& pair);
  void end();
  bool is_open() const { return summary_ != nullptr; }
  const results::Summary& summary() const { return *summary_; }
  const std::string& text() const { return request_.text; }

  const std::vector<std::size_t>& claims() const { return claims_; }
  const assist::ClaimPair& pair() const { return pair_; }
  void choose(const assist::ClaimPair& pair);

  bool planning() const { return planning_.running(); }
  /// nullptr: it is being planned, or `refusal` has the reason.
  const assist::BetterPlan* plan() const { return plan_ && *plan_ ? &**plan_ : nullptr; }
  std::string refusal() const;
  RewriteWay way() const { return way_; }
  void choose_way(RewriteWay way);
  const assist::Rewritten* rewritten() const { return rewritten_of(way_); }
  const assist::Rewritten* rewritten_of(RewriteWay way) const;

  // --- counted, of one warp
  assist::CodeCounts own, own_whole;  ///< of the author's lines, and of the kernel
  struct Counted {
    CodeCheck check;
    assist::CodeCounts lines, whole;  ///< where the check is right
  };
  /// Of the changed text, as `way` writes it; nullptr: it runs, or cannot.
  const Counted* counted() const;
  /// Machine code of the kernel; nullptr: being counted.
  const Expected<compile::MachineCounts>* own_machine() const { return own_machine_ ? &*own_machine_ : nullptr; }
  const Expected<compile::MachineCounts>* planned_machine() const;

  /// Whether the planner's code is less than the author's, in words; empty while that is not known.
  std::string verdict() const;
  /// The planner's code is less of nothing: shuffles, barriers, wavefronts, instructions.
  bool gains_nothing() const;
  /// Why the changed text is not offered; empty: it is.
  std::string offer_refusal() const;

  bool advance();
  bool settled() const;
  double due(double now) const;
  std::uint64_t version = 0;

 private:
  void start();
  void start_check();
  void take_check();
  void start_machine();
  Counted judged(const results::Summary& changed, const assist::Rewritten& rewritten) const;

  engine::RunRequest request_;
  std::shared_ptr<const results::Summary> summary_;
  std::vector<std::size_t> claims_;
  assist::ClaimPair pair_, planned_pair_;
  RewriteWay way_ = RewriteWay::replace;
  std::shared_ptr<Expected<assist::BetterPlan>> plan_;
  Background<std::shared_ptr<Expected<assist::BetterPlan>>> planning_;
  std::unique_ptr<engine::Channel> channel_;
  std::uint64_t ticket_ = 0;
  std::optional<RewriteWay> checking_;
  std::optional<Counted> counted_[2];
  std::optional<Expected<compile::MachineCounts>> own_machine_, machine_[2];
  struct Machine {
    std::optional<RewriteWay> way;  ///< nullopt: the author's
    std::string text;               ///< that it is of
    Expected<compile::MachineCounts> counts;
  };
  Background<Machine> counting_;
};

}  // namespace lanescope::gui
