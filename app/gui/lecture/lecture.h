#pragma once
// The open lesson with its questions, or the bookmarked moments of a kernel, and the position in them. Answers are
// computed on a thread of their own, so that no frame waits for one. Includes neither App nor ImGui.
//
// A *stop* is one press of a clicker's key: of a lesson each page's first block, each moment and each question that a
// page requests before its first moment; of a kernel each saved moment.

#include <atomic>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/answer.h"
#include "app/lessons/lesson.h"
#include "app/lessons/moments_file.h"
#include "app/lessons/progress.h"
#include "kernels/base/background.h"

namespace lanescope::gui {

struct Stop {
  int page = 0;
  const lessons::SavedMoment* moment = nullptr;  ///< shown on the stage
  const lessons::Question* question = nullptr;   ///< on the stage by itself, or below the moment that it is about
};

/// Progress with a question, in this window.
struct QuestionState {
  enum class Verdict : std::uint8_t { none, computing, right, wrong, unclear };
  Verdict verdict = Verdict::none;
  std::string typed;                 ///< not judged yet
  std::string words;                 ///< error of the reply, or of the kernel
  bool hint = false, given = false;  ///< the hint is shown; the answer is shown
};

class Lecture {
 public:
  Lecture() = default;
  ~Lecture();
  Lecture(const Lecture&) = delete;
  Lecture& operator=(const Lecture&) = delete;

  std::function<void()> on_event;  ///< called on another thread when advance() has something to take
  std::string program;             ///< that computes answers, lessons::Computer::program
  std::uint64_t version = 0;       ///< grows with all that is shown
  std::string problem;             ///< of the last thing that failed; empty: none. Taken by its display.
  std::string remark;              ///< about the kernel to fix, as soon as it is judged. As `problem`.
  bool notes_shown = false;        ///< presenter notes on the stage

  // --- progress
  /// Reads earlier progress; an empty path keeps nothing. A file that cannot be read is a problem, and is not
  /// overwritten.
  void keep_progress(const std::filesystem::path& path);
  const lessons::Progress& progress() const { return progress_; }

  // --- lesson
  /// Continues where it was left. Error: it cannot be read; the lesson before stays.
  Expected<void> open(const std::filesystem::path& folder);
  void close();
  const lessons::Lesson* lesson() const { return lesson_.get(); }
  const lessons::LessonProgress& lesson_progress() const;
  /// About another GPU: its words, figures and questions change. Error: the table has no such GPU, or the lesson is
  /// about none.
  Expected<void> choose_gpu(std::string_view gpu);
  int page() const { return page_; }
  void go_to_page(int page);

  // --- questions
  QuestionState& state_of(const lessons::Question& question) { return states_[question.id]; }
  /// The answer, as soon as it is computed; this call starts the computation.
  const lessons::Answer* answer(const lessons::Question& question);
  /// Judges a reply, now or when the answer is there.
  void reply(const lessons::Question& question, const std::string& text);
  /// Reports the answer of the question that one is at, where it is not reported yet. False: there is nothing to
  /// report.
  bool reveal();
  void check_code(const lessons::Question& question);
  /// The learner's copy of the kernel of this question. Error: it could not be made.
  Expected<std::filesystem::path> working_copy(const lessons::Question& question) const;
  /// The question about code whose kernel has this path; nullptr: none.
  const lessons::Question* question_about(const std::string& file) const;

  // --- moments of the open kernel
  const std::vector<lessons::SavedMoment>& moments() const { return moments_; }
  /// Another file is open: its moments are read.
  void follow_kernel(const std::string& file);
  /// Writes all of them to the file. False: `problem` has the reason, and nothing has changed.
  bool save_moments(std::vector<lessons::SavedMoment> moments);
  int chosen() const { return chosen_; }  ///< -1: none
  void choose(int moment);
  /// As choose(), of the moment that is on show already.
  void mark(int moment);

  // --- the sequence
  std::vector<Stop> stops() const;
  int stop() const { return stop_; }  ///< -1: before the first
  /// Goes by one stop. False: there is none.
  bool step(int by);
  void go_to_stop(int stop);
  bool playing() const { return lesson_ != nullptr || !moments_.empty(); }
  const Stop* current() const;
  /// Of the stop that one is at; nullptr: it has none.
  const lessons::SavedMoment* shown_moment() const;
  /// The moment that the window has to show, once; see App::follow_lecture.
  std::optional<lessons::SavedMoment> wanted;
  bool opening = false, recording = false;  ///< on the way to it
  /// The lesson with a question that precedes its picture: no other picture may give the answer away, so the window
  /// moves to the first step of the open kernel, once.
  std::optional<std::string> rewind;

  /// Takes computed answers. True: something changed.
  bool advance();
  bool busy() const { return running_.running(); }
  bool settled() const { return queue_.empty() && !running_.running() && !wanted; }

 private:
  struct Task {
    std::string id, file;  ///< file: of a question about code
    bool facts = false;    ///< the facts of the lesson, and no question
  };
  struct Done {
    Task task;
    Expected<lessons::FactValues> facts;
    Expected<lessons::Answer> answer;
    Expected<lessons::CodeVerdict> verdict;
  };
  void ask(Task task);
  void start_next();
  void take(Done& done);
  void judge(const lessons::Question& question, const lessons::Answer& answer);
  void note(const lessons::Question& question, const std::string& reply, bool right);
  const lessons::Question* question_of(const std::string& id) const;
  void write_progress();
  void show(const Stop& stop);
  void stop_computing();

  void take_lesson(lessons::Lesson lesson);

  std::shared_ptr<const lessons::Lesson> lesson_, as_read_;  ///< with its facts, as far as they are known; without
  int page_ = 0, stop_ = -1, chosen_ = -1;
  std::map<std::string, QuestionState> states_;
  std::map<std::string, lessons::Answer> answers_;
  std::map<std::string, std::string> waiting_;  ///< replies that wait for the answer, by question
  std::vector<lessons::SavedMoment> moments_;
  std::string moments_of_;
  std::deque<Task> queue_;
  std::shared_ptr<lessons::Computer> computer_;
  std::atomic<bool> cancelled_ = false;
  Background<Done> running_;
  lessons::Progress progress_;
  std::filesystem::path progress_path_;
  std::vector<Stop> stops_;  ///< of the lesson, made when it is opened
};

}  // namespace lanescope::gui
