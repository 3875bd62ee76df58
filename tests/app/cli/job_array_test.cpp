// Sweeps as job arrays: with a loop of the shell in the place of a scheduler, and with Debian's Slurm on this machine.

#include <nlohmann/json.hpp>

#include "app/cli/commands/job_array.h"
#include "tests/app/cli/slurm_cluster.h"
#include "tests/shell_word.h"

namespace lanescope::cli {
namespace {

const std::string swept = "run " + copy + "--sweep block=32,64 --sweep seed=1,2,3";
/// Takes a script and runs it for each task, one after the other.
constexpr const char* loop =
    "cat > '{0}/s.sh'; for t in $(echo {{tasks}} | tr , ' '); do SLURM_ARRAY_TASK_ID=$t sh '{0}/s.sh'; done";

class JobArrays : public ProgramTest {
 protected:
  std::string array(const std::string& command, int tasks = 4) const {
    return fmt::format(" --array {} --array-tasks {} --array-folder {}", shell_word(command), tasks,
                       shell_word(path(".")));
  }
  int folders_left() const {
    int n = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path(".")))
      n += entry.path().filename().string().starts_with("lanescope-sweep-");
    return n;
  }
};

TEST_F(JobArrays, ListsOfJobs) {
  EXPECT_EQ(numbers_of_list("0,3,4"), (std::vector<std::size_t>{0, 3, 4}));
  EXPECT_EQ(numbers_of_list("7"), (std::vector<std::size_t>{7}));
  for (const char* wrong : {"", "1,1", "2,1", "1,", ",1", "a", "-1", "1 2", "99999999999999999999999"})
    EXPECT_TRUE(numbers_of_list(wrong).empty()) << wrong;
}

