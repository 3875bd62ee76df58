#include "app/handout/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <tuple>

#include "app/document/file_io.h"
#include "app/handout/run_parts.h"
#include "app/lessons/moments_file.h"
#include "kernels/base/text.h"

namespace lanescope::handout {
namespace {

using lessons::SavedMoment;
using MovementOf = engine::MomentRequest::MovementOf;

/// A run of a kernel that records one block of one launch.
struct Run {
  std::unique_ptr<engine::Engine> engine = engine::engine_here();
  engine::RunResult result;
  std::string text;
};

/// The runs that moments are of, each made once.
class Runs {
 public:
  Expected<Run*> of(const SavedMoment& moment) {
    auto& run = runs_[{moment.kernel, moment.block, moment.launch}];
    if (run) return run.get();
    auto text = LS_TRY(document::read_text(moment.kernel));
    auto made = std::make_unique<Run>();
    made->text = std::move(text);
    engine::RunRequest request;
    request.file = moment.kernel, request.text = made->text;
    request.record_block = moment.block, request.record_launch = moment.launch;
    request.review = true;
    made->result = made->engine->run(request);
    if (!made->result.summary.ok) return tl::unexpected(made->result.summary.diagnostics);
    run = std::move(made);
    return run.get();
  }

 private:
  std::map<std::tuple<std::string, std::uint32_t, int>, std::unique_ptr<Run>> runs_;
};

std::string kernel_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

/// The subject of a tree: the selection.
engine::TreeRequest tree_of(const views::Selection& at) {
  using Of = engine::TreeRequest::Of;
  if (at.place)
    return {.of = Of::register_,
            .family = at.place->family,
            .warp = at.place->warp,
            .reg = at.place->reg,
            .part = at.place->part,
            .lane = at.place->lane};
  if (at.element) return {.of = Of::element, .buffer = at.element->first, .element = at.element->second};
  return {};
}

PictureOptions look_of(const std::string& panel, const SavedMoment& saved, const results::Moment& moment) {
  PictureOptions look = panel.empty() || panel == "registers" ? registers_look(moment) : memory_look();
  look.color_by = saved.colour, look.label = saved.label;
  return look;
}

/// The step before the line's, from which its moves start.
std::int64_t before_line(const results::Summary& summary, const views::Selection& at) {
  std::int64_t before = -1;
  for (const Stop& stop : stops_of(summary, at.warp))
    if (stop.step < at.step) before = stop.step;
  return before;
}

/// The strip of the elements that a moment follows; nothing where it follows none.
Expected<std::optional<page::Picture>> journey_of(Run& run, const views::Selection& at, const std::string& colour) {
  if (at.pins.empty()) return std::optional<page::Picture>();
  engine::JourneyRequest wanted;
  for (const auto& [buffer, element] : at.pins) wanted.elements.push_back({buffer, element});
  const auto journeys = LS_TRY(run.engine->ask<engine::ask::Journeys>(wanted));
  return std::optional(journey_picture(run.result.summary, journeys, at, colour));
}

/// "halfway between before and after"
std::string position_words(float share) {
  if (share <= 0) return "before";
  if (share >= 1) return "after";
  return share == 0.5f ? "halfway between before and after" : fmt::format("{:.0f} % of the way", share * 100);
}

bool shows(const SavedMoment& saved, std::string_view panel) {
  return saved.picture == panel || one_of(panel, saved.panels);
}

/// A moment as a step, as several where it shows a movement; `source` becomes that of its line.
Expected<std::vector<page::Step>> steps_of(Run& run, const SavedMoment& saved, page::Source& source,
                                           Movements movements) {
  const results::Summary& summary = run.result.summary;
  const auto place = LS_TRY(lessons::resolve(saved, run.text, summary));
  views::Selection at = place.selection;
  source = source_of(summary, run.text, {at.line});
  auto families = LS_TRY(families_of_run(*run.engine, summary, at.warp, at.family));
  const auto moment = LS_TRY(run.engine->ask<engine::ask::Moment>(
      {.step = at.step,
       .families = families,
       .first_warp = at.warp,
       .warp_count = 1,
       .moves_from = before_line(summary, at),
       .tree = tree_of(at),
       .movement = shows(saved, "movement") ? MovementOf::exchange : MovementOf::nothing}));
  std::vector<std::string> panels{saved.picture};
  panels.insert(panels.end(), saved.panels.begin(), saved.panels.end());
  const bool moves = saved.picture == "movement";
  const auto journey = LS_TRY(journey_of(run, at, saved.colour));
  std::vector<float> shares{saved.share};
  if (moves && movements == Movements::five_positions) shares = {0, 0.25f, 0.5f, 0.75f, 1};
  std::vector<page::Step> steps;
  for (const float share : shares) {
    at.share = share;
    page::Step step{.title = fmt::format("{} of {}", summary.lines.words(at.line), kernel_name(saved.kernel)),
                    .line = at.line,
                    .code = line_text(source, at.line),
                    .caption = saved.caption};
    if (moves) step.title += ", " + position_words(share);
    for (const std::string& panel : panels) {
      const bool twice = std::ranges::any_of(step.pictures, [&](const page::Picture& p) { return p.name == panel; });
      if (panel == "source" || twice || (panel == "journey" && journey)) continue;
      if (auto picture = picture_of(panel, summary, moment, at, look_of(panel, saved, moment)))
        step.pictures.push_back(std::move(*picture));
      else
        step.caption +=
            fmt::format("{}The panel {} is shown by lanescope only.", step.caption.empty() ? "" : " ", panel);
    }
    // Where the followed elements have been and go, below what the moment shows.
    if (journey) step.pictures.push_back(*journey);
    steps.push_back(std::move(step));
  }
  return steps;
}

class LessonWriter {
 public:
  LessonWriter(std::string title, std::string summary, Movements movements) : movements_(movements) {
    document_.title = std::move(title), document_.summary = std::move(summary);
    document_.made_by = made_by(nullptr), document_.colors = page_colors();
  }

