#include "app/gui/design/improvement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "kernels/base/numbers.h"
#include "kernels/compile/compile.h"

namespace lanescope::gui {
namespace {

constexpr double seconds_between_looks = 0.02;

std::uint64_t total_requests(const results::Summary& s) {
  const auto total = std::ranges::find(s.counters, 0, &results::LineCounters::line);
  return total == s.counters.end() ? 0 : total->global_requests;
}

std::ptrdiff_t errors_found(const results::Summary& s) {
  return std::ranges::count_if(
      s.findings, [](const results::FindingInfo& f) { return f.severity == Severity::error && !f.expected; });
}

std::ptrdiff_t verdicts(const results::Summary& s, claims::Verdict verdict) {
  return std::ranges::count_if(s.claims, [&](const results::ClaimInfo& c) { return c.result.verdict == verdict; });
}

}  // namespace

void Improvement::begin(const engine::RunRequest& request, const results::Summary& summary,
                        const assist::ClaimPair& pair) {
  request_ = request;
  request_.measure = false;
  summary_ = std::make_shared<const results::Summary>(summary);
  claims_ = assist::claims_between_which(*summary_);
  own_machine_.reset();
  way_ = RewriteWay::replace;
  choose(pair);
}

void Improvement::end() {
  summary_.reset();
  plan_.reset();
  if (checking_ && channel_) channel_->cancel(ticket_);
  checking_.reset();
  ++version;
}

void Improvement::choose(const assist::ClaimPair& pair) {
  pair_ = pair;
  plan_.reset();
  for (auto& c : counted_) c.reset();
  for (auto& m : machine_) m.reset();
  if (checking_ && channel_) channel_->cancel(ticket_);
  checking_.reset();
  start();
  ++version;
}

void Improvement::choose_way(RewriteWay way) {
  way_ = way;
  ++version;
}

void Improvement::start() {
  if (planning()) return;  // advance() sees that it was of another pair
  const auto work = [request = request_, summary = summary_, pair = pair_](const std::stop_token&) {
    return std::make_shared<Expected<assist::BetterPlan>>(
        assist::better_plan(request.file, request.text, pair, *summary));
  };
  planning_.start(work, on_event);
  planned_pair_ = pair_;
}

std::string Improvement::refusal() const {
  if (!plan_ || *plan_) return {};
  return as_sentence(with_remedy(plan_->error().front().message, plan_->error().front().remedy));
}

const assist::Rewritten* Improvement::rewritten_of(RewriteWay way) const {
  const assist::BetterPlan* p = plan();
  if (p == nullptr) return nullptr;
  return way == RewriteWay::replace ? &p->replaced : &p->inserted;
}

const Improvement::Counted* Improvement::counted() const {
  const auto& c = counted_[static_cast<int>(way_)];
  return c ? &*c : nullptr;
}

const Expected<compile::MachineCounts>* Improvement::planned_machine() const {
  const auto& m = machine_[static_cast<int>(way_)];
  return m ? &*m : nullptr;
}

namespace {

struct Compared {
  const char* what;
  double assist::CodeCounts::*count;
};
constexpr Compared compared[] = {{"shuffles", &assist::CodeCounts::shuffles},
                                 {"wavefronts of shared memory", &assist::CodeCounts::wavefronts},
                                 {"barriers", &assist::CodeCounts::barriers},
                                 {"PTX instructions", &assist::CodeCounts::all}};

}  // namespace

bool Improvement::gains_nothing() const {
  const Counted* c = counted();
  return c != nullptr && c->check.state == CodeCheck::State::right && plan() != nullptr && plan()->code.count() > 0 &&
         std::ranges::none_of(compared, [&](const Compared& k) { return c->lines.*k.count < own.*k.count; });
}

std::string Improvement::verdict() const {
  const Counted* c = counted();
  if (c == nullptr || c->check.state != CodeCheck::State::right || plan() == nullptr || plan()->code.count() == 0)
    return {};
  if (gains_nothing())
    return "There is nothing to gain: your lines need no more shuffles, wavefronts, barriers or instructions than the "
           "planner's.";
  std::vector<std::string> fewer, more;
  for (const Compared& k : compared) {
    if (c->lines.*k.count < own.*k.count) fewer.emplace_back(k.what);
    if (c->lines.*k.count > own.*k.count) more.emplace_back(k.what);
  }
  return fmt::format("The planner's code has fewer {}{}.", fmt::join(fewer, " and "),
                     more.empty() ? std::string() : fmt::format(", and more {}", fmt::join(more, " and ")));
}

std::string Improvement::offer_refusal() const {
  if (planning() || plan_ == nullptr) return "The way from the one to the other is being planned.";
  if (const std::string no = refusal(); !no.empty()) return no;
  if (!rewritten()->refusal.empty()) return rewritten()->refusal;
  if (counted() == nullptr) return "The changed kernel is being run.";
  return counted()->check.state == CodeCheck::State::right ? std::string() : counted()->check.words;
}

Improvement::Counted Improvement::judged(const results::Summary& changed, const assist::Rewritten& rewritten) const {
  using State = CodeCheck::State;
  const auto bad = [](std::string words) { return Counted{{State::wrong, std::move(words)}, {}, {}}; };
  const auto error = std::ranges::find(changed.diagnostics, Severity::error, &Diagnostic::severity);
  const bool had_error =
      std::ranges::find(summary_->diagnostics, Severity::error, &Diagnostic::severity) != summary_->diagnostics.end();
  if (!changed.ok || (error != changed.diagnostics.end() && !had_error))
    return bad(as_sentence("The changed kernel does not do: " +
                           (error == changed.diagnostics.end() ? std::string("the run failed") : error->message)));
  if (changed.faults.size() > summary_->faults.size())
    return bad(as_sentence("The changed kernel faults: " + changed.faults.back().message));
  const auto differ = verdicts(changed, claims::Verdict::differs), holds = verdicts(changed, claims::Verdict::holds);
  if (differ > verdicts(*summary_, claims::Verdict::differs))
    return bad(fmt::format("In the changed kernel {} differ, before {}.",
                           lanescope::counted(static_cast<std::uint64_t>(differ), "claim"),
                           verdicts(*summary_, claims::Verdict::differs)));
  if (total_requests(changed) != total_requests(*summary_))
    return bad(fmt::format("The changed kernel makes {} requests to global memory instead of {}.",
                           total_requests(changed), total_requests(*summary_)));
  if (errors_found(changed) > errors_found(*summary_))
    return bad("The review finds an error in the changed kernel that was not there before.");
  return Counted{.check = {State::right, fmt::format("Run in the emulator: {} of {} claims of the changed kernel hold.",
                                                     holds, changed.claims.size())},
                 .lines = assist::counts_of(changed, rewritten.lines),
                 .whole = assist::counts_of(changed, std::nullopt)};
}

void Improvement::start_check() {
  const assist::Rewritten* r = rewritten();
  if (checking_ || r == nullptr || !r->refusal.empty() || counted() != nullptr) return;
  if (!channel_) {
    if (make_channel) channel_ = make_channel();
    if (!channel_) {
      counted_[static_cast<int>(way_)] =
          Counted{{CodeCheck::State::impossible, "There is no engine that could run the changed kernel."}, {}, {}};
      return;
    }
    channel_->on_event = on_event;
  }
  engine::RunRequest request = request_;
  request.text = r->text;
  checking_ = way_;
  ticket_ = channel_->send<engine::ask::Run>(std::move(request));
}

void Improvement::take_check() {
  if (!channel_) return;
  while (const auto event = channel_->poll()) {
    if (!checking_) continue;
    if (const auto summary = engine::summary_in(*event); summary && event->ticket == ticket_) {
      if (const assist::Rewritten* r = rewritten_of(*checking_))
        counted_[static_cast<int>(*checking_)] = judged(*summary, *r);
    } else if (const auto* stopped = std::get_if<engine::Stopped>(&event->what)) {
      counted_[static_cast<int>(*checking_)] =
          Counted{{CodeCheck::State::impossible, "The engine stopped: " + stopped->reason}, {}, {}};
    } else {
      continue;
    }
    checking_.reset();
    ++version;
  }
}

/// One at a time: the author's kernel first, then the changed one.
void Improvement::start_machine() {
  if (counting_.running()) return;
  Machine next{.counts = compile::MachineCounts{}};
  if (!own_machine_) {
    next.text = request_.text;
  } else if (counted() != nullptr && counted()->check.state == CodeCheck::State::right &&
             planned_machine() == nullptr) {
    next.way = way_;
    next.text = rewritten()->text;
  } else {
    return;
  }
  const auto work = [next, file = request_.file, arch = summary_->arch,
                     options = summary_->settings.words_beside_header()](const std::stop_token&) {
    Machine out = next;
    out.counts = machine_counts(file, next.text, arch.empty() ? "sm_90" : arch, options);
    return out;
  };
  counting_.start(work, on_event);
}

bool Improvement::advance() {
  const std::uint64_t before = version;
  if (auto done = planning_.take()) {
    ++version;
    if (is_open() && planned_pair_ == pair_) {
      plan_ = std::move(*done);
      if (const assist::BetterPlan* p = plan()) {
        own = p->code.count() > 0 ? assist::counts_of(*summary_, p->code) : assist::CodeCounts{};
        own_whole = assist::counts_of(*summary_, std::nullopt);
        way_ = p->replaced.refusal.empty() ? RewriteWay::replace : RewriteWay::insert;
      }
    } else if (is_open()) {
      start();
    }
  }
  take_check();
  if (auto done = counting_.take()) {
    if (is_open() && !done->way && done->text == request_.text) own_machine_ = std::move(done->counts);
    if (is_open() && done->way && rewritten_of(*done->way) != nullptr && rewritten_of(*done->way)->text == done->text)
      machine_[static_cast<int>(*done->way)] = std::move(done->counts);
    ++version;
  }
  if (is_open() && plan() != nullptr) {
    start_check();
    start_machine();
  }
  return version != before;
}

bool Improvement::settled() const {
  if (planning() || counting_.running() || checking_) return false;
  return !is_open() || plan() == nullptr || counted() != nullptr || !rewritten()->refusal.empty();
}

double Improvement::due(double now) const {
  return settled() ? std::numeric_limits<double>::infinity() : now + seconds_between_looks;
}

Expected<compile::MachineCounts> machine_counts(const std::string& file, std::string_view text, const std::string& arch,
                                                const std::vector<std::string>& options) {
  const auto source = LS_TRY(source::read(file, text, {.watch_probes = false, .options = options}));
  const auto compiled = LS_TRY(compile::compile(source, compile::Variant::plain, {.arch = arch}));
  const auto& [names, machine] = std::tie(compiled.compiled.entry_names, compiled.compiled.machine);
  const auto found = names.empty() ? machine.begin() : machine.find(names.front());
  if (found == machine.end())
    return failure("machine instructions are counted in the machine code that NVRTC makes, and NVRTC is not here",
                   "install it with the CUDA Toolkit");
  return found->second;
}

}  // namespace lanescope::gui
