#include "app/cli/answers/answer.h"

#include <filesystem>

#include "app/engine/prepare/prepare.h"

namespace lanescope::cli {

engine::RunResult run_file(engine::Engine& engine, engine::RunRequest& request) {
  engine::RunResult result = engine.run(request);
  if (result.summary.ok || !engine::failed_as_part(result.summary.diagnostics)) return result;
  const auto whole = engine::request_of_includer(request);
  if (!whole) return result;
  engine::RunResult other = engine.run(*whole);
  if (!other.summary.ok) return result;
  const std::string part = request.file;
  request = *whole;
  const SourceLines& lines = other.summary.lines;
  const auto elsewhere = [&](int unit_line) {
    std::error_code problem;
    const std::size_t file = lines.place(unit_line).file;
    return file >= lines.files.size() || !std::filesystem::equivalent(lines.files[file].path, part, problem);
  };
  std::erase_if(other.summary.claims, [&](const results::ClaimInfo& c) { return elsewhere(c.claim.first_line); });
  std::erase_if(other.findings, [&](const review::Finding& f) { return f.line > 0 && elsewhere(f.line); });
  other.summary.notices.insert(other.summary.notices.begin(),
                               coded<results::NoticeCode::compiled_as_part>(part, whole->file));
  return other;
}

}  // namespace lanescope::cli