  void moment(const SavedMoment& saved, page::Section& section, bool excerpt, const std::string& file, int line) {
    page::Source source;
    const auto run = runs_.of(saved);
    if (!run) return wrong(run.error(), file, line);
    auto steps = steps_of(**run, saved, source, movements_);
    if (!steps) return wrong(steps.error(), file, line);
    const int number = source_number(saved.kernel, source);
    auto* last = section.blocks.empty() ? nullptr : std::get_if<page::Player>(&section.blocks.back());
    if (last == nullptr || last->source != number)
      section.blocks.emplace_back(
          page::Player{.name = kernel_name(saved.kernel), .source = number, .excerpt = excerpt});
    std::ranges::move(*steps, std::back_inserter(std::get<page::Player>(section.blocks.back()).steps));
  }

  void question(const lessons::Lesson& lesson, const lessons::Question& q, lessons::Computer& computer,
                page::Section& section, const std::string& file) {
    using Kind = lessons::Question::Kind;
    static_assert(static_cast<int>(Kind::code) == static_cast<int>(page::Question::Kind::code));
    page::Question out{.kind = static_cast<page::Question::Kind>(q.kind),
                       .ask = q.ask,
                       .unit = q.unit,
                       .hint = q.hint,
                       .choices = q.choices};
    lessons::Answer answer;
    if (q.kind == Kind::code) {
      const std::filesystem::path given = lesson.folder / q.kernel, solution = lesson.folder / q.solution;
      const auto checked = lessons::check_code(lesson, q, solution.string(), computer);
      if (!checked) return wrong(checked.error(), file, q.line);
      if (!checked->right)
        return wrong({{.message = fmt::format("the solution of {} is wrong: {}", q.id, checked->reason),
                       .remedy = "correct it"}},
                     file, q.line);
      answer.text = checked->value;
      const auto broken = document::read_text(given.string()), mended = document::read_text(solution.string());
      if (!broken || !mended) return wrong(broken ? mended.error() : broken.error(), file, q.line);
      out.given = *broken, out.solution = *mended;
      out.file = q.kernel, out.solution_file = q.solution;
      out.command = "lanescope " + q.compute;
      if (const std::size_t at = out.command.find("{file}"); at != std::string::npos)
        out.command.replace(at, 6, q.kernel);
    } else {
      auto computed = lessons::compute_answer(lesson, q, computer);
      if (!computed) return wrong(computed.error(), file, q.line);
      answer = std::move(*computed);
    }
    out.answer = answer.text;
    out.why = lessons::why_words(q, answer);
    section.blocks.emplace_back(std::move(out));
  }

