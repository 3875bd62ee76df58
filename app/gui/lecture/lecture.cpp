#include "app/gui/lecture/lecture.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace lanescope::gui {
namespace {

using lessons::Question;

std::vector<Stop> stops_of(const lessons::Lesson& lesson) {
  std::vector<Stop> out;
  for (int p = 0; p < static_cast<int>(lesson.pages.size()); ++p) {
    const std::size_t first = out.size();
    for (const lessons::Block& block : lesson.pages[static_cast<std::size_t>(p)].blocks) {
      if (block.moment) {
        out.push_back({.page = p, .moment = &*block.moment});
      } else if (block.question) {
        // Queried about the picture that stands there, if nothing is queried about it yet.
        if (out.size() > first && out.back().moment != nullptr && out.back().question == nullptr)
          out.back().question = &*block.question;
        else
          out.push_back({.page = p, .moment = nullptr, .question = &*block.question});
      }
    }
    if (out.size() == first) out.push_back({.page = p});
  }
  return out;
}

/// Nothing is shown on this page before this stop, which requests: a question may be about the picture before it.
bool asks_first(const std::vector<Stop>& stops, const Stop& here) {
  if (here.question == nullptr || here.moment != nullptr) return false;
  for (const Stop& each : stops) {
    if (&each == &here) return true;
    if (each.page == here.page && each.moment != nullptr) return false;
  }
  return true;
}

std::string lecture_error(const Diagnostics& why) {
  return why.empty() ? std::string("unknown reason") : with_remedy(why.front().message, why.front().remedy);
}

}  // namespace

Lecture::~Lecture() { stop_computing(); }

void Lecture::stop_computing() {
  queue_.clear();
  waiting_.clear();
  cancelled_ = true;
  running_.cancel();
  cancelled_ = false;
}

void Lecture::keep_progress(const std::filesystem::path& path) {
  progress_path_ = path;
  if (path.empty()) return;
  if (auto read = lessons::read_progress(path)) {
    progress_ = std::move(*read);
  } else {
    problem = lecture_error(read.error()) + ". Answers are not kept now.";
    progress_path_.clear();
  }
}

void Lecture::write_progress() {
  ++version;
  if (progress_path_.empty()) return;
  if (const auto written = lessons::write_progress(progress_path_, progress_); !written)
    problem = "The progress could not be kept: " + lecture_error(written.error());
}

Expected<void> Lecture::open(const std::filesystem::path& folder) {
  take_lesson(LS_TRY(lessons::read_lesson_as_left(folder, progress_)));
  stop_ = -1;
  go_to_page(lessons::page_of(progress_.lessons[lesson_->name], *lesson_));
  return {};
}

Expected<void> Lecture::choose_gpu(std::string_view gpu) {
  if (lesson_ == nullptr) return failure("there is no lesson");
  take_lesson(LS_TRY(lessons::read_lesson(lesson_->folder, gpu)));
  progress_.lessons[lesson_->name].gpu = lesson_->gpu;
  for (const lessons::Block& block : lesson_->pages[static_cast<std::size_t>(page_)].blocks)
    if (block.question && block.question->kind != Question::Kind::code) answer(*block.question);
  write_progress();
  return {};
}

/// Answers for the previous lesson, or for another GPU, are discarded.
void Lecture::take_lesson(lessons::Lesson read) {
  stop_computing();
  as_read_ = std::make_shared<const lessons::Lesson>(std::move(read));
  lesson_ =
      as_read_->facts.empty() ? as_read_ : std::make_shared<const lessons::Lesson>(lessons::with_facts(*as_read_, {}));
  computer_ = std::make_shared<lessons::Computer>();
  computer_->program = program;
  computer_->deadline.cancelled = &cancelled_;
  states_.clear();
  answers_.clear();
  stops_ = stops_of(*lesson_);
  if (!as_read_->facts.empty()) queue_.push_back({.facts = true});
  const lessons::LessonProgress& known = progress_.lessons[lesson_->name];
  for (const Question* q : lesson_->questions()) {
    const lessons::QuestionProgress before = lessons::progress_of(known, *q);
    if (before.right) states_[q->id] = {.verdict = QuestionState::Verdict::right, .typed = before.reply};
  }
}

void Lecture::close() {
  stop_computing();
  lesson_.reset(), as_read_.reset();
  stops_.clear();
  stop_ = -1;
  wanted.reset(), rewind.reset();
  ++version;
}

const lessons::LessonProgress& Lecture::lesson_progress() const {
  static const lessons::LessonProgress none;
  if (lesson_ == nullptr) return none;
  const auto known = progress_.lessons.find(lesson_->name);
  return known == progress_.lessons.end() ? none : known->second;
}

void Lecture::go_to_page(int page) {
  if (lesson_ == nullptr) return;
  page_ = std::clamp(page, 0, static_cast<int>(lesson_->pages.size()) - 1);
  lessons::LessonProgress& known = progress_.lessons[lesson_->name];
  const lessons::Page& p = lesson_->pages[static_cast<std::size_t>(page_)];
  known.page = p.heading;
  known.page_number = page_;
  if (stop_ < 0 || stops_[static_cast<std::size_t>(stop_)].page != page_) {
    const auto first = std::ranges::find(stops_, page_, &Stop::page);
    stop_ = static_cast<int>(first - stops_.begin());
    show(*first);
  }
  // They are ready when the page has been read.
  for (const lessons::Block& block : p.blocks)
    if (block.question && block.question->kind != Question::Kind::code) answer(*block.question);
  write_progress();
}

