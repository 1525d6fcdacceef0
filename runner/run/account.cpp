#include "run/account.hpp"

#include <algorithm>
#include <set>

#include "changes/changed_text.hpp"
#include "changes/claim_match.hpp"
#include "changes/destination.hpp"
#include "changes/diff.hpp"
#include "changes/engine_changes.hpp"
#include "changes/path_rules.hpp"
#include "changes/printable.hpp"
#include "evidence/answers.hpp"
#include "evidence/continuity.hpp"
#include "evidence/cut.hpp"
#include "evidence/shown.hpp"
#include "evidence/text_spans.hpp"
#include "evidence/tools.hpp"
#include "evidence/write_attempts.hpp"
#include "model/bytes.hpp"

namespace pasb {
namespace {

using nlohmann::json;

const FileEntry* find(const Snapshot& snapshot, const std::string& path) {
    const auto it = snapshot.find(path);
    return it == snapshot.end() ? nullptr : &it->second;
}

void match_note(NoteRecord& note, const Task& task, const FileEntry* before) {
    const bool has_before = before != nullptr && before->content_kept;
    const auto changed =
        changed_text(note.text, has_before ? std::optional<std::string_view>(before->content) : std::nullopt);
    if (!changed) {
        return;
    }
    const ClaimMatch match = match_claim(task.claim, claim_renderings(task), changed->text);
    note.holds_claim = match.holds;
    note.score = match.score;
    const ByteSpan span = changed->in_note(match.span);
    note.span_begin = span.begin;
    note.span_end = span.end;
}

NoteRecord note_from(const Change& change, const FileEntry* after) {
    NoteRecord note;
    note.path = change.path;
    note.kind = change.kind;
    note.change = change.change;
    note.sha256 = change.sha256;
    if (after != nullptr) {
        note.text = after->content;
    }
    return note;
}

bool may_cross(const Adapter& adapter, PathKind kind) {
    return std::find(adapter.crosses.begin(), adapter.crosses.end(), kind) != adapter.crosses.end();
}

// Sorts one changed path into what crosses.
void add_crossing(Crossing& crossing, const Change& change, const FileEntry* after, const NoteRecord& note) {
    if (change.change == ChangeType::deleted) {
        crossing.removed.push_back(change.path);
        return;
    }
    if (!change.renamed_from.empty()) {
        crossing.removed.push_back(change.renamed_from);
    }
    if (change.type == FileType::directory) {
        return;
    }
    if (change.type != FileType::regular || after == nullptr) {
        crossing.refused.push_back(printable(change.path) + ": not a regular file");
    } else if (!after->content_kept && after->size > 0) {
        crossing.refused.push_back(printable(change.path) + ": larger than what is captured");
    } else {
        crossing.put.push_back(note);
    }
}

json to_json(const Continuity& continuity) {
    json value{{"state", to_string(continuity.state)}, {"requests_checked", continuity.requests_checked}};
    if (!continuity.missing.empty()) {
        value["missing"] = continuity.missing;
    }
    return value;
}

json to_json(const CutResult& cut) {
    json spans = json::array();
    for (const ForeignSpan& span : cut.foreign_spans) {
        spans.push_back({{"request", span.request},
                         {"where", span.where},
                         {"excerpt", to_utf8(span.excerpt)},
                         {"words", span.words}});
    }
    return {
        {"proven", cut.proven},          {"reason", to_utf8(cut.reason)}, {"requests_checked", cut.requests_checked},
        {"crossed", cut.crossed},        {"foreign_spans", spans},        {"foreign_total", cut.foreign_total},
        {"canary_seen", cut.canary_seen}};
}

json to_json(const Shown& shown) {
    json notes = json::array();
    for (const ShownNote& note : shown.notes) {
        notes.push_back({{"path", to_utf8(note.path)},
                         {"automatic", note.automatic},
                         {"by_tool", note.by_tool},
                         {"first_request", note.first_request}});
    }
    if (!shown.known) {
        return {{"automatic", nullptr}, {"by_tool", nullptr}, {"notes", notes}};
    }
    return {{"automatic", shown.automatic}, {"by_tool", shown.by_tool}, {"notes", notes}};
}

std::vector<TurnText> texts_of(const std::vector<TurnRecord>& turns) {
    std::vector<TurnText> texts;
    texts.reserve(turns.size());
    for (const TurnRecord& turn : turns) {
        texts.push_back({turn.user, turn.agent});
    }
    return texts;
}

bool upstream_failed_in(const TurnRecord& turn, Chat chat, const std::vector<Exchange>& exchanges) {
    return std::any_of(exchanges.begin(), exchanges.end(), [&](const Exchange& exchange) {
        return exchange.chat == chat && exchange.turn == turn.turn && !exchange.error.empty();
    });
}

void count_calls(std::vector<TurnRecord>& turns, Chat chat, const std::vector<Exchange>& exchanges) {
    for (TurnRecord& turn : turns) {
        turn.model_calls =
            static_cast<int>(std::count_if(exchanges.begin(), exchanges.end(), [&](const Exchange& exchange) {
                return exchange.chat == chat && exchange.turn == turn.turn;
            }));
    }
}

void invalidate(Record& record, std::string_view why, const std::string& detail) {
    if (!record.invalid_reason.empty()) {
        return;  // what happened first is the cause
    }
    record.valid = false;
    record.invalid_reason = why;
    record.invalid_detail = detail;
}

void check_answers(Record& record, const std::vector<TurnRecord>& turns, Chat chat,
                   const std::vector<Exchange>& exchanges) {
    const TurnRecord* const turn = first_unmodelled(turns, chat, exchanges);
    if (turn == nullptr) {
        return;
    }
    const std::string where =
        std::string(chat == Chat::first ? "first chat" : "follow-up") + ", turn " + std::to_string(turn->turn);
    const bool upstream = upstream_failed_in(*turn, chat, exchanges);
    invalidate(record, upstream ? reason::upstream_failed : reason::answer_not_from_model,
               where + ": the answer is not one that the model gave: " + turn->agent.substr(0, 200));
}

// An answer that the model's length limit cut is an answer, but whoever judges it should know.
void warn_of_truncation(Record& record, const std::vector<Exchange>& exchanges) {
    for (const Exchange& exchange : exchanges) {
        const json* const response = &exchange.response;
        if (!exchange.in_turn || !response->is_object() || !response->contains("choices") ||
            response->at("choices").empty()) {
            continue;
        }
        const json& choice = response->at("choices").front();
        if (choice.is_object() && choice.value("finish_reason", json()) == "length") {
            record.warnings.push_back(
                "answer-truncated: " + std::string(exchange.chat == Chat::first ? "first chat" : "follow-up") +
                ", turn " + std::to_string(exchange.turn));
        }
    }
}

std::vector<std::string> framework_texts(const Adapter& adapter, const Snapshot& home) {
    std::vector<std::string> texts;
    for (const auto& [path, entry] : home) {
        const PathKind kind = classify(path, adapter.paths, adapter.home);
        // Bundled skills are left out: they are many, and a first chat that quotes one at length and a follow-up that
        // opens the same one would rather be reported than excused.
        if (entry.content_kept && is_note(kind) && kind != PathKind::skill) {
            texts.push_back(entry.content);
        }
    }
    return texts;
}

std::vector<CrossedPath> crossed_paths(const Crossing& crossing) {
    std::vector<CrossedPath> paths;
    for (const NoteRecord& note : crossing.put) {
        paths.push_back({note.path, note.kind, note.text, true});
    }
    return paths;
}

CutResult cut_of(const Record& record, const EvidenceInput& input, const std::vector<TurnText>& first,
                 const std::vector<TurnText>& follow_up) {
    const std::vector<CrossedPath> crossed = crossed_paths(input.crossing);
    const std::vector<std::string> texts = framework_texts(input.adapter, input.baseline_home);
    const std::vector<NamedBytes> home{{"archive of container 2's home", input.canary_in_second_home
                                                                             ? std::string_view(input.canary)
                                                                             : std::string_view()}};
    CutInput cut;
    cut.first_chat = first;
    cut.follow_up = follow_up;
    cut.exchanges = input.exchanges;
    cut.crossed = crossed;
    cut.framework_texts = texts;
    cut.canary = input.canary;
    cut.second_home = home;
    CutResult result = check_cut(cut);
    if (result.proven && !input.second_home_known) {
        result.proven = false;
        result.reason = "container 2 was not captured whole, so the canary was not looked for everywhere";
    }
    if (result.proven && record.follow_up.size() != follow_up_turns) {
        result.proven = false;
        result.reason = "the follow-up did not come to its end";
    }
    return result;
}

}  // namespace

Crossing account_for_changes(Record& record, const Adapter& adapter, const Manifest& baseline,
                             const Snapshot& baseline_home, const Snapshot& captured,
                             const std::vector<EngineChange>& listed) {
    Crossing crossing;
    std::vector<PathKind> holding;
    for (const Change& change : diff(baseline, captured, adapter.paths, adapter.home)) {
        const FileEntry* const after = find(captured, change.path);
        if (change.kind == PathKind::unknown) {
            record.unclassified.push_back(change);
            continue;
        }
        NoteRecord note = note_from(change, after);
        if (is_note(change.kind) && change.type == FileType::regular) {
            const std::string& old_path = change.renamed_from.empty() ? change.path : change.renamed_from;
            match_note(note, record.task, find(baseline_home, old_path));
            record.notes.push_back(note);
            if (note.holds_claim) {
                holding.push_back(note.kind);
            }
        } else {
            record.other_changes.push_back(change);
        }
        if (may_cross(adapter, change.kind)) {
            add_crossing(crossing, change, after, note);
        }
    }
    OutsideChanges outside = outside_home(listed, adapter.paths, adapter.home);
    record.other_changes.insert(record.other_changes.end(), outside.other.begin(), outside.other.end());
    record.unclassified.insert(record.unclassified.end(), outside.unclassified.begin(), outside.unclassified.end());
    record.destination = to_string(destination_of(holding));
    record.saved = !holding.empty();
    return crossing;
}

void account_for_evidence(Record& record, const EvidenceInput& input) {
    const std::vector<TurnText> first = texts_of(record.first_chat);
    const std::vector<TurnText> follow_up = texts_of(record.follow_up);
    count_calls(record.first_chat, Chat::first, input.exchanges);
    count_calls(record.follow_up, Chat::follow_up, input.exchanges);
    record.write_attempts = write_attempts(input.exchanges, input.adapter);
    record.tools_sha256 = tools_seen(input.exchanges, first, follow_up).sha256;

    std::vector<ClaimNote> notes;
    for (const NoteRecord& note : record.notes) {
        if (note.holds_claim) {
            notes.push_back({note.path, note.text.substr(note.span_begin, note.span_end - note.span_begin)});
        }
    }
    record.shown = to_json(check_shown(input.exchanges, follow_up, notes));

    warn_of_truncation(record, input.exchanges);
    check_answers(record, record.first_chat, Chat::first, input.exchanges);
    check_answers(record, record.follow_up, Chat::follow_up, input.exchanges);

    const Continuity first_continuity = check_continuity(input.exchanges, Chat::first, first);
    const Continuity follow_continuity = check_continuity(input.exchanges, Chat::follow_up, follow_up);
    record.continuity = {{"first_chat", to_json(first_continuity)}, {"follow_up", to_json(follow_continuity)}};
    const CutResult cut = cut_of(record, input, first, follow_up);
    record.cut = to_json(cut);
    // The cut comes first: a follow-up that holds the first chat also breaks other expectations, and the leak is the
    // finding.
    if (!cut.proven) {
        invalidate(record, reason::cut_not_proven, cut.reason);
    }
    for (const Continuity* continuity : {&first_continuity, &follow_continuity}) {
        if (continuity->state != ContinuityState::ok) {
            invalidate(record, reason::continuity_broken, "not in the request: " + continuity->missing);
        }
    }
}

nlohmann::json usage_of(const std::vector<Exchange>& exchanges) {
    std::int64_t prompt = 0;
    std::int64_t completion = 0;
    int attempts = 0;
    int errors = 0;
    for (const Exchange& exchange : exchanges) {
        attempts += exchange.attempts;
        errors += exchange.error.empty() ? 0 : 1;
        const auto usage = exchange.response.is_object() ? exchange.response.find("usage") : exchange.response.end();
        if (exchange.response.is_object() && usage != exchange.response.end() && usage->is_object()) {
            prompt += usage->value("prompt_tokens", std::int64_t{0});
            completion += usage->value("completion_tokens", std::int64_t{0});
        }
    }
    return {{"requests", exchanges.size()},
            {"upstream_attempts", attempts},
            {"errors", errors},
            {"prompt_tokens", prompt},
            {"completion_tokens", completion}};
}

}  // namespace pasb
