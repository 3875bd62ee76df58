// Files that a package installs beside the program agree with the program: the manual page and the completion
// are compared with the help that CLI11 prints, and an installed copy of the program finds its own assets.

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "tests/app/cli/program.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;

class Desktop : public ProgramTest {
 protected:
  /// Names at the begin of the lines of a list in some help: "  check   every claim", "  -o,--output FILE  ...".
  static std::set<std::string> names_in(const std::string& help, const std::string& pattern) {
    std::set<std::string> names;
    const std::regex line("\n  (" + pattern + ")[^\n]*");
    for (std::sregex_iterator at(help.begin(), help.end(), line), end; at != end; ++at) {
      const std::string all = (*at)[1];
      for (std::size_t begin = 0; begin < all.size();) {
        const std::size_t comma = std::min(all.find(',', begin), all.size());
        names.insert(all.substr(begin, comma - begin));
        begin = comma + 1;
      }
    }
    return names;
  }
  static std::set<std::string> options_in(const std::string& help) { return names_in(help, "-[-a-z,]+"); }
  std::set<std::string> commands() const {
    const std::string help = run("--help").out;
    const std::size_t list = help.find("\nSubcommands:");
    return names_in(help.substr(list), "[a-z]+");
  }
  /// Completions of bash after these words; the last one is being typed.
  std::set<std::string> offered(const std::vector<std::string>& words) const {
    std::string line;
    for (const std::string& word : words) line += " '" + word + "'";
    write("try.bash", fmt::format("source '{}'\ncd '{}'\nCOMP_WORDS=(lanescope{})\nCOMP_CWORD={}\n_lanescope\n"
                                  "printf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
                                  path("completion"), path(""), line, words.size()));
    EXPECT_EQ(std::system(fmt::format("bash --norc -u -e '{}' > '{}'", path("try.bash"), path("offered")).c_str()), 0);
    std::set<std::string> all;
    std::istringstream lines(slurp(path("offered")));
    for (std::string each; std::getline(lines, each);)
      if (!each.empty()) all.insert(each);
    return all;
  }
  void write_completion() const {
    ASSERT_EQ(run("completion bash -o " + path("completion")).status, 0);
    ASSERT_FALSE(slurp(path("completion")).empty());
  }
};

using Strings = std::set<std::string>;

TEST_F(Desktop, TheManualPageHasEveryOptionOfTheHelpAndNoOther) {
  const Result page = run("man");
  ASSERT_EQ(page.status, 0) << page.err;
  const auto bold_options = [](const std::string& section) {
    Strings names;
    const std::regex option(R"(\\fB(\\-[^\\]*(?:\\-[^\\]*)*)\\fR)");
    const std::string tagged = std::regex_replace(section, std::regex(R"(\n\.br[^\n]*)"), "");
    for (std::sregex_iterator at(tagged.begin(), tagged.end(), option), end; at != end; ++at)
      names.insert(std::regex_replace((*at)[1].str(), std::regex(R"(\\-)"), "-"));
    return names;
  };
  const Strings all = commands();
  ASSERT_TRUE(all.contains("check") && all.contains("worker"))
      << "the list of subcommands is not read as it is printed";
  for (const std::string& command : all) {
    const std::size_t begin = page.out.find("\n.SS " + command + "\n");
    ASSERT_NE(begin, std::string::npos) << command;
    const std::size_t end = std::min(page.out.find("\n.S", begin + 1), page.out.size());
    EXPECT_EQ(bold_options(page.out.substr(begin, end - begin)), options_in(run(command + " --help").out)) << command;
  }
  const std::size_t begin = page.out.find("\n.SH OPTIONS\n"), end = page.out.find("\n.SH COMMANDS\n");
  EXPECT_EQ(bold_options(page.out.substr(begin, end - begin)), options_in(run("--help").out));
}

TEST_F(Desktop, BashOffersEveryCommandAndOptionOfTheHelpAndNoOther) {
  write_completion();
  Strings first = commands();
  const Strings plain = offered({""});
  for (const std::string& command : first) EXPECT_TRUE(plain.contains(command)) << command;
  EXPECT_FALSE(plain.contains("man")) << "for packages only";
  EXPECT_EQ(offered({"-"}), options_in(run("--help").out));
  for (const std::string& command : first)
    EXPECT_EQ(offered({command, "-"}), options_in(run(command + " --help").out)) << command;
  EXPECT_EQ(offered({"rev"}), Strings{"review"});
}