void Lecture::show(const Stop& stop) {
  if (stop.moment != nullptr) {
    wanted = *stop.moment;
    opening = recording = false;
    rewind.reset();
  } else if (lesson_ != nullptr) {
    rewind = asks_first(stops_, stop) ? std::optional(lesson_->name) : std::nullopt;
  }
  ++version;
}

const Question* Lecture::question_of(const std::string& id) const {
  if (lesson_ == nullptr) return nullptr;
  for (const Question* q : lesson_->questions())
    if (q->id == id) return q;
  return nullptr;
}

const lessons::Answer* Lecture::answer(const Question& q) {
  if (const auto known = answers_.find(q.id); known != answers_.end()) return &known->second;
  if (q.kind != Question::Kind::code) ask({.id = q.id});
  return nullptr;
}

void Lecture::reply(const Question& q, const std::string& text) {
  QuestionState& state = states_[q.id];
  state.typed = text;
  if (const lessons::Answer* known = answer(q)) {
    judge(q, *known);
  } else {
    waiting_[q.id] = text;
    state.verdict = QuestionState::Verdict::computing;
  }
  ++version;
}

bool Lecture::reveal() {
  const Stop* here = current();
  if (here == nullptr || here->question == nullptr || here->question->kind == Question::Kind::code) return false;
  QuestionState& state = states_[here->question->id];
  if (state.given || state.verdict == QuestionState::Verdict::right) return false;
  state.given = true;
  answer(*here->question);
  ++version;
  return true;
}

void Lecture::judge(const Question& q, const lessons::Answer& known) {
  QuestionState& state = states_[q.id];
  const auto right = lessons::is_right(q, known, state.typed);
  if (!right) {
    state.verdict = QuestionState::Verdict::unclear;
    state.words = lecture_error(right.error());
    return;
  }
  state.words.clear();
  note(q, state.typed, *right);
}

void Lecture::note(const Question& q, const std::string& text, bool right) {
  QuestionState& state = states_[q.id];
  state.verdict = right ? QuestionState::Verdict::right : QuestionState::Verdict::wrong;
  if (!right) state.hint = true;
  lessons::note_reply(progress_.lessons[lesson_->name], q, text, right);
  write_progress();
}

Expected<std::filesystem::path> Lecture::working_copy(const Question& q) const {
  if (lesson_ == nullptr) return failure("there is no lesson");
  // Without a place for progress there is none for the learner's files either.
  const std::filesystem::path beside =
      progress_path_.empty() ? std::filesystem::temp_directory_path() / fmt::format("lanescope-{}", ::getpid()) / "x"
                             : progress_path_;
  return lessons::working_copy(beside, *lesson_, q);
}

const Question* Lecture::question_about(const std::string& file) const {
  if (lesson_ == nullptr || file.empty()) return nullptr;
  const std::filesystem::path path = std::filesystem::path(file).lexically_normal();
  const std::filesystem::path folder =
      progress_path_.empty() ? std::filesystem::temp_directory_path() / fmt::format("lanescope-{}", ::getpid()) / "x"
                             : progress_path_;
  for (const Question* q : lesson_->questions())
    if (q->kind == Question::Kind::code &&
        (lessons::work_folder(folder, *lesson_) / q->kernel).lexically_normal() == path)
      return q;
  return nullptr;
}

void Lecture::check_code(const Question& q) {
  const auto file = working_copy(q);
  QuestionState& state = states_[q.id];
  if (!file) {
    state.verdict = QuestionState::Verdict::unclear;
    state.words = lecture_error(file.error());
  } else {
    state.verdict = QuestionState::Verdict::computing;
    state.words.clear();
    ask({.id = q.id, .file = file->string()});
  }
  ++version;
}

void Lecture::ask(Task task) {
  if (std::ranges::any_of(queue_, [&](const Task& t) { return !t.facts && t.id == task.id; })) return;
  queue_.push_back(std::move(task));
}

void Lecture::start_next() {
  if (running_.running() || queue_.empty() || lesson_ == nullptr) return;
  Task task = queue_.front();
  queue_.pop_front();
  const Question* q = task.facts ? nullptr : question_of(task.id);
  if (q == nullptr && !task.facts) return;
  if (!task.facts && task.file.empty() && answers_.contains(task.id)) return;
  const auto work = [lesson = task.facts ? as_read_ : lesson_, computer = computer_, q, task](const std::stop_token&) {
    Done done{.task = task,
              .facts = failure("it was not computed"),
              .answer = failure("it was not computed"),
              .verdict = failure("it was not computed")};
    if (task.facts)
      done.facts = lessons::compute_facts(*lesson, *computer);
    else if (task.file.empty())
      done.answer = lessons::compute_answer(*lesson, *q, *computer);
    else
      done.verdict = lessons::check_code(*lesson, *q, task.file, *computer);
    return done;
  };
  running_.start(work, on_event);
}

