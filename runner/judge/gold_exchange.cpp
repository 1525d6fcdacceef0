#include "judge/gold_exchange.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "judge/sealed_file.hpp"
#include "judge/valid_runs.hpp"
#include "model/errors.hpp"
#include "net/file.hpp"
#include "rubric/blind_evidence.hpp"
#include "rubric/gold_sheet.hpp"
#include "run/utc.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

using GoldRuns = std::map<std::string, GoldRun>;               // by the id in the sheet
using ValidByDigest = std::map<std::string, const ValidRun*>;  // by record_sha256

GoldRuns runs_by_id(const ValidRuns& valid) {
    GoldRuns runs;
    for (const ValidRun& run : valid.runs()) {
        const bool fresh = runs.emplace(gold_record_id(run.record_sha256),
                                        GoldRun{run.run_id, run.task_id, run.attempt, run.record_sha256})
                               .second;
        if (!fresh) {
            throw InputError("two records have the id " + gold_record_id(run.record_sha256) +
                             " in a sheet; their lines in records.jsonl are equal");
        }
    }
    return runs;
}

void require_no_judge(const fs::path& out, const std::string& person) {
    read_sealed(out / "judgements.jsonl", [&person](const json& line) {
        if (judgement_from_json(line).judge == person) {
            throw InputError("'" + person + "' is a judge of this folder; give the person another name");
        }
    });
}

// What the person said before stays where the sheet says nothing, and must be the same where it says something.
template <std::size_t Count>
void join(Verdict<Count>& now, const Verdict<Count>& before, const std::string& where, const std::string& person,
          const std::string& run_id) {
    if (!before.scores) {
        return;
    }
    if (!now.scores) {
        now = before;
    } else if (now.scores != before.scores) {
        throw InputError(where + ": '" + person + "' has scored this part of run " + run_id +
                         " otherwise before; name the new scores' judge differently");
    }
}

void join(GoldScores& gold, const Judgement& before, const std::string& person) {
    Judgement& now = gold.judgement;
    for (std::size_t i = 0; i < now.answers.size(); ++i) {
        join(now.answers.at(i), before.answers.at(i), gold.where.at(i), person, now.run_id);
    }
    join(now.cross_turn, before.cross_turn, gold.where.back(), person, now.run_id);
}

// Whether all scores and remarks are there already.
bool same_scores(const Judgement& left, const Judgement& right) {
    const auto same = [](const auto& a, const auto& b) { return a.scores == b.scores && a.rationale == b.rationale; };
    return std::equal(left.answers.begin(), left.answers.end(), right.answers.begin(), same) &&
           same(left.cross_turn, right.cross_turn);
}

json line_of(Judgement judgement, const std::string& person, const Record& record) {
    const BlindEvidence evidence = follow_up_evidence(record);
    judgement.judge = person;
    judgement.cut_bytes = evidence.cut_bytes;
    judgement.redactions = evidence.redactions;
    judgement.judged = utc_now();
    return to_json(judgement);
}

}  // namespace

std::size_t export_gold_sheet(const fs::path& out, const std::string& file, std::size_t sample, std::uint64_t seed) {
    const SheetFormat format = sheet_format_of(file);
    if (fs::exists(file)) {
        throw InputError(file + ": exists and may hold scores; name another file");
    }
    const ValidRuns valid(out / "records.jsonl");
    const std::vector<ValidRun> runs = sampled(valid.runs(), sample == 0 ? valid.runs().size() : sample, seed);
    std::string text = gold_sheet_head(format);
    for (const ValidRun& run : runs) {
        text += gold_sheet_rows(valid.read(run), run.record_sha256, format);
    }
    write_whole(fs::absolute(file), text);
    return runs.size();
}

GoldImport import_gold_sheet(const fs::path& out, const std::string& file, const std::string& person) {
    const ValidRuns valid(out / "records.jsonl");
    ValidByDigest by_digest;
    for (const ValidRun& run : valid.runs()) {
        by_digest[run.record_sha256] = &run;
    }
    FilledGoldSheet sheet = read_gold_sheet(read_file(file), sheet_format_of(file), file, runs_by_id(valid));
    const FolderLock lock(out);
    require_no_judge(out, person);
    std::map<std::string, Judgement> before;  // by record_sha256
    SealedFile gold(out / gold_file, [&](const json& line) {
        Judgement judgement = judgement_from_json(line);
        if (judgement.judge == person) {
            before[judgement.record_sha256] = std::move(judgement);
        }
    });
    GoldImport result{sheet.rows, sheet.blank, 0, 0, gold.torn_file()};
    std::vector<json> lines;
    for (GoldScores& scores : sheet.runs) {
        const auto found = before.find(scores.judgement.record_sha256);
        if (found != before.end()) {
            join(scores, found->second, person);
        }
        if (found != before.end() && same_scores(scores.judgement, found->second)) {
            ++result.before;
            continue;
        }
        const ValidRun& run = *by_digest.at(scores.judgement.record_sha256);
        lines.push_back(line_of(std::move(scores.judgement), person, valid.read(run)));
    }
    for (const json& line : lines) {
        gold.append(line);
        ++result.added;
    }
    return result;
}

}  // namespace pasb