TEST_F(Desktop, BashOffersWordsThatTheProgramAcceptsAndKernelFiles) {
  write_completion();
  write("a.cu", ""), write("a.ptx", ""), write("a.txt", "");
  fs::create_directory(folder_ / "away");
  EXPECT_EQ(offered({"check", "a"}), (Strings{"a.cu", "a.ptx", "away"}));
  EXPECT_EQ(offered({"a"}), (Strings{"a.cu", "a.ptx", "access", "adopt", "annotate", "away"}));
  EXPECT_EQ(offered({"render", "a.cu", "-o", "a.t"}), Strings{"a.txt"}) << "an output may have any name";
  EXPECT_EQ(offered({"check", "--engine", ""}), (Strings{"emulator", "gpu"}));
  EXPECT_EQ(offered({"check", "--engine", "=", "g"}), Strings{"gpu"});
  EXPECT_EQ(offered({"check", "--engine", "="}), (Strings{"emulator", "gpu"}));
  EXPECT_EQ(offered({"check", "--seed", ""}), Strings{}) << "a number";
  EXPECT_EQ(offered({"--theme", "hi"}), Strings{"high-contrast"});
  // Each offered view is a view.
  for (const std::string& view : offered({"render", "--view", ""})) {
    const Result drawn = run(fmt::format("render no_such_file.cu --view {} -o {}", view, path("x.svg")));
    EXPECT_EQ(drawn.err.find("there is no view"), std::string::npos) << view << ": " << drawn.err;
  }
  EXPECT_NE(run("render no_such_file.cu --view elsewhere -o x.svg").err.find("there is no view"), std::string::npos);
  EXPECT_EQ(offered({"child", ""}), (Strings{"compile", "judge", "live", "measure", "run"}));
}

/// Every option of the help after every command, and none of another one; the shell itself reads the script.
TEST_F(Desktop, ZshAndFishHaveEveryCommandAndOptionOfTheHelp) {
  const std::string zsh = run("completion zsh").out, fish = run("completion fish").out;
  for (const std::string& command : commands()) {
    const Strings expected = options_in(run(command + " --help").out);
    // '*--name=[words]:VALUE:...' in the branch of the command
    Strings names;
    const std::size_t begin = zsh.find("\n  " + command + ")\n");
    ASSERT_NE(begin, std::string::npos) << command;
    const std::string part = zsh.substr(begin, zsh.find(";;", begin) - begin);
    for (std::size_t at = part.find("'*-"); at != std::string::npos; at = part.find("'*-", at + 1))
      names.insert(part.substr(at + 2, part.find_first_of("=[", at) - at - 2));
    EXPECT_EQ(names, expected) << "zsh " << command;
    const std::size_t rest = part.find("'*:");
    EXPECT_TRUE(rest == std::string::npos || part.find("'*:", rest + 1) == std::string::npos)
        << "zsh takes one kind of further words: " << part;
    // complete ... -n '__fish_seen_subcommand_from COMMAND' -s o -l name ...
    names.clear();
    std::istringstream lines(fish);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t condition = line.find("__fish_seen_subcommand_from " + command + "'");
      if (condition == std::string::npos) continue;
      std::istringstream words(line.substr(condition, line.find(" -d ", condition) - condition));
      for (std::string word, name; words >> word;)
        if ((word == "-l" || word == "-s") && words >> name) names.insert((word == "-l" ? "--" : "-") + name);
    }
    EXPECT_EQ(names, expected) << "fish " << command;
  }
  for (const auto& [shell, script] : {std::pair("zsh", zsh), std::pair("fish", fish)}) {
    write(shell, script);
    if (std::system(fmt::format("command -v {} > /dev/null 2>&1", shell).c_str()) != 0) continue;
    EXPECT_EQ(std::system(fmt::format("{} -n '{}'", shell, path(shell)).c_str()), 0) << shell;
  }
}