void Lecture::take(Done& done) {
  if (done.task.facts) {
    if (!done.facts) {
      problem = "Figures of this lesson could not be computed: " + lecture_error(done.facts.error());
      return;
    }
    lesson_ = std::make_shared<const lessons::Lesson>(lessons::with_facts(*as_read_, *done.facts));
    stops_ = stops_of(*lesson_);
    return;
  }
  const Question* q = question_of(done.task.id);
  if (q == nullptr) return;
  QuestionState& state = states_[q->id];
  const auto refuse = [&](const Diagnostics& why) {
    waiting_.erase(q->id);
    state.verdict = QuestionState::Verdict::unclear;
    state.words = lecture_error(why);
  };
  if (!done.task.file.empty()) {
    if (!done.verdict) return refuse(done.verdict.error());
    state.words = done.verdict->reason;
    remark = done.verdict->right ? "Right. " + q->why : "Not right yet: " + done.verdict->reason;
    if (!done.verdict->value.empty()) answers_[q->id] = {.text = done.verdict->value};
    return note(*q, q->kernel, done.verdict->right);
  }
  if (!done.answer) return refuse(done.answer.error());
  answers_[q->id] = *done.answer;
  if (waiting_.erase(q->id) > 0) judge(*q, answers_[q->id]);
}

bool Lecture::advance() {
  bool changed = false;
  if (auto done = running_.take()) {
    take(*done);
    ++version;
    changed = true;
  }
  start_next();
  return changed;
}

void Lecture::follow_kernel(const std::string& file) {
  if (file == moments_of_) return;
  moments_of_ = file;
  moments_.clear();
  chosen_ = -1;
  if (lesson_ == nullptr) stop_ = -1;
  ++version;
  if (file.empty()) return;
  auto read = lessons::moments_of(file);
  if (read)
    moments_ = std::move(*read);
  else
    problem = "The moments of this kernel cannot be read: " + to_string(read.error().front());
}

bool Lecture::save_moments(std::vector<lessons::SavedMoment> moments) {
  if (moments_of_.empty()) {
    problem = "Moments are kept beside the kernel's file, and this kernel has none yet. Save it first.";
    return false;
  }
  // Another program may have written the file meanwhile: its present contents are shown, and nothing is lost.
  if (auto now = lessons::moments_of(moments_of_); now && *now != moments_) {
    moments_ = std::move(*now);
    chosen_ = -1;
    if (lesson_ == nullptr) stop_ = -1;
    ++version;
    problem = "The file of moments changed on disk and was read again. Make the change once more.";
    return false;
  }
  if (const auto written = lessons::write_moments(moments_of_, moments); !written) {
    problem = "The moments could not be saved: " + lecture_error(written.error());
    return false;
  }
  moments_ = std::move(moments);
  chosen_ = std::min(chosen_, static_cast<int>(moments_.size()) - 1);
  if (lesson_ == nullptr) stop_ = chosen_;
  ++version;
  return true;
}

void Lecture::choose(int moment) {
  if (moment < 0 || moment >= static_cast<int>(moments_.size())) return;
  chosen_ = moment;
  if (lesson_ == nullptr) stop_ = moment;
  wanted = moments_[static_cast<std::size_t>(moment)];
  opening = recording = false;
  ++version;
}

void Lecture::mark(int moment) {
  if (moment < 0 || moment >= static_cast<int>(moments_.size())) return;
  chosen_ = moment;
  if (lesson_ == nullptr) stop_ = moment;
  ++version;
}

std::vector<Stop> Lecture::stops() const {
  if (lesson_ != nullptr) return stops_;
  std::vector<Stop> out;
  for (const lessons::SavedMoment& m : moments_) out.push_back({.page = 0, .moment = &m});
  return out;
}

const lessons::SavedMoment* Lecture::shown_moment() const {
  if (lesson_ != nullptr) return current() == nullptr ? nullptr : current()->moment;
  return chosen_ < 0 ? nullptr : &moments_[static_cast<std::size_t>(chosen_)];
}

const Stop* Lecture::current() const {
  return lesson_ == nullptr || stop_ < 0 || stop_ >= static_cast<int>(stops_.size())
             ? nullptr
             : &stops_[static_cast<std::size_t>(stop_)];
}

void Lecture::go_to_stop(int stop) {
  if (lesson_ == nullptr) return choose(stop);
  if (stop < 0 || stop >= static_cast<int>(stops_.size())) return;
  stop_ = stop;
  const Stop& here = stops_[static_cast<std::size_t>(stop)];
  show(here);
  if (here.page != page_) go_to_page(here.page);
}

bool Lecture::step(int by) {
  const int count = static_cast<int>(lesson_ == nullptr ? moments_.size() : stops_.size());
  const int next = stop_ < 0 ? (by > 0 ? 0 : -1) : stop_ + by;
  if (next < 0 || next >= count) return false;
  go_to_stop(next);
  return true;
}

}  // namespace lanescope::gui