TEST_F(JobArrays, PartsOfASweepAreItsLines) {
  const Result whole = run(swept), part = run(swept + " --jobs 1,4");
  std::vector<std::string> lines;
  std::istringstream all(whole.out), some(part.out);
  for (std::string line; std::getline(all, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 6u);
  for (const std::size_t job : {1u, 4u}) {
    std::string line;
    ASSERT_TRUE(std::getline(some, line));
    nlohmann::json one = nlohmann::json::parse(line);
    EXPECT_EQ(one["job"], job);
    one.erase("job");
    EXPECT_EQ(one, nlohmann::json::parse(lines[job]));
  }
  for (const char* wrong : {" --jobs 6", " --jobs x", " --jobs 2,1", " --jobs 1 --array cat", " --array cat --via cat"})
    EXPECT_EQ(run(swept + wrong).status, 2) << wrong;
}

TEST_F(JobArrays, TasksAreMerged) {
  const Result here = run(swept);
  for (const int tasks : {1, 4, 100}) {
    const Result there = run(swept + array(fmt::format(fmt::runtime(loop), path(".")), tasks));
    EXPECT_EQ(there.out, here.out) << tasks << there.err;
    EXPECT_EQ(there.status, here.status);
    EXPECT_EQ(there.err, "");
    EXPECT_EQ(folders_left(), 0);
  }
  const Result reported = run(swept + " --progress" + array(fmt::format(fmt::runtime(loop), path("."))));
  EXPECT_EQ(reported.out, here.out);
  EXPECT_NE(reported.err.find("6 of 6 jobs done, in "), std::string::npos) << reported.err;
  EXPECT_NE(run(swept + " --progress").err.find("6 of 6 jobs done, in "), std::string::npos);
}

TEST_F(JobArrays, WhatIsLostIsRepeatedOnce) {
  // Task 1 does not run the first time, and task 2 is killed in the middle of a line.
  const std::string fragile =
      "cat > '{0}/s.sh'; for t in $(echo {{tasks}} | tr , ' '); do SLURM_ARRAY_TASK_ID=$t; export SLURM_ARRAY_TASK_ID; "
      "if "
      "[ -e '{0}/again' ] || [ $t != 1 ]; then sh '{0}/s.sh'; fi; [ -e '{0}/again' ] || for f in "
      "'{0}'/lanescope-sweep-*/2.0.jsonl; do "
      "[ $t != 2 ] || truncate --size=40 $f; done; done; touch '{0}/again'";
  const std::string command = fmt::format(fmt::runtime(fragile), path("."));
  const Result there = run(swept + array(command, 3));
  EXPECT_EQ(there.out, run(swept).out) << there.err;
  EXPECT_EQ(there.status, 0);
  EXPECT_NE(there.err.find("lost with"), std::string::npos) << there.err;
}

TEST_F(JobArrays, WhatIsLostTwiceIsSaid) {
  const Result r = run(swept + array("cat > /dev/null; echo the queue is closed >&2; exit 7"));
  EXPECT_EQ(r.status, 3);
  EXPECT_NE(r.err.find("6 of 6 jobs have no answer"), std::string::npos) << r.err;
  EXPECT_NE(r.err.find("the queue is closed"), std::string::npos) << r.err;
  std::istringstream all(r.out);
  int lines = 0;
  for (std::string line; std::getline(all, line); ++lines) {
    const nlohmann::json one = nlohmann::json::parse(line);
    EXPECT_EQ(one["status"], 3);
    EXPECT_NE(std::string(one["reason"]).find("no task"), std::string::npos);
    EXPECT_EQ(one["parameters"]["block"], lines < 3 ? "32" : "64");
  }
  EXPECT_EQ(lines, 6);
}

class Slurm : public JobArrays {
 protected:
  static void SetUpTestSuite() { cluster = std::make_unique<SlurmCluster>(); }
  static void TearDownTestSuite() { cluster.reset(); }
  void SetUp() override {
    if (!cluster->problem().empty()) GTEST_SKIP() << "NO SLURM ON THIS MACHINE: " << cluster->problem();
    JobArrays::SetUp();
  }
  static inline std::unique_ptr<SlurmCluster> cluster;
};

TEST_F(Slurm, WorkersByTheScheduler) {
  const std::string via = fmt::format(" --via \"srun --quiet '{}' worker\"", program);
  const Result here = run(swept);
  EXPECT_EQ(here.status, 0);
  EXPECT_EQ(run(swept + via), here);
  EXPECT_EQ(run(swept + via + via), here);
  const std::string check = "check assets/kernels/half2_transposes.cu --no-nvrtc";
  EXPECT_EQ(run(check + via), run(check));
}

TEST_F(Slurm, AWorkerThatIsCancelledIsStartedAgain) {
  // It cancels its own job, once, in the middle of what it says.
  write("worker",
        fmt::format("if [ -e '{0}' ]; then exec '{1}' worker; fi\ntouch '{0}'\n'{1}' worker | (dd bs=1 count=200 2> "
                    "/dev/null; scancel $SLURM_JOB_ID; sleep 20)\n",
                    path("once"), program));
  const std::string via = " --via " + shell_word("srun --quiet sh " + shell_word(path("worker")));
  const Result r = run(swept + via);
  EXPECT_EQ(r.out, run(swept).out) << r.err;
  EXPECT_EQ(r.status, 0);
  EXPECT_NE(r.err.find("The request is repeated"), std::string::npos) << r.err;
}

TEST_F(Slurm, AJobArrayIsMergedAndAKilledTaskRepeated) {
  write("endless.ptx", ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\nL: bra L;\n}\n");
  const std::string sweep = fmt::format("run '{}' --max-steps 60000000 --sweep seed=1,2,3,4", path("endless.ptx"));
  // The first time task 1 is cancelled as soon as it runs.
  write("submit",
        fmt::format(
            "#!/bin/sh\nif [ -e '{0}/again' ]; then exec sbatch --quiet --wait --output=/dev/null --array=$1; fi\n"
            "touch '{0}/again'\nid=$(sbatch --parsable --output=/dev/null --array=$1) || exit 1\n"
            "for i in $(seq 600); do squeue --noheader --states=running --job=${{id}}_1 2> /dev/null | grep -q . && "
            "break; sleep 0.05; done\nscancel --signal=KILL --full ${{id}}_1\n"
            "for i in $(seq 300); do squeue --noheader --job=$id 2> /dev/null | grep -q . || break; sleep 0.2; done\n",
            path(".")));
  const Result here = run(sweep);
  const Result there = run(sweep + " --progress" + array(fmt::format("sh '{}' {{tasks}}", path("submit")), 2));
  EXPECT_EQ(there.out, here.out) << there.err;
  EXPECT_EQ(there.status, here.status);
  EXPECT_NE(there.err.find("lost with"), std::string::npos) << there.err;
  EXPECT_NE(there.err.find(" left"), std::string::npos) << there.err;
  EXPECT_NE(there.err.find("4 of 4 jobs done, in "), std::string::npos) << there.err;
}

}  // namespace
}  // namespace lanescope::cli