  void add(page::Section section) { document_.sections.push_back(std::move(section)); }

  Expected<page::Document> take() {
    if (!wrong_.empty()) return tl::unexpected(std::move(wrong_));
    return std::move(document_);
  }

 private:
  void wrong(Diagnostics why, const std::string& file, int line) {
    for (Diagnostic& d : why) {
      if (d.file.empty()) d.file = file, d.line = line, d.column = line > 0 ? 1 : 0;
      wrong_.push_back(std::move(d));
    }
  }

  int source_number(const std::string& kernel, page::Source& source) {
    const auto [slot, fresh] = sources_.try_emplace(kernel, static_cast<int>(document_.sources.size()));
    if (fresh)
      document_.sources.push_back(std::move(source));
    else if (source.files.size() > 1 && document_.sources[static_cast<std::size_t>(slot->second)].files.size() < 2)
      document_.sources[static_cast<std::size_t>(slot->second)] = std::move(source);
    return slot->second;
  }

  Movements movements_;
  page::Document document_;
  Runs runs_;
  std::map<std::string, int> sources_;
  Diagnostics wrong_;
};

/// The lesson's text for every GPU of the table.
page::Table gpu_table(const lessons::GpuChoice& choice, std::vector<std::vector<std::string>> rows) {
  page::Table table{.caption = choice.caption, .headings = {"GPU"}, .rows = std::move(rows), .words = true};
  for (const auto& [heading, value] : choice.columns) table.headings.push_back(heading);
  return table;
}

}  // namespace

Expected<page::Document> document_of_lesson(const lessons::Lesson& as_read, lessons::Computer& computer) {
  const auto lesson = LS_TRY(lessons::reported(as_read, computer));
  LessonWriter writer(lesson.title, lesson.summary, Movements::five_positions);
  const std::string file = (lesson.folder / "lesson.md").string();
  for (const lessons::Page& page : lesson.pages) {
    page::Section section{.heading = page.heading};
    for (const lessons::Block& block : page.blocks) {
      if (block.moment)
        writer.moment(*block.moment, section, true, file, block.line);
      else if (block.question)
        writer.question(lesson, *block.question, computer, section, file);
      else if (block.gpus)
        section.blocks.emplace_back(gpu_table(*block.gpus, LS_TRY(lessons::gpu_rows(as_read, computer))));
      else if (!is_blank(block.markdown))
        section.blocks.emplace_back(page::Text{block.markdown});
    }
    writer.add(std::move(section));
  }
  return writer.take();
}

Expected<page::Document> document_of_moments(const std::vector<lessons::SavedMoment>& moments, const std::string& file,
                                             Movements movements) {
  if (moments.empty())
    return failure(Diagnostic{.file = file, .message = "there is no moment", .remedy = "bookmark one in the window"});
  LessonWriter writer(kernel_name(moments.front().kernel), {}, movements);
  page::Section section{.heading = "Moments"};
  for (const lessons::SavedMoment& m : moments) writer.moment(m, section, false, file, 0);
  writer.add(std::move(section));
  return writer.take();
}

}  // namespace lanescope::handout