TEST_F(Desktop, TheHelpNamesTheManualPageAndTheCompletionOfEachShell) {
  const std::string help = run("--help").out;
  for (const char* words :
       {"lanescope man", "lanescope completion bash", "lanescope completion zsh", "lanescope completion fish"})
    EXPECT_NE(help.find(words), std::string::npos) << words;
}

TEST_F(Desktop, TheIconIsWrittenInTheFormatThatItsNameSays) {
  ASSERT_EQ(run("icon -o " + path("icon.svg")).status, 0);
  EXPECT_NE(slurp(path("icon.svg")).find("<svg"), std::string::npos);
  ASSERT_EQ(run("icon --size 24 -o " + path("icon.png")).status, 0);
  const std::string png = slurp(path("icon.png"));
  ASSERT_GT(png.size(), 24u);
  EXPECT_EQ(png.substr(1, 3), "PNG");
  EXPECT_EQ(png.substr(16, 8), std::string("\0\0\0\x18\0\0\0\x18", 8)) << "width and height";
  EXPECT_EQ(run("icon -o " + path("icon.gif")).status, 2);
  EXPECT_EQ(run("icon -o " + path("none/icon.svg")).status, 3);
  EXPECT_EQ(run("completion powershell").status, 2);
}

// docs/install.md: what is written where, and what of it is gone afterwards.
TEST_F(Desktop, TheCacheIsInItsFolderAndHasAnswersAlone) {
  const Result version = run("doctor --json");
  const auto nvrtc = nlohmann::json::parse(version.out)["findings"][0];
  if (!nvrtc["present"].get<bool>()) GTEST_SKIP() << "NVRTC is not installed";
  fs::create_directories(folder_ / "home");
  for (const bool own : {true, false}) {
    const std::string command = fmt::format(
        "cd '{}' && env -u XDG_CACHE_HOME -u LANESCOPE_COMPILE_CACHE HOME='{}' {} '{}' check {}half2.cu > '{}' 2>&1",
        LANESCOPE_SOURCE_DIR, path("home"), own ? "XDG_CACHE_HOME='" + path("cache") + "'" : std::string(), program,
        data, path("out"));
    EXPECT_EQ(std::system(command.c_str()), 0) << slurp(path("out"));
    const fs::path cache = own ? folder_ / "cache/lanescope" : folder_ / "home/.cache/lanescope";
    std::size_t answers = 0;
    for (const auto& entry : fs::recursive_directory_iterator(cache)) {
      if (!entry.is_regular_file()) continue;
      EXPECT_EQ(entry.path().parent_path(), cache / "answers") << entry.path();
      EXPECT_EQ(entry.path().extension(), ".answer") << entry.path();
      ++answers;
    }
    EXPECT_GE(answers, 1u);
    EXPECT_EQ(fs::exists(folder_ / "home/.cache"), !own && fs::exists(cache));
    for (const auto& entry : fs::directory_iterator(cache)) {
      const std::string name = entry.path().filename().string();
      EXPECT_TRUE(name == "answers" || name.starts_with("pch-")) << name;
    }
  }
}

TEST_F(Desktop, AnInstalledCopyFindsTheAssetsBesideIt) {
  fs::create_directories(folder_ / "usr/bin");
  fs::create_directories(folder_ / "usr/share");
  fs::copy_file(program, folder_ / "usr/bin/lanescope");
  fs::copy(fs::path(LANESCOPE_SOURCE_DIR) / "assets", folder_ / "usr/share/lanescope", fs::copy_options::recursive);
  const auto catalogue = [&] {
    const std::string command = fmt::format("cd / && env -u LANESCOPE_ASSETS '{}' doctor --json > '{}'",
                                            path("usr/bin/lanescope"), path("doctor"));
    EXPECT_EQ(std::system(command.c_str()), 0);
    const auto said = nlohmann::json::parse(slurp(path("doctor")));
    for (const auto& finding : said.at("findings"))
      if (finding.at("name") == "catalogue") return finding.at("detail").get<std::string>();
    return std::string();
  };
  EXPECT_NE(catalogue().find(path("usr/share/lanescope/kernels")), std::string::npos) << catalogue();
}

}  // namespace
}  // namespace lanescope::cli
